//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package noise

import "simd"

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
		endVectors()
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
