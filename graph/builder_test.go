package graph_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// What is made of a node leaves the node as it was.
func TestBuilderChangesNoNode(t *testing.T) {
	var b graph.Builder
	box := b.Box(lattice.Place{}, geom.Vec3{X: 3, Y: 2, Z: 1}, 0)
	before := b.Graph().Nodes[box]
	before.Ints, before.Floats = slices.Clone(before.Ints), slices.Clone(before.Floats)
	b.Stretch(b.Rotate(b.Repeat(box, 10, 0, 10), geom.Vec3{Y: 1}, 30), geom.Vec3{X: 2, Y: 1, Z: 1})
	b.Rotate(box, geom.Vec3{X: 1}, 10)
	after := b.Graph().Nodes[box]
	if !slices.Equal(before.Ints, after.Ints) || !slices.Equal(before.Floats, after.Floats) {
		t.Errorf("the box became %v, was %v", after, before)
	}
	if n := len(b.Graph().Nodes); n != 5 {
		t.Errorf("%d nodes, want 5", n)
	}
}

// Bad parameters are errors, which the graph keeps until it is compiled.
func TestBuilderErrors(t *testing.T) {
	for name, build := range map[string]func(b *graph.Builder){
		"noise finer than samples":  func(b *graph.Builder) { b.Noise(graph.Noise{Kind: noise.Value, Dims: 2, Period: 0.01}) },
		"a sum that rotates":        func(b *graph.Builder) { b.Rotate(b.Sum(b.Constant(1), b.Constant(2)), geom.Vec3{Y: 1}, 5) },
		"a rotation about nothing":  func(b *graph.Builder) { b.Rotate(b.Ball(lattice.Place{}, 1), geom.Vec3{}, 5) },
		"a slab that repeats":       func(b *graph.Builder) { b.Repeat(b.Slab(lattice.Place{}, 1), 1, 1, 1) },
		"a stretch of what is none": func(b *graph.Builder) { b.Stretch(7, geom.Vec3{X: 1, Y: 1, Z: 1}) },
	} {
		var b graph.Builder
		build(&b)
		first := b.Err()
		if first == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		b.Rotate(99, geom.Vec3{}, 1) // the first stays
		if _, err := graph.Compile(b.World(b.Constant(0), b.Constant(0))); !errors.Is(err, first) || !errors.Is(err, graph.ErrInvalid) {
			t.Errorf("%s: compiling gives %v, want %v", name, err, first)
		}
	}
}

func TestSemanticsDiff(t *testing.T) {
	engine := graph.EngineSemantics()
	if d, ok := graph.SemanticsDiff(engine[3:5], engine); !ok {
		t.Errorf("%v differs from itself", d)
	}
	for _, c := range []struct {
		world graph.Semantics
		want  graph.Difference
	}{
		{graph.Semantics{Kind: 9999, Version: 2}, graph.Difference{Kind: 9999, Want: 2, Unknown: true}},
		{graph.Semantics{Kind: uint16(graph.KindBall), Version: 7}, graph.Difference{Kind: graph.KindBall, Want: 7, Have: 1}},
	} {
		if d, ok := graph.SemanticsDiff([]graph.Semantics{engine[0], c.world}, engine); ok || d != c.want {
			t.Errorf("%v: %v, %v, want %v", c.world, d, ok, c.want)
		}
	}
}
