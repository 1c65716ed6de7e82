package field

import (
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// flat stands in until the compiler lands.
type flat struct{}

func (flat) At(s lattice.Sample) float32 { return 0.5 - float32(s.Y) }
func (f flat) Fill(g *grid.Grid) {
	n, o, h := g.Side(), g.Corner(), g.Step()
	for i := range g.Samples {
		g.Samples[i] = f.At(lattice.Sample{Y: o.Y + int32(i/n%n)*h})
	}
	for i := range g.Ground {
		g.Ground[i] = 0.5
	}
}
func (flat) Bounds(b lattice.Box) Interval {
	return Interval{0.5 - float32(b.Max.Y-1), 0.5 - float32(b.Min.Y)}
}
func (flat) Ground(x, z int32) float32                { return 0.5 }
func (flat) Heights(dst []Span, b lattice.Box) []Span { return append(dst, Span{0, 2}) }
