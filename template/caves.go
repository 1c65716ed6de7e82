package template

import (
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/noise"
)

// Caves are tunnels to add to a graph: level or gently sloping, winding like contour lines, some way below a
// ground, with ramps up to it.
type Caves struct {
	// Ground is the height that depths are measured from; it must not depend on y.
	Ground graph.Ref
	Seed   int64
	Period float64 // meters from tunnel to tunnel, roughly; 0 means 130
	Radius float32 // meters, which vary by half as much again; 0 means 4
	// Depth is how deep in meters most tunnels lie below the ground; 0 means 16. They come up to it in some
	// places and go down to twice as deep in others.
	Depth float32
	// Walls is how far in meters bumps of rock stick out of the walls; 0 means 1.6, below 0 none.
	Walls float32
}

// Add adds the tunnels and returns their node. They are solid where there is a cave, so that
// b.Difference(rock, caves, 2.5) digs them.
// All but the bumps of their walls are terms over x and z, which are computed once a column, and the bumps are
// computed near walls only.
func (c Caves) Add(b *graph.Builder) graph.Ref {
	if c.Period == 0 {
		c.Period = 130
	}
	if c.Radius == 0 {
		c.Radius = 4
	}
	if c.Depth == 0 {
		c.Depth = 16
	}
	if c.Walls == 0 {
		c.Walls = 1.6
	}
	flat := func(i int64, period float64, octaves int) graph.Ref {
		return b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 2, Seed: c.Seed*1_000_003 + i, Period: period, Octaves: octaves, Gain: 0.3})
	}
	// Where the noise is 0 it changes by about 1.9 in a period.
	line := b.Scale(flat(1, c.Period, 2), float32(c.Period/1.9), 0)
	depth := b.Curve(flat(2, 0.7*c.Period, 2), -0.3, 2*c.Depth, 0.1, c.Depth, 0.3, 0.75*c.Depth, 0.45, -0.75*c.Radius)
	height := b.Subtract(c.Ground, depth)
	radius := b.Scale(flat(3, 0.5*c.Period, 1), 0.5*c.Radius, c.Radius)
	caves := b.Subtract(radius, b.Hypot(line, b.Height(height)))
	if c.Walls < 0 {
		return caves
	}
	bumps := b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 3, Seed: c.Seed*1_000_003 + 4, Period: 9, Octaves: 2})
	return b.Displace(caves, bumps, c.Walls)
}
