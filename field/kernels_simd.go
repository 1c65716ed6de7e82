//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package field

import "simd"

// The kernels on vectors as wide as the machine has them, in the steps and the order of their generic twins.
// The last vector of a row overlaps the one before where the row fills no whole number of them: what is
// computed twice comes out the same. dst is never one of the inputs.

// plain reports whether a row is left to the generic kernel: where vectors are emulated, which is slower, and
// where the row fills none.
func plain(n int) bool { return simd.Emulated() || n < simd.VectorBitSize()/32 }

// selectLarger and selectSmaller compare and select, the second operand on ties.
func selectLarger(a, b simd.Float32s) simd.Float32s  { return a.IfElse(a.Greater(b), b) }
func selectSmaller(a, b simd.Float32s) simd.Float32s { return a.IfElse(a.Less(b), b) }

// blend returns h²/(4k), h = max(k − d, 0), for k > 0.
func blend(d, k, fourK simd.Float32s) simd.Float32s {
	var zero simd.Float32s
	h := k.Sub(d)
	return h.Mul(h).Div(fourK).IfElse(h.Greater(zero), zero)
}

func lanes() int { return simd.BroadcastFloat32s(0).Len() }

func addRows(dst, a, b []float32) {
	if plain(len(dst)) {
		addRowsGeneric(dst, a, b)
		return
	}
	addVector(dst, a, b)
	endVectors()
}

func addVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		av.Add(bv).Store(dst[i:])
	}
}

func subtractRows(dst, a, b []float32) {
	if plain(len(dst)) {
		subtractRowsGeneric(dst, a, b)
		return
	}
	subtractVector(dst, a, b)
	endVectors()
}

func subtractVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		av.Sub(bv).Store(dst[i:])
	}
}

func multiplyRows(dst, a, b []float32) {
	if plain(len(dst)) {
		multiplyRowsGeneric(dst, a, b)
		return
	}
	multiplyVector(dst, a, b)
	endVectors()
}

func multiplyVector(dst, a, b []float32) {
	var zero simd.Float32s
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		av.Mul(bv).Add(zero).Store(dst[i:])
	}
}

func largerRows(dst, a, b []float32) {
	if plain(len(dst)) {
		largerRowsGeneric(dst, a, b)
		return
	}
	largerVector(dst, a, b)
	endVectors()
}

func largerVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		selectLarger(av, bv).Store(dst[i:])
	}
}

func smallerRows(dst, a, b []float32) {
	if plain(len(dst)) {
		smallerRowsGeneric(dst, a, b)
		return
	}
	smallerVector(dst, a, b)
	endVectors()
}

func smallerVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		selectSmaller(av, bv).Store(dst[i:])
	}
}

func differenceRows(dst, a, b []float32) {
	if plain(len(dst)) {
		differenceRowsGeneric(dst, a, b)
		return
	}
	differenceVector(dst, a, b)
	endVectors()
}

func differenceVector(dst, a, b []float32) {
	var zero simd.Float32s
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		selectSmaller(av, zero.Sub(bv)).Store(dst[i:])
	}
}

func smoothMaxRows(dst, a, b []float32, k float32) {
	if plain(len(dst)) {
		smoothMaxRowsGeneric(dst, a, b, k)
		return
	}
	smoothMaxVector(dst, a, b, k)
	endVectors()
}

func smoothMaxVector(dst, a, b []float32, k float32) {
	var zero simd.Float32s
	kv, fourK := simd.BroadcastFloat32s(k), simd.BroadcastFloat32s(4*k)
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		d := av.Sub(bv).IfElse(av.Greater(bv), bv.Sub(av))
		selectLarger(av, bv).Add(blend(d, kv, fourK)).Add(zero).Store(dst[i:])
	}
}

func smoothMinRows(dst, a, b []float32, k float32) {
	if plain(len(dst)) {
		smoothMinRowsGeneric(dst, a, b, k)
		return
	}
	smoothMinVector(dst, a, b, k)
	endVectors()
}

func smoothMinVector(dst, a, b []float32, k float32) {
	var zero simd.Float32s
	kv, fourK := simd.BroadcastFloat32s(k), simd.BroadcastFloat32s(4*k)
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		d := bv.Sub(av).IfElse(av.Less(bv), av.Sub(bv))
		selectSmaller(av, bv).Sub(blend(d, kv, fourK)).Add(zero).Store(dst[i:])
	}
}

func smoothDifferenceRows(dst, a, b []float32, k float32) {
	if plain(len(dst)) {
		smoothDifferenceRowsGeneric(dst, a, b, k)
		return
	}
	smoothDifferenceVector(dst, a, b, k)
	endVectors()
}

func smoothDifferenceVector(dst, a, b []float32, k float32) {
	var zero simd.Float32s
	kv, fourK := simd.BroadcastFloat32s(k), simd.BroadcastFloat32s(4*k)
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		bv = zero.Sub(bv)
		d := bv.Sub(av).IfElse(av.Less(bv), av.Sub(bv))
		selectSmaller(av, bv).Sub(blend(d, kv, fourK)).Add(zero).Store(dst[i:])
	}
}

func hypotRows(dst, a, b []float32) {
	if plain(len(dst)) {
		hypotRowsGeneric(dst, a, b)
		return
	}
	hypotVector(dst, a, b)
	endVectors()
}

func hypotVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		av.Mul(av).Add(bv.Mul(bv)).Sqrt().Store(dst[i:])
	}
}

func mixRows(dst, a, b, t []float32) {
	if plain(len(dst)) {
		mixRowsGeneric(dst, a, b, t)
		return
	}
	mixVector(dst, a, b, t)
	endVectors()
}

func mixVector(dst, a, b, t []float32) {
	var zero simd.Float32s
	a, b, t = a[:len(dst)], b[:len(dst)], t[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		bv := simd.LoadFloat32s(b[i:])
		tv := simd.LoadFloat32s(t[i:])
		av.Add(bv.Sub(av).Mul(tv)).Add(zero).Store(dst[i:])
	}
}

func scaleRows(dst, a []float32, factor, term float32) {
	if plain(len(dst)) {
		scaleRowsGeneric(dst, a, factor, term)
		return
	}
	scaleVector(dst, a, factor, term)
	endVectors()
}

func scaleVector(dst, a []float32, factor, term float32) {
	var zero simd.Float32s
	f, c := simd.BroadcastFloat32s(factor), simd.BroadcastFloat32s(term)
	a = a[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		av.Mul(f).Add(c).Add(zero).Store(dst[i:])
	}
}

func absRows(dst, a []float32) {
	if plain(len(dst)) {
		absRowsGeneric(dst, a)
		return
	}
	absVector(dst, a)
	endVectors()
}

func absVector(dst, a []float32) {
	a = a[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		av.Abs().Store(dst[i:])
	}
}

func clampRows(dst, a []float32, lo, hi float32) {
	if plain(len(dst)) {
		clampRowsGeneric(dst, a, lo, hi)
		return
	}
	clampVector(dst, a, lo, hi)
	endVectors()
}

func clampVector(dst, a []float32, lo, hi float32) {
	low, high := simd.BroadcastFloat32s(lo), simd.BroadcastFloat32s(hi)
	a = a[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		selectSmaller(selectLarger(av, low), high).Store(dst[i:])
	}
}

func smoothstepRows(dst, a []float32, low, inverse float32) {
	if plain(len(dst)) {
		smoothstepRowsGeneric(dst, a, low, inverse)
		return
	}
	smoothstepVector(dst, a, low, inverse)
	endVectors()
}

func smoothstepVector(dst, a []float32, low, inverse float32) {
	var zero simd.Float32s
	l, f := simd.BroadcastFloat32s(low), simd.BroadcastFloat32s(inverse)
	one, two, three := simd.BroadcastFloat32s(1), simd.BroadcastFloat32s(2), simd.BroadcastFloat32s(3)
	a = a[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		t := selectSmaller(selectLarger(av.Sub(l).Mul(f), zero), one)
		t.Mul(t).Mul(three.Sub(two.Mul(t))).Store(dst[i:])
	}
}

func bumpRows(dst, a []float32, inverse float32) {
	if plain(len(dst)) {
		bumpRowsGeneric(dst, a, inverse)
		return
	}
	bumpVector(dst, a, inverse)
	endVectors()
}

func bumpVector(dst, a []float32, inverse float32) {
	var zero simd.Float32s
	f, one := simd.BroadcastFloat32s(inverse), simd.BroadcastFloat32s(1)
	a = a[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		t := av.Mul(f)
		v := selectLarger(one.Sub(t.Mul(t)), zero)
		v.Mul(v).Store(dst[i:])
	}
}

func heightRows(dst, height []float32, count int, y, dy int32) {
	if plain(count) {
		heightRowsGeneric(dst, height, count, y, dy)
		return
	}
	heightVector(dst, height, count, y, dy)
	endVectors()
}

func heightVector(dst, height []float32, count int, y, dy int32) {
	height = height[:len(dst)]
	n := lanes()
	for first := 0; first < len(dst); first += count {
		yv := simd.BroadcastInt32s(y).ConvertToFloat32()
		row, h := dst[first:][:count], height[first:][:count]
		for i := 0; i < count; i += n {
			i = min(i, count-n)
			simd.LoadFloat32s(h[i:]).Sub(yv).Store(row[i:])
		}
		y += dy
	}
}

func selectRows(dst, x, y, t []float32, threshold float32) {
	if plain(len(dst)) {
		selectRowsGeneric(dst, x, y, t, threshold)
		return
	}
	selectVector(dst, x, y, t, threshold)
	endVectors()
}

func selectVector(dst, x, y, t []float32, threshold float32) {
	limit := simd.BroadcastFloat32s(threshold)
	x, y, t = x[:len(dst)], y[:len(dst)], t[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		below := simd.LoadFloat32s(t[i:]).Less(limit)
		simd.LoadFloat32s(x[i:]).IfElse(below, simd.LoadFloat32s(y[i:])).Store(dst[i:])
	}
}

func sawRows(dst, a []float32, period float32) {
	if plain(len(dst)) {
		sawRowsGeneric(dst, a, period)
		return
	}
	sawVector(dst, a, period)
	endVectors()
}

func sawVector(dst, a []float32, period float32) {
	var zero simd.Float32s
	one, p := simd.BroadcastFloat32s(1), simd.BroadcastFloat32s(period)
	far, near := simd.BroadcastFloat32s(farTeeth), simd.BroadcastFloat32s(-farTeeth)
	a = a[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		u := av.Div(p)
		u = u.IfElse(u.Less(far), far) // out of range a conversion differs between machines
		u = u.IfElse(u.Greater(near), near)
		k := u.ConvertToInt32().ConvertToFloat32()
		k = k.Sub(one).IfElse(k.Greater(u), k)
		v := selectSmaller(selectLarger(av.Sub(p.Mul(k)), zero), p)
		v = v.IfElse(u.Less(far), zero)
		v.IfElse(u.Greater(near), zero).Store(dst[i:])
	}
}

func rowSigns(row []float32) (some, every int32) {
	if plain(len(row)) {
		return rowSignsGeneric(row)
	}
	var or, and [16]int32 // the widest vectors have so many lanes
	n := rowSignsVector(&or, &and, row)
	endVectors()
	every = -1
	for i := range n {
		some |= or[i]
		every &= and[i]
	}
	return some, every
}

// rowSignsVector sets or and and to what rowSigns returns for each lane, and returns the number of lanes.
func rowSignsVector(or, and *[16]int32, row []float32) int {
	var zero, some simd.Int32s
	every := simd.BroadcastInt32s(-1)
	n := lanes()
	for i := 0; i < len(row); i += n {
		i = min(i, len(row)-n)
		b := zero.Sub(simd.LoadFloat32s(row[i:]).ToBits().BitsToInt32())
		some, every = some.Or(b), every.And(b)
	}
	some.Store(or[:])
	every.Store(and[:])
	return n
}
