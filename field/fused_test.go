package field

import (
	"math"
	"slices"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// fusedGraphs lists graphs with chains that are fused, and the fused steps that they should have.
var fusedGraphs = []struct {
	name             string
	tubes, displaced int
	build            func(b *Builder) Ref
}{
	{"tube", 1, 0, func(b *Builder) Ref { return b.Subtract(b.wave(3), b.Hypot(b.wave(1), b.Height(b.wave(2)))) }},
	{"tube of constants", 1, 0, func(b *Builder) Ref {
		return b.Subtract(b.Constant(7), b.Hypot(b.Constant(2), b.Height(b.Constant(3))))
	}},
	{"tube round a line in space", 1, 0, func(b *Builder) Ref {
		return b.Subtract(b.Scale(b.bumps(4), 3, 5), b.Hypot(b.Scale(b.bumps(5), 9, 0), b.Height(b.wave(2))))
	}},
	{"tube whose inside is read twice", 0, 0, func(b *Builder) Ref {
		inside := b.Hypot(b.wave(1), b.Height(b.wave(2)))
		return b.Union(b.Subtract(b.wave(3), inside), b.Subtract(inside, b.wave(4)), 0)
	}},
	{"displaced", 0, 1, func(b *Builder) Ref { return b.Displace(b.Height(b.wave(1)), b.bumps(2), 1.5) }},
	{"displaced by factors", 0, 1, func(b *Builder) Ref {
		s := b.Height(b.wave(1))
		return b.Sum(b.Multiply(b.bumps(2), b.Multiply(b.Bump(s, 9), b.wave(3))), s)
	}},
	{"displaced by a scaled noise, from which 1 is taken", 0, 1, func(b *Builder) Ref {
		s := b.Height(b.wave(1))
		return b.Sum(s, b.Multiply(b.Multiply(b.wave(3), b.Bump(s, 12)), b.Scale(b.bumps(2), -4, -1)))
	}},
	{"displaced twice by one noise", 0, 0, func(b *Builder) Ref {
		n := b.bumps(2)
		return b.Union(b.Displace(b.Height(b.wave(1)), n, 1.5), b.Displace(b.Height(b.wave(4)), n, 2), 0)
	}},
	{"displaced by a bump of something else", 0, 0, func(b *Builder) Ref {
		return b.Sum(b.Height(b.wave(1)), b.Multiply(b.Bump(b.Height(b.wave(3)), 9), b.bumps(2)))
	}},
	{"displaced tubes", 2, 1, func(b *Builder) Ref {
		tube := func(i int64) Ref { return b.Subtract(b.Constant(4), b.Hypot(b.wave(i), b.Height(b.wave(i+1)))) }
		return b.Displace(b.Union(tube(1), tube(3), 4), b.bumps(6), 1.6)
	}},
}

// wave adds noise over x and z from −10 to 10.
func (b *Builder) wave(seed int64) Ref {
	return b.Scale(b.Noise(Noise{Kind: noise.Gradient, Dims: 2, Seed: seed, Period: 30, Octaves: 2}), 10, 0)
}

// bumps adds noise in space.
func (b *Builder) bumps(seed int64) Ref {
	return b.Noise(Noise{Kind: noise.Gradient, Dims: 3, Seed: seed, Period: 9, Octaves: 2})
}

// TestFused demands that fused steps be found, and that they have the values and the bounds of the steps that they
// stand for.
func TestFused(t *testing.T) {
	for _, c := range fusedGraphs {
		t.Run(c.name, func(t *testing.T) {
			var b Builder
			testFused(t, b.World(c.build(&b), b.Constant(0)), c.tubes, c.displaced)
		})
	}
	t.Run("hills", func(t *testing.T) { testFused(t, Hills(1), 2, 2) })
}

func testFused(t *testing.T, g *Graph, tubes, displacements int) {
	steps, err := compileSteps(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := len(steps) - 1
	loose, roots := prune(steps, last, groundOf(g, last))
	plain := newTerrain(loose, roots[0], roots[1], -1)
	joined := slices.Clone(loose)
	fuse(joined, roots...)
	joined, roots = prune(joined, roots...)
	fused := newTerrain(joined, roots[0], roots[1], -1)
	for _, s := range joined {
		switch s.op.(type) {
		case tube:
			tubes--
		case *displaced:
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
