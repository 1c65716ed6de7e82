package field

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
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

// A Terrain is the ground of a world: everything that a compiled graph can answer.
type Terrain interface {
	Filler
	Bounder
	// Ground returns the height in meters of the generated ground at the column x, z: finite, the highest
	// surface before caves and overhangs. Depths are measured from it.
	Ground(x, z int32) float32
	// Spans appends to dst the spans of sample heights, ascending and disjoint, that can hold surface
	// within the columns x, z of b (b's heights are ignored). Outside them no two neighboring samples of a
	// column in b differ in sign. At most 8 spans; an endless field answers a span cut at lattice.Limit.
	Spans(dst []lattice.Span, b lattice.Box) []lattice.Span
}

// A MaterialSource is a Terrain that says of which material each sample is: what Compile makes of a graph with
// materials. The material is a function of the sample alone, whatever the level, and has a value in the air
// too: where a solid sample is beside it, a surface passes between the two.
type MaterialSource interface {
	Terrain
	// Palette returns the materials. It must not be changed.
	Palette() []graph.Material
	// Material returns the number in the palette of the material of s.
	Material(s lattice.Sample) uint8
	// FillMaterials sets the elements of g.Materials, which it makes as long as g.Samples, that end an edge between a
	// solid and an air sample of g.Samples, as Material would. It leaves the others undefined.
	FillMaterials(g *grid.Grid)
}

// A Tiler is a terrain that reads tiles as it goes: every terrain that Compile makes.
type Tiler interface {
	// Tiles appends to dst the hashes of the tiles that may be read for anything in the columns x, z of b (b's
	// heights are ignored): its samples, heights, bounds and materials at any level. dst names none twice if it did not
	// before. Who has these at hand never meets an [AssetError] there.
	Tiles(dst []asset.Hash, b lattice.Box) []asset.Hash
}
