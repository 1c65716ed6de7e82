package mesher_test

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// A ball of radius 10 in the middle of a chunk.
func ExampleNew() {
	g := grid.New(32)
	for z := -1; z <= 33; z++ {
		for y := -1; y <= 33; y++ {
			for x := -1; x <= 33; x++ {
				p := geom.Vec3{X: float32(x - 16), Y: float32(y - 16), Z: float32(z - 16)}
				g.Samples[g.Index(x, y, z)] = 10 - p.Len()
			}
		}
	}
	var m mesh.Mesh
	mesher.New(mesher.Marching).Mesh(&m, g, 0)
	f, err := m.Check()
	fmt.Println(m.Vertices(), f.Triangles, f.Closed(), err)
	fmt.Printf("area %.2f, volume %.2f\n", f.Area, f.Volume)
	// Output:
	// 1830 3656 true <nil>
	// area 1252.66, volume 4163.47
}
