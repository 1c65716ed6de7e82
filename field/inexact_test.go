package field_test

import (
	"slices"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/template"
)

func TestInexact(t *testing.T) {
	coordinate := func(b *graph.Builder, axis, origin int64) graph.Ref {
		return b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{axis, origin}})
	}
	ball := func(b *graph.Builder) graph.Ref { return b.Ball(lattice.Place{}, 50) }
	for _, c := range []struct {
		name  string
		build func(b *graph.Builder)
		want  []int
	}{
		{"a slope along x", func(b *graph.Builder) { b.Height(b.Scale(coordinate(b, 0, 0), 0.1, 0)) }, []int{0, 2}}, // its height, too, is endless
		{"a slope along z from far out", func(b *graph.Builder) { b.Height(b.Scale(coordinate(b, 2, 1e7), 0.1, 0)) }, []int{0, 2}},
		{"a slope that ends", func(b *graph.Builder) { b.Height(b.Clamp(coordinate(b, 0, 0), -5000, 5000)) }, nil},
		{"a ramp", func(b *graph.Builder) { b.Height(b.Smoothstep(coordinate(b, 0, 0), 0, 1000)) }, nil},
		{"a ridge", func(b *graph.Builder) { b.Height(b.Scale(b.Bump(coordinate(b, 0, 0), 300), 40, 0)) }, nil},
		{"a wide ridge", func(b *graph.Builder) { b.Height(b.Scale(b.Bump(coordinate(b, 0, 0), 3e6), 40, 0)) }, []int{0}},
		{"another land beyond a line", func(b *graph.Builder) {
			x := coordinate(b, 0, 0)
			b.Height(b.Select(b.Constant(3), b.Constant(9), x, 1000))
		}, nil},
		{"in a ball only", func(b *graph.Builder) { b.Intersection(b.Scale(coordinate(b, 0, 0), 2, 0), ball(b), 0) }, nil},
		{"a height", func(b *graph.Builder) { b.Height(b.Constant(3)) }, nil},
		{"layers to the sky", func(b *graph.Builder) {
			b.Subtract(b.Constant(2), b.Saw(coordinate(b, 1, 0), 5))
		}, []int{1}},
		{"noise warped by x", func(b *graph.Builder) {
			x := coordinate(b, 0, 0)
			b.Noise(graph.Noise{Kind: noise.Value, Dims: 2, Period: 30, Warp: []graph.Ref{x, b.Constant(0)}})
		}, []int{0}},
		{"the ground of a world", func(b *graph.Builder) {
			x := coordinate(b, 0, 0)
			b.World(b.Height(b.Constant(3)), x)
		}, []int{0}},
		{"unused", func(b *graph.Builder) {
			coordinate(b, 0, 0)
			b.Height(b.Constant(3))
		}, nil},
	} {
		var b graph.Builder
		c.build(&b)
		got, err := field.Inexact(b.Graph(), nil)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: nodes %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	for name, g := range map[string]*graph.Graph{"hills": template.Hills(1), "shape": template.Shape(), "flat": template.Flat()} {
		if got, err := field.Inexact(g, nil); err != nil || len(got) != 0 {
			t.Errorf("%s: nodes %v, %v, want none", name, got, err)
		}
	}
	if _, err := field.Inexact(&graph.Graph{}, nil); err == nil {
		t.Error("a graph without nodes is answered")
	}
}
