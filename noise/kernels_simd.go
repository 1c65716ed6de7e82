//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package noise

import "simd"

// The kernels on vectors as wide as the machine has them. Each does what its generic twin does, in the same
// order, and leaves the rest of a row that fills no vector to it.

func latticeValues(dst []float32, columns []uint32, row uint32, w float32) {
	i := 0
	if !simd.Emulated() {
		i = latticeValuesVector(dst, columns, row, w)
		endVectors()
	}
	latticeValuesGeneric(dst[i:], columns[i:], row, w)
}

func latticeValuesVector(dst []float32, columns []uint32, row uint32, w float32) int {
	r, weight := simd.BroadcastUint32s(row), simd.BroadcastFloat32s(w)
	n, i := r.Len(), 0
	dst = dst[:len(columns)]
	for ; i+n <= len(columns); i += n {
		h := hashVector(r, simd.LoadUint32s(columns[i:]))
		signedVector(h).Mul(weight).Store(dst[i:])
	}
	return i
}

// hashVector is hash.
func hashVector(row, x simd.Uint32s) simd.Uint32s {
	return mixVector(row.Add(x.Mul(simd.BroadcastUint32s(spreadX))))
}

// mixVector is mix.
func mixVector(h simd.Uint32s) simd.Uint32s {
	h = h.Xor(h.ShiftAllRight(16)).Mul(simd.BroadcastUint32s(0x85ebca6b))
	h = h.Xor(h.ShiftAllRight(13)).Mul(simd.BroadcastUint32s(0xc2b2ae35))
	return h.Xor(h.ShiftAllRight(16))
}

// signedVector is signed.
func signedVector(h simd.Uint32s) simd.Float32s {
	return h.BitsToInt32().ShiftAllRight(8).ConvertToFloat32().Mul(simd.BroadcastFloat32s(1.0 / (1 << 23)))
}

func latticeGradients2(gx, gz []float32, columns []uint32, row uint32, w float32) {
	i := 0
	if !simd.Emulated() {
		i = latticeGradients2Vector(gx, gz, columns, row, w)
		endVectors()
	}
	latticeGradients2Generic(gx[i:], gz[i:], columns[i:], row, w)
}

func latticeGradients2Vector(gx, gz []float32, columns []uint32, row uint32, w float32) int {
	r, weight := simd.BroadcastUint32s(row), simd.BroadcastFloat32s(w)
	n, i := r.Len(), 0
	gx, gz = gx[:len(columns)], gz[:len(columns)]
	for ; i+n <= len(columns); i += n {
		x, z := gradient2Vector(hashVector(r, simd.LoadUint32s(columns[i:])), weight)
		x.Store(gx[i:])
		z.Store(gz[i:])
	}
	return i
}

// parabolaVector is parabola.
func parabolaVector(u simd.Float32s) simd.Float32s {
	return simd.BroadcastFloat32s(4).Mul(u).Mul(simd.BroadcastFloat32s(1).Sub(u.Abs()))
}

func latticeGradients3(gx, gy, gz []float32, columns []uint32, row uint32, w float32) {
	i := 0
	if !simd.Emulated() {
		i = latticeGradients3Vector(gx, gy, gz, columns, row, w)
		endVectors()
	}
	latticeGradients3Generic(gx[i:], gy[i:], gz[i:], columns[i:], row, w)
}

func latticeGradients3Vector(gx, gy, gz []float32, columns []uint32, row uint32, w float32) int {
	r, weight := simd.BroadcastUint32s(row), simd.BroadcastFloat32s(w).ToBits()
	n, i := r.Len(), 0
	gx, gy, gz = gx[:len(columns)], gy[:len(columns)], gz[:len(columns)]
	for ; i+n <= len(columns); i += n {
		x, y, z := gradient3Vector(hashVector(r, simd.LoadUint32s(columns[i:])), weight)
		x.Store(gx[i:])
		y.Store(gy[i:])
		z.Store(gz[i:])
	}
	return i
}

// lerpVector is lerp.
func lerpVector(a, b, t simd.Float32s) simd.Float32s { return a.Add(b.Sub(a).Mul(t)) }

func mixRows(dst, a, b []float32, t float32) {
	i := 0
	if !simd.Emulated() {
		i = mixRowsVector(dst, a, b, t)
		endVectors()
	}
	mixRowsGeneric(dst[i:], a[i:], b[i:], t)
}

func mixRowsVector(dst, a, b []float32, t float32) int {
	s := simd.BroadcastFloat32s(t)
	n, i := s.Len(), 0
	a, b = a[:len(dst)], b[:len(dst)]
	for ; i+n <= len(dst); i += n {
		lerpVector(simd.LoadFloat32s(a[i:]), simd.LoadFloat32s(b[i:]), s).Store(dst[i:])
	}
	return i
}

func mixSlopes(dst []float32, r0, r1 *latticeRow, f, t float32) {
	i := 0
	if !simd.Emulated() {
		i = mixSlopesVector(dst, r0, r1, f, t)
		endVectors()
	}
	mixSlopesRow(dst[i:], r0.value[i:], r1.value[i:], r0.z[i:], r1.z[i:], f, t)
}

func mixSlopesVector(dst []float32, r0, r1 *latticeRow, f, t float32) int {
	s, a, b := simd.BroadcastFloat32s(t), simd.BroadcastFloat32s(f), simd.BroadcastFloat32s(f-1)
	n, i := s.Len(), 0
	v0, v1, z0, z1 := r0.value[:len(dst)], r1.value[:len(dst)], r0.z[:len(dst)], r1.z[:len(dst)]
	for ; i+n <= len(dst); i += n {
		low := simd.LoadFloat32s(v0[i:]).Add(simd.LoadFloat32s(z0[i:]).Mul(a))
		high := simd.LoadFloat32s(v1[i:]).Add(simd.LoadFloat32s(z1[i:]).Mul(b))
		lerpVector(low, high, s).Store(dst[i:])
	}
	return i
}

func mixAlong(dst []float32, index []int32, s, values []float32) {
	mixAlongGeneric(dst, index, s, values)
}

func mixGradients(dst []float32, index []int32, f, s, slopes []float32) {
	mixGradientsGeneric(dst, index, f, s, slopes)
}

func addValue(dst, e0, e1, s []float32, fo fold) {
	i, n := 0, len(e0)
	if !simd.Emulated() {
		i = addValueVector(dst, e0, e1, s, fo)
		endVectors()
	}
	for r, t := range s {
		addValueRow(dst[r*n:][i:n], e0[i:], e1[i:], t, fo)
	}
}

func addValueVector(dst, e0, e1, s []float32, fo fold) (done int) {
	base, slope := simd.BroadcastFloat32s(fo.base), simd.BroadcastFloat32s(fo.slope)
	n, count := base.Len(), len(e0)
	e1 = e1[:count]
	for r, t := range s {
		row := dst[r*count:][:count]
		tv, i := simd.BroadcastFloat32s(t), 0
		for ; i+n <= count; i += n {
			v := lerpVector(simd.LoadFloat32s(e0[i:]), simd.LoadFloat32s(e1[i:]), tv)
			if fo.on {
				v = base.Add(slope.Mul(v.Abs()))
			}
			simd.LoadFloat32s(row[i:]).Add(v).Store(row[i:])
		}
		done = i
	}
	return done
}

func addGradient(dst []float32, e0, e1 *edge, f, s []float32, fo fold) {
	i, n := 0, len(e0.value)
	if !simd.Emulated() {
		i = addGradientVector(dst, e0, e1, f, s, fo)
		endVectors()
	}
	for r, t := range s {
		addGradientRow(dst[r*n:][i:n], e0.value[i:], e1.value[i:], e0.slope[i:], e1.slope[i:], f[r], t, fo)
	}
}

func addGradientVector(dst []float32, e0, e1 *edge, f, s []float32, fo fold) (done int) {
	base, slope := simd.BroadcastFloat32s(fo.base), simd.BroadcastFloat32s(fo.slope)
	n, count := base.Len(), len(e0.value)
	v0, v1, g0, g1 := e0.value, e1.value[:count], e0.slope[:count], e1.slope[:count]
	for r, t := range s {
		row := dst[r*count:][:count]
		tv, a, b, i := simd.BroadcastFloat32s(t), simd.BroadcastFloat32s(f[r]), simd.BroadcastFloat32s(f[r]-1), 0
		for ; i+n <= count; i += n {
			low := simd.LoadFloat32s(v0[i:]).Add(simd.LoadFloat32s(g0[i:]).Mul(a))
			high := simd.LoadFloat32s(v1[i:]).Add(simd.LoadFloat32s(g1[i:]).Mul(b))
			v := lerpVector(low, high, tv)
			if fo.on {
				v = base.Add(slope.Mul(v.Abs()))
			}
			simd.LoadFloat32s(row[i:]).Add(v).Store(row[i:])
		}
		done = i
	}
	return done
}
