//go:build goexperiment.simd

package mesher

import "simd"

// solve does what solveGeneric does, a vector of crossings at a time. It may ask for care where solveGeneric
// does not only if a number is at fault past the batch's end; the answer to that is the same.
func (b *batch) solve() bool {
	if simd.Emulated() {
		return b.solveGeneric()
	}
	b.pad()
	if b.flat {
		return solveFlat(b)
	}
	return solveVectors(b)
}

func solveVectors(b *batch) bool {
	minus := simd.BroadcastFloat32s(-1)
	low, high := simd.BroadcastFloat32s(-largeDensity), simd.BroadcastFloat32s(largeDensity)
	tiny, huge := simd.BroadcastFloat32s(tinySquare), simd.BroadcastFloat32s(hugeSquare)
	near, far := simd.BroadcastFloat32s(b.near), simd.BroadcastFloat32s(1-b.near)
	wx, wy, wz := simd.BroadcastFloat32s(b.weight[0]), simd.BroadcastFloat32s(b.weight[1]), simd.BroadcastFloat32s(b.weight[2])
	good := tiny.Less(huge) // every lane
	lanes := minus.Len()
	n := min(b.n, batchSize)
	for i := 0; i < n; i += lanes {
		start, end := simd.LoadFloat32s(b.a[i:]), simd.LoadFloat32s(b.b[i:])
		d := start.Sub(end)
		t := start.Div(d)
		gx := simd.LoadFloat32s(b.ax[i:])
		gy := simd.LoadFloat32s(b.ay[i:])
		gz := simd.LoadFloat32s(b.az[i:])
		gx = gx.Add(simd.LoadFloat32s(b.bx[i:]).Sub(gx).Mul(t)).Mul(wx)
		gy = gy.Add(simd.LoadFloat32s(b.by[i:]).Sub(gy).Mul(t)).Mul(wy)
		gz = gz.Add(simd.LoadFloat32s(b.bz[i:]).Sub(gz).Mul(t)).Mul(wz)
		l := gx.Mul(gx).Add(gy.Mul(gy)).Add(gz.Mul(gz))
		inv := minus.Div(l.Sqrt())
		t.Store(b.t[i:])
		gx.Mul(inv).Store(b.nx[i:])
		gy.Mul(inv).Store(b.ny[i:])
		gz.Mul(inv).Store(b.nz[i:])
		good = good.And(low.Less(d)).And(d.Less(high)).And(tiny.Less(l)).And(l.Less(huge)).And(near.Less(t)).And(t.Less(far))
	}
	return everyLane(good)
}

// solveFlat is solveVectors without the normals.
func solveFlat(b *batch) bool {
	low, high := simd.BroadcastFloat32s(-largeDensity), simd.BroadcastFloat32s(largeDensity)
	near, far := simd.BroadcastFloat32s(b.near), simd.BroadcastFloat32s(1-b.near)
	good := low.Less(high) // every lane
	lanes := low.Len()
	n := min(b.n, batchSize)
	for i := 0; i < n; i += lanes {
		start, end := simd.LoadFloat32s(b.a[i:]), simd.LoadFloat32s(b.b[i:])
		d := start.Sub(end)
		t := start.Div(d)
		t.Store(b.t[i:])
		good = good.And(low.Less(d)).And(d.Less(high)).And(near.Less(t)).And(t.Less(far))
	}
	return everyLane(good)
}

func (b *netBatch) solve() bool { return b.solveGeneric() }
