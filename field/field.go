package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// A Field gives the density at every lattice point: never NaN, never −0, the same bits on every machine.
type Field interface {
	At(s lattice.Sample) float32
}

// A Filler fills a whole grid at once, bit for bit as At would, at the grid's level; fieldtest.Test checks it.
type Filler interface {
	Field
	// Fill sets every element of g.Samples and g.Ground for g.Chunk.
	Fill(g *grid.Grid)
}

// A Bounder bounds the densities of a box of samples without visiting them.
type Bounder interface {
	// Bounds returns an interval that holds At(s) for every s of b; it may be wider.
	Bounds(b lattice.Box) geom.Interval
}

// A Terrain is what a world is made of: everything that a compiled graph can do.
type Terrain interface {
	Filler
	Bounder
	// Ground returns the height in meters of the generated ground at the column x, z: finite, the highest
	// surface before caves and overhangs. Depths are measured from it.
	Ground(x, z int32) float32
	// Heights appends to dst the spans of sample heights, ascending and disjoint, that can hold surface
	// within the columns x, z of b (b's heights are ignored). Outside them no two neighboring samples of a
	// column in b differ in sign. At most 8 spans; an endless field answers a span cut at lattice.Limit.
	Heights(dst []lattice.Span, b lattice.Box) []lattice.Span
}
