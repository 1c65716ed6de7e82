package field_test

import (
	"runtime"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// TestCostOfCompiling compiles graphs at the limits of what a graph may have, all their slopes over nearly all of
// their nodes. What that takes in memory stands for what it takes in time.
func TestCostOfCompiling(t *testing.T) {
	const most = 128 << 20
	fractal := func(kind noise.Kind, dims int, seed int) field.Noise {
		return field.Noise{Kind: kind, Dims: dims, Period: 50, Octaves: 16, Lacunarity: 1.1, Seed: int64(seed)}
	}
	for name, build := range map[string]func(b *field.Builder) field.Ref{
		"slopes of a long chain": func(b *field.Builder) field.Ref {
			h := b.Noise(fractal(noise.Gradient, 2, 0))
			for range field.MaxNodes - 60 {
				h = b.Scale(h, 1, 1)
			}
			s := b.Slope(h)
			for range 15 {
				s = b.Sum(s, b.Slope(h))
			}
			return b.Height(s)
		},
		"cells in space": func(b *field.Builder) field.Ref {
			s := b.Height(b.Constant(0))
			for i := range field.MaxNodes/2 - 2 {
				s = b.Sum(s, b.Noise(fractal(noise.Cellular, 3, i)))
			}
			return s
		},
		"slopes of many noises": func(b *field.Builder) field.Ref {
			h := b.Constant(0)
			for i := range field.MaxNodes/2 - 40 {
				h = b.Sum(h, b.Noise(fractal(noise.Simplex, 2, i)))
			}
			s := b.Slope(h)
			for range 15 {
				s = b.Sum(s, b.Slope(h))
			}
			return b.Height(s)
		},
	} {
		var b field.Builder
		build(&b)
		g := b.Graph()
		if n := len(g.AppendBinary(nil)); n > field.MaxGraphBytes || len(g.Nodes) > field.MaxNodes {
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
