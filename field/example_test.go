package field_test

import (
	"fmt"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// A small island with a cave, built in Go.
func ExampleBuilder() {
	var b field.Builder
	at := func(x, y, z float64) lattice.Place {
		p, _ := lattice.PlaceAt(x, y, z)
		return p
	}
	waves := b.Noise(field.Noise{Kind: noise.Gradient, Dims: 2, Seed: 7, Period: 40, Octaves: 3})
	ground := b.Scale(waves, 4, 2)
	island := b.Intersection(b.Height(ground), b.Ball(at(0, -50, 0), 64), 6)
	cave := b.Capsule(at(-20, 4, 0), at(30, -6, 0).From(lattice.Sample{}), 5)
	g := b.World(b.Difference(island, cave, 2), ground)

	f, err := field.Compile(g, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, y := range []int32{30, 0, -20} {
		fmt.Println(y, grid.Solid(f.At(lattice.Sample{Y: y})))
	}
	// Output:
	// 30 false
	// 0 false
	// -20 true
}

func ExampleCompile() {
	f, err := field.Compile(field.Shape(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	g := grid.New(lattice.ChunkCells)
	g.Chunk = lattice.Chunk{X: 0, Y: 0, Z: 0}
	f.Fill(g)
	fmt.Println("5 m up, in the ball's wall:", g.Samples[g.Index(10, 5, 0)])

	high := lattice.Box{Min: lattice.Sample{Y: 100}, Max: lattice.Sample{X: 35, Y: 135, Z: 35}}
	fmt.Println("nothing is solid at 100 m:", f.Bounds(high).Hi <= 0)
	fmt.Println("surface only at:", f.Heights(nil, lattice.Box{Max: lattice.Sample{X: 32, Y: 1, Z: 32}}))
	// Output:
	// 5 m up, in the ball's wall: 5.133931
	// nothing is solid at 100 m: true
	// surface only at: [{-9 41}]
}
