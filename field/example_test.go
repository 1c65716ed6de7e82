package field_test

import (
	"fmt"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/template"
)

// A small island with a cave, built in Go.
func ExampleBuilder() {
	var b graph.Builder
	at := func(x, y, z float64) lattice.Place {
		p, _ := lattice.PlaceAt(x, y, z)
		return p
	}
	waves := b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 2, Seed: 7, Period: 40, Octaves: 3})
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
	f, err := field.Compile(template.Shape(), nil)
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
	fmt.Println("surface only at:", f.Spans(nil, lattice.Box{Max: lattice.Sample{X: 32, Y: 1, Z: 32}}))
	// Output:
	// 5 m up, in the ball's wall: 5.133931
	// nothing is solid at 100 m: true
	// surface only at: [{-9 41}]
}

// dunes is a field of the program's own: its ground is a sawtooth along x.
type dunes struct{}

func (dunes) At(s lattice.Sample) float32 {
	return float32(s.X&31)/4 - float32(s.Y)
}

// A field of the program's own takes the exact path: here a cave is dug into it, which the engine bounds
// and skips as ever.
func ExampleBuilder_Field() {
	var b graph.Builder
	ground := b.Field(dunes{}, -1000, 1000)
	cave := b.Ball(lattice.Place{Sample: lattice.Sample{X: 16, Y: -6, Z: 16}}, 5)
	f, err := field.Compile(b.World(b.Difference(ground, cave, 1), b.Constant(4)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []lattice.Sample{{X: 31, Y: 7}, {X: 32, Y: 7}, {X: 16, Y: -6, Z: 16}} {
		fmt.Println(s.X, s.Y, grid.Solid(f.At(s)))
	}
	fmt.Println(b.Graph().Portable())
	// Output:
	// 31 7 true
	// 32 7 false
	// 16 -6 false
	// graph: node 0 is a field of the program's own (field_test.dunes), which has no binary form
}

// A slab leans against a wall with holes in it.
func Example_rotate() {
	var b graph.Builder
	at := func(x, y, z int32) lattice.Place { return lattice.Place{Sample: lattice.Sample{X: x, Y: y, Z: z}} }
	slab := b.Box(at(-6, 5, 0), geom.Vec3{X: 1, Y: 10, Z: 6}, 0.5)
	slab = b.Rotate(slab, geom.Vec3{Z: 1}, -30) // its top toward the wall
	wall := b.Box(at(3, 6, 0), geom.Vec3{X: 2, Y: 8, Z: 20}, 0)
	holes := b.Cylinder(at(3, 6, 0), 0, 2)
	holes = b.Repeat(holes, 0, 0, 8)
	f, err := field.Compile(b.World(b.Union(slab, b.Difference(wall, holes, 0), 0), b.Constant(0)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []lattice.Sample{{X: -2, Y: 12}, {X: -10, Y: 12}, {X: 3, Y: 6, Z: 12}, {X: 3, Y: 6, Z: 16}} {
		fmt.Println(s, grid.Solid(f.At(s)))
	}
	// Output:
	// {-2 12 0} true
	// {-10 12 0} false
	// {3 6 12} true
	// {3 6 16} false
}

// Grass grows on a slope of one in two; under it are soil and layers of rock, which show where it is steep.
func ExampleBuilder_PaintedWorld() {
	var b graph.Builder
	x := b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{0, 0}})
	ground := b.Curve(x, 0, 0, 20, 10, 24, 30) // a cliff follows the slope
	depth := b.Height(ground)
	grass, soil, chalk, flint := b.Constant(0), b.Constant(1), b.Constant(2), b.Constant(3)
	rock := b.Select(flint, chalk, b.Saw(depth, 5), 1) // a meter of flint every five
	cover := b.Select(b.Select(grass, soil, depth, 1), rock, depth, 3)
	material := b.Select(cover, rock, b.Slope(ground), 1)
	f, err := field.Compile(b.PaintedWorld(depth, ground, material, []graph.Material{
		{Name: "grass", Color: [3]uint8{70, 128, 59}, Roughness: 1},
		{Name: "soil", Color: [3]uint8{107, 83, 63}, Roughness: 1},
		{Name: "chalk", Color: [3]uint8{220, 216, 205}, Roughness: 0.9},
		{Name: "flint", Color: [3]uint8{70, 70, 78}, Roughness: 0.4},
	}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := f.(field.MaterialSource)
	for _, s := range []lattice.Sample{{X: 10, Y: 5}, {X: 10, Y: 3}, {X: 10, Y: 0}, {X: 10, Y: -1}, {X: 22, Y: 18}} {
		fmt.Println(s.X, s.Y, p.Palette()[p.Material(s)].Name)
	}
	// Output:
	// 10 5 grass
	// 10 3 soil
	// 10 0 flint
	// 10 -1 chalk
	// 22 18 chalk
}
