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

// Axes is a set of the directions in which a value changes.
type Axes uint8

// The directions.
const (
	AxisX Axes = 1 << iota
	AxisY
	AxisZ
	axesXZ  = AxisX | AxisZ
	axesXYZ = axesXZ | AxisY
)

// Has reports whether a holds a direction of b.
func (a Axes) Has(b Axes) bool { return a&b != 0 }

// A Param is a number of a node.
type Param struct {
	Name   string
	Unit   string  // "m" for meters, "m 32.32" for meters as fixed point, "" for a plain number
	Lo, Hi float64 // its range, both included
}

// An Info describes a kind: one row of the table that Compile, the shaders, the documents and the evaluator read.
type Info struct {
	Kind    Kind
	Name    string
	Version uint16 // of its semantics: a changed kernel is a new version
	Inputs  int
	Ints    []Param
	// Repeat are the integers that may follow, all or none: how many samples on a shape is again.
	Repeat []Param
	Floats []Param
	// Rotation are the floats that may follow, all or none: what stretches and rotates a shape.
	Rotation []Param
	Rounds   bool // Floats are one round of two or more: points of a curve
	Asset    bool // it reads a file
	Custom   bool // it reads a Sampler of the program
	Axes     Axes // along which its value changes besides those of its inputs; a coordinate adds its own
	// Of the kinds of noise: which, in how many dimensions, and whether its inputs shift it. Dims is 0 for others.
	Noise  noise.Kind
	Dims   int
	Warped bool

	placed int // how many of Floats, from the first, are an offset from the anchor
	// derive makes Step.Constants of the floats after the offset and checks what their ranges do not; nil keeps them.
	derive func(f []float32) ([]float32, error)
}

// Columnar reports whether the kind's value does not change along y unless that of an input does: it is computed once
// a column. A coordinate is columnar unless it is y.
func (i *Info) Columnar() bool { return !i.Axes.Has(AxisY) }

// Placed reports whether the kind is at a place in the world, as shapes are.
func (i *Info) Placed() bool { return i.placed != 0 }

// Infos returns the table, ascending by kind. It must not be changed.
func Infos() []Info { return kinds }

// InfoOf returns the row of k, or nil if k is unknown.
func InfoOf(k Kind) *Info {
	i, ok := slices.BinarySearchFunc(kinds, k, func(i Info, k Kind) int { return int(i.Kind) - int(k) })
	if !ok {
		return nil
	}
	return &kinds[i]
}

// Ranges of parameters. Far inside them everything stays finite; the evaluator checks the values that follow.
const (
	maxMeters = 1e9
	minMeters = 1e-3
	// Spacings of a raster as a node has them, 32.32 fixed point.
	minSpacing32 = 1 << 22 // just under a millimeter
	maxSpacing32 = 1 << 52 // just over a thousand kilometers
	// maxHeight bounds the heights of a raster, see raster.MaxHeight.
	maxHeight = 1e6
)

var (
	anchorParams = []Param{{"anchor x", "", -lattice.Limit, lattice.Limit}, {"anchor y", "", -lattice.Limit, lattice.Limit},
		{"anchor z", "", -lattice.Limit, lattice.Limit}}
	offsetParams = numbers("m", "offset x", "offset y", "offset z")
	periodParams = []Param{{"period x", "", 0, lattice.Limit}, {"period y", "", 0, lattice.Limit}, {"period z", "", 0, lattice.Limit}}
	axisParam    = Param{"axis", "", 0, 2}
	// rotationParams are a quaternion of any length over 0, and the stretch along the shape's own axes.
	rotationParams = []Param{{"rotation x", "", -1e3, 1e3}, {"rotation y", "", -1e3, 1e3}, {"rotation z", "", -1e3, 1e3},
		{"rotation w", "", -1e3, 1e3}, {"stretch x", "", 1e-3, 1e3}, {"stretch y", "", 1e-3, 1e3}, {"stretch z", "", 1e-3, 1e3}}
	gainParams = []Param{{"gain", "", 1e-6, 1}}
)

// meters returns parameters that are lengths over 0, numbers ones of either sign.
func meters(names ...string) []Param {
	p := make([]Param, len(names))
	for i, s := range names {
		p[i] = Param{s, "m", minMeters, maxMeters}
	}
	return p
}

func numbers(unit string, names ...string) []Param {
	p := make([]Param, len(names))
	for i, s := range names {
		p[i] = Param{s, unit, -maxMeters, maxMeters}
	}
	return p
}

// kinds is the table, ascending by kind.
var kinds = slices.Concat(
	[]Info{
		{Kind: KindConstant, Name: "constant", Floats: numbers("", "value"), derive: positiveZeros},
		{Kind: KindCoordinate, Name: "coordinate", Ints: []Param{axisParam, {"origin", "", -lattice.Limit, lattice.Limit}}},
		{Kind: KindHeight, Name: "height", Inputs: 1, Axes: AxisY},
		{Kind: KindWorld, Name: "world", Inputs: 2},
		{Kind: KindPaintedWorld, Name: "painted world", Inputs: 3},
		shape(KindBall, "ball", nil, meters("radius"), nil),
		{Kind: KindSlab, Name: "slab", Ints: anchorParams[1:2], Floats: slices.Concat(offsetParams[1:2], meters("half thickness")),
			placed: 1, Axes: AxisY},
		shape(KindCylinder, "cylinder", []Param{axisParam}, meters("radius"), nil),
		shape(KindBox, "box", nil, slices.Concat(meters("half size x", "half size y", "half size z"),
			[]Param{{"edge radius", "m", 0, maxMeters}}), deriveBox),
		shape(KindCapsule, "capsule", nil, slices.Concat(numbers("m", "end x", "end y", "end z"), meters("radius")), deriveCapsule),
		shape(KindTorus, "torus", nil, meters("ring radius", "tube radius"), nil),
		shape(KindPlane, "plane", nil, numbers("", "normal x", "normal y", "normal z"), derivePlane),
		shape(KindEllipsoid, "ellipsoid", nil, meters("radius x", "radius y", "radius z"), deriveEllipsoid),
		shape(KindCone, "cone", nil, meters("height", "base radius"), deriveCone),
		combination(KindUnion, "union"),
		combination(KindIntersection, "intersection"),
		combination(KindDifference, "difference"),
		combination(KindSmoothUnion, "smooth union", Param{"blend radius", "m", 0, 1e6}),
		combination(KindSmoothIntersection, "smooth intersection", Param{"blend radius", "m", 0, 1e6}),
		combination(KindSmoothDifference, "smooth difference", Param{"blend radius", "m", 0, 1e6}),
		combination(KindAdd, "add"),
		combination(KindSubtract, "subtract"),
		combination(KindMultiply, "multiply"),
		{Kind: KindScale, Name: "scale", Inputs: 1, Floats: numbers("", "factor", "term")},
		{Kind: KindAbs, Name: "abs", Inputs: 1},
		{Kind: KindClamp, Name: "clamp", Inputs: 1, Floats: numbers("", "low", "high"), derive: deriveRange},
		{Kind: KindSmoothstep, Name: "smoothstep", Inputs: 1, Floats: numbers("", "low", "high"), derive: deriveSmoothstep},
		{Kind: KindBump, Name: "bump", Inputs: 1, Floats: meters("width"), derive: deriveBump},
		{Kind: KindMix, Name: "mix", Inputs: 3},
		{Kind: KindHypot, Name: "hypot", Inputs: 2},
		{Kind: KindCurve, Name: "curve", Inputs: 1, Floats: numbers("", "x", "y"), Rounds: true, derive: deriveCurve},
		{Kind: KindTerrace, Name: "terrace", Inputs: 1, Floats: []Param{{"step height", "m", minMeters, maxMeters},
			{"rising share", "", 0, 1}}, derive: deriveTerrace},
		{Kind: KindSpline, Name: "spline", Inputs: 1, Floats: numbers("", "x", "y"), Rounds: true, derive: deriveSpline},
		{Kind: KindSelect, Name: "select", Inputs: 3, Floats: numbers("", "threshold")},
		{Kind: KindSaw, Name: "saw", Inputs: 1, Floats: meters("period")},
		{Kind: KindSlope, Name: "slope", Inputs: 1},
	},
	noiseInfos(),
	[]Info{
		{Kind: KindHeightmap, Name: "heightmap", Asset: true, Axes: axesXZ,
			Ints:   []Param{{"spacing x", "m 32.32", minSpacing32, maxSpacing32}, {"spacing z", "m 32.32", minSpacing32, maxSpacing32}},
			Floats: []Param{{"factor", "", -1e6, 1e6}, {"term", "m", -maxHeight, maxHeight}}},
		{Kind: KindRough, Name: "rough", Axes: axesXZ, Ints: []Param{{"form", "", 0, 1}},
			Floats: []Param{{"meters in a unit", "m", minMeters, maxMeters}}},
		{Kind: KindCracks, Name: "cracks", Axes: axesXZ, Ints: []Param{{"seed", "", math.MinInt64, math.MaxInt64},
			{"step", "", 1, float64(noise.OneCell)}}, Floats: []Param{{"jitter", "", 0, 1}}},
		volumeInfo(),
		{Kind: KindField, Name: "field", Floats: numbers("", "low", "high"), Axes: axesXYZ, Custom: true, derive: deriveRange},
	})

func init() {
	for i := range kinds {
		kinds[i].Version = 1 // of all kinds, until a kernel changes
	}
}

// shape describes a solid; ints and floats follow its anchor and offset.
func shape(k Kind, name string, ints, floats []Param, derive func(f []float32) ([]float32, error)) Info {
	return Info{Kind: k, Name: name, Ints: slices.Concat(anchorParams, ints), Repeat: periodParams,
		Floats: slices.Concat(offsetParams, floats), Rotation: rotationParams, placed: 3, Axes: axesXYZ, derive: derive}
}

// volumeInfo describes a volume, which is placed as a shape is.
func volumeInfo() Info {
	i := shape(KindVolume, "volume", nil, slices.Concat(meters("spacing x", "spacing y", "spacing z"),
		[]Param{{"factor", "", -1e6, 1e6}, {"term", "", -maxMeters, maxMeters}}), nil)
	i.Asset = true
	return i
}

// combination describes a kind that makes one number of two.
func combination(k Kind, name string, floats ...Param) Info {
	return Info{Kind: k, Name: name, Inputs: 2, Floats: floats}
}

// noiseInfos describes the kinds of noise, of which there are four of each noise.Kind: see NoiseKind.
func noiseInfos() []Info {
	var list []Info
	for i, name := range []string{"value", "gradient", "simplex", "cellular", "edges"} {
		for j := range 4 {
			of, dims, warped := noise.Value+noise.Kind(i), 2+j%2, j >= 2
			n := Info{Kind: NoiseKind(of, dims, warped), Noise: of, Dims: dims, Warped: warped, Axes: axesXZ,
				Name: name + " noise 2-D", Ints: noiseInts(dims), Floats: gainParams}
			if dims == 3 {
				n.Name, n.Axes = name+" noise 3-D", axesXYZ
			}
			if warped {
				n.Name, n.Inputs = "warped "+n.Name, dims
			}
			list = append(list, n)
		}
	}
	return list
}

// noiseInts returns the integers of a noise node.
func noiseInts(dims int) []Param {
	p := []Param{{"seed", "", math.MinInt64, math.MaxInt64}, {"octaves", "", 1, noise.MaxOctaves},
		{"fractal", "", 0, float64(noise.Turbulence)}}
	for _, s := range []string{"step x", "step y", "step z"} {
		if dims == 3 || s != "step y" {
			p = append(p, Param{s, "", 1, float64(noise.MaxStep)})
		}
	}
	return append(p, Param{"lacunarity", "", 0, 4 * float64(noise.OneCell)})
}

// check returns an error if the numbers of n are too many, too few or out of range.
func (i *Info) check(n *Node) error {
	ints := i.Ints
	if len(n.Ints) > len(ints) {
		ints = slices.Concat(ints, i.Repeat)
	}
	if len(n.Ints) != len(ints) {
		return fmt.Errorf("has %d integers, want %d", len(n.Ints), len(ints))
	}
	for j, p := range ints {
		if v := float64(n.Ints[j]); v < p.Lo || v > p.Hi {
			return fmt.Errorf("%s is %d, want %g … %g", p.Name, n.Ints[j], p.Lo, p.Hi)
		}
	}
	floats := i.Floats
	if len(n.Floats) > len(floats) {
		floats = slices.Concat(floats, i.Rotation)
	}
	switch got, want := len(n.Floats), len(floats); {
	case i.Rounds && (got < 2*want || got%want != 0):
		return fmt.Errorf("has %d floats, want a multiple of %d and at least %d", got, want, 2*want)
	case !i.Rounds && got != want:
		return fmt.Errorf("has %d floats, want %d", got, want)
	}
	for j, v := range n.Floats {
		p := floats[j%len(floats)]
		if !geom.Finite(v) || float64(v) < p.Lo || float64(v) > p.Hi {
			return fmt.Errorf("%s is %g, want %g … %g", p.Name, v, p.Lo, p.Hi)
		}
	}
	if has := n.Asset != (asset.Hash{}); has != i.Asset {
		if has {
			return fmt.Errorf("names an asset and reads none")
		}
		return fmt.Errorf("names no asset, want the hash of a file")
	}
	if has := n.Field != nil; has != i.Custom {
		if has {
			return fmt.Errorf("has a field of the program's own and reads none")
		}
		return fmt.Errorf("has no field: those of a program's own have no binary form")
	}
	return nil
}
