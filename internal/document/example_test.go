package document_test

import (
	"fmt"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/document/printer"
	"github.com/terrane/terrane/noise"
)

// A graph that is built in Go, and the document of it.
func ExamplePrint() {
	var b graph.Builder
	hills := b.Scale(b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 2, Period: 90, Octaves: 4, Seed: 1}), 18, 0)
	world := b.World(b.Height(hills), hills)
	text, err := printer.Print(world, printer.Options{Name: "Hills"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", text)
	// Output:
	// terrane: 1
	// name: Hills
	// seed: 0
	// nodes:
	//   noise-0: {noise: gradient, period: 90, octaves: 4, seed: 1}
	//   scale-1: {scale: noise-0, by: 18, plus: 0}
	//   below-2: {below: scale-1}
	// density: below-2
	// ground: scale-1
}

// All that is wrong with a document is said at once.
func ExampleParse() {
	_, err := document.Parse("hills.yaml", []byte(`terrane: 1
density: {below: {noise: gradeint, peroid: 90}}
`), document.Options{})
	fmt.Println(err)
	// Output:
	// hills.yaml:2:26: noise is "gradeint"; did you mean "gradient"? It is one of value, gradient, simplex, cellular, edges
	//     2 | density: {below: {noise: gradeint, peroid: 90}}
	//       |                          ^^^^^^^^
	// hills.yaml:2:36: noise has no parameter "peroid"; did you mean "period"?
	//     2 | density: {below: {noise: gradeint, peroid: 90}}
	//       |                                    ^^^^^^
}

// A document becomes a graph.
func ExampleDocument_Graph() {
	d, err := document.Parse("ball.yaml", []byte("terrane: 1\ndensity: {union: [{ball: 10}, {slab: 4}], smooth: 2}\n"), document.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	built, err := d.Graph(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, n := range built.Graph.Nodes {
		fmt.Println(n.Kind, "at", built.Origins[i].Path)
	}
	// Output:
	// ball at density.union[0]
	// slab at density.union[1]
	// smooth union at density
}
