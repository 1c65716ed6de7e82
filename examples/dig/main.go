// Command dig makes hills, digs a hole into them, and writes the ground round it as a GLB in the colors of its
// materials: a world without a server.
//
//	go run ./examples/dig [OUT.glb]
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/world"
)

func main() {
	name := "hole.glb"
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	if err := run(name); err != nil {
		log.Fatal(err)
	}
}

func run(name string) error {
	ground, err := field.Compile(template.Hills(1), nil) // hills read no files
	if err != nil {
		return err
	}
	w := world.New(ground)

	// Look straight down from high above the middle, and dig where the ground is.
	eye, _ := lattice.PlaceAt(0, 500, 0)
	hit, ok := w.Ray(eye, geom.Vec3{Y: -1}, 1000)
	if !ok {
		return fmt.Errorf("no ground below %v", eye)
	}
	change := w.Apply(edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 8, Place: hit.Place}))
	fmt.Printf("%d samples changed\n", change.Samples)

	all := build(w, 2)
	all.Weld() // chunks share the positions along their borders bit for bit
	options := codec.Options{Name: "hole"}
	for _, m := range ground.(field.MaterialSource).Palette() { // hills have materials
		options.Palette = append(options.Palette, m.Color)
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := codec.Write(out, codec.GLB, all, options); err != nil {
		return err
	}
	fmt.Printf("%s: %d vertices, %d triangles\n", name, all.Vertices(), all.Triangles())
	return out.Close()
}

// build meshes the chunks within so many columns of the middle that can hold surface, as one mesh.
func build(w *world.World, radius int32) *mesh.Mesh {
	all, chunk, samples := &mesh.Mesh{}, &mesh.Mesh{}, grid.New(lattice.ChunkCells)
	marching := mesher.New(mesher.Marching)
	for x := -radius; x < radius; x++ {
		for z := -radius; z < radius; z++ {
			for _, span := range w.Columns(nil, x, z) {
				for y := span.Lo; y < span.Hi; y++ {
					c := lattice.Chunk{X: x, Y: y, Z: z}
					if w.Build(chunk, samples, c, marching, 0) {
						o := c.Origin()
						all.AppendMesh(chunk, geom.Vec3{X: float32(o.X), Y: float32(o.Y), Z: float32(o.Z)})
					}
				}
			}
		}
	}
	return all
}
