//go:build goexperiment.simd && amd64

package signs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWideTwins compares the versions with vectors with the plain ones on random words.
func TestWideTwins(t *testing.T) {
	if Width() == 0 {
		t.Skip("no vectors are in use")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		var c Corners
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
		n := ListCases(got, active, &c)
		if m := listCasesGeneric(want, active, &c); n != m || !slices.Equal(got[:n], want[:n]) {
			t.Fatalf("cases %v, plain %v", got[:n], want[:m])
		}
	}
}

func compareEmission(t *testing.T, r *rand.Rand, active uint64, c *Corners) {
	var a, b EdgeCounters
	for e := range 12 {
		a[e] = r.Uint32() >> 8
		if e > 4 && e&1 == 1 {
			a[e] = a[e-1] // one line
		}
	}
	b = a
	x, y := make([]uint32, EmitRoom), make([]uint32, EmitRoom)
	n, m := Emit(x, &a, active, c), emitGeneric(y, &b, active, c)
	if n != m || a != b || !slices.Equal(x[:n], y[:n]) {
		t.Fatalf("%d indices, counters %v; plain %d, %v", n, a, m, b)
	}
}

func compareLists(t *testing.T, r *rand.Rand, set uint64) {
	row := []uint64{set, r.Uint64() & r.Uint64(), 0, r.Uint64()}
	edge := make([]uint64, 4)
	edge[r.IntN(4)] = 1 << r.IntN(64)
	l := Listing{Row: row, Edge: edge, At: r.Uint32() >> 4, X: float32(r.IntN(9)), Y: float32(r.IntN(99))}
	a, b := &Places{N: r.IntN(BatchSize)}, &Places{}
	b.N = a.N
	from, n := a.N, r.IntN(4)
	i, j := a.List(&l, n), b.listGeneric(&l, n)
	if i != j || a.N != b.N {
		t.Fatalf("listed up to word %d, %d places; plain %d, %d", i, a.N, j, b.N)
	}
	for k := from; k < a.N; k++ {
		if a.At[k] != b.At[k] || a.X[k] != b.X[k] || a.Y[k] != b.Y[k] {
			t.Fatalf("place %d: %d %v %v, plain %d %v %v", k, a.At[k], a.X[k], a.Y[k], b.At[k], b.X[k], b.Y[k])
		}
	}
}
