package field

import (
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
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
	more    []param // integers that may follow, all or none
	floats  []param
	moreF   []param // floats that may follow, all or none
	rest    bool    // floats may be followed by further rounds of the same
	asset   bool
	own     bool // reads a field of the program's own
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
	offsetParams = numbers("offset x", "offset y", "offset z")
	periodParams = []param{{"period x", 0, lattice.Limit}, {"period y", 0, lattice.Limit}, {"period z", 0, lattice.Limit}}
	axisParam    = param{"axis", 0, 2}
	turnParams   = []param{{"turn x", -1e3, 1e3}, {"turn y", -1e3, 1e3}, {"turn z", -1e3, 1e3}, {"turn w", -1e3, 1e3},
		{"stretch x", 1e-3, 1e3}, {"stretch y", 1e-3, 1e3}, {"stretch z", 1e-3, 1e3}}
)

// meters returns parameters that are lengths over 0, numbers ones of either sign.
func meters(names ...string) []param {
	p := make([]param, len(names))
	for i, s := range names {
		p[i] = param{s, minMeters, maxMeters}
	}
	return p
}

func numbers(names ...string) []param {
	p := make([]param, len(names))
	for i, s := range names {
		p[i] = param{s, -maxMeters, maxMeters}
	}
	return p
}

// kinds holds every kind that this engine computes, ascending.
var kinds []kindInfo

func init() {
	kinds = slices.Concat(
		[]kindInfo{
			simple(KindConstant, "constant", 0, numbers("value"), func(f []float32) op { return constant(f[0] + 0) }),
			{kind: KindCoordinate, name: "coordinate", version: 1,
				ints: []param{axisParam, {"origin", -lattice.Limit, lattice.Limit}}, make: newCoordinate},
			{kind: KindHeight, name: "height", version: 1, inputs: 1, axes: axisY, make: newHeight},
			{kind: KindWorld, name: "world", version: 1, inputs: 2, make: newWorldOp},
			{kind: KindPaintedWorld, name: "painted world", version: 1, inputs: 3, make: newPaintedWorld},
		},
		shapeKinds(), combineKinds(), arithmeticKinds(), noiseKinds(),
		[]kindInfo{
			{kind: KindHeightmap, name: "heightmap", version: 1, asset: true, axes: axisXZ,
				ints:   []param{{"spacing x", minSpacing32, maxSpacing32}, {"spacing z", minSpacing32, maxSpacing32}},
				floats: []param{{"factor", -1e6, 1e6}, {"term", -MaxHeight, MaxHeight}}, make: newHeightmap},
			{kind: KindRough, name: "rough", version: 1, axes: axisXZ, ints: []param{{"form", 0, 1}},
				floats: []param{{"meters in a unit", minMeters, maxMeters}}, make: newRough},
			volumeKind(),
			{kind: KindField, name: "field", version: 1, floats: numbers("low", "high"), axes: axisXYZ, own: true, make: newFieldOp},
		})
}

// simple describes a kind that its floats make.
func simple(k Kind, name string, inputs int, floats []param, make func(f []float32) op) kindInfo {
	return kindInfo{kind: k, name: name, version: 1, inputs: inputs, floats: floats,
		make: func(n *Node, _ *compiler) (op, error) { return make(n.Floats), nil }}
}

// shape describes a solid; ints and floats follow its anchor and offset.
func shape(k Kind, name string, ints, floats []param, make func(n *Node) solid) kindInfo {
	return kindInfo{kind: k, name: name, version: 1, ints: slices.Concat(anchorParams, ints), more: periodParams,
		floats: slices.Concat(offsetParams, floats), moreF: turnParams, axes: axisXYZ,
		make: func(n *Node, _ *compiler) (op, error) {
			return newShape(n, len(anchorParams)+len(ints), len(offsetParams)+len(floats), make(n))
		}}
}

func shapeKinds() []kindInfo {
	return []kindInfo{
		shape(KindBall, "ball", nil, meters("radius"), func(n *Node) solid { return ball{n.Floats[3]} }),
		{kind: KindSlab, name: "slab", version: 1, ints: anchorParams[1:2],
			floats: slices.Concat(offsetParams[1:2], meters("half thickness")), axes: axisY, make: newSlab},
		shape(KindCylinder, "cylinder", []param{axisParam}, meters("radius"),
			func(n *Node) solid { return cylinder{int(n.Ints[3]), n.Floats[3]} }),
		shape(KindBox, "box", nil, slices.Concat(meters("half size x", "half size y", "half size z"),
			[]param{{"edge radius", 0, maxMeters}}), newBox),
		shape(KindCapsule, "capsule", nil, slices.Concat(numbers("end x", "end y", "end z"), meters("radius")), newCapsule),
		shape(KindTorus, "torus", nil, meters("ring radius", "tube radius"),
			func(n *Node) solid { return torus{n.Floats[3], n.Floats[4]} }),
		shape(KindPlane, "plane", nil, numbers("normal x", "normal y", "normal z"), newPlane),
		shape(KindEllipsoid, "ellipsoid", nil, meters("radius x", "radius y", "radius z"), newEllipsoid),
		shape(KindCone, "cone", nil, meters("height", "base radius"), newCone),
	}
}

func combineKinds() []kindInfo {
	two := func(k Kind, name string, d dyadic) kindInfo {
		return simple(k, name, 2, nil, func([]float32) op { return dyadicOp{d} })
	}
	smooth := func(k Kind, name string, make func(k float32) dyadic) kindInfo {
		return simple(k, name, 2, []param{{"blend radius", 0, 1e6}}, func(f []float32) op { return dyadicOp{make(f[0])} })
	}
	return []kindInfo{
		two(KindUnion, "union", union{}),
		two(KindIntersection, "intersection", intersection{}),
		two(KindDifference, "difference", difference{}),
		smooth(KindSmoothUnion, "smooth union", func(k float32) dyadic { return smoothUnion{k} }),
		smooth(KindSmoothIntersection, "smooth intersection", func(k float32) dyadic { return smoothIntersection{k} }),
		smooth(KindSmoothDifference, "smooth difference", func(k float32) dyadic { return smoothDifference{k} }),
		two(KindAdd, "add", add{}),
		two(KindSubtract, "subtract", subtract{}),
		two(KindMultiply, "multiply", multiply{}),
	}
}

func arithmeticKinds() []kindInfo {
	return []kindInfo{
		simple(KindScale, "scale", 1, numbers("factor", "term"), func(f []float32) op { return monadicOp{scale{f[0], f[1]}} }),
		simple(KindAbs, "abs", 1, nil, func([]float32) op { return monadicOp{abs{}} }),
		{kind: KindClamp, name: "clamp", version: 1, inputs: 1, floats: numbers("low", "high"), make: newClamp},
		{kind: KindSmoothstep, name: "smoothstep", version: 1, inputs: 1, floats: numbers("low", "high"), make: newSmoothstep},
		simple(KindBump, "bump", 1, meters("width"), func(f []float32) op { return monadicOp{bump{1 / f[0]}} }),
		simple(KindMix, "mix", 3, nil, func([]float32) op { return mix{} }),
		simple(KindHypot, "hypot", 2, nil, func([]float32) op { return dyadicOp{hypot{}} }),
		{kind: KindCurve, name: "curve", version: 1, inputs: 1, floats: numbers("x", "y"), rest: true, make: newCurve},
		{kind: KindTerrace, name: "terrace", version: 1, inputs: 1,
			floats: []param{{"step height", minMeters, maxMeters}, {"rising share", 0, 1}}, make: newTerrace},
		{kind: KindSpline, name: "spline", version: 1, inputs: 1, floats: numbers("x", "y"), rest: true, make: newSpline},
		simple(KindSelect, "select", 3, numbers("threshold"), func(f []float32) op { return selector{f[0]} }),
		simple(KindSaw, "saw", 1, meters("period"), func(f []float32) op { return monadicOp{saw{f[0]}} }),
		{kind: KindSlope, name: "slope", version: 1, inputs: 1, make: newSlope},
	}
}

func noiseKinds() []kindInfo {
	noisy := func(k Kind, name string, kind noise.Kind, dims int) kindInfo {
		return kindInfo{kind: k, name: name, version: 1, ints: noiseInts(dims), floats: []param{{"gain", 1e-6, 1}},
			axes: axesOf(dims), make: func(n *Node, _ *compiler) (op, error) { return newNoiseOp(n, kind, dims) }}
	}
	warped := func(k Kind, name string, kind noise.Kind, dims int) kindInfo {
		i := noisy(k, name, kind, dims)
		i.inputs = dims
		i.make = func(n *Node, _ *compiler) (op, error) { return newWarpedOp(n, kind, dims) }
		return i
	}
	var kinds []kindInfo
	for i, name := range []string{"value", "gradient", "simplex", "cellular", "edges"} {
		kind, first := noise.Value+noise.Kind(i), KindValue2+4*Kind(i)
		kinds = append(kinds,
			noisy(first, name+" noise 2-D", kind, 2),
			noisy(first+1, name+" noise 3-D", kind, 3),
			warped(first+2, "warped "+name+" noise 2-D", kind, 2),
			warped(first+3, "warped "+name+" noise 3-D", kind, 3))
	}
	return kinds
}

func volumeKind() kindInfo {
	k := shape(KindVolume, "volume", nil, slices.Concat(meters("spacing x", "spacing y", "spacing z"),
		[]param{{"factor", -1e6, 1e6}, {"term", -maxMeters, maxMeters}}), nil)
	k.asset = true
	k.make = func(n *Node, c *compiler) (op, error) {
		v, err := newVolume(n, c)
		if err != nil {
			return nil, err
		}
		return newShape(n, len(k.ints), len(k.floats), v)
	}
	return k
}

// axesOf returns the axes of noise.
func axesOf(dims int) axes {
	if dims == 2 {
		return axisXZ
	}
	return axisXYZ
}

// noiseInts returns the integers of a noise node.
func noiseInts(dims int) []param {
	p := []param{{"seed", math.MinInt64, math.MaxInt64}, {"octaves", 1, noise.MaxOctaves}, {"fractal", 0, float64(noise.Turbulence)}}
	for _, s := range []string{"step x", "step y", "step z"} {
		if dims == 3 || s != "step y" {
			p = append(p, param{s, 1, float64(noise.MaxStep)})
		}
	}
	return append(p, param{"lacunarity", 0, 4 * float64(noise.OneCell)})
}

// check says what is wrong with the numbers of n, if anything.
func (i *kindInfo) check(n *Node) error {
	ints := i.ints
	if len(n.Ints) > len(ints) {
		ints = slices.Concat(ints, i.more)
	}
	if len(n.Ints) != len(ints) {
		return fmt.Errorf("has %d integers, want %d", len(n.Ints), len(ints))
	}
	for j, p := range ints {
		if v := float64(n.Ints[j]); v < p.lo || v > p.hi {
			return fmt.Errorf("%s is %d, want %g … %g", p.name, n.Ints[j], p.lo, p.hi)
		}
	}
	floats := i.floats
	if len(n.Floats) > len(floats) {
		floats = slices.Concat(floats, i.moreF)
	}
	switch got, want := len(n.Floats), len(floats); {
	case i.rest && (got < 2*want || got%want != 0):
		return fmt.Errorf("has %d floats, want a multiple of %d and at least %d", got, want, 2*want)
	case !i.rest && got != want:
		return fmt.Errorf("has %d floats, want %d", got, want)
	}
	for j, v := range n.Floats {
		p := floats[j%len(floats)]
		if !geom.Finite(v) || float64(v) < p.lo || float64(v) > p.hi {
			return fmt.Errorf("%s is %g, want %g … %g", p.name, v, p.lo, p.hi)
		}
	}
	if has := n.Asset != (asset.Hash{}); has != i.asset {
		if has {
			return fmt.Errorf("names an asset and reads none")
		}
		return fmt.Errorf("names no asset, want the hash of a file")
	}
	if has := n.Field != nil; has != i.own {
		if has {
			return fmt.Errorf("has a field of the program's own and reads none")
		}
		return fmt.Errorf("has no field: those of a program's own have no binary form")
	}
	return nil
}
