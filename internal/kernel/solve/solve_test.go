package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/kerneltest"
)

// TestSolveTwins compares the vector versions with the plain ones, bit for bit.
func TestSolveTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	number := func(hard bool) float32 {
		if hard && r.IntN(4) == 0 {
			return kerneltest.HardFloats[r.IntN(len(kerneltest.HardFloats))]
		}
		return (r.Float32()*2 - 1) * float32(math.Exp2(float64(r.IntN(20)-10)))
	}
	for round := range 400 {
		var a, b Batch
		var na, nb NetBatch
		hard := round%2 == 0
		a.N = 1 + r.IntN(bits.BatchSize)
		na.N = a.N
		for i := range a.N {
			for _, s := range []*[bits.BatchSize]float32{&a.A, &a.B, &a.AX, &a.AY, &a.AZ, &a.BX, &a.BY, &a.BZ} {
				s[i] = number(hard)
			}
			for c := range na.D {
				na.D[c][i] = number(hard)
			}
			for c := range na.Ground {
				na.Ground[c][i] = number(false)
			}
			na.Edges[i] = int32(1 + r.IntN(1<<12-1))
		}
		a.Weight, a.Near, a.Flat, a.Snap = [3]float32{1, 0.5, 0.3}, 1e-3, round%3 == 0, float32(round%5)*16
		na.Weight = a.Weight
		b, nb = a, na
		if ok := a.Solve(); ok != b.solveGeneric() {
			t.Fatalf("round %d: batch solved with %v, plain %v", round, ok, !ok)
		}
		if ok := na.Solve(); ok != nb.solveGeneric() {
			t.Fatalf("round %d: net batch solved with %v, plain %v", round, ok, !ok)
		}
		for i := range a.N {
			if fine, _ := b.SolveOne(i); fine {
				sameBits(t, "crossing", []float32{a.T[i], a.NX[i], a.NY[i], a.NZ[i]}, []float32{b.T[i], b.NX[i], b.NY[i], b.NZ[i]})
			}
			if nb.SolveOne(i) {
				sameBits(t, "net vertex", []float32{na.P[0][i], na.P[1][i], na.P[2][i], na.Normal[0][i], na.Normal[1][i], na.Normal[2][i], na.Level[i]},
					[]float32{nb.P[0][i], nb.P[1][i], nb.P[2][i], nb.Normal[0][i], nb.Normal[1][i], nb.Normal[2][i], nb.Level[i]})
			}
		}
		if r.IntN(2) == 0 {
			na.P[r.IntN(3)][r.IntN(na.N)] = float32(r.IntN(2)) // on a face
		}
		if in := na.Inside(); in != na.insideGeneric() {
			t.Fatalf("round %d: all vertices inside their cells: %v, plain %v", round, in, !in)
		}
	}
}

func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range got {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: got %v, plain %v", what, got, want)
		}
	}
}
