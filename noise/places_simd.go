//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package noise

import (
	"simd"

	"github.com/terrane/terrane/internal/kernel/vector"
)

// The kernels of places that share nothing: a place in each lane.

func addPlaces(dst []float32, o *octave, kind Kind, dims int, p *[3]places) {
	i := 0
	if !simd.Emulated() {
		switch {
		case kind > Simplex:
			i = addCellularVector(dst, o, kind, dims, p)
		case kind == Simplex && dims == 2:
			i = addSimplex2Vector(dst, o, p)
		case kind == Simplex:
			i = addSimplex3Vector(dst, o, p)
		case dims == 3 && kind == Value:
			i = addValue3Vector(dst, o, p)
		case dims == 3:
			i = addGradient3Vector(dst, o, p)
		case kind == Value:
			i = addValue2Vector(dst, o, p)
		default:
			i = addGradient2Vector(dst, o, p)
		}
		vector.End()
	}
	for ; i < len(dst); i++ {
		dst[i] += o.fold(o.at(kind, dims, p[0].at(i), p[1].at(i), p[2].at(i)))
	}
}

// rowHashVector is rowHash.
func rowHashVector(seed, y, z simd.Uint32s) simd.Uint32s {
	return mixVector(seed.Add(z.Mul(simd.BroadcastUint32s(spreadZ)))).Add(y.Mul(simd.BroadcastUint32s(spreadY)))
}

// fadeVector is fade.
func fadeVector(t simd.Float32s) simd.Float32s {
	p := t.Mul(simd.BroadcastFloat32s(6)).Sub(simd.BroadcastFloat32s(15)).Mul(t).Add(simd.BroadcastFloat32s(10))
	return t.Mul(t).Mul(t).Mul(p)
}

// foldVector adds the octave's share of its value v to sum.
func foldVector(sum, v simd.Float32s, o *octave) simd.Float32s {
	if o.folded {
		v = simd.BroadcastFloat32s(o.base).Add(simd.BroadcastFloat32s(o.slope).Mul(v.Abs()))
	}
	return sum.Add(v)
}

// alongValuesVector is octave.alongValues.
func alongValuesVector(row, x simd.Uint32s, s, w simd.Float32s) simd.Float32s {
	a := signedVector(hashVector(row, x)).Mul(w)
	b := signedVector(hashVector(row, x.Add(simd.BroadcastUint32s(1)))).Mul(w)
	return lerpVector(a, b, s)
}

func addValue2Vector(dst []float32, o *octave, p *[3]places) int {
	seed, w, one := simd.BroadcastUint32s(o.seed), simd.BroadcastFloat32s(o.weight), simd.BroadcastUint32s(1)
	var y simd.Uint32s
	n, i := w.Len(), 0
	for ; i <= len(dst)-n; i += n {
		x, z := simd.LoadUint32s(p[0].cell[i:]), simd.LoadUint32s(p[2].cell[i:])
		sx, sz := fadeVector(simd.LoadFloat32s(p[0].fraction[i:])), fadeVector(simd.LoadFloat32s(p[2].fraction[i:]))
		a := alongValuesVector(rowHashVector(seed, y, z), x, sx, w)
		b := alongValuesVector(rowHashVector(seed, y, z.Add(one)), x, sx, w)
		foldVector(simd.LoadFloat32s(dst[i:]), lerpVector(a, b, sz), o).Store(dst[i:])
	}
	return i
}

func addValue3Vector(dst []float32, o *octave, p *[3]places) int {
	seed, w, one := simd.BroadcastUint32s(o.seed), simd.BroadcastFloat32s(o.weight), simd.BroadcastUint32s(1)
	n, i := w.Len(), 0
	for ; i <= len(dst)-n; i += n {
		x, y, z := simd.LoadUint32s(p[0].cell[i:]), simd.LoadUint32s(p[1].cell[i:]), simd.LoadUint32s(p[2].cell[i:])
		sx, sz := fadeVector(simd.LoadFloat32s(p[0].fraction[i:])), fadeVector(simd.LoadFloat32s(p[2].fraction[i:]))
		a := lerpVector(alongValuesVector(rowHashVector(seed, y, z), x, sx, w),
			alongValuesVector(rowHashVector(seed, y, z.Add(one)), x, sx, w), sz)
		y = y.Add(one)
		b := lerpVector(alongValuesVector(rowHashVector(seed, y, z), x, sx, w),
			alongValuesVector(rowHashVector(seed, y, z.Add(one)), x, sx, w), sz)
		v := lerpVector(a, b, fadeVector(simd.LoadFloat32s(p[1].fraction[i:])))
		foldVector(simd.LoadFloat32s(dst[i:]), v, o).Store(dst[i:])
	}
	return i
}

// gradient2Vector is gradient2.
func gradient2Vector(h simd.Uint32s, w simd.Float32s) (x, z simd.Float32s) {
	u := signedVector(h)
	v := u.Add(simd.BroadcastFloat32s(0.5))
	v = v.Sub(simd.BroadcastFloat32s(2)).IfElse(v.GreaterEqual(simd.BroadcastFloat32s(1)), v)
	return parabolaVector(v).Mul(w), parabolaVector(u).Mul(w)
}

// rowGradient2Vector returns the mix along x of the gradients of two lattice points of a row, seen from f along
// x and g off the row.
func rowGradient2Vector(row, x simd.Uint32s, f, s, g, w simd.Float32s) simd.Float32s {
	x0, z0 := gradient2Vector(hashVector(row, x), w)
	x1, z1 := gradient2Vector(hashVector(row, x.Add(simd.BroadcastUint32s(1))), w)
	e := lerpVector(x0.Mul(f), x1.Mul(f.Sub(simd.BroadcastFloat32s(1))), s)
	return e.Add(lerpVector(z0, z1, s).Mul(g))
}

func addGradient2Vector(dst []float32, o *octave, p *[3]places) int {
	seed, w, one := simd.BroadcastUint32s(o.seed), simd.BroadcastFloat32s(o.weight), simd.BroadcastUint32s(1)
	var y simd.Uint32s
	n, i := w.Len(), 0
	for ; i <= len(dst)-n; i += n {
		x, z := simd.LoadUint32s(p[0].cell[i:]), simd.LoadUint32s(p[2].cell[i:])
		fx, fz := simd.LoadFloat32s(p[0].fraction[i:]), simd.LoadFloat32s(p[2].fraction[i:])
		sx := fadeVector(fx)
		a := rowGradient2Vector(rowHashVector(seed, y, z), x, fx, sx, fz, w)
		b := rowGradient2Vector(rowHashVector(seed, y, z.Add(one)), x, fx, sx, fz.Sub(simd.BroadcastFloat32s(1)), w)
		foldVector(simd.LoadFloat32s(dst[i:]), lerpVector(a, b, fadeVector(fz)), o).Store(dst[i:])
	}
	return i
}

// gradient3Vector is gradient3, w's bits given.
func gradient3Vector(h, w simd.Uint32s) (x, y, z simd.Float32s) {
	sign := simd.BroadcastUint32s(1 << 31)
	zero := h.And(simd.BroadcastUint32s(0xffff)).Mul(simd.BroadcastUint32s(3)).ShiftAllRight(16)
	x = w.Add(h.And(sign)).Masked(zero.NotEqual(simd.BroadcastUint32s(0))).BitsToFloat32()
	y = w.Add(h.ShiftAllLeft(1).And(sign)).Masked(zero.NotEqual(simd.BroadcastUint32s(1))).BitsToFloat32()
	z = w.Add(h.ShiftAllLeft(2).And(sign)).Masked(zero.NotEqual(simd.BroadcastUint32s(2))).BitsToFloat32()
	return x, y, z
}

// rowGradient3Vector returns the mix along x of the gradients of two lattice points of a row: the value seen
// from f along x and g along z, and the slope along y.
func rowGradient3Vector(row, x simd.Uint32s, f, s, g simd.Float32s, w simd.Uint32s) (value, slope simd.Float32s) {
	x0, y0, z0 := gradient3Vector(hashVector(row, x), w)
	x1, y1, z1 := gradient3Vector(hashVector(row, x.Add(simd.BroadcastUint32s(1))), w)
	e := lerpVector(x0.Mul(f), x1.Mul(f.Sub(simd.BroadcastFloat32s(1))), s)
	return e.Add(lerpVector(z0, z1, s).Mul(g)), lerpVector(y0, y1, s)
}

func addGradient3Vector(dst []float32, o *octave, p *[3]places) int {
	seed, w, one := simd.BroadcastUint32s(o.seed), simd.BroadcastFloat32s(o.weight).ToBits(), simd.BroadcastUint32s(1)
	unit := simd.BroadcastFloat32s(1)
	n, i := w.Len(), 0
	for ; i <= len(dst)-n; i += n {
		x, y, z := simd.LoadUint32s(p[0].cell[i:]), simd.LoadUint32s(p[1].cell[i:]), simd.LoadUint32s(p[2].cell[i:])
		fx, fy, fz := simd.LoadFloat32s(p[0].fraction[i:]), simd.LoadFloat32s(p[1].fraction[i:]), simd.LoadFloat32s(p[2].fraction[i:])
		sx, sz, gz := fadeVector(fx), fadeVector(fz), fz.Sub(unit)
		e0, g0 := rowGradient3Vector(rowHashVector(seed, y, z), x, fx, sx, fz, w)
		e1, g1 := rowGradient3Vector(rowHashVector(seed, y, z.Add(one)), x, fx, sx, gz, w)
		a := lerpVector(e0, e1, sz).Add(lerpVector(g0, g1, sz).Mul(fy))
		y = y.Add(one)
		e0, g0 = rowGradient3Vector(rowHashVector(seed, y, z), x, fx, sx, fz, w)
		e1, g1 = rowGradient3Vector(rowHashVector(seed, y, z.Add(one)), x, fx, sx, gz, w)
		b := lerpVector(e0, e1, sz).Add(lerpVector(g0, g1, sz).Mul(fy.Sub(unit)))
		foldVector(simd.LoadFloat32s(dst[i:]), lerpVector(a, b, fadeVector(fy)), o).Store(dst[i:])
	}
	return i
}

// movedVector is place.moved.
func movedVector(cell simd.Uint32s, fraction simd.Float32s) (simd.Uint32s, simd.Float32s) {
	half := simd.BroadcastFloat32s(0.5)
	past := fraction.GreaterEqual(half)
	return cell.Add(simd.BroadcastUint32s(1)).IfElse(past, cell), fraction.Sub(half).IfElse(past, fraction.Add(half))
}

// numberVector returns n in every lane. It is made a float32 there and not before: see vector.End.
func numberVector(n int32) simd.Float32s { return simd.BroadcastInt32s(n).ConvertToFloat32() }

// spreadVector is spread.
func spreadVector(t, slope simd.Float32s) simd.Float32s {
	var zero simd.Float32s
	t = t.IfElse(t.Greater(zero), zero)
	t = t.Mul(t)
	return t.Mul(t).Mul(slope)
}

func addSimplex2Vector(dst []float32, o *octave, p *[3]places) int {
	w := simd.BroadcastFloat32s(o.weight)
	n, i := w.Len(), 0
	for ; i <= len(dst)-n; i += n {
		x, z := simd.LoadUint32s(p[0].cell[i:]), simd.LoadUint32s(p[2].cell[i:])
		fx, fz := simd.LoadFloat32s(p[0].fraction[i:]), simd.LoadFloat32s(p[2].fraction[i:])
		v := spread2Vector(simd.BroadcastUint32s(o.seed), x, z, fx, fz, w)
		x, fx = movedVector(x, fx)
		z, fz = movedVector(z, fz)
		v = v.Add(spread2Vector(simd.BroadcastUint32s(o.seed+otherGrid), x, z, fx, fz, w))
		foldVector(simd.LoadFloat32s(dst[i:]), v, o).Store(dst[i:])
	}
	return i
}

// spread2Vector is octave.spread2.
func spread2Vector(seed, x, z simd.Uint32s, fx, fz, w simd.Float32s) simd.Float32s {
	var sum simd.Float32s
	var y simd.Uint32s
	reach, stretch := simd.BroadcastFloat32s(simplexReach2), simd.BroadcastFloat32s(sqrt3)
	for k := range uint32(2) {
		row := rowHashVector(seed, y, z.Add(simd.BroadcastUint32s(k)))
		dz := fz.Sub(numberVector(int32(k))).Mul(stretch)
		for i := range uint32(2) {
			dx := fx.Sub(numberVector(int32(i)))
			gx, gz := gradient2Vector(hashVector(row, x.Add(simd.BroadcastUint32s(i))), w)
			t := reach.Sub(dx.Mul(dx).Add(dz.Mul(dz)))
			sum = sum.Add(spreadVector(t, gx.Mul(dx).Add(gz.Mul(dz))))
		}
	}
	return sum
}

func addSimplex3Vector(dst []float32, o *octave, p *[3]places) int {
	w := simd.BroadcastFloat32s(o.weight).ToBits()
	n, i := w.Len(), 0
	for ; i <= len(dst)-n; i += n {
		x, y, z := simd.LoadUint32s(p[0].cell[i:]), simd.LoadUint32s(p[1].cell[i:]), simd.LoadUint32s(p[2].cell[i:])
		fx, fy, fz := simd.LoadFloat32s(p[0].fraction[i:]), simd.LoadFloat32s(p[1].fraction[i:]), simd.LoadFloat32s(p[2].fraction[i:])
		v := spread3Vector(simd.BroadcastUint32s(o.seed), x, y, z, fx, fy, fz, w)
		x, fx = movedVector(x, fx)
		y, fy = movedVector(y, fy)
		z, fz = movedVector(z, fz)
		v = v.Add(spread3Vector(simd.BroadcastUint32s(o.seed+otherGrid), x, y, z, fx, fy, fz, w))
		foldVector(simd.LoadFloat32s(dst[i:]), v, o).Store(dst[i:])
	}
	return i
}

// spread3Vector is octave.spread3.
func spread3Vector(seed, x, y, z simd.Uint32s, fx, fy, fz simd.Float32s, w simd.Uint32s) simd.Float32s {
	var sum simd.Float32s
	reach := simd.BroadcastFloat32s(simplexReach3)
	for k := range uint32(2) {
		dz := fz.Sub(numberVector(int32(k)))
		for j := range uint32(2) {
			dy := fy.Sub(numberVector(int32(j)))
			row := rowHashVector(seed, y.Add(simd.BroadcastUint32s(j)), z.Add(simd.BroadcastUint32s(k)))
			q := dy.Mul(dy).Add(dz.Mul(dz))
			for i := range uint32(2) {
				dx := fx.Sub(numberVector(int32(i)))
				gx, gy, gz := gradient3Vector(hashVector(row, x.Add(simd.BroadcastUint32s(i))), w)
				t := reach.Sub(dx.Mul(dx).Add(q))
				sum = sum.Add(spreadVector(t, gx.Mul(dx).Add(gy.Mul(dy).Add(gz.Mul(dz)))))
			}
		}
	}
	return sum
}

// A simplexRow is a row of lattice points along x of one grid, seen from a row of samples.
type simplexRow struct {
	hash      uint32
	dy, dz, q float32 // how far off it the samples are, and the square of that
}

// addSimplexRow adds simplex noise in three dimensions to a row of samples that differ in x alone, and reports whether
// it did. They share the hashes of the rows of lattice points round them, and four in ten of these rows are too far
// away to spread to them: what they would add is 0.
func addSimplexRow(dst []float32, o *octave, x *places, y, z place) bool {
	if vector.Unfit(len(dst)) {
		return false
	}
	var rows [8]simplexRow
	first := appendSimplexRows(rows[:0], o.seed, y, z)
	all := appendSimplexRows(first, o.seed+otherGrid, y.moved(), z.moved())
	addSimplexRowVector(dst, o, x, all[:len(first)], all[len(first):])
	vector.End()
	return true
}

// appendSimplexRows appends the rows of a grid that spread to y, z.
func appendSimplexRows(rows []simplexRow, seed uint32, y, z place) []simplexRow {
	for k := range uint32(2) {
		dz := z.fraction - float32(k)
		for j := range uint32(2) {
			dy := y.fraction - float32(j)
			if q := float32(dy*dy) + float32(dz*dz); q < simplexReach3 {
				rows = append(rows, simplexRow{rowHash(seed, y.cell+j, z.cell+k), dy, dz, q})
			}
		}
	}
	return rows
}

func addSimplexRowVector(dst []float32, o *octave, p *places, rows, moved []simplexRow) {
	w, last := simd.BroadcastFloat32s(o.weight).ToBits(), lastLanes(len(dst))
	n := w.Len()
	for i := 0; i < len(dst); i += n {
		end := i+n > len(dst)
		if end {
			i = len(dst) - n
		}
		x, fx := simd.LoadUint32s(p.cell[i:]), simd.LoadFloat32s(p.fraction[i:])
		v := spreadRowsVector(rows, x, fx, w)
		x, fx = movedVector(x, fx)
		v = v.Add(spreadRowsVector(moved, x, fx, w))
		if o.folded {
			v = simd.BroadcastFloat32s(o.base).Add(simd.BroadcastFloat32s(o.slope).Mul(v.Abs()))
		}
		if end {
			v = v.Masked(last)
		}
		simd.LoadFloat32s(dst[i:]).Add(v).Store(dst[i:])
	}
}

// spreadRowsVector sums what the lattice points of some rows spread, as octave.spread3 does.
func spreadRowsVector(rows []simplexRow, x simd.Uint32s, fx simd.Float32s, w simd.Uint32s) simd.Float32s {
	var sum simd.Float32s
	reach, next := simd.BroadcastFloat32s(simplexReach3), x.Add(simd.BroadcastUint32s(1))
	far := fx.Sub(simd.BroadcastFloat32s(1))
	for i := range rows {
		r := &rows[i]
		hash, dy, dz := simd.BroadcastUint32s(r.hash), simd.BroadcastFloat32s(r.dy), simd.BroadcastFloat32s(r.dz)
		q := simd.BroadcastFloat32s(r.q)
		gx, gy, gz := gradient3Vector(hashVector(hash, x), w)
		t := reach.Sub(fx.Mul(fx).Add(q))
		sum = sum.Add(spreadVector(t, gx.Mul(fx).Add(gy.Mul(dy).Add(gz.Mul(dz)))))
		gx, gy, gz = gradient3Vector(hashVector(hash, next), w)
		t = reach.Sub(far.Mul(far).Add(q))
		sum = sum.Add(spreadVector(t, gx.Mul(far).Add(gy.Mul(dy).Add(gz.Mul(dz)))))
	}
	return sum
}

func addCellularVector(dst []float32, o *octave, kind Kind, dims int, p *[3]places) int {
	w, one, two := simd.BroadcastFloat32s(o.weight), simd.BroadcastFloat32s(1), simd.BroadcastFloat32s(2)
	n, i := w.Len(), 0
	for ; i <= len(dst)-n; i += n {
		first, second := nearestVector(o.seed, dims, p, i)
		v := cappedVector(first)
		if kind == Edges {
			v = cappedVector(second).Sub(v)
		}
		foldVector(simd.LoadFloat32s(dst[i:]), two.Mul(v).Sub(one).Mul(w), o).Store(dst[i:])
	}
	return i
}

// nearestVector is octave.nearest of the places from i on.
func nearestVector(seed uint32, dims int, p *[3]places, i int) (first, second simd.Float32s) {
	const mask = 1<<pointBits - 1
	first, second = simd.BroadcastFloat32s(4), simd.BroadcastFloat32s(4)
	x, z := simd.LoadUint32s(p[0].cell[i:]), simd.LoadUint32s(p[2].cell[i:])
	fx, fz := simd.LoadFloat32s(p[0].fraction[i:]), simd.LoadFloat32s(p[2].fraction[i:])
	var y simd.Uint32s
	var fy simd.Float32s
	low := uint32(0)
	if dims == 3 {
		low = 1
		y, fy = simd.LoadUint32s(p[1].cell[i:]), simd.LoadFloat32s(p[1].fraction[i:])
	}
	scale, scaleZ := simd.BroadcastFloat32s(1.0/(1<<pointBits)), simd.BroadcastFloat32s(1.0/(1<<(32-2*pointBits)))
	m, s := simd.BroadcastUint32s(mask), simd.BroadcastUint32s(seed)
	for k := range uint32(3) {
		for j := range 2*low + 1 {
			row := rowHashVector(s, y.Add(simd.BroadcastUint32s(j-low)), z.Add(simd.BroadcastUint32s(k-1)))
			for i := range uint32(3) {
				h := hashVector(row, x.Add(simd.BroadcastUint32s(i-1)))
				px := h.And(m).BitsToInt32().ConvertToFloat32().Mul(scale)
				pz := h.ShiftAllRight(2 * pointBits).BitsToInt32().ConvertToFloat32().Mul(scaleZ)
				dx := numberVector(int32(i) - 1).Add(px.Sub(fx))
				dz := numberVector(int32(k) - 1).Add(pz.Sub(fz))
				q := dz.Mul(dz)
				if dims == 3 {
					py := h.ShiftAllRight(pointBits).And(m).BitsToInt32().ConvertToFloat32().Mul(scale)
					dy := numberVector(int32(j) - 1).Add(py.Sub(fy))
					q = dy.Mul(dy).Add(q)
				}
				q = dx.Mul(dx).Add(q)
				nearer := q.Less(first)
				second = first.IfElse(nearer, q.IfElse(q.Less(second), second))
				first = q.IfElse(nearer, first)
			}
		}
	}
	return first, second
}

// cappedVector is capped.
func cappedVector(square simd.Float32s) simd.Float32s {
	one := simd.BroadcastFloat32s(1)
	return square.IfElse(square.Less(one), one).Sqrt()
}

func fillCracks(dst []float32, c *Cracks, x *places, z place) {
	if vector.Unfit(len(dst)) {
		fillCracksPlain(dst, c, x, z)
		return
	}
	fillCracksVector(dst, c, x, z)
	vector.End()
}

// fillCracksVector is fillCracksPlain. It hashes the points twice, which costs less than keeping 25 vectors.
func fillCracksVector(dst []float32, c *Cracks, along *places, z place) {
	var zero simd.Float32s
	var y simd.Uint32s
	farthest, far := simd.BroadcastFloat32s(4*cracksReach*cracksReach), simd.BroadcastFloat32s(8)
	half, period, jitter := simd.BroadcastFloat32s(0.5), simd.BroadcastFloat32s(c.period), simd.BroadcastFloat32s(c.jitter)
	seed, fz := simd.BroadcastUint32s(c.seed), simd.BroadcastFloat32s(z.fraction)
	n := half.Len()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		x, fx := simd.LoadUint32s(along.cell[i:]), simd.LoadFloat32s(along.fraction[i:])
		first, nx, nz := far, zero, zero
		for k := range uint32(5) {
			row := rowHashVector(seed, y, simd.BroadcastUint32s(z.cell+k-2))
			for i := range uint32(5) {
				px, pz := crackPoint(row, x, fx, fz, jitter, i, k)
				q := px.Mul(px).Add(pz.Mul(pz))
				nearer := q.Less(first)
				first, nx, nz = q.IfElse(nearer, first), px.IfElse(nearer, nx), pz.IfElse(nearer, nz)
			}
		}
		least := farthest
		for k := range uint32(5) {
			row := rowHashVector(seed, y, simd.BroadcastUint32s(z.cell+k-2))
			for i := range uint32(5) {
				px, pz := crackPoint(row, x, fx, fz, jitter, i, k)
				dx, dz := px.Sub(nx), pz.Sub(nz)
				apart := dx.Mul(dx).Add(dz.Mul(dz))
				s := px.Add(nx).Mul(dx).Add(pz.Add(nz).Mul(dz))
				s = s.IfElse(s.Greater(zero), zero)
				d := s.Mul(s).Div(apart)
				least = d.IfElse(d.Less(least).And(apart.Greater(zero)), least)
			}
		}
		least.Sqrt().Mul(half).Mul(period).Store(dst[i:])
	}
}

// crackPoint returns the point of the cell i, k of five by five, seen from a place.
func crackPoint(row, x simd.Uint32s, fx, fz, jitter simd.Float32s, i, k uint32) (px, pz simd.Float32s) {
	h := hashVector(row, x.Add(simd.BroadcastUint32s(i-2)))
	half := simd.BroadcastFloat32s(0.5)
	u := h.And(simd.BroadcastUint32s(1<<pointBits - 1)).BitsToInt32().ConvertToFloat32().Mul(simd.BroadcastFloat32s(1.0 / (1 << pointBits)))
	v := h.ShiftAllRight(2 * pointBits).BitsToInt32().ConvertToFloat32().Mul(simd.BroadcastFloat32s(1.0 / (1 << (32 - 2*pointBits))))
	px = numberVector(int32(i) - 2).Add(half.Add(jitter.Mul(u.Sub(half)))).Sub(fx)
	pz = numberVector(int32(k) - 2).Add(half.Add(jitter.Mul(v.Sub(half)))).Sub(fz)
	return px, pz
}
