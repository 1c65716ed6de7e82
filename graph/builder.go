package graph

import (
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// A Builder builds a graph node by node. Its methods add a node and return its number for later ones to use; none changes
// a node that was added before. What makes no node (noise finer than samples, the rotation of a sum) is the builder's
// first error, which [Builder.Err] and then [Compile] return; numbers out of range are Compile's alone to find, and it
// says which node has them. Nothing panics.
type Builder struct{ g Graph }

// A Ref is the number of a node of a Builder.
type Ref uint32

// Add adds a node as it stands, with the semantics version of this engine.
func (b *Builder) Add(n Node, inputs ...Ref) Ref {
	if i := InfoOf(n.Kind); i != nil {
		n.Version = i.Version
	}
	n.Inputs = slices.Clone(n.Inputs) // they may be those of a node that was added before
	for _, r := range inputs {
		n.Inputs = append(n.Inputs, uint32(r))
	}
	b.g.Nodes = append(b.g.Nodes, n)
	return Ref(len(b.g.Nodes) - 1)
}

func (b *Builder) add(k Kind, floats []float32, inputs ...Ref) Ref {
	return b.Add(Node{Kind: k, Floats: floats}, inputs...)
}

func (b *Builder) shape(k Kind, at lattice.Place, ints []int64, floats ...float32) Ref {
	s, o := at.Sample, at.Offset
	return b.Add(Node{Kind: k,
		Ints:   append([]int64{int64(s.X), int64(s.Y), int64(s.Z)}, ints...),
		Floats: append([]float32{o.X, o.Y, o.Z}, floats...)})
}

// World ends the graph: the density, and the height of the ground that depths are measured from.
func (b *Builder) World(density, ground Ref) *Graph {
	b.add(KindWorld, nil, density, ground)
	return &b.g
}

// PaintedWorld ends the graph as World does, with the material of each sample: a number of the palette.
func (b *Builder) PaintedWorld(density, ground, material Ref, palette []Material) *Graph {
	b.add(KindPaintedWorld, nil, density, ground, material)
	b.g.Materials = palette
	return &b.g
}

// Constant adds a number.
func (b *Builder) Constant(v float32) Ref { return b.add(KindConstant, []float32{v}) }

// Height adds the density of ground of a height.
func (b *Builder) Height(h Ref) Ref { return b.add(KindHeight, nil, h) }

// Ball adds a ball.
func (b *Builder) Ball(at lattice.Place, radius float32) Ref {
	return b.shape(KindBall, at, nil, radius)
}

// Slab adds the space within half of the level plane through a place.
func (b *Builder) Slab(at lattice.Place, half float32) Ref {
	return b.Add(Node{Kind: KindSlab, Ints: []int64{int64(at.Sample.Y)}, Floats: []float32{at.Offset.Y, half}})
}

// Cylinder adds an endless cylinder through a place along an axis: 0 is x, 1 y, 2 z.
func (b *Builder) Cylinder(at lattice.Place, axis int, radius float32) Ref {
	return b.shape(KindCylinder, at, []int64{int64(axis)}, radius)
}

// Box adds a box of half the given size whose edges have a radius.
func (b *Builder) Box(at lattice.Place, half geom.Vec3, edge float32) Ref {
	return b.shape(KindBox, at, nil, half.X, half.Y, half.Z, edge)
}

// Capsule adds a ball swept from a place along a line.
func (b *Builder) Capsule(at lattice.Place, line geom.Vec3, radius float32) Ref {
	return b.shape(KindCapsule, at, nil, line.X, line.Y, line.Z, radius)
}

// Torus adds a level ring.
func (b *Builder) Torus(at lattice.Place, ring, tube float32) Ref {
	return b.shape(KindTorus, at, nil, ring, tube)
}

// Plane adds the space behind a plane.
func (b *Builder) Plane(at lattice.Place, normal geom.Vec3) Ref {
	return b.shape(KindPlane, at, nil, normal.X, normal.Y, normal.Z)
}

// Ellipsoid adds an ellipsoid.
func (b *Builder) Ellipsoid(at lattice.Place, radii geom.Vec3) Ref {
	return b.shape(KindEllipsoid, at, nil, radii.X, radii.Y, radii.Z)
}

// Cone adds an upright cone by its tip.
func (b *Builder) Cone(tip lattice.Place, height, radius float32) Ref {
	return b.shape(KindCone, tip, nil, height, radius)
}

// Repeat adds a shape that was added before, repeated: see [Node.Repeated].
func (b *Builder) Repeat(shape Ref, x, y, z int32) Ref {
	return b.again(shape, func(n Node) (Node, error) { return n.Repeated(x, y, z) })
}

// Rotate adds a shape that was added before, rotated by an angle in degrees: see [Node.Rotated].
func (b *Builder) Rotate(shape Ref, axis geom.Vec3, degrees float64) Ref {
	return b.again(shape, func(n Node) (Node, error) { return n.Rotated(axis, degrees) })
}

// Stretch adds a shape that was added before, stretched: see [Node.Stretched].
func (b *Builder) Stretch(shape Ref, by geom.Vec3) Ref {
	return b.again(shape, func(n Node) (Node, error) { return n.Stretched(by) })
}

// again adds what becomes of a node that was added before.
func (b *Builder) again(r Ref, change func(n Node) (Node, error)) Ref {
	if int(r) >= len(b.g.Nodes) {
		b.fail(fmt.Errorf("there is no node %d", r))
		return r
	}
	n, err := change(b.g.Nodes[r])
	if err != nil {
		b.fail(err)
	}
	return b.Add(n)
}

// fail notes what is wrong with the node that is added next, if it is the first thing that is.
func (b *Builder) fail(err error) {
	if b.g.err == nil {
		b.g.err = fmt.Errorf("node %d: %w", len(b.g.Nodes), err)
	}
}

// Err returns the first error of the methods, which were given what makes no node. The graph does not compile then, with
// the same error.
func (b *Builder) Err() error { return b.g.err }

// Union adds what is in x or in y, with a fillet of blend radius k.
func (b *Builder) Union(x, y Ref, k float32) Ref {
	if k == 0 {
		return b.add(KindUnion, nil, x, y)
	}
	return b.add(KindSmoothUnion, []float32{k}, x, y)
}

// Intersection adds what is in x and in y, rounded with blend radius k.
func (b *Builder) Intersection(x, y Ref, k float32) Ref {
	if k == 0 {
		return b.add(KindIntersection, nil, x, y)
	}
	return b.add(KindSmoothIntersection, []float32{k}, x, y)
}

// Difference adds what is in x and not in y, rounded with blend radius k.
func (b *Builder) Difference(x, y Ref, k float32) Ref {
	if k == 0 {
		return b.add(KindDifference, nil, x, y)
	}
	return b.add(KindSmoothDifference, []float32{k}, x, y)
}

// Sum adds x + y.
func (b *Builder) Sum(x, y Ref) Ref { return b.add(KindAdd, nil, x, y) }

// Subtract adds x − y.
func (b *Builder) Subtract(x, y Ref) Ref { return b.add(KindSubtract, nil, x, y) }

// Multiply adds x·y.
func (b *Builder) Multiply(x, y Ref) Ref { return b.add(KindMultiply, nil, x, y) }

// Scale adds x·factor + term.
func (b *Builder) Scale(x Ref, factor, term float32) Ref {
	return b.add(KindScale, []float32{factor, term}, x)
}

// Remap adds the linear function of x that is a where x is low and c where x is high, and goes on beyond both.
func (b *Builder) Remap(x Ref, low, high, a, c float32) Ref {
	factor := (c - a) / (high - low)
	return b.Scale(x, factor, a-float32(low*factor))
}

// Displace adds a shape whose surface is moved outward by a noise of values from −1 to 1, times meters. Farther
// than four times that from the surface nothing is, so that most of a world need not compute the noise.
func (b *Builder) Displace(shape, noise Ref, meters float32) Ref {
	return b.Sum(shape, b.Multiply(b.Bump(shape, float32(4*meters)), b.Scale(noise, meters, 0)))
}

// Abs adds |x|.
func (b *Builder) Abs(x Ref) Ref { return b.add(KindAbs, nil, x) }

// Clamp adds x clamped to low … high.
func (b *Builder) Clamp(x Ref, low, high float32) Ref {
	return b.add(KindClamp, []float32{low, high}, x)
}

// Smoothstep adds a rise from 0 where x is low to 1 where it is high.
func (b *Builder) Smoothstep(x Ref, low, high float32) Ref {
	return b.add(KindSmoothstep, []float32{low, high}, x)
}

// Bump adds a fall from 1 where x is 0 to 0 where it is ±width.
func (b *Builder) Bump(x Ref, width float32) Ref { return b.add(KindBump, []float32{width}, x) }

// Mix adds x + (y − x)·t.
func (b *Builder) Mix(x, y, t Ref) Ref { return b.add(KindMix, nil, x, y, t) }

// Hypot adds √(x² + y²).
func (b *Builder) Hypot(x, y Ref) Ref { return b.add(KindHypot, nil, x, y) }

// Curve adds the piecewise linear function of x through points x₀, y₀, x₁, y₁, …
func (b *Builder) Curve(x Ref, points ...float32) Ref { return b.add(KindCurve, points, x) }

// Spline adds the smooth function of x through points x₀, y₀, x₁, y₁, …
func (b *Builder) Spline(x Ref, points ...float32) Ref { return b.add(KindSpline, points, x) }

// Select adds x where t is below a threshold, else y.
func (b *Builder) Select(x, y, t Ref, threshold float32) Ref {
	return b.add(KindSelect, []float32{threshold}, x, y, t)
}

// Saw adds what x is past the last multiple of a period.
func (b *Builder) Saw(x Ref, period float32) Ref { return b.add(KindSaw, []float32{period}, x) }

// Slope adds the steepness of h over x and z, as rise over run.
func (b *Builder) Slope(h Ref) Ref { return b.add(KindSlope, nil, h) }

// Terrace adds x in steps of a height, of which a share rises.
func (b *Builder) Terrace(x Ref, height, rise float32) Ref {
	return b.add(KindTerrace, []float32{height, rise}, x)
}

// A Noise says what noise a Builder adds.
type Noise struct {
	Kind    noise.Kind
	Dims    int // 2 or 3
	Fractal noise.Fractal
	Seed    int64
	// Period is the size in meters of the first octave's lattice cells along x and z, and along y if PeriodY
	// is 0.
	Period, PeriodY float64
	Octaves         int     // 0 means 1
	Gain            float32 // amplitude of each octave over the one before it; 0 means 0.5
	Lacunarity      float64 // frequency of each octave over the one before it, 1 … 4; 0 means 2
	// Warp holds none or Dims nodes: how far in meters the noise is shifted along x, (y,) z.
	Warp []Ref
}

// Noise adds noise. A period below a quarter of a meter, which no lattice of samples can show, is an error.
func (b *Builder) Noise(n Noise) Ref {
	step := func(period float64) int64 {
		s, ok := noise.StepOf(1 / period)
		if !ok {
			b.fail(fmt.Errorf("noise of period %v m", period))
			return 1
		}
		return int64(s)
	}
	if n.PeriodY == 0 {
		n.PeriodY = n.Period
	}
	if n.Octaves == 0 {
		n.Octaves = 1
	}
	if n.Gain == 0 {
		n.Gain = 0.5
	}
	dims := 2
	if n.Dims == 3 {
		dims = 3
	}
	node := Node{Kind: NoiseKind(n.Kind, dims, n.Warp != nil), Ints: []int64{n.Seed, int64(n.Octaves), int64(n.Fractal), step(n.Period)},
		Floats: []float32{n.Gain}}
	if n.Dims == 3 {
		node.Ints = append(node.Ints, step(n.PeriodY))
	}
	node.Ints = append(node.Ints, step(n.Period), int64(math.RoundToEven(n.Lacunarity*float64(noise.OneCell))))
	return b.Add(node, n.Warp...)
}

// Heightmap adds the height of a raster, its samples the given meters apart along x and z, times factor, plus
// term.
func (b *Builder) Heightmap(raster asset.Hash, metersX, metersZ float64, factor, term float32) Ref {
	return b.Add(Node{Kind: KindHeightmap, Asset: raster,
		Ints: []int64{spacing32(metersX), spacing32(metersZ)}, Floats: []float32{factor, term}})
}

// Volume adds the numbers of a volume, its middle at a place and its samples the given meters apart, times factor,
// plus term. It is solid where that is over 0 and ends in flat faces where the volume does.
func (b *Builder) Volume(volume asset.Hash, at lattice.Place, spacing geom.Vec3, factor, term float32) Ref {
	s, o := at.Sample, at.Offset
	return b.Add(Node{Kind: KindVolume, Asset: volume, Ints: []int64{int64(s.X), int64(s.Y), int64(s.Z)},
		Floats: []float32{o.X, o.Y, o.Z, spacing.X, spacing.Y, spacing.Z, factor, term}})
}

// Field adds a field of the program's own, whose values are clamped to low … high. It takes the exact path: every sample
// is asked for by itself, and nothing is skipped unless f has a method Bounds too, which bounds its values in a box of
// samples. f must keep the contract of [Sampler]; it must be safe for concurrent use if several goroutines evaluate the
// graph.
//
// Such a graph compiles and makes worlds in this program, but it has no binary form: it cannot be stored, served
// or written as a document ([Graph.Portable]).
func (b *Builder) Field(f Sampler, low, high float32) Ref {
	return b.Add(Node{Kind: KindField, Floats: []float32{low, high}, Field: f})
}

// Cracks adds the distance in meters, over x and z, to the nearest border between the cells of points strewn a period
// apart, at most 5/16 of that (see noise.Cracks); jitter is 0 for a square grid of points and 1 for points anywhere.
// Compile refuses a period below a meter.
func (b *Builder) Cracks(seed int64, period float64, jitter float32) Ref {
	step, _ := noise.StepOf(1 / period)
	return b.Add(Node{Kind: KindCracks, Ints: []int64{seed, int64(step)}, Floats: []float32{jitter}})
}

// Rough adds the rough procedural heightmap, a unit of which is some meters wide.
func (b *Builder) Rough(meters float32) Ref {
	return b.Add(Node{Kind: KindRough, Ints: []int64{0}, Floats: []float32{meters}})
}

// spacing32 returns a distance in meters as 32.32 fixed point: exact for sums of few powers of two, so that
// heights are exact where a raster's samples fall on samples of the world. Out of range it is 0, which
// Compile refuses.
func spacing32(meters float64) int64 {
	if !(meters >= 1e-3 && meters <= 1e6) {
		return 0
	}
	return int64(math.RoundToEven(meters * (1 << 32)))
}

// Graph returns the graph as it stands: its density is the node added last.
func (b *Builder) Graph() *Graph { return &b.g }
