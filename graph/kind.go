package graph

import (
	"fmt"

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
	// KindPaintedWorld is KindWorld whose third input is the material: an index into the graph's palette, to
	// which values are rounded. Its range must not leave the palette.
	KindPaintedWorld Kind = 5

	// Shapes, except slabs, take three more integers that repeat them endlessly: the number of samples along x, y
	// and z from one to the next, 0 for an axis along which there is only one. They take seven more floats that
	// stretch them along their own axes and then turn them round their place, each by itself if they repeat: the
	// quaternion x, y, z, w and the stretch along x, y and z, within 0.001 … 1000. The density of a stretched shape
	// is a distance only near its surface, and never more than one.

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

	// KindSpline is a smooth function through points, that neither overshoots them nor turns between them: floats
	// as of KindCurve.
	KindSpline Kind = 52
	// KindSelect is its first input where its third is below a threshold, else its second: float threshold.
	KindSelect Kind = 53

	// KindSaw is what its input x is past the last multiple of a period: x − period·⌊x/period⌋; 0 where x/period
	// is beyond ±2²², where a float32 has no teeth: float period.
	KindSaw Kind = 58
	// KindSlope is the steepness of its input, which must not depend on y, nor on another slope: its rise in
	// meters over a run of one, from the samples (of level 0, whatever level is asked for) before and after
	// along x and along z. At most 16 to a graph.
	KindSlope Kind = 59

	// KindValue2 is value noise over x and z in [−1, 1]: ints seed, octaves, fractal (see noise.Fractal),
	// steps along x and z (see noise.Step), lacunarity (0 is 2); float gain.
	KindValue2 Kind = 60
	// KindValue3 is value noise in space: as KindValue2, with steps along x, y and z.
	KindValue3 Kind = 61
	// KindWarpedValue2 is KindValue2 at shifted places: inputs the shifts along x and z in meters, at most 2²⁰.
	KindWarpedValue2 Kind = 62
	// KindWarpedValue3 is KindValue3 at shifted places: inputs the shifts along x, y and z.
	KindWarpedValue3 Kind = 63

	// The other kinds of noise (see noise.Kind) have the inputs and parameters of value noise.
	KindGradient2       Kind = 64
	KindGradient3       Kind = 65
	KindWarpedGradient2 Kind = 66
	KindWarpedGradient3 Kind = 67
	KindSimplex2        Kind = 68
	KindSimplex3        Kind = 69
	KindWarpedSimplex2  Kind = 70
	KindWarpedSimplex3  Kind = 71
	KindCellular2       Kind = 72
	KindCellular3       Kind = 73
	KindWarpedCellular2 Kind = 74
	KindWarpedCellular3 Kind = 75
	KindEdges2          Kind = 76
	KindEdges3          Kind = 77
	KindWarpedEdges2    Kind = 78
	KindWarpedEdges3    Kind = 79

	// KindHeightmap is the height in meters of a raster over x and z, its middle at x = z = 0, endless by
	// repeating its edges: asset; ints meters between samples along x and z as 32.32 fixed point; floats
	// factor and term of the height.
	KindHeightmap Kind = 80
	// KindRough is the rough procedural heightmap over x and z, between −1.4 and 1.4, or its smooth predecessor:
	// ints form (0 rough, 1 smooth); float meters in one of its units.
	KindRough Kind = 81
	// KindCracks is the distance in meters, over x and z, to the nearest border between the cells of strewn points, at
	// most 5/16 of a cell (see noise.Cracks): ints seed, step (see noise.Step); float jitter from 0, a square grid, to
	// 1, points anywhere in their cells.
	KindCracks Kind = 82

	// KindVolume is a box of numbers in space, its middle at the anchor: asset, anchor; offset, meters between
	// samples along x, y and z, factor and term. Between samples the numbers are mixed linearly, and the density
	// is number·factor + term, or the depth in meters below the nearest face of the box where that is less: beyond
	// the box is air. It repeats and turns as the shapes do.
	KindVolume Kind = 90

	// KindField is a field that the program itself implements (see Builder.Field): floats the lowest and the
	// highest of its values, which are clamped to them.
	KindField Kind = 100
)

// NoiseKind returns the kind of node that computes a kind of noise over x and z (dims 2) or in space (dims 3), warped
// by inputs or not.
func NoiseKind(of noise.Kind, dims int, warped bool) Kind {
	k := KindValue2 + 4*Kind(of-noise.Value) + Kind(dims-2)
	if warped {
		k += 2
	}
	return k
}

// String returns the name of k, as errors give it.
func (k Kind) String() string {
	if i := InfoOf(k); i != nil {
		return i.Name
	}
	return fmt.Sprintf("kind %d", uint16(k))
}
