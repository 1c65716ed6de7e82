//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package noise

import (
	"simd"

	"github.com/terrane/terrane/internal/kernel/vector"
)

// The kernels on vectors as wide as the machine has them. Each does what its generic twin does, in the same
// order, and leaves the rest of a row that fills no vector to it. Their loops end at i <= count-n, for of i+n <= count
// the compiler does not see that it keeps i within the rows: checking each access costs a quarter of the speed.

// latticeLanes returns how many lattice points are hashed at once.
func latticeLanes() int {
	if simd.Emulated() {
		return 1
	}
	return simd.VectorBitSize() / 32
}

func latticeValues(dst []float32, columns []uint32, row uint32, w float32) {
	i := 0
	if !simd.Emulated() {
		i = latticeValuesVector(dst, columns, row, w)
		vector.End()
	}
	latticeValuesGeneric(dst[i:], columns[i:], row, w)
}

func latticeValuesVector(dst []float32, columns []uint32, row uint32, w float32) int {
	r, weight := simd.BroadcastUint32s(row), simd.BroadcastFloat32s(w)
	n, i := r.Len(), 0
	dst = dst[:len(columns)]
	for ; i <= len(columns)-n; i += n {
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
		vector.End()
	}
	latticeGradients2Generic(gx[i:], gz[i:], columns[i:], row, w)
}

func latticeGradients2Vector(gx, gz []float32, columns []uint32, row uint32, w float32) int {
	r, weight := simd.BroadcastUint32s(row), simd.BroadcastFloat32s(w)
	n, i := r.Len(), 0
	gx, gz = gx[:len(columns)], gz[:len(columns)]
	for ; i <= len(columns)-n; i += n {
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
		vector.End()
	}
	latticeGradients3Generic(gx[i:], gy[i:], gz[i:], columns[i:], row, w)
}

func latticeGradients3Vector(gx, gy, gz []float32, columns []uint32, row uint32, w float32) int {
	r, weight := simd.BroadcastUint32s(row), simd.BroadcastFloat32s(w).ToBits()
	n, i := r.Len(), 0
	gx, gy, gz = gx[:len(columns)], gy[:len(columns)], gz[:len(columns)]
	for ; i <= len(columns)-n; i += n {
		x, y, z := gradient3Vector(hashVector(r, simd.LoadUint32s(columns[i:])), weight)
		x.Store(gx[i:])
		y.Store(gy[i:])
		z.Store(gz[i:])
	}
	return i
}

// lerpVector is lerp.
func lerpVector(a, b, t simd.Float32s) simd.Float32s { return a.Add(b.Sub(a).Mul(t)) }

// The kernels of whole rows end with a vector that overlaps the one before where the row fills no whole number
// of them: what is computed twice comes out the same.

func mixRows(dst, a, b []float32, t float32) {
	if vector.Unfit(len(dst)) {
		mixRowsGeneric(dst, a, b, t)
		return
	}
	mixRowsVector(dst, a, b, t)
	vector.End()
}

func mixRowsVector(dst, a, b []float32, t float32) {
	s := simd.BroadcastFloat32s(t)
	n := s.Len()
	a, b = a[:len(dst)], b[:len(dst)]
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		lerpVector(simd.LoadFloat32s(a[i:]), simd.LoadFloat32s(b[i:]), s).Store(dst[i:])
	}
}

func mixSlopes(dst []float32, r0, r1 *latticeRow, f, t float32) {
	if vector.Unfit(len(dst)) {
		mixSlopesGeneric(dst, r0, r1, f, t)
		return
	}
	mixSlopesVector(dst, r0, r1, f, t)
	vector.End()
}

func mixSlopesVector(dst []float32, r0, r1 *latticeRow, f, t float32) {
	s, a := simd.BroadcastFloat32s(t), simd.BroadcastFloat32s(f)
	b := a.Sub(simd.BroadcastFloat32s(1))
	n := s.Len()
	v0, v1, z0, z1 := r0.value[:len(dst)], r1.value[:len(dst)], r0.z[:len(dst)], r1.z[:len(dst)]
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		low := simd.LoadFloat32s(v0[i:]).Add(simd.LoadFloat32s(z0[i:]).Mul(a))
		high := simd.LoadFloat32s(v1[i:]).Add(simd.LoadFloat32s(z1[i:]).Mul(b))
		lerpVector(low, high, s).Store(dst[i:])
	}
}

func mixAlong(dst []float32, index []int32, s, values []float32) {
	mixAlongGeneric(dst, index, s, values)
}

func mixGradients(dst []float32, index []int32, f, s, slopes []float32) {
	mixGradientsGeneric(dst, index, f, s, slopes)
}

// lanesFrom holds, from its middle on, a 1 for each lane of the widest vectors.
var lanesFrom = [2 * 16]uint32{16: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}

// lastLanes masks the lanes of a vector at the end of a row of count samples that the one before does not have.
func lastLanes(count int) simd.Mask32s {
	n := simd.VectorBitSize() / 32
	return simd.LoadUint32s(lanesFrom[16-n+count%n:]).Greater(simd.BroadcastUint32s(0))
}

func addValue(dst, e0, e1, s []float32, fo fold) {
	if vector.Unfit(len(e0)) {
		addValueGeneric(dst, e0, e1, s, fo)
		return
	}
	addValueVector(dst, e0, e1, s, fo)
	vector.End()
}

func addValueVector(dst, e0, e1, s []float32, fo fold) {
	base, slope := simd.BroadcastFloat32s(fo.base), simd.BroadcastFloat32s(fo.slope)
	n, count := base.Len(), len(e0)
	last := lastLanes(count)
	e1 = e1[:count]
	for r, t := range s {
		row := dst[r*count:][:count]
		tv, i := simd.BroadcastFloat32s(t), 0
		for ; i <= count-n; i += n {
			v := lerpVector(simd.LoadFloat32s(e0[i:]), simd.LoadFloat32s(e1[i:]), tv)
			if fo.on {
				v = base.Add(slope.Mul(v.Abs()))
			}
			simd.LoadFloat32s(row[i:]).Add(v).Store(row[i:])
		}
		if i < count {
			i = count - n
			v := lerpVector(simd.LoadFloat32s(e0[i:]), simd.LoadFloat32s(e1[i:]), tv)
			if fo.on {
				v = base.Add(slope.Mul(v.Abs()))
			}
			simd.LoadFloat32s(row[i:]).Add(v.Masked(last)).Store(row[i:])
		}
	}
}

func addGradient(dst []float32, e0, e1 *edge, f, s []float32, fo fold) {
	if vector.Unfit(len(e0.value)) {
		addGradientGeneric(dst, e0, e1, f, s, fo)
		return
	}
	addGradientVector(dst, e0, e1, f, s, fo)
	vector.End()
}

func addGradientVector(dst []float32, e0, e1 *edge, f, s []float32, fo fold) {
	base, slope := simd.BroadcastFloat32s(fo.base), simd.BroadcastFloat32s(fo.slope)
	one := simd.BroadcastFloat32s(1)
	n, count := base.Len(), len(e0.value)
	last := lastLanes(count)
	v0, v1, g0, g1 := e0.value, e1.value[:count], e0.slope[:count], e1.slope[:count]
	f = f[:len(s)]
	for r, t := range s {
		row := dst[r*count:][:count]
		tv, a := simd.BroadcastFloat32s(t), simd.BroadcastFloat32s(f[r])
		b, i := a.Sub(one), 0
		for ; i <= count-n; i += n {
			low := simd.LoadFloat32s(v0[i:]).Add(simd.LoadFloat32s(g0[i:]).Mul(a))
			high := simd.LoadFloat32s(v1[i:]).Add(simd.LoadFloat32s(g1[i:]).Mul(b))
			v := lerpVector(low, high, tv)
			if fo.on {
				v = base.Add(slope.Mul(v.Abs()))
			}
			simd.LoadFloat32s(row[i:]).Add(v).Store(row[i:])
		}
		if i < count {
			i = count - n
			low := simd.LoadFloat32s(v0[i:]).Add(simd.LoadFloat32s(g0[i:]).Mul(a))
			high := simd.LoadFloat32s(v1[i:]).Add(simd.LoadFloat32s(g1[i:]).Mul(b))
			v := lerpVector(low, high, tv)
			if fo.on {
				v = base.Add(slope.Mul(v.Abs()))
			}
			simd.LoadFloat32s(row[i:]).Add(v.Masked(last)).Store(row[i:])
		}
	}
}
