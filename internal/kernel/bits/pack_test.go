package bits

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/internal/kernel/kerneltest"
)

func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		for _, iso := range []float32{0, 0.5, -3, math.SmallestNonzeroFloat32, math.MaxFloat32} {
			row := make([]float32, n)
			for i := range row {
				row[i] = r.Float32()*2 - 1 + iso
				if r.IntN(3) == 0 {
					row[i] = kerneltest.HardFloats[r.IntN(len(kerneltest.HardFloats))]
				}
				if r.IntN(9) == 0 {
					row[i] = iso
				}
			}
			words := (n+63)/64 + r.IntN(2)
			want, got := make([]uint64, words), make([]uint64, words)
			nans := 0
			for i, s := range row {
				if s != s {
					nans++
				}
				if s > iso {
					want[i/64] |= 1 << (i % 64)
				}
			}
			for name, f := range packers() {
				for i := range got {
					got[i] = r.Uint64()
				}
				if n := f(got, row, iso); n != nans || !slices.Equal(got, want) {
					t.Fatalf("%s: %d samples, iso %v: %x and %d NaN, want %x and %d", name, len(row), iso, got, n, want, nans)
				}
			}
		}
	}
}

func BenchmarkPack(b *testing.B) {
	for _, n := range []int{35, 256} {
		row := make([]float32, n*n)
		for i := range row {
			row[i] = float32(i%7) - 3
		}
		dst := make([]uint64, (n+63)/64)
		for name, f := range packers() {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					for y := range n {
						f(dst, row[y*n:y*n+n], 0)
					}
				}
				b.ReportMetric(float64(n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gsamples/s")
			})
		}
	}
}
