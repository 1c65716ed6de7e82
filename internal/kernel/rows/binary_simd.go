//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package rows

import "simd"

// The kernels on vectors as wide as the machine has them, in the steps and the order of their generic twins.
// The last vector of a row overlaps the one before where the row fills no whole number of them: what is
// computed twice comes out the same. dst is never one of the inputs.
//
// What a kernel does to one vector, at i, is a function of its own, called in the loop and once more for the last
// vector: so the compiler sees that the loop stays within the rows, which takes up to half less time than one loop
// that moves its last i back. The compiler must inline it: where it finds it too large, there is one loop.

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

func Add(dst, a, b []float32) {
	if plain(len(dst)) {
		addGeneric(dst, a, b)
		return
	}
	addVector(dst, a, b)
	endVectors()
}

func addVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		addAt(dst, a, b, i)
	}
	if i < len(dst) {
		addAt(dst, a, b, len(dst)-n)
	}
}

func addAt(dst, a, b []float32, i int) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	av.Add(bv).Store(dst[i:])
}

func Subtract(dst, a, b []float32) {
	if plain(len(dst)) {
		subtractGeneric(dst, a, b)
		return
	}
	subtractVector(dst, a, b)
	endVectors()
}

func subtractVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		subtractAt(dst, a, b, i)
	}
	if i < len(dst) {
		subtractAt(dst, a, b, len(dst)-n)
	}
}

func subtractAt(dst, a, b []float32, i int) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	av.Sub(bv).Store(dst[i:])
}

func Multiply(dst, a, b []float32) {
	if plain(len(dst)) {
		multiplyGeneric(dst, a, b)
		return
	}
	multiplyVector(dst, a, b)
	endVectors()
}

func multiplyVector(dst, a, b []float32) {
	var zero simd.Float32s
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		multiplyAt(dst, a, b, i, zero)
	}
	if i < len(dst) {
		multiplyAt(dst, a, b, len(dst)-n, zero)
	}
}

func multiplyAt(dst, a, b []float32, i int, zero simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	av.Mul(bv).Add(zero).Store(dst[i:])
}

func Larger(dst, a, b []float32) {
	if plain(len(dst)) {
		largerGeneric(dst, a, b)
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

func Smaller(dst, a, b []float32) {
	if plain(len(dst)) {
		smallerGeneric(dst, a, b)
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

func Difference(dst, a, b []float32) {
	if plain(len(dst)) {
		differenceGeneric(dst, a, b)
		return
	}
	differenceVector(dst, a, b)
	endVectors()
}

func differenceVector(dst, a, b []float32) {
	var zero simd.Float32s
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		differenceAt(dst, a, b, i, zero)
	}
	if i < len(dst) {
		differenceAt(dst, a, b, len(dst)-n, zero)
	}
}

func differenceAt(dst, a, b []float32, i int, zero simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	selectSmaller(av, zero.Sub(bv)).Store(dst[i:])
}

func SmoothMax(dst, a, b []float32, k float32) {
	if plain(len(dst)) {
		smoothMaxGeneric(dst, a, b, k)
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
	i := 0
	for ; i <= len(dst)-n; i += n {
		smoothMaxAt(dst, a, b, i, kv, fourK, zero)
	}
	if i < len(dst) {
		smoothMaxAt(dst, a, b, len(dst)-n, kv, fourK, zero)
	}
}

func smoothMaxAt(dst, a, b []float32, i int, kv, fourK, zero simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	d := av.Sub(bv).IfElse(av.Greater(bv), bv.Sub(av))
	selectLarger(av, bv).Add(blend(d, kv, fourK)).Add(zero).Store(dst[i:])
}

func SmoothMin(dst, a, b []float32, k float32) {
	if plain(len(dst)) {
		smoothMinGeneric(dst, a, b, k)
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
	i := 0
	for ; i <= len(dst)-n; i += n {
		smoothMinAt(dst, a, b, i, kv, fourK, zero)
	}
	if i < len(dst) {
		smoothMinAt(dst, a, b, len(dst)-n, kv, fourK, zero)
	}
}

func smoothMinAt(dst, a, b []float32, i int, kv, fourK, zero simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	d := bv.Sub(av).IfElse(av.Less(bv), av.Sub(bv))
	selectSmaller(av, bv).Sub(blend(d, kv, fourK)).Add(zero).Store(dst[i:])
}

func SmoothDifference(dst, a, b []float32, k float32) {
	if plain(len(dst)) {
		smoothDifferenceGeneric(dst, a, b, k)
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
	i := 0
	for ; i <= len(dst)-n; i += n {
		smoothDifferenceAt(dst, a, b, i, zero, kv, fourK)
	}
	if i < len(dst) {
		smoothDifferenceAt(dst, a, b, len(dst)-n, zero, kv, fourK)
	}
}

func smoothDifferenceAt(dst, a, b []float32, i int, zero, kv, fourK simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	bv := zero.Sub(simd.LoadFloat32s(b[i:]))
	d := bv.Sub(av).IfElse(av.Less(bv), av.Sub(bv))
	selectSmaller(av, bv).Sub(blend(d, kv, fourK)).Add(zero).Store(dst[i:])
}

func Hypot(dst, a, b []float32) {
	if plain(len(dst)) {
		hypotGeneric(dst, a, b)
		return
	}
	hypotVector(dst, a, b)
	endVectors()
}

func hypotVector(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		hypotAt(dst, a, b, i)
	}
	if i < len(dst) {
		hypotAt(dst, a, b, len(dst)-n)
	}
}

func hypotAt(dst, a, b []float32, i int) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	av.Mul(av).Add(bv.Mul(bv)).Sqrt().Store(dst[i:])
}

func Mix(dst, a, b, t []float32) {
	if plain(len(dst)) {
		mixGeneric(dst, a, b, t)
		return
	}
	mixVector(dst, a, b, t)
	endVectors()
}

func mixVector(dst, a, b, t []float32) {
	var zero simd.Float32s
	a, b, t = a[:len(dst)], b[:len(dst)], t[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		mixAt(dst, a, b, t, i, zero)
	}
	if i < len(dst) {
		mixAt(dst, a, b, t, len(dst)-n, zero)
	}
}

func mixAt(dst, a, b, t []float32, i int, zero simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	bv := simd.LoadFloat32s(b[i:])
	tv := simd.LoadFloat32s(t[i:])
	av.Add(bv.Sub(av).Mul(tv)).Add(zero).Store(dst[i:])
}
