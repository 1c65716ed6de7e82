//go:build goexperiment.simd

package solve

import (
	"simd"

	"github.com/terrane/terrane/internal/kernel/bits"
)

// Solve does what solveGeneric does, a vector of crossings at a time. It may report false where solveGeneric
// does not only if a number is at fault past the batch's end; the answer to that is the same.
func (b *Batch) Solve() bool {
	if simd.Emulated() {
		return b.solveGeneric()
	}
	b.pad()
	ok := false
	if b.Flat {
		ok = solveFlat(b)
	} else {
		ok = solveVectors(b)
	}
	bits.LeaveVectors()
	return ok
}

func solveVectors(b *Batch) bool {
	minus := simd.BroadcastFloat32s(-1)
	low, high := simd.BroadcastFloat32s(-largeDensity), simd.BroadcastFloat32s(largeDensity)
	tiny, huge := simd.BroadcastFloat32s(tinySquare), simd.BroadcastFloat32s(hugeSquare)
	near, far, snap := simd.BroadcastFloat32s(b.Near), simd.BroadcastFloat32s(1-b.Near), simd.BroadcastFloat32s(b.Snap)
	wx, wy, wz := simd.BroadcastFloat32s(b.Weight[0]), simd.BroadcastFloat32s(b.Weight[1]), simd.BroadcastFloat32s(b.Weight[2])
	good := tiny.Less(huge) // every lane
	lanes := minus.Len()
	n := min(b.N, bits.BatchSize)
	for i := 0; i < n; i += lanes {
		start, end := simd.LoadFloat32s(b.A[i:]), simd.LoadFloat32s(b.B[i:])
		d := start.Sub(end)
		t := start.Div(d)
		gx := simd.LoadFloat32s(b.AX[i:])
		gy := simd.LoadFloat32s(b.AY[i:])
		gz := simd.LoadFloat32s(b.AZ[i:])
		gx = gx.Add(simd.LoadFloat32s(b.BX[i:]).Sub(gx).Mul(t)).Mul(wx)
		gy = gy.Add(simd.LoadFloat32s(b.BY[i:]).Sub(gy).Mul(t)).Mul(wy)
		gz = gz.Add(simd.LoadFloat32s(b.BZ[i:]).Sub(gz).Mul(t)).Mul(wz)
		l := gx.Mul(gx).Add(gy.Mul(gy)).Add(gz.Mul(gz))
		inv := minus.Div(l.Sqrt())
		t.Add(snap).Sub(snap).Store(b.T[i:])
		gx.Mul(inv).Store(b.NX[i:])
		gy.Mul(inv).Store(b.NY[i:])
		gz.Mul(inv).Store(b.NZ[i:])
		good = good.And(low.Less(d)).And(d.Less(high)).And(tiny.Less(l)).And(l.Less(huge)).And(near.Less(t)).And(t.Less(far))
	}
	return bits.EveryLane(good)
}

// solveFlat is solveVectors without the normals.
func solveFlat(b *Batch) bool {
	low, high := simd.BroadcastFloat32s(-largeDensity), simd.BroadcastFloat32s(largeDensity)
	near, far, snap := simd.BroadcastFloat32s(b.Near), simd.BroadcastFloat32s(1-b.Near), simd.BroadcastFloat32s(b.Snap)
	good := low.Less(high) // every lane
	lanes := low.Len()
	n := min(b.N, bits.BatchSize)
	for i := 0; i < n; i += lanes {
		start, end := simd.LoadFloat32s(b.A[i:]), simd.LoadFloat32s(b.B[i:])
		d := start.Sub(end)
		t := start.Div(d)
		t.Add(snap).Sub(snap).Store(b.T[i:])
		good = good.And(low.Less(d)).And(d.Less(high)).And(near.Less(t)).And(t.Less(far))
	}
	return bits.EveryLane(good)
}

// Solve does what solveGeneric does, a vector of vertices at a time.
func (b *NetBatch) Solve() bool {
	if simd.Emulated() {
		return b.solveGeneric()
	}
	b.pad()
	ok := solveNet(b)
	bits.LeaveVectors()
	return ok
}

func solveNet(b *NetBatch) bool {
	low, high := simd.BroadcastFloat32s(-largeDensity), simd.BroadcastFloat32s(largeDensity)
	tiny, huge := simd.BroadcastFloat32s(tinySquare), simd.BroadcastFloat32s(hugeSquare)
	minus, rough := simd.BroadcastFloat32s(-1), simd.BroadcastFloat32s(snap)
	wx, wy, wz := simd.BroadcastFloat32s(b.Weight[0]), simd.BroadcastFloat32s(b.Weight[1]), simd.BroadcastFloat32s(b.Weight[2])
	good := low.Less(high) // every lane
	lanes := low.Len()
	n := min(b.N, bits.BatchSize)
	for i := 0; i < n; i += lanes {
		d0, d1 := simd.LoadFloat32s(b.D[0][i:]), simd.LoadFloat32s(b.D[1][i:])
		d2, d3 := simd.LoadFloat32s(b.D[2][i:]), simd.LoadFloat32s(b.D[3][i:])
		d4, d5 := simd.LoadFloat32s(b.D[4][i:]), simd.LoadFloat32s(b.D[5][i:])
		d6, d7 := simd.LoadFloat32s(b.D[6][i:]), simd.LoadFloat32s(b.D[7][i:])
		edges := simd.LoadInt32s(b.Edges[i:])

		// Of each axis the four edges in the order of middle: what they add along it and on the two others.
		x, xv, xu, xn := axisSums(edges, 0, d0, d1, d2, d3, d4, d5, d6, d7)
		y, yv, yu, yn := axisSums(edges, 4, d0, d2, d1, d3, d4, d6, d5, d7)
		z, zv, zu, zn := axisSums(edges, 8, d0, d4, d1, d5, d2, d6, d3, d7)
		count := xn.Add(yn).Add(zn)
		x = x.Add(yv.Add(zv)).Div(count).Add(rough).Sub(rough)
		y = y.Add(xv.Add(zu)).Div(count).Add(rough).Sub(rough)
		z = z.Add(xu.Add(yu)).Div(count).Add(rough).Sub(rough)

		gx := mixSquare(d1.Sub(d0), d3.Sub(d2), d5.Sub(d4), d7.Sub(d6), y, z).Mul(wx)
		gy := mixSquare(d2.Sub(d0), d3.Sub(d1), d6.Sub(d4), d7.Sub(d5), x, z).Mul(wy)
		gz := mixSquare(d4.Sub(d0), d5.Sub(d1), d6.Sub(d2), d7.Sub(d3), x, y).Mul(wz)
		l := gx.Mul(gx).Add(gy.Mul(gy)).Add(gz.Mul(gz))
		inv := minus.Div(l.Sqrt())

		x.Store(b.P[0][i:])
		y.Store(b.P[1][i:])
		z.Store(b.P[2][i:])
		gx.Mul(inv).Store(b.Normal[0][i:])
		gy.Mul(inv).Store(b.Normal[1][i:])
		gz.Mul(inv).Store(b.Normal[2][i:])
		mixSquare(
			simd.LoadFloat32s(b.Ground[0][i:]), simd.LoadFloat32s(b.Ground[1][i:]),
			simd.LoadFloat32s(b.Ground[2][i:]), simd.LoadFloat32s(b.Ground[3][i:]), x, z,
		).Store(b.Level[i:])

		good = good.And(low.Less(d0)).And(d0.Less(high)).And(low.Less(d1)).And(d1.Less(high))
		good = good.And(low.Less(d2)).And(d2.Less(high)).And(low.Less(d3)).And(d3.Less(high))
		good = good.And(low.Less(d4)).And(d4.Less(high)).And(low.Less(d5)).And(d5.Less(high))
		good = good.And(low.Less(d6)).And(d6.Less(high)).And(low.Less(d7)).And(d7.Less(high))
		good = good.And(tiny.Less(l)).And(l.Less(huge))
	}
	return bits.EveryLane(good)
}

// Inside does what insideGeneric does, a vector of vertices at a time.
func (b *NetBatch) Inside() bool {
	if simd.Emulated() {
		return b.insideGeneric()
	}
	n := (b.N + bits.BatchLanes - 1) &^ (bits.BatchLanes - 1)
	for axis := range b.P {
		for i := b.N; i < n; i++ {
			b.P[axis][i] = 0.5
		}
	}
	inside := netInside(b, n)
	bits.LeaveVectors()
	return inside
}

func netInside(b *NetBatch, n int) bool {
	var zero simd.Float32s
	one := simd.BroadcastFloat32s(1)
	good := zero.Less(one) // every lane
	for i := 0; i < n; i += one.Len() {
		x, y, z := simd.LoadFloat32s(b.P[0][i:]), simd.LoadFloat32s(b.P[1][i:]), simd.LoadFloat32s(b.P[2][i:])
		good = good.And(zero.Less(x)).And(x.Less(one)).And(zero.Less(y)).And(y.Less(one)).And(zero.Less(z)).And(z.Less(one))
	}
	return bits.EveryLane(good)
}

// axisSums returns what the four edges from number first on add to a mean: the crossings' places along the
// edges, the edges' places on the two axes beside theirs, and their number. The edges run from a to b, from
// c to d, and so on.
func axisSums(edges simd.Int32s, first int, a, b, c, d, e, f, g, h simd.Float32s) (along, lower, upper, count simd.Float32s) {
	var nothing simd.Int32s
	one := simd.BroadcastFloat32s(1)
	has := func(k int) simd.Mask32s { return edges.And(simd.BroadcastInt32s(1 << (first + k))).Greater(nothing) }
	m0, m1, m2, m3 := has(0), has(1), has(2), has(3)
	n1, n2, n3 := one.Masked(m1), one.Masked(m2), one.Masked(m3)
	along = a.Div(a.Sub(b)).Masked(m0).Add(c.Div(c.Sub(d)).Masked(m1))
	along = along.Add(e.Div(e.Sub(f)).Masked(m2)).Add(g.Div(g.Sub(h)).Masked(m3))
	return along, n1.Add(n3), n2.Add(n3), one.Masked(m0).Add(n1).Add(n2).Add(n3)
}

// mixSquare mixes a with b and c with d by s, and the two with each other by t.
func mixSquare(a, b, c, d, s, t simd.Float32s) simd.Float32s {
	a = a.Add(b.Sub(a).Mul(s))
	c = c.Add(d.Sub(c).Mul(s))
	return a.Add(c.Sub(a).Mul(t))
}
