package testground

import (
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// A Constant is a terrain of one density. It has no surface, so it has no spans.
type Constant float32

var _ field.Terrain = Constant(0)

// At implements field.Field.
func (c Constant) At(lattice.Sample) float32 { return float32(c) }

// Fill implements field.Filler. It leaves the grid's ground as it is.
func (c Constant) Fill(g *grid.Grid) {
	for i := range g.Samples {
		g.Samples[i] = float32(c)
	}
}

// Bounds implements field.Bounder.
func (c Constant) Bounds(lattice.Box) geom.Interval {
	return geom.Interval{Lo: float32(c), Hi: float32(c)}
}

// Ground implements field.Terrain.
func (c Constant) Ground(x, z int32) float32 { return 0 }

// Spans implements field.Terrain.
func (c Constant) Spans(dst []lattice.Span, _ lattice.Box) []lattice.Span { return dst }
