// Command query asks a world about its ground without a mesh: heights, densities, materials and rays.
//
//	go run ./examples/query
package main

import (
	"fmt"
	"log"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/world"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	terrain, err := field.Compile(template.Hills(1), nil)
	if err != nil {
		return err
	}
	w := world.New(terrain)

	// Between samples the density is what a mesh shows; the gradient points into the ground.
	if d, ok := field.AtMeters(terrain, 10.5, 20.25, 3); ok {
		gradient, _ := field.GradientAtMeters(terrain, 10.5, 20.25, 3)
		fmt.Printf("density at 10.5, 20.25, 3: %.3f, gradient %.2f\n", d, gradient)
	}

	// The height of the generated ground, before caves and overhangs, costs no search.
	for x := int32(0); x <= 400; x += 100 {
		fmt.Printf("ground at x %3d: %.2f m\n", x, w.Ground(x, 0))
	}

	// A ray finds the surface as it is: caves, overhangs and edits count. Places are exact anywhere in the world.
	for _, x := range []float64{0, 9_000_000.25} {
		eye, ok := lattice.PlaceAt(x, 400, 0)
		if !ok {
			return fmt.Errorf("x %v lies outside the world", x)
		}
		hit, ok := w.Ray(eye, geom.Vec3{X: 1, Y: -2}, 2000)
		if !ok {
			return fmt.Errorf("no ground seen from %v", eye)
		}
		fmt.Printf("from x %v: ground after %.3f m, normal %.2f\n", x, hit.Distance, hit.Normal)

		// The density rises into the ground, so its gradient points against the normal; both are of this place.
		s := hit.Place.Sample
		s.Y--                                       // below the surface
		materials := terrain.(field.MaterialSource) // hills have materials
		fmt.Printf("  density %.3f, gradient %.2f, of %s\n", field.AtPlace(terrain, hit.Place),
			field.GradientAtPlace(terrain, hit.Place), materials.Palette()[materials.Material(s)].Name)
	}
	return nil
}
