package field

import (
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// A Kind says what a node computes. The numbers are stored and never reused.
//
// In the lists below, inputs are other nodes' values; "anchor" is three integers, the sample that a shape is
// placed at, and "offset" three floats, its distance in meters from there.
type Kind uint16

// The kinds of nodes.
const (
	// KindConstant is a number: floats value.
	KindConstant Kind = 1
	// KindCoordinate is the distance in meters along an axis from a sample number: ints axis (0 x, 1 y, 2 z),
	// origin.
	KindCoordinate Kind = 2
	// KindHeight is solid below a height in meters: input height, which must not depend on y. Its value is
	// height − y.
	KindHeight Kind = 3
	// KindWorld is its first input, the density; its second, which must not depend on y, is the height of the
	// ground that depths are measured from. Only a graph's last node may be one. Without it the ground is the
	// first height found from the last node along first inputs, or 0.
	KindWorld Kind = 4

	// KindBall is a ball: anchor; offset, radius.
	KindBall Kind = 10
	// KindSlab is the space between two level planes: int anchor y; floats offset y, half its thickness.
	KindSlab Kind = 11
	// KindCylinder is an endless cylinder along an axis: anchor, axis; offset, radius.
	KindCylinder Kind = 12
	// KindBox is a box with rounded edges: anchor; offset, half its size x, y, z, radius of the edges.
	KindBox Kind = 13
	// KindCapsule is a ball swept along a line: anchor; offset, the line's end relative to its start x, y, z,
	// radius.
	KindCapsule Kind = 14
	// KindTorus is a level ring: anchor; offset, radius of the ring, radius of its tube.
	KindTorus Kind = 15
	// KindPlane is the space behind a plane: anchor; offset, the plane's normal x, y, z, which points out of
	// the solid and need not have length 1.
	KindPlane Kind = 16
	// KindEllipsoid is an ellipsoid: anchor; offset, radii x, y, z. Its density is a distance only near its
	// surface.
	KindEllipsoid Kind = 17
	// KindCone is an upright cone with its tip at the top: anchor of the tip; offset, height, radius of the
	// base.
	KindCone Kind = 18

	// KindUnion is solid where either input is: max(a, b).
	KindUnion Kind = 30
	// KindIntersection is solid where both inputs are: min(a, b).
	KindIntersection Kind = 31
	// KindDifference is solid where the first input is and the second is not: min(a, −b).
	KindDifference Kind = 32
	// KindSmoothUnion is KindUnion with a fillet: float blend radius k in meters.
	KindSmoothUnion Kind = 33
	// KindSmoothIntersection is KindIntersection with a round: float k.
	KindSmoothIntersection Kind = 34
	// KindSmoothDifference is KindDifference with a round: float k.
	KindSmoothDifference Kind = 35

	// KindAdd is a + b.
	KindAdd Kind = 40
	// KindSubtract is a − b.
	KindSubtract Kind = 41
	// KindMultiply is a·b.
	KindMultiply Kind = 42
	// KindScale is the input times a factor plus a term: floats factor, term.
	KindScale Kind = 43
	// KindAbs is |a|.
	KindAbs Kind = 44
	// KindClamp is the input no lower than low and no higher than high: floats low, high.
	KindClamp Kind = 45
	// KindSmoothstep rises from 0, where the input is low or less, to 1, where it is high or more, with level
	// ends: floats low, high.
	KindSmoothstep Kind = 46
	// KindBump is 1 where the input is 0 and falls smoothly to 0 where it is ±width or beyond: float width.
	KindBump Kind = 47
	// KindMix is a + (b − a)·t: inputs a, b, t.
	KindMix Kind = 48
	// KindHypot is √(a² + b²).
	KindHypot Kind = 49
	// KindCurve is a piecewise linear function: floats x₀, y₀, x₁, y₁, … with x ascending; level beyond both
	// ends.
	KindCurve Kind = 50
	// KindTerrace turns slopes into steps: floats height of a step, share of it that rises (0 is a cliff, 1
	// leaves the input as it is).
	KindTerrace Kind = 51

	// KindValue2 is value noise over x and z in [−1, 1]: ints seed, octaves, fractal (see noise.Fractal),
	// steps along x and z (see noise.Step), lacunarity (0 is 2); float gain.
	KindValue2 Kind = 60
	// KindValue3 is value noise in space: as KindValue2, with steps along x, y and z.
	KindValue3 Kind = 61
	// KindGradient2 is gradient noise over x and z: as KindValue2.
	KindGradient2 Kind = 62
	// KindGradient3 is gradient noise in space: as KindValue3.
	KindGradient3 Kind = 63
	// KindWarpedValue2 is KindValue2 at shifted places: inputs the shifts along x and z in meters, at most 2²⁰.
	KindWarpedValue2 Kind = 64
	// KindWarpedValue3 is KindValue3 at shifted places: inputs the shifts along x, y and z.
	KindWarpedValue3 Kind = 65
	// KindWarpedGradient2 is KindGradient2 at shifted places.
	KindWarpedGradient2 Kind = 66
	// KindWarpedGradient3 is KindGradient3 at shifted places.
	KindWarpedGradient3 Kind = 67

	// KindHeightmap is the height in meters of a raster over x and z, its middle at x = z = 0, endless by
	// repeating its edges: asset; ints meters between samples along x and z as 32.32 fixed point; floats
	// factor and term of the height.
	KindHeightmap Kind = 80
)

// Directions in which a node's value changes.
type axes uint8

const (
	axisX axes = 1 << iota
	axisY
	axisZ
	axisXZ  = axisX | axisZ
	axisXYZ = axisXZ | axisY
)

// A param is a number of a node with its range.
type param struct {
	name   string
	lo, hi float64
}

// A kindInfo describes a kind for Compile.
type kindInfo struct {
	kind    Kind
	name    string
	version uint16
	inputs  int
	ints    []param
	floats  []param
	rest    bool // floats may be followed by further rounds of the same
	asset   bool
	axes    axes // besides those of its inputs
	make    func(n *Node, c *compiler) (op, error)
}

// Ranges of parameters. Far inside them everything stays finite; Compile checks what remains.
const (
	maxMeters = 1e9
	minMeters = 1e-3
)

var (
	anchorParams = []param{{"anchor x", -lattice.Limit, lattice.Limit}, {"anchor y", -lattice.Limit, lattice.Limit},
		{"anchor z", -lattice.Limit, lattice.Limit}}
	offsetParams = []param{{"offset x", -maxMeters, maxMeters}, {"offset y", -maxMeters, maxMeters},
		{"offset z", -maxMeters, maxMeters}}
	axisParam       = param{"axis", 0, 2}
	blendParam      = param{"blend radius", 0, 1e6}
	noiseInts2      = noiseInts("step x", "step z")
	noiseInts3      = noiseInts("step x", "step y", "step z")
	noiseFloats     = []param{{"gain", 1e-6, 1}}
	nothing, concat = []param(nil), slices.Concat[[]param]
)

func noiseInts(steps ...string) []param {
	p := []param{{"seed", math.MinInt64, math.MaxInt64}, {"octaves", 1, noise.MaxOctaves}, {"fractal", 0, 2}}
	for _, s := range steps {
		p = append(p, param{s, 1, float64(noise.MaxStep)})
	}
	return append(p, param{"lacunarity", 0, 4 * float64(noise.OneCell)})
}

func meters(names ...string) []param {
	p := make([]param, len(names))
	for i, s := range names {
		p[i] = param{s, minMeters, maxMeters}
	}
	return p
}

func number(names ...string) []param {
	p := make([]param, len(names))
	for i, s := range names {
		p[i] = param{s, -maxMeters, maxMeters}
	}
	return p
}

// kinds holds every kind that this engine computes, ascending.
var kinds []kindInfo

func init() {
	shape := func(k Kind, name string, ints, floats []param, make func(n *Node) solid) kindInfo {
		return kindInfo{kind: k, name: name, version: 1, ints: concat(anchorParams, ints), floats: concat(offsetParams, floats),
			axes: axisXYZ, make: func(n *Node, _ *compiler) (op, error) { return newShape(n, make(n)), nil }}
	}
	simple := func(k Kind, name string, inputs int, floats []param, make func(f []float32) op) kindInfo {
		return kindInfo{kind: k, name: name, version: 1, inputs: inputs, floats: floats,
			make: func(n *Node, _ *compiler) (op, error) { return make(n.Floats), nil }}
	}
	noisy := func(k Kind, name string, kind noise.Kind, dims int) kindInfo {
		i := kindInfo{kind: k, name: name, version: 1, ints: noiseInts2, floats: noiseFloats, axes: axisXZ,
			make: func(n *Node, _ *compiler) (op, error) { return newNoiseOp(n, kind, dims) }}
		if dims == 3 {
			i.ints, i.axes = noiseInts3, axisXYZ
		}
		return i
	}
	warped := func(k Kind, name string, kind noise.Kind, dims int) kindInfo {
		i := noisy(k, name, kind, dims)
		i.inputs = dims
		i.make = func(n *Node, c *compiler) (op, error) { return newWarpedOp(n, c, kind, dims) }
		return i
	}
	kinds = []kindInfo{
		simple(KindConstant, "constant", 0, number("value"), func(f []float32) op { return constant(f[0] + 0) }),
		{kind: KindCoordinate, name: "coordinate", version: 1,
			ints: []param{axisParam, {"origin", -lattice.Limit, lattice.Limit}}, make: newCoordinate},
		{kind: KindHeight, name: "height", version: 1, inputs: 1, axes: axisY, make: newHeight},
		{kind: KindWorld, name: "world", version: 1, inputs: 2, make: newWorldOp},

		shape(KindBall, "ball", nothing, meters("radius"), func(n *Node) solid { return ball{n.Floats[3]} }),
		{kind: KindSlab, name: "slab", version: 1, ints: anchorParams[1:2],
			floats: concat(offsetParams[1:2], meters("half thickness")), axes: axisY, make: newSlab},
		shape(KindCylinder, "cylinder", []param{axisParam}, meters("radius"),
			func(n *Node) solid { return cylinder{int(n.Ints[3]), n.Floats[3]} }),
		shape(KindBox, "box", nothing, concat(meters("half size x", "half size y", "half size z"), []param{{"edge radius", 0, maxMeters}}), newBox),
		shape(KindCapsule, "capsule", nothing, concat(number("end x", "end y", "end z"), meters("radius")), newCapsule),
		shape(KindTorus, "torus", nothing, meters("ring radius", "tube radius"),
			func(n *Node) solid { return torus{n.Floats[3], n.Floats[4]} }),
		shape(KindPlane, "plane", nothing, number("normal x", "normal y", "normal z"), newPlane),
		shape(KindEllipsoid, "ellipsoid", nothing, meters("radius x", "radius y", "radius z"), newEllipsoid),
		shape(KindCone, "cone", nothing, meters("height", "base radius"), newCone),

		simple(KindUnion, "union", 2, nil, func([]float32) op { return dyadicOp{union{}} }),
		simple(KindIntersection, "intersection", 2, nil, func([]float32) op { return dyadicOp{intersection{}} }),
		simple(KindDifference, "difference", 2, nil, func([]float32) op { return dyadicOp{difference{}} }),
		simple(KindSmoothUnion, "smooth union", 2, []param{blendParam}, func(f []float32) op { return dyadicOp{smoothUnion{f[0]}} }),
		simple(KindSmoothIntersection, "smooth intersection", 2, []param{blendParam},
			func(f []float32) op { return dyadicOp{smoothIntersection{f[0]}} }),
		simple(KindSmoothDifference, "smooth difference", 2, []param{blendParam},
			func(f []float32) op { return dyadicOp{smoothDifference{f[0]}} }),

		simple(KindAdd, "add", 2, nil, func([]float32) op { return dyadicOp{add{}} }),
		simple(KindSubtract, "subtract", 2, nil, func([]float32) op { return dyadicOp{subtract{}} }),
		simple(KindMultiply, "multiply", 2, nil, func([]float32) op { return dyadicOp{multiply{}} }),
		simple(KindScale, "scale", 1, number("factor", "term"), func(f []float32) op { return monadicOp{scale{f[0], f[1]}} }),
		simple(KindAbs, "abs", 1, nil, func([]float32) op { return monadicOp{abs{}} }),
		{kind: KindClamp, name: "clamp", version: 1, inputs: 1, floats: number("low", "high"), make: newClamp},
		{kind: KindSmoothstep, name: "smoothstep", version: 1, inputs: 1, floats: number("low", "high"), make: newSmoothstep},
		simple(KindBump, "bump", 1, meters("width"), func(f []float32) op { return monadicOp{bump{1 / f[0]}} }),
		simple(KindMix, "mix", 3, nil, func([]float32) op { return mix{} }),
		simple(KindHypot, "hypot", 2, nil, func([]float32) op { return dyadicOp{hypot{}} }),
		{kind: KindCurve, name: "curve", version: 1, inputs: 1, floats: number("x", "y"), rest: true, make: newCurve},
		{kind: KindTerrace, name: "terrace", version: 1, inputs: 1,
			floats: []param{{"step height", minMeters, maxMeters}, {"rising share", 0, 1}}, make: newTerrace},

		noisy(KindValue2, "value noise 2-D", noise.Value, 2),
		noisy(KindValue3, "value noise 3-D", noise.Value, 3),
		noisy(KindGradient2, "gradient noise 2-D", noise.Gradient, 2),
		noisy(KindGradient3, "gradient noise 3-D", noise.Gradient, 3),
		warped(KindWarpedValue2, "warped value noise 2-D", noise.Value, 2),
		warped(KindWarpedValue3, "warped value noise 3-D", noise.Value, 3),
		warped(KindWarpedGradient2, "warped gradient noise 2-D", noise.Gradient, 2),
		warped(KindWarpedGradient3, "warped gradient noise 3-D", noise.Gradient, 3),

		{kind: KindHeightmap, name: "heightmap", version: 1, asset: true, axes: axisXZ,
			ints:   []param{{"spacing x", minSpacing32, maxSpacing32}, {"spacing z", minSpacing32, maxSpacing32}},
			floats: []param{{"factor", -1e6, 1e6}, {"term", -MaxHeight, MaxHeight}}, make: newHeightmap},
	}
}

// infoOf returns the description of k, or nil if k is unknown.
func infoOf(k Kind) *kindInfo {
	i, ok := slices.BinarySearchFunc(kinds, k, func(i kindInfo, k Kind) int { return int(i.kind) - int(k) })
	if !ok {
		return nil
	}
	return &kinds[i]
}

// String returns the name of k, as errors give it.
func (k Kind) String() string {
	if i := infoOf(k); i != nil {
		return i.name
	}
	return fmt.Sprintf("kind %d", uint16(k))
}

// A NodeSemantics names a kind and the version of what this engine computes for it. Two engines make the
// same world only if they agree on the versions of all its nodes.
type NodeSemantics struct {
	Kind    Kind
	Version uint16
}

// Semantics returns what this engine computes, ascending by kind.
func Semantics() []NodeSemantics {
	s := make([]NodeSemantics, len(kinds))
	for i, k := range kinds {
		s[i] = NodeSemantics{k.kind, k.version}
	}
	return s
}

// check says what is wrong with the numbers of n, if anything.
func (i *kindInfo) check(n *Node) error {
	if len(n.Ints) != len(i.ints) {
		return fmt.Errorf("has %d integers, want %d", len(n.Ints), len(i.ints))
	}
	for j, p := range i.ints {
		if v := float64(n.Ints[j]); v < p.lo || v > p.hi {
			return fmt.Errorf("%s is %d, want %g … %g", p.name, n.Ints[j], p.lo, p.hi)
		}
	}
	switch got, want := len(n.Floats), len(i.floats); {
	case i.rest && (got < 2*want || got%want != 0):
		return fmt.Errorf("has %d floats, want a multiple of %d and at least %d", got, want, 2*want)
	case !i.rest && got != want:
		return fmt.Errorf("has %d floats, want %d", got, want)
	}
	for j, v := range n.Floats {
		p := i.floats[j%len(i.floats)]
		if !geom.Finite(v) || float64(v) < p.lo || float64(v) > p.hi {
			return fmt.Errorf("%s is %g, want %g … %g", p.name, v, p.lo, p.hi)
		}
	}
	if has := n.Asset != ([32]byte{}); has != i.asset {
		if has {
			return fmt.Errorf("names an asset and reads none")
		}
		return fmt.Errorf("names no asset, want the hash of a file")
	}
	return nil
}
