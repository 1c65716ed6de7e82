//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package noise

import "simd"

// movedVector is place.moved.
func movedVector(cell simd.Uint32s, fraction simd.Float32s) (simd.Uint32s, simd.Float32s) {
	half := simd.BroadcastFloat32s(0.5)
	past := fraction.GreaterEqual(half)
	return cell.Add(simd.BroadcastUint32s(1)).IfElse(past, cell), fraction.Sub(half).IfElse(past, fraction.Add(half))
}

// numberVector returns n in every lane. It is made a float32 there and not before: see endVectors.
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
	if plain(len(dst)) {
		return false
	}
	var rows [8]simplexRow
	first := appendSimplexRows(rows[:0], o.seed, y, z)
	all := appendSimplexRows(first, o.seed+otherGrid, y.moved(), z.moved())
	addSimplexRowVector(dst, o, x, all[:len(first)], all[len(first):])
	endVectors()
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
