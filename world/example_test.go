package world_test

import (
	"fmt"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/world"
)

// A click: the ray finds the place, the edit shows at once, and the server's confirmation changes nothing more.
func Example() {
	w := world.New(testground.Ground{Height: 16.5}) // solid below y = 16.5
	eye := lattice.Place{Sample: lattice.Sample{X: 16, Y: 40, Z: 16}}
	hit, _ := w.Ray(eye, geom.Vec3{Y: -1}, 80)
	fmt.Printf("hit after %v m, normal %v\n", hit.Distance, hit.Normal)

	dig := edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 3, Place: hit.Place})
	shown := w.Predict(1, dig)
	m, g, cubes := new(mesh.Mesh), grid.New(lattice.ChunkCells), mesher.New(mesher.Marching)
	for c := range shown.Chunks(w.Level()) {
		if w.Build(m, g, c, cubes, 0) {
			fmt.Println(c, "has", m.Triangles(), "triangles")
		}
	}

	applied, shown := w.Confirm(1, dig, nil)
	fmt.Println("confirmed:", applied.Samples, "samples of bricks, of which", shown.Samples, "look different")
	// Output:
	// hit after 23.5 m, normal {0 1 0}
	// chunk(0,0,0)@0 has 2152 triangles
	// confirmed: 226 samples of bricks, of which 0 look different
}
