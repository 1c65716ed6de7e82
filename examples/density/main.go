// Command density makes a world of a density function of its own: a sawtooth of dunes, into which the engine cuts a
// tunnel, and draws a section of it as text.
//
//	go run ./examples/density
package main

import (
	"fmt"
	"log"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/world"
)

// Dunes rise a meter every four along x and fall by 8 every 32. One method makes a density function.
type dunes struct{}

// At returns the density of a sample: positive in the ground, in meters, roughly.
func (dunes) At(s lattice.Sample) float32 {
	return float32(s.X&31)/4 - float32(s.Y)
}

// Bounds returns an interval that holds the density of every sample of b. It may be left out; the engine skips what
// it shows to be all air or all ground.
func (dunes) Bounds(b lattice.Box) geom.Interval {
	return geom.Interval{Lo: -float32(b.Max.Y), Hi: 31.0/4 - float32(b.Min.Y)}
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	var b graph.Builder
	ground := b.Field(dunes{}, -1000, 1000)
	tunnel := b.Capsule(lattice.Place{Sample: lattice.Sample{X: 8, Y: -4}}, geom.Vec3{X: 40, Y: 4}, 3)
	terrain, err := field.Compile(b.World(b.Difference(ground, tunnel, 1), b.Constant(4)), nil)
	if err != nil {
		return err
	}
	w := world.New(terrain)
	for y := int32(9); y >= -9; y-- {
		row := make([]byte, 0, 72)
		for x := range int32(72) {
			if grid.Solid(w.At(lattice.Sample{X: x, Y: y})) {
				row = append(row, '#')
			} else {
				row = append(row, ' ')
			}
		}
		fmt.Printf("%3d %s\n", y, row)
	}
	return nil
}
