//go:build goexperiment.simd && amd64

package solve

import "simd/archsimd"

func writeRun256(b *Batch, pos, nrm []float32, r Run, scale [3]float32) {
	sx, sy, sz := archsimd.BroadcastFloat32x8(scale[0]), archsimd.BroadcastFloat32x8(scale[1]), archsimd.BroadcastFloat32x8(scale[2])
	z0 := archsimd.BroadcastFloat32x8(float32(r.Z))
	n := len(pos) / 3
	for i := 0; i < n; i += 8 {
		j := r.Start + i
		x := archsimd.LoadFloat32x8Array((*[8]float32)(b.X[j:]))
		y := archsimd.LoadFloat32x8Array((*[8]float32)(b.Y[j:]))
		t := archsimd.LoadFloat32x8Array((*[8]float32)(b.T[j:]))
		z := z0
		switch r.Axis {
		case 0:
			x = x.Add(t)
		case 1:
			y = y.Add(t)
		case 2:
			z = z.Add(t)
		}
		triples256(pos[3*i:], x.Mul(sx), y.Mul(sy), z.Mul(sz))
	}
	if len(nrm) == 0 {
		return
	}
	for i := 0; i < n; i += 8 {
		j := r.Start + i
		triples256(nrm[3*i:],
			archsimd.LoadFloat32x8Array((*[8]float32)(b.NX[j:])),
			archsimd.LoadFloat32x8Array((*[8]float32)(b.NY[j:])),
			archsimd.LoadFloat32x8Array((*[8]float32)(b.NZ[j:])))
	}
}

func (b *NetBatch) writePositions256(dst []float32, z float32, scale [3]float32) {
	sx, sy, sz := archsimd.BroadcastFloat32x8(scale[0]), archsimd.BroadcastFloat32x8(scale[1]), archsimd.BroadcastFloat32x8(scale[2])
	z0 := archsimd.BroadcastFloat32x8(z)
	for i := 0; i < b.N; i += 8 {
		triples256(dst[3*i:],
			archsimd.LoadFloat32x8Array((*[8]float32)(b.X[i:])).Add(archsimd.LoadFloat32x8Array((*[8]float32)(b.P[0][i:]))).Mul(sx),
			archsimd.LoadFloat32x8Array((*[8]float32)(b.Y[i:])).Add(archsimd.LoadFloat32x8Array((*[8]float32)(b.P[1][i:]))).Mul(sy),
			z0.Add(archsimd.LoadFloat32x8Array((*[8]float32)(b.P[2][i:]))).Mul(sz))
	}
}

func (b *NetBatch) writeNormals256(dst []float32) {
	for i := 0; i < b.N; i += 8 {
		triples256(dst[3*i:],
			archsimd.LoadFloat32x8Array((*[8]float32)(b.Normal[0][i:])),
			archsimd.LoadFloat32x8Array((*[8]float32)(b.Normal[1][i:])),
			archsimd.LoadFloat32x8Array((*[8]float32)(b.Normal[2][i:])))
	}
}

// triples256 stores up to 8 vertices, those that dst has room for. Each half of 128 bits is put together on
// its own, four vertices in three parts; then the parts are put in order.
func triples256(dst []float32, x, y, z archsimd.Float32x8) {
	xy := x.ConcatPermuteScalarsGrouped(0, 2, 4, 6, y) // x0 x2 y0 y2
	yz := y.ConcatPermuteScalarsGrouped(1, 3, 5, 7, z) // y1 y3 z1 z3
	zx := z.ConcatPermuteScalarsGrouped(0, 2, 5, 7, x) // z0 z2 x1 x3

	first := xy.ConcatPermuteScalarsGrouped(0, 2, 4, 6, zx)  // x0 y0 z0 x1
	second := yz.ConcatPermuteScalarsGrouped(0, 2, 5, 7, xy) // y1 z1 x2 y2
	third := zx.ConcatPermuteScalarsGrouped(1, 3, 5, 7, yz)  // z2 x3 y3 z3

	a := first.ConcatPermute128Scalars(0, 2, second)
	b := third.ConcatPermute128Scalars(0, 3, first)
	c := second.ConcatPermute128Scalars(1, 3, third)
	if len(dst) >= 24 {
		a.StoreArray((*[8]float32)(dst[0:8]))
		b.StoreArray((*[8]float32)(dst[8:16]))
		c.StoreArray((*[8]float32)(dst[16:24]))
		return
	}
	for _, part := range [3]archsimd.Float32x8{a, b, c} {
		if len(dst) < 8 {
			part.StorePart(dst)
			return
		}
		part.StoreArray((*[8]float32)(dst))
		dst = dst[8:]
	}
}
