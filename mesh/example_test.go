package mesh_test

import (
	"fmt"

	"github.com/terrane/terrane/mesh"
)

// Two triangles that were written with their own corners become one square with four.
func ExampleMesh_Weld() {
	m := mesh.Mesh{
		Positions: []float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0},
		Indices:   []uint32{0, 1, 2, 3, 4, 5},
	}
	m.Weld()
	f, err := m.Check()
	fmt.Println(m.Vertices(), m.Triangles(), f.Open, f.Area, err)
	// Output: 4 2 4 1 <nil>
}
