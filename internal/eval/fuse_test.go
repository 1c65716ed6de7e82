package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/template"
)

// fusedGraphs lists graphs with chains that are fused, and the fused steps that they should have.
var fusedGraphs = []struct {
	name             string
	tubes, displaced int
	build            func(b *graph.Builder) graph.Ref
}{
	{"tube", 1, 0, func(b *graph.Builder) graph.Ref {
		return b.Subtract(wave(b, 3), b.Hypot(wave(b, 1), b.Height(wave(b, 2))))
	}},
	{"tube of constants", 1, 0, func(b *graph.Builder) graph.Ref {
		return b.Subtract(b.Constant(7), b.Hypot(b.Constant(2), b.Height(b.Constant(3))))
	}},
	{"tube round a line in space", 1, 0, func(b *graph.Builder) graph.Ref {
		return b.Subtract(b.Scale(bumps(b, 4), 3, 5), b.Hypot(b.Scale(bumps(b, 5), 9, 0), b.Height(wave(b, 2))))
	}},
	{"tube whose inside is read twice", 0, 0, func(b *graph.Builder) graph.Ref {
		inside := b.Hypot(wave(b, 1), b.Height(wave(b, 2)))
		return b.Union(b.Subtract(wave(b, 3), inside), b.Subtract(inside, wave(b, 4)), 0)
	}},
	{"displaced", 0, 1, func(b *graph.Builder) graph.Ref { return b.Displace(b.Height(wave(b, 1)), bumps(b, 2), 1.5) }},
	{"displaced by factors", 0, 1, func(b *graph.Builder) graph.Ref {
		s := b.Height(wave(b, 1))
		return b.Sum(b.Multiply(bumps(b, 2), b.Multiply(b.Bump(s, 9), wave(b, 3))), s)
	}},
	{"displaced by a scaled noise, from which 1 is taken", 0, 1, func(b *graph.Builder) graph.Ref {
		s := b.Height(wave(b, 1))
		return b.Sum(s, b.Multiply(b.Multiply(wave(b, 3), b.Bump(s, 12)), b.Scale(bumps(b, 2), -4, -1)))
	}},
	{"displaced twice by one noise", 0, 0, func(b *graph.Builder) graph.Ref {
		n := bumps(b, 2)
		return b.Union(b.Displace(b.Height(wave(b, 1)), n, 1.5), b.Displace(b.Height(wave(b, 4)), n, 2), 0)
	}},
	{"displaced by a bump of something else", 0, 0, func(b *graph.Builder) graph.Ref {
		return b.Sum(b.Height(wave(b, 1)), b.Multiply(b.Bump(b.Height(wave(b, 3)), 9), bumps(b, 2)))
	}},
	{"displaced tubes", 2, 1, func(b *graph.Builder) graph.Ref {
		tube := func(i int64) graph.Ref { return b.Subtract(b.Constant(4), b.Hypot(wave(b, i), b.Height(wave(b, i+1)))) }
		return b.Displace(b.Union(tube(1), tube(3), 4), bumps(b, 6), 1.6)
	}},
}

// wave adds noise over x and z from −10 to 10.
func wave(b *graph.Builder, seed int64) graph.Ref {
	return b.Scale(b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 2, Seed: seed, Period: 30, Octaves: 2}), 10, 0)
}

// bumps adds noise in space.
func bumps(b *graph.Builder, seed int64) graph.Ref {
	return b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 3, Seed: seed, Period: 9, Octaves: 2})
}

// TestFused demands that fused steps be found, and that they have the values and the bounds of the steps that they
// stand for.
func TestFused(t *testing.T) {
	for _, c := range fusedGraphs {
		t.Run(c.name, func(t *testing.T) {
			var b graph.Builder
			testFused(t, b.World(c.build(&b), b.Constant(0)), c.tubes, c.displaced)
		})
	}
	t.Run("hills", func(t *testing.T) { testFused(t, template.Hills(1), 2, 2) })
}

func testFused(t *testing.T, g *graph.Graph, tubes, displacements int) {
	p, steps, err := compileSteps(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := len(steps) - 1
	loose, roots := prune(steps, last, p.Ground)
	plain := newTerrain(loose, roots[0], roots[1], -1)
	joined := slices.Clone(loose)
	fuse(joined, roots...)
	joined, roots = prune(joined, roots...)
	fused := newTerrain(joined, roots[0], roots[1], -1)
	for _, s := range joined {
		switch s.op.(type) {
		case ops.Tube:
			tubes--
		case *ops.Displaced:
			displacements--
		}
	}
	if tubes != 0 || displacements != 0 {
		t.Errorf("%d tubes and %d displaced surfaces were not found", tubes, displacements)
	}
	compareTerrains(t, fused, plain)
}

// compareTerrains demands that two terrains have the same densities and bounds.
func compareTerrains(t *testing.T, fused, plain *terrain) {
	got, want := grid.New(lattice.ChunkCells), grid.New(lattice.ChunkCells)
	for _, chunk := range []lattice.Chunk{{}, {Y: -1}, {X: 3, Y: 1, Z: -2}, {X: -2, Z: 5}, {X: 1, Y: -1, Level: 1}} {
		got.Chunk, want.Chunk = chunk, chunk
		fused.Fill(got)
		plain.Fill(want)
		for i := range want.Samples {
			if math.Float32bits(got.Samples[i]) != math.Float32bits(want.Samples[i]) {
				t.Fatalf("%v: sample %d is %v, want %v", chunk, i, got.Samples[i], want.Samples[i])
			}
		}
		o, h := want.Corner(), want.Step()
		for i := 0; i < len(want.Samples); i += 97 {
			n := int32(want.Side())
			s := o.Add(int32(i)%n*h, int32(i)/n%n*h, int32(i)/(n*n)*h)
			if p := fused.At(s); math.Float32bits(p) != math.Float32bits(want.Samples[i]) {
				t.Fatalf("%v is %v, in a grid %v", s, p, want.Samples[i])
			}
		}
		if got, want := fused.Bounds(got.Box()), plain.Bounds(want.Box()); got != want {
			t.Errorf("%v: bounds %v, want %v", chunk, got, want)
		}
	}
}
