package field_test

import (
	"runtime"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// TestCostOfCompiling compiles graphs at the limits of what a graph may have, all their slopes over nearly all of
// their nodes. What that takes in memory stands for what it takes in time.
func TestCostOfCompiling(t *testing.T) {
	const most = 128 << 20
	fractal := func(kind noise.Kind, dims int, seed int) graph.Noise {
		return graph.Noise{Kind: kind, Dims: dims, Period: 50, Octaves: 16, Lacunarity: 1.1, Seed: int64(seed)}
	}
	for name, build := range map[string]func(b *graph.Builder) graph.Ref{
		"slopes of a long chain": func(b *graph.Builder) graph.Ref {
			h := b.Noise(fractal(noise.Gradient, 2, 0))
			for range graph.MaxNodes - 60 {
				h = b.Scale(h, 1, 1)
			}
			s := b.Slope(h)
			for range 15 {
				s = b.Sum(s, b.Slope(h))
			}
			return b.Height(s)
		},
		"cells in space": func(b *graph.Builder) graph.Ref {
			s := b.Height(b.Constant(0))
			for i := range graph.MaxNodes/2 - 2 {
				s = b.Sum(s, b.Noise(fractal(noise.Cellular, 3, i)))
			}
			return s
		},
		"slopes of many noises": func(b *graph.Builder) graph.Ref {
			h := b.Constant(0)
			for i := range graph.MaxNodes/2 - 40 {
				h = b.Sum(h, b.Noise(fractal(noise.Simplex, 2, i)))
			}
			s := b.Slope(h)
			for range 15 {
				s = b.Sum(s, b.Slope(h))
			}
			return b.Height(s)
		},
	} {
		var b graph.Builder
		build(&b)
		g := b.Graph()
		if n := len(g.AppendBinary(nil)); n > graph.MaxBytes || len(g.Nodes) > graph.MaxNodes {
			t.Fatalf("%s: %d nodes, %d bytes", name, len(g.Nodes), n)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := field.Compile(g, nil)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("%s: compiling takes %d MB, want at most %d", name, n>>20, most>>20)
		}
		f.At(lattice.Sample{X: 1, Y: 2, Z: 3})
	}
}
