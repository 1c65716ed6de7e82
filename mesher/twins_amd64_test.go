//go:build goexperiment.simd && amd64

package mesher

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWideTwins compares the AVX-512 versions with the plain ones on random words.
func TestWideTwins(t *testing.T) {
	if !wide() {
		t.Skip("the vectors in use are narrower")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		var c corners
		for i := range c {
			c[i] = r.Uint64() & r.Uint64()
		}
		active := r.Uint64()
		for range r.IntN(4) {
			active &= r.Uint64()
		}
		compareEmission(t, r, active, &c)
		compareLists(t, r, active)

		got, want := make([]uint8, 64), make([]uint8, 64)
		n := listCases(got, active, &c)
		if m := listCasesGeneric(want, active, &c); n != m || !slices.Equal(got[:n], want[:n]) {
			t.Fatalf("cases %v, plain %v", got[:n], want[:m])
		}
		if n, m := furtherLoops(active, &c), furtherLoopsGeneric(active, &c); n != m {
			t.Fatalf("%d further loops, plain %d", n, m)
		}
	}
}

func compareEmission(t *testing.T, r *rand.Rand, active uint64, c *corners) {
	var a, b edgeCounters
	for e := range 12 {
		a[e] = r.Uint32() >> 8
		if e > 4 && e&1 == 1 {
			a[e] = a[e-1] // one line
		}
	}
	b = a
	x, y := make([]uint32, emitRoom), make([]uint32, emitRoom)
	n, m := emit512(x, &a, active, c), emitGeneric(y, &b, active, c)
	if n != m || a != b || !slices.Equal(x[:n], y[:n]) {
		t.Fatalf("%d indices, counters %v; plain %d, %v", n, a, m, b)
	}
}

func compareLists(t *testing.T, r *rand.Rand, set uint64) {
	row := []uint64{set, r.Uint64() & r.Uint64(), 0, r.Uint64()}
	edge := make([]uint64, 4)
	edge[r.IntN(4)] = 1 << r.IntN(64)
	l := listing{row: row, edge: edge, at: r.Uint32() >> 4, x: float32(r.IntN(9)), y: float32(r.IntN(99))}
	a, b := &places{n: r.IntN(batchSize)}, &places{}
	b.n = a.n
	from, n := a.n, r.IntN(4)
	i, j := list512(a, &l, n), b.listGeneric(&l, n)
	if i != j || a.n != b.n {
		t.Fatalf("listed up to word %d, %d places; plain %d, %d", i, a.n, j, b.n)
	}
	for k := from; k < a.n; k++ {
		if a.at[k] != b.at[k] || a.x[k] != b.x[k] || a.y[k] != b.y[k] {
			t.Fatalf("place %d: %d %v %v, plain %d %v %v", k, a.at[k], a.x[k], a.y[k], b.at[k], b.x[k], b.y[k])
		}
	}
}

// TestWideWrites compares what the AVX-512 versions write with the plain ones: every number of vertices, and
// nothing past them.
func TestWideWrites(t *testing.T) {
	if !wide() {
		t.Skip("the vectors in use are narrower")
	}
	r := rand.New(rand.NewPCG(2, 2))
	b, nb := &batch{}, &netBatch{}
	for i := range b.t {
		b.x[i], b.y[i], b.t[i] = float32(r.IntN(99)), float32(r.IntN(99)), r.Float32()
		b.nx[i], b.ny[i], b.nz[i] = r.Float32(), r.Float32(), r.Float32()
		nb.x[i], nb.y[i] = b.x[i], b.y[i]
		for axis := range nb.p {
			nb.p[axis][i], nb.normal[axis][i] = r.Float32(), r.Float32()
		}
	}
	scale := [3]float32{1, 0.3, 7}
	for n := range batchSize {
		size := 3*n + 50
		make2 := func() ([]float32, []float32) { return make([]float32, size), make([]float32, size) }
		run := run{start: r.IntN(batchSize - n + 1), axis: n % 3, z: r.IntN(50)}
		p, q := make2()
		np, nq := make2()
		writeRun512(b, p[:3*n], np[:3*n], run, scale)
		b.writeGeneric(q[:3*n], nq[:3*n], run, scale)
		sameBits(t, "positions", p, q)
		sameBits(t, "normals", np, nq)

		nb.n = n
		p, q = make2()
		nb.writePositions(p, 3, scale)
		nb.writePositionsGeneric(q, 3, scale)
		sameBits(t, "net positions", p, q)
		p, q = make2()
		nb.writeNormals(p)
		nb.writeNormalsGeneric(q)
		sameBits(t, "net normals", p, q)
	}
}
