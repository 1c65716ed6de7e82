package field_test

import (
	"testing"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

// TestWideBounds checks that boxes too wide to compute all their columns are bounded part by part: a slope fills the
// box from corner to corner, but what lies above it in each part is air, and what lies below is solid.
func TestWideBounds(t *testing.T) {
	var b graph.Builder
	x := b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{0, 0}})
	f := compile(t, b.World(b.Height(x), x))
	g := compile(t, func() *graph.Graph {
		var b graph.Builder
		x := b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{0, 0}})
		d := b.Subtract(b.Height(x), b.Constant(450)) // 450 m under the slope
		return b.World(b.Intersection(d, b.Subtract(b.Constant(-200), b.Height(x)), 0), x)
	}())
	box := lattice.Box{Max: lattice.Sample{X: 400, Y: 400, Z: 400}}
	if i := f.Bounds(box); !(i.Lo < -300 && i.Hi > 300) {
		t.Errorf("bounds %v of a slope's box, want about ±400", i)
	}
	if i := g.Bounds(box); i.Hi > 0 {
		t.Errorf("bounds %v, want all air: no part is both 450 m below the slope and 200 m above it", i)
	}
	for _, c := range []lattice.Box{
		{Max: lattice.Sample{X: 1, Y: 5, Z: 6000}}, {Max: lattice.Sample{X: 6000, Y: 1, Z: 1}}, {Max: lattice.Sample{X: 3, Y: 3, Z: 1 << 28}},
	} {
		i := f.Bounds(c)
		for _, s := range []lattice.Sample{c.Min, c.Max.Add(-1, -1, -1)} {
			if v := f.At(s); v < i.Lo || v > i.Hi {
				t.Errorf("bounds %v of %v do not hold %v at %v", i, c, v, s)
			}
		}
	}
}

// TestCoarseShare measures how many of the chunks of coarse levels that bounds leave hold surface.
func TestCoarseShare(t *testing.T) {
	for _, c := range []struct {
		level uint8
		least float64
	}{{1, 0.85}, {2, 0.9}, {3, 0.9}} {
		chunks, holding := 0, 0
		f := compile(t, template.Hills(1))
		for _, chunk := range surfaceChunks(f, c.level, 2) {
			chunks++
			if holdsSurface(f, chunk) {
				holding++
			}
		}
		share := float64(holding) / float64(chunks)
		t.Logf("level %d: of %d chunks that bounds leave, %d hold surface: %.1f %%", c.level, chunks, holding, 100*share)
		if share < c.least {
			t.Errorf("level %d: share %.3f, want at least %v", c.level, share, c.least)
		}
	}
}
