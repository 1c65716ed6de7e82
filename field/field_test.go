package field_test

import (
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/field/fieldtest"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/template"
)

func compile(t testing.TB, g *graph.Graph) field.Terrain {
	t.Helper()
	f, err := field.Compile(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTemplates(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *graph.Graph
	}{
		{"hills", template.Hills(1)},
		{"shape", template.Shape()},
		{"flat", template.Flat()},
	} {
		t.Run(c.name, func(t *testing.T) { fieldtest.Test(t, compile(t, c.g), 1) })
	}
}

// TestHeightsMeet puts the ground at every height relative to the slices that Heights looks at.
func TestHeightsMeet(t *testing.T) {
	for y := int32(-70); y < 70; y++ {
		var b graph.Builder
		h := b.Constant(float32(y) + 0.5)
		f := compile(t, b.World(b.Height(h), h))
		spans := f.Spans(nil, lattice.Box{Max: lattice.Sample{X: 35, Y: 1, Z: 35}})
		if len(spans) != 1 || y < spans[0].Lo || y+1 >= spans[0].Hi || int64(spans[0].Hi)-int64(spans[0].Lo) > 20 {
			t.Errorf("ground at %v: spans %v", float32(y)+0.5, spans)
		}
	}
}

// TestHeightsOfMany puts more level plates above each other than spans may be given.
func TestHeightsOfMany(t *testing.T) {
	var b graph.Builder
	d := b.Slab(lattice.Place{}, 2)
	for i := range int32(20) {
		d = b.Union(d, b.Slab(lattice.Place{Sample: lattice.Sample{Y: 100*i + i*i}}, 2), 0)
	}
	f := compile(t, b.Graph())
	fieldtest.Test(t, f, 1)
	spans := f.Spans(nil, lattice.Box{Max: lattice.Sample{X: 35, Y: 1, Z: 35}})
	if len(spans) != 8 || spans[0].Lo > -2 || spans[7].Hi < 1900+361+2 {
		t.Errorf("spans %v", spans)
	}
}

// TestEndless checks that a field whose surface never ends is answered with one span as high as the world.
func TestEndless(t *testing.T) {
	var b graph.Builder
	f := compile(t, func() *graph.Graph {
		b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 3, Period: 20})
		return b.Graph()
	}())
	spans := f.Spans(nil, lattice.Box{Max: lattice.Sample{X: 35, Y: 1, Z: 35}})
	if want := (lattice.Span{Lo: -lattice.Limit, Hi: lattice.Limit}); len(spans) != 1 || spans[0] != want {
		t.Errorf("spans %v, want %v", spans, want)
	}
}

// TestNoAllocations checks that nothing a world does all the time allocates.
func TestNoAllocations(t *testing.T) {
	for name, f := range map[string]field.Terrain{
		"hills": compile(t, template.Hills(1)),
		"shape": compile(t, template.Shape()),
		"alps":  heightmap(t, randomRaster(rand.New(rand.NewPCG(1, 0)), 99, 99), template.HeightmapParams{MetersX: 9, MetersZ: 7}),
	} {
		g, i := grid.New(lattice.ChunkCells), int32(0)
		spans := make([]lattice.Span, 0, 16)
		use := func() {
			g.Chunk = lattice.Chunk{X: i % 5, Y: i%3 - 1, Z: i / 5, Level: uint8(i % 2)}
			f.Fill(g)
			f.Bounds(g.Box())
			b := g.Box()
			b.Max = b.Max.Add(1000, 1000, 1000)
			f.Bounds(b)
			spans = f.Spans(spans[:0], g.Box())
			f.At(g.Corner())
			f.Ground(i, i)
			i++
		}
		for range 50 {
			use()
		}
		if n := testing.AllocsPerRun(20, use); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
