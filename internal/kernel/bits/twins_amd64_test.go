//go:build goexperiment.simd && amd64

package bits

import (
	"math/bits"
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
		compareEmission(t, r)
		compareLists(t, r)

		got, want := make([]uint8, 64), make([]uint8, 64)
		n := ListCases(got, active, &c)
		if m := listCasesGeneric(want, active, &c); n != m || !slices.Equal(got[:n], want[:n]) {
			t.Fatalf("cases %v, plain %v", got[:n], want[:m])
		}
	}
}

func compareEmission(t *testing.T, r *rand.Rand) {
	words := 1 + r.IntN(5)
	cells := CellRow{Mask: make([]uint64, words)}
	for k := range cells.Solid {
		cells.Solid[k] = make([]uint64, words)
		for i := range words {
			cells.Solid[k][i] = r.Uint64() & r.Uint64()
			cells.Mask[i] = r.Uint64() | r.Uint64()
		}
	}
	if r.IntN(2) == 0 {
		cells.Mask[r.IntN(words)] = 0
	}
	var a, b EdgeCounters
	for e := range 12 {
		a[e] = r.Uint32() >> 8
		if e > 4 && e&1 == 1 {
			a[e] = a[e-1] // one line
		}
	}
	b = a
	size, first := EmitRoom+r.IntN(2*EmitRoom), r.IntN(words)
	x, y := make([]uint32, size), make([]uint32, size)
	n, i := Emit(x, &a, &cells, first)
	m, j := emitGeneric(y, &b, &cells, first)
	if n != m || i != j || a != b || !slices.Equal(x[:n], y[:n]) {
		t.Fatalf("%d indices to word %d, counters %v; plain %d to %d, %v", n, i, a, m, j, b)
	}
}

// compareLists lists the bits of some rows as callers do: where a listing stops it is emptied, or a word left
// out.
func compareLists(t *testing.T, r *rand.Rand) {
	words, rows := 1+r.IntN(4), 1+r.IntN(9)
	l := Listing{
		Words: make([]uint64, words*rows), Count: make([]uint32, rows), Edge: make([]uint64, words),
		NX: 64*words - r.IntN(64), At: r.Uint32() >> 4, X: float32(r.IntN(9)), Y: float32(r.IntN(99)), Row: r.IntN(rows), End: rows,
	}
	l.Edge[r.IntN(words)] = 1 << r.IntN(64)
	for i := range l.Words {
		if r.IntN(3) > 0 {
			l.Words[i] = r.Uint64() & r.Uint64() & r.Uint64()
		}
		l.Count[i/words] += uint32(bits.OnesCount64(l.Words[i]))
	}
	k := l
	a, b := &Places{N: r.IntN(BatchSize)}, &Places{}
	b.N = a.N
	for {
		from := a.N
		more, want := a.List(&l), b.listGeneric(&k)
		if more != want || l.Row != k.Row || l.Word != k.Word || a.N != b.N {
			t.Fatalf("listed up to row %d, word %d, %d places; plain %d, %d, %d", l.Row, l.Word, a.N, k.Row, k.Word, b.N)
		}
		for i := from; i < a.N; i++ {
			if a.At[i] != b.At[i] || a.X[i] != b.X[i] || a.Y[i] != b.Y[i] {
				t.Fatalf("place %d: %d %v %v, plain %d %v %v", i, a.At[i], a.X[i], a.Y[i], b.At[i], b.X[i], b.Y[i])
			}
		}
		if !more {
			return
		}
		if a.N > BatchFull {
			a.N, b.N = 0, 0
			continue
		}
		l.Word++
		k.Word++
	}
}
