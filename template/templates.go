package template

import (
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

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
func Heightmap(raster asset.Hash, p HeightmapParams) *graph.Graph {
	if p.Scale == 0 {
		p.Scale = 1
	}
	var b graph.Builder
	h := b.Heightmap(raster, p.MetersX*p.Scale, p.MetersZ*p.Scale, float32(p.Scale), p.Base)
	return b.World(b.Height(h), h)
}

// Flat returns level ground, half a meter above height 0 so that no sample lies on it.
func Flat() *graph.Graph {
	var b graph.Builder
	h := b.Constant(0.5)
	return b.World(b.Height(h), h)
}

// Shape returns the test shape: a ball that stands in a slab, with a cylindrical tunnel through it. Its rims
// are sharp.
func Shape() *graph.Graph {
	var b graph.Builder
	slab := b.Slab(above(-4), 4)
	ball := b.Ball(above(16), 20)
	tunnel := b.Cylinder(above(16), 2, 8)
	return b.World(b.Union(b.Difference(ball, tunnel, 0), slab, 0), b.Constant(0))
}

// above returns the place some meters above the origin.
func above(y int32) lattice.Place { return lattice.Place{Sample: lattice.Sample{Y: y}} }

// Hills returns the default world: rolling hills that rise here and there into ridges with valleys between
// them, overhangs and arches where the ground is rugged, and winding tunnels that open into hillsides. It is
// solid everywhere below y = −64.
//
// All but the overhangs is made of terms over x and z, which are computed once a column; the noise in space
// that makes the overhangs is multiplied by terms that are exactly 0 away from the surface and on gentle
// ground, so that most blocks of most chunks skip it.
//
// Grass covers soil on gentle ground, in meadows and drier; sand lies in the hollows and snow on the summits;
// below the soil, on steep faces and wherever people build there is rock in layers.
func Hills(seed int64) *graph.Graph {
	h := hills{seed: seed * 1_000_003} // so that no two near seeds share a noise
	ground, broad, rugged, rough := h.ground()
	surface := h.Height(ground)
	rock := h.Sum(surface, h.overhangs(surface, rugged))
	// Rock deeper than 12 m is as good as endless: without the limit a cave would change the density, though
	// not the surface, as far below the ground as it is away.
	rock = h.Clamp(rock, -1000, 12)
	caves := h.Union(h.gallery(broad, rugged), h.burrow(ground), 4)
	density := h.Difference(rock, h.roughen(caves), 2.5)
	return h.PaintedWorld(density, ground, h.paint(surface, ground, rough), slices.Clone(hillsPalette))
}

// A hills builds the parts of the hills.
type hills struct {
	graph.Builder
	seed int64 // of the last noise
}

// flat adds gradient noise over x and z with a seed of its own.
func (h *hills) flat(n graph.Noise) graph.Ref {
	h.seed++
	n.Kind, n.Dims, n.Seed = noise.Gradient, 2, h.seed
	return h.Noise(n)
}

// space adds gradient noise in space with a seed of its own.
func (h *hills) space(n graph.Noise) graph.Ref {
	h.seed++
	n.Kind, n.Dims, n.Seed = noise.Gradient, 3, h.seed
	return h.Noise(n)
}

// ground adds the height of the ground, the broad part of it, how rugged it is, from 0.35 to 1, and the
// roughest part of it, from −4 to 4.
func (h *hills) ground() (ground, broad, rugged, rough graph.Ref) {
	wx := h.Scale(h.flat(graph.Noise{Period: 190, Octaves: 2}), 70, 0)
	wz := h.Scale(h.flat(graph.Noise{Period: 190, Octaves: 2}), 70, 0)
	broad = h.Scale(h.flat(graph.Noise{Period: 210, Octaves: 3, Gain: 0.4}), 38, 12)
	ridges := h.flat(graph.Noise{Period: 170, Octaves: 4, Gain: 0.38, Fractal: noise.Ridged, Warp: []graph.Ref{wx, wz}})
	rugged = h.Scale(h.Smoothstep(h.flat(graph.Noise{Period: 380}), -0.5, 0.4), 0.65, 0.35)
	relief := h.Multiply(h.Curve(ridges, -0.6, -14, -0.2, -8, 0.1, 0, 0.4, 10, 0.7, 24, 0.92, 40), rugged)
	rough = h.Scale(h.flat(graph.Noise{Period: 40, Octaves: 4, Gain: 0.45}), 4, 0)
	return h.Sum(h.Sum(broad, relief), rough), broad, rugged, rough
}

// overhangs adds what bulges and hollows the surface in some places.
func (h *hills) overhangs(surface, rugged graph.Ref) graph.Ref {
	where := h.Multiply(h.Smoothstep(h.flat(graph.Noise{Period: 110, Octaves: 2}), 0, 0.3), h.Smoothstep(rugged, 0.35, 0.8))
	bulge := h.space(graph.Noise{Period: 28, PeriodY: 18, Octaves: 2, Gain: 0.35})
	return h.Multiply(h.Multiply(h.Scale(where, 26, 0), h.Bump(surface, 30)), bulge)
}

// gallery adds level tunnels, which come out of the sides of ridges.
func (h *hills) gallery(broad, rugged graph.Ref) graph.Ref {
	line := h.Scale(h.flat(graph.Noise{Period: 150, Octaves: 2, Gain: 0.3}), 80, 0)
	height := h.Sum(h.Scale(broad, 0.8, -4), h.Scale(h.flat(graph.Noise{Period: 110}), 18, 0))
	radius := h.Sum(h.Scale(h.flat(graph.Noise{Period: 50}), 3, 3), h.Scale(h.Smoothstep(rugged, 0.4, 0.75), 9, -9))
	return h.tube(line, height, radius)
}

// burrow adds tunnels some way below the ground, with ramps up to it here and there.
func (h *hills) burrow(ground graph.Ref) graph.Ref {
	line := h.Scale(h.flat(graph.Noise{Period: 130, Octaves: 2, Gain: 0.3}), 70, 0)
	depth := h.Curve(h.flat(graph.Noise{Period: 90, Octaves: 2, Gain: 0.3}), -0.3, 34, 0.1, 16, 0.3, 12, 0.45, -3)
	height := h.Clamp(h.Subtract(ground, depth), -50, 100)
	radius := h.Scale(h.flat(graph.Noise{Period: 60}), 3, 4)
	return h.tube(line, height, radius)
}

// tube adds a tunnel along the line where a term is 0, that changes by about 1 a meter there.
func (h *hills) tube(line, height, radius graph.Ref) graph.Ref {
	return h.Subtract(radius, h.Hypot(line, h.Height(height)))
}

// roughen adds walls of rock to caves.
func (h *hills) roughen(caves graph.Ref) graph.Ref {
	bumps := h.Scale(h.space(graph.Noise{Period: 9, Octaves: 2}), 1.6, 0)
	return h.Sum(caves, h.Multiply(h.Bump(caves, 4), bumps))
}

// What hills are made of, by its number in hillsPalette.
const (
	hillsMeadow = iota
	hillsGrass
	hillsSoil
	hillsRock
	hillsSlate
	hillsSand
	hillsSnow
)

var hillsPalette = []graph.Material{
	hillsMeadow: {Name: "meadow", Color: [3]uint8{0x46, 0x80, 0x3b}, Roughness: 0.95},
	hillsGrass:  {Name: "dry grass", Color: [3]uint8{0x64, 0x89, 0x3e}, Roughness: 0.95},
	hillsSoil:   {Name: "soil", Color: [3]uint8{0x6b, 0x53, 0x3f}, Roughness: 1},
	hillsRock:   {Name: "rock", Color: [3]uint8{0x7c, 0x76, 0x80}, Roughness: 0.85},
	hillsSlate:  {Name: "slate", Color: [3]uint8{0x5f, 0x5a, 0x66}, Roughness: 0.75},
	hillsSand:   {Name: "sand", Color: [3]uint8{0xb8, 0x9f, 0x6c}, Roughness: 0.9},
	hillsSnow:   {Name: "snow", Color: [3]uint8{0xe6, 0xec, 0xf4}, Roughness: 0.6},
}

// paint adds the material, a number of hillsPalette. All but depths and layers is over x and z; rough and grain
// make edges uneven.
func (h *hills) paint(surface, ground, rough graph.Ref) graph.Ref {
	m := func(number int) graph.Ref { return h.Constant(float32(number)) }
	height := h.Sum(ground, rough)
	drier := h.flat(graph.Noise{Period: 60, Octaves: 2})
	h.seed++
	grain := h.Scale(h.Noise(graph.Noise{Kind: noise.Value, Dims: 2, Seed: h.seed, Period: 4}), 0.1, 0)
	drier = h.Sum(drier, grain)
	cover := h.Select(m(hillsMeadow), m(hillsGrass), drier, 0.05)
	cover = h.Select(m(hillsSand), cover, height, -11)
	cover = h.Select(cover, m(hillsSnow), height, 52)
	steep := h.Sum(h.Sum(h.Slope(ground), h.Scale(rough, 0.03, 0)), grain)
	cover = h.Select(cover, h.Select(m(hillsSoil), m(hillsRock), steep, 1.15), steep, 0.82)
	rock := h.Select(m(hillsSlate), m(hillsRock), h.Saw(h.Height(rough), 7), 2.5)
	deep := h.Select(h.Select(cover, m(hillsSoil), surface, 0.9), rock, surface, 4)
	return h.Select(rock, deep, surface, -0.9)
}
