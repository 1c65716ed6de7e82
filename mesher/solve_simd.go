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

// solve does what solveGeneric does, a vector of vertices at a time.
func (b *netBatch) solve() bool {
	if simd.Emulated() {
		return b.solveGeneric()
	}
	b.pad()
	return solveNet(b)
}

func solveNet(b *netBatch) bool {
	low, high := simd.BroadcastFloat32s(-largeDensity), simd.BroadcastFloat32s(largeDensity)
	tiny, huge := simd.BroadcastFloat32s(tinySquare), simd.BroadcastFloat32s(hugeSquare)
	minus, one, rough := simd.BroadcastFloat32s(-1), simd.BroadcastFloat32s(1), simd.BroadcastFloat32s(snap)
	wx, wy, wz := simd.BroadcastFloat32s(b.weight[0]), simd.BroadcastFloat32s(b.weight[1]), simd.BroadcastFloat32s(b.weight[2])
	var nothing simd.Int32s
	var none simd.Float32s
	good := low.Less(high) // every lane
	lanes := low.Len()
	n := min(b.n, batchSize)
	for i := 0; i < n; i += lanes {
		d0, d1 := simd.LoadFloat32s(b.d[0][i:]), simd.LoadFloat32s(b.d[1][i:])
		d2, d3 := simd.LoadFloat32s(b.d[2][i:]), simd.LoadFloat32s(b.d[3][i:])
		d4, d5 := simd.LoadFloat32s(b.d[4][i:]), simd.LoadFloat32s(b.d[5][i:])
		d6, d7 := simd.LoadFloat32s(b.d[6][i:]), simd.LoadFloat32s(b.d[7][i:])
		edges := simd.LoadInt32s(b.edges[i:])
		x, y, z, count := none, none, none, none

		// Along x, then y, then z; of each the edges in the order of middle.
		m := edges.And(simd.BroadcastInt32s(1 << 0)).Greater(nothing)
		x, count = x.Add(d0.Div(d0.Sub(d1)).Masked(m)), count.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 1)).Greater(nothing)
		x, count = x.Add(d2.Div(d2.Sub(d3)).Masked(m)), count.Add(one.Masked(m))
		y = y.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 2)).Greater(nothing)
		x, count = x.Add(d4.Div(d4.Sub(d5)).Masked(m)), count.Add(one.Masked(m))
		z = z.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 3)).Greater(nothing)
		x, count = x.Add(d6.Div(d6.Sub(d7)).Masked(m)), count.Add(one.Masked(m))
		y, z = y.Add(one.Masked(m)), z.Add(one.Masked(m))

		m = edges.And(simd.BroadcastInt32s(1 << 4)).Greater(nothing)
		y, count = y.Add(d0.Div(d0.Sub(d2)).Masked(m)), count.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 5)).Greater(nothing)
		y, count = y.Add(d1.Div(d1.Sub(d3)).Masked(m)), count.Add(one.Masked(m))
		x = x.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 6)).Greater(nothing)
		y, count = y.Add(d4.Div(d4.Sub(d6)).Masked(m)), count.Add(one.Masked(m))
		z = z.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 7)).Greater(nothing)
		y, count = y.Add(d5.Div(d5.Sub(d7)).Masked(m)), count.Add(one.Masked(m))
		x, z = x.Add(one.Masked(m)), z.Add(one.Masked(m))

		m = edges.And(simd.BroadcastInt32s(1 << 8)).Greater(nothing)
		z, count = z.Add(d0.Div(d0.Sub(d4)).Masked(m)), count.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 9)).Greater(nothing)
		z, count = z.Add(d1.Div(d1.Sub(d5)).Masked(m)), count.Add(one.Masked(m))
		x = x.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 10)).Greater(nothing)
		z, count = z.Add(d2.Div(d2.Sub(d6)).Masked(m)), count.Add(one.Masked(m))
		y = y.Add(one.Masked(m))
		m = edges.And(simd.BroadcastInt32s(1 << 11)).Greater(nothing)
		z, count = z.Add(d3.Div(d3.Sub(d7)).Masked(m)), count.Add(one.Masked(m))
		x, y = x.Add(one.Masked(m)), y.Add(one.Masked(m))

		x = x.Div(count).Add(rough).Sub(rough)
		y = y.Div(count).Add(rough).Sub(rough)
		z = z.Div(count).Add(rough).Sub(rough)

		g0, g1, g2, g3 := d1.Sub(d0), d3.Sub(d2), d5.Sub(d4), d7.Sub(d6)
		g0, g2 = g0.Add(g1.Sub(g0).Mul(y)), g2.Add(g3.Sub(g2).Mul(y))
		gx := g0.Add(g2.Sub(g0).Mul(z)).Mul(wx)
		g0, g1, g2, g3 = d2.Sub(d0), d3.Sub(d1), d6.Sub(d4), d7.Sub(d5)
		g0, g2 = g0.Add(g1.Sub(g0).Mul(x)), g2.Add(g3.Sub(g2).Mul(x))
		gy := g0.Add(g2.Sub(g0).Mul(z)).Mul(wy)
		g0, g1, g2, g3 = d4.Sub(d0), d5.Sub(d1), d6.Sub(d2), d7.Sub(d3)
		g0, g2 = g0.Add(g1.Sub(g0).Mul(x)), g2.Add(g3.Sub(g2).Mul(x))
		gz := g0.Add(g2.Sub(g0).Mul(y)).Mul(wz)
		l := gx.Mul(gx).Add(gy.Mul(gy)).Add(gz.Mul(gz))
		inv := minus.Div(l.Sqrt())

		x.Store(b.p[0][i:])
		y.Store(b.p[1][i:])
		z.Store(b.p[2][i:])
		gx.Mul(inv).Store(b.normal[0][i:])
		gy.Mul(inv).Store(b.normal[1][i:])
		gz.Mul(inv).Store(b.normal[2][i:])

		g0, g1 = simd.LoadFloat32s(b.ground[0][i:]), simd.LoadFloat32s(b.ground[1][i:])
		g2, g3 = simd.LoadFloat32s(b.ground[2][i:]), simd.LoadFloat32s(b.ground[3][i:])
		g0, g2 = g0.Add(g1.Sub(g0).Mul(x)), g2.Add(g3.Sub(g2).Mul(x))
		g0.Add(g2.Sub(g0).Mul(z)).Store(b.level[i:])

		good = good.And(low.Less(d0)).And(d0.Less(high)).And(low.Less(d1)).And(d1.Less(high))
		good = good.And(low.Less(d2)).And(d2.Less(high)).And(low.Less(d3)).And(d3.Less(high))
		good = good.And(low.Less(d4)).And(d4.Less(high)).And(low.Less(d5)).And(d5.Less(high))
		good = good.And(low.Less(d6)).And(d6.Less(high)).And(low.Less(d7)).And(d7.Less(high))
		good = good.And(tiny.Less(l)).And(l.Less(huge))
	}
	return everyLane(good)
}
