package mesh_test

import (
	"fmt"

	"github.com/terrane/terrane/mesh"
)

// A tetrahedron is closed, of Euler number 2, and encloses a sixth of the cube round it.
func ExampleMesh_Check() {
	m := mesh.Mesh{
		Positions: []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
		Indices:   []uint32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3},
	}
	f, err := m.Check()
	fmt.Println(f.Closed(), f.Manifold(), f.Balanced(), f.Euler(), f.Degenerate, err)
	fmt.Printf("area %.3f, volume %.3f\n", f.Area, f.Volume)
	// Output:
	// true true true 2 0 <nil>
	// area 2.366, volume 0.167
}

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
