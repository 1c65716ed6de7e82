package brick

import (
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

// BenchmarkApply digs a ball here and there in a ground that costs next to nothing: what is left is the work on
// bricks. crowded keeps to one place, so bricks are nearly full.
func BenchmarkApply(b *testing.B) {
	for _, k := range []struct {
		name   string
		radius float32
		spread int32
	}{{"r 3 spread", 3, 2000}, {"r 3 crowded", 3, 60}, {"r 8 crowded", 8, 60}, {"r 60 spread", 60, 2000}} {
		b.Run(k.name, func(b *testing.B) {
			l, r := NewLayer(testground.Ground{Height: 0.5}, 0), rand.New(rand.NewPCG(1, 1))
			samples := 0
			for b.Loop() {
				samples += l.Apply(testground.Ball(edit.Op(1+r.IntN(2)), k.radius, 0,
					testground.Place(r.Int32N(k.spread), r.Int32N(21)-10, r.Int32N(k.spread), r.Float32(), r.Float32(), r.Float32()))).Samples
				if l.Len() > 20_000 {
					l.Clear()
				}
			}
			b.ReportMetric(float64(samples)/float64(b.N), "samples/op")
		})
	}
}

func BenchmarkFill(b *testing.B) {
	for _, n := range []int{0, 40, 400} {
		b.Run(map[int]string{0: "plain", 40: "edited", 400: "crowded"}[n], func(b *testing.B) {
			l, g := NewLayer(free{testground.Rough}, 0), grid.New(lattice.ChunkCells)
			for _, e := range someEdits(1, n) {
				l.Apply(e)
			}
			for b.Loop() {
				l.Fill(g)
			}
		})
	}
}

// free is a ground that costs nothing to fill.
type free struct{ field.Terrain }

func (free) Fill(*grid.Grid) {}

func BenchmarkCodec(b *testing.B) {
	for name, k := range map[string]*Brick{"ball": edited(1, 0, 1).first(), "dense": dense(lattice.Brick{})} {
		data := k.AppendBinary(nil)
		b.Run("parse "+name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("append "+name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				data = k.AppendBinary(data[:0])
			}
		})
	}
}

// first returns the first brick of l.
func (l *Layer) first() *Brick {
	for _, b := range l.All() {
		return b
	}
	return nil
}
