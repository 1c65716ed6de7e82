package grid_test

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
)

// A function of space becomes samples, ready to be meshed.
func ExampleVolume_Fill() {
	v := grid.NewVolume(5, 3, 3)
	v.Cell = geom.Vec3{X: 0.5, Y: 1, Z: 1}
	v.Fill(func(p geom.Vec3) float32 { return p.X - 1 })
	fmt.Println(v.Samples[:v.NX])
	fmt.Println(grid.Solid(v.Samples[v.Index(2, 1, 1)]), grid.Solid(v.Samples[v.Index(3, 1, 1)]))
	// Output:
	// [-1 -0.5 0 0.5 1]
	// false true
}

// A chunk's samples reach one past its cells on all sides.
func ExampleNew() {
	g := grid.New(32)
	fmt.Println(len(g.Samples) == 35*35*35, g.Index(-1, -1, -1), g.Index(33, 33, 33) == len(g.Samples)-1)
	// Output: true 0 true
}
