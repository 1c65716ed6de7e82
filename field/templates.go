package field

import "github.com/terrane/terrane/noise"

// HeightmapParams says how a raster becomes ground.
type HeightmapParams struct {
	// MetersX and MetersZ are the distances between the raster's samples before Scale: usually the raster's
	// own.
	MetersX, MetersZ float64
	// Scale shrinks the landscape in all three axes: 0.1 makes it ten times smaller. 0 means 1.
	Scale float64
	// Base is added to every height after Scale, in meters.
	Base float32
}

// HeightmapGraph returns the world whose ground is the raster with the given hash, its middle at x = z = 0.
func HeightmapGraph(raster [32]byte, p HeightmapParams) *Graph {
	if p.Scale == 0 {
		p.Scale = 1
	}
	var b Builder
	h := b.Heightmap(raster, p.MetersX*p.Scale, p.MetersZ*p.Scale, float32(p.Scale), p.Base)
	return b.World(b.Height(h), h)
}

// Flat returns level ground, half a meter above height 0 so that no sample lies on it.
func Flat() *Graph {
	var b Builder
	h := b.Constant(0.5)
	return b.World(b.Height(h), h)
}

// Shape returns the test shape: a ball that stands in a slab, with a cylindrical tunnel through it. Its rims
// are sharp.
func Shape() *Graph {
	var b Builder
	slab := b.Slab(place(0, -4, 0), 4)
	ball := b.Ball(place(0, 16, 0), 20)
	tunnel := b.Cylinder(place(0, 16, 0), 2, 8)
	return b.World(b.Union(b.Difference(ball, tunnel, 0), slab, 0), b.Constant(0))
}

// Hills returns the default world.
func Hills(seed int64) *Graph {
	var b Builder
	n := b.Noise(Noise{Kind: noise.Gradient, Dims: 2, Seed: seed, Period: 200, Octaves: 5})
	h := b.Scale(n, 40, 15)
	return b.World(b.Height(h), h)
}
