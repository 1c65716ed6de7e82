package graph_test

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// A ball on level ground: built, written, read and compiled.
func Example() {
	var b graph.Builder
	height := b.Constant(0.5)
	ball := b.Ball(lattice.Place{Sample: lattice.Sample{Y: 8}}, 6)
	g := b.World(b.Union(b.Height(height), ball, 2), height)

	g, err := graph.Parse(g.AppendBinary(nil))
	if err != nil {
		panic(err)
	}
	p, err := graph.Compile(g)
	if err != nil {
		panic(err)
	}
	for _, s := range p.Steps {
		fmt.Println(s.Name, s.Inputs, "once a column:", s.Columnar())
	}
	// Output:
	// constant [] once a column: true
	// ball [] once a column: false
	// height [0] once a column: false
	// smooth union [2 1] once a column: false
	// world [3 0] once a column: false
}

// What follows from a node's numbers is derived once: a box's half size without its rounded edges.
func ExampleCompile() {
	var b graph.Builder
	b.Box(lattice.Place{}, geom.Vec3{X: 3, Y: 2, Z: 1}, 0.5)
	p, err := graph.Compile(b.Graph())
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Steps[0].Constants)
	// Output: [2.5 1.5 0.5 0.5]
}
