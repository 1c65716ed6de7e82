//go:build js && wasm

package gpu

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// island returns a floating island within 64 m of the origin along x and z and 32 m along y: rolling ground above,
// hanging rock below, and a tunnel through it. It ends in air on all sides, so that a few chunks hold all of it.
func island(seed int64) *graph.Graph {
	var b graph.Builder
	gradient := func(dims int, period float64, octaves int) graph.Ref {
		seed++
		return b.Noise(graph.Noise{Kind: noise.Gradient, Dims: dims, Seed: seed, Period: period, Octaves: octaves})
	}
	height := b.Scale(gradient(2, 46, 4), 13, 3)
	top := b.Height(height)
	low := lattice.Place{Sample: lattice.Sample{Y: -2}}
	body := b.Ellipsoid(low, geom.Vec3{X: 52, Y: 25, Z: 52})
	body = b.Sum(body, b.Scale(gradient(3, 22, 3), 7, -1))
	rock := b.Intersection(top, body, 5)
	tunnel := b.Capsule(lattice.Place{Sample: lattice.Sample{X: -70, Y: -2, Z: 6}}, geom.Vec3{X: 140, Y: 3, Z: -12}, 6)
	tunnel = b.Sum(tunnel, b.Scale(gradient(3, 11, 2), 2.5, 0))
	return b.World(b.Difference(rock, tunnel, 3), height)
}
