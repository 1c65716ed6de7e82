package edit

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Stroke is a capsule: what a ball of Radius sweeps from the place to the point Extent from it, which may be 0.
const Stroke Shape = 3

var strokeShape = shape{
	name:  "stroke",
	check: checkStroke,
	extent: func(b Brush, margin float32) (lo, hi geom.Vec3) {
		r := b.Radius + b.Smooth + margin
		lo, hi = strokeEnds(b.Extent)
		return lo.Sub(geom.Vec3{X: r, Y: r, Z: r}), hi.Add(geom.Vec3{X: r, Y: r, Z: r})
	},
	volume: func(b Brush, margin float64) float64 {
		r := float64(b.Radius) + margin
		return math.Pi * r * r * (float64(b.Extent.Len()) + 4.0/3*r)
	},
	least: leastOfStroke,
	row:   strokeReach,
	sized: func(b *Brush, size float32, drawn geom.Vec3) { b.Radius, b.Extent = size, drawn },
	wgsl: "let t = clamp(dot(p, extent) / max(dot(extent, extent), 1e-12), 0.0, 1.0);\n\t" +
		"return length(p - t * extent) - radius;",
}

func checkStroke(b Brush) error {
	if !(b.Radius >= MinRadius && b.Radius <= MaxReach) { // false for NaN
		return fmt.Errorf("radius %v m is outside %v … %v m", b.Radius, MinRadius, MaxReach)
	}
	most := MaxReach - b.Radius - b.Smooth
	if most < 0 {
		return fmt.Errorf("radius %v m + smooth %v m exceeds %v m", b.Radius, b.Smooth, MaxReach)
	}
	for _, v := range [3]float32{b.Extent.X, b.Extent.Y, b.Extent.Z} {
		if !(v >= -most && v <= most) {
			return fmt.Errorf("end %v m from the place is outside ±%v m, radius %v m and smooth %v m included", v, MaxReach, b.Radius, b.Smooth)
		}
	}
	return nil
}

// strokeEnds returns the corners of the box round the line from 0 to end.
func strokeEnds(end geom.Vec3) (lo, hi geom.Vec3) {
	return geom.Vec3{X: scalar.Smaller(end.X, 0), Y: scalar.Smaller(end.Y, 0), Z: scalar.Smaller(end.Z, 0)},
		geom.Vec3{X: scalar.Larger(end.X, 0), Y: scalar.Larger(end.Y, 0), Z: scalar.Larger(end.Z, 0)}
}

// leastOfStroke is the greater one of two bounds: how far the box stays from the box round the line, which is close far
// away, and what the distance at the box's middle can fall to at its corners, which is close for small boxes.
func leastOfStroke(b Brush, lo, hi geom.Vec3) float32 {
	first, last := strokeEnds(b.Extent)
	gap := away(lo.Sub(last), hi.Sub(first)).Len() - b.Radius
	half := hi.Sub(lo).Mul(0.5)
	middle := lo.Add(half)
	at := strokeDistance(middle.X, middle.Y, middle.Z, b.Extent, strokeScale(b.Extent)) - b.Radius - half.Len()
	return scalar.Larger(gap, at)
}

// strokeReach finds the part of the line that is near enough to the row in y and in z. Every point of the row within
// reach is near a point of that part.
func strokeReach(b Brush, y, z, margin float64) (lo, hi float64) {
	r := (float64(b.Radius)+margin)*(1+1e-5) + 1e-3 // far above the rounding of the float32 distances that decide
	t0, t1 := 0.0, 1.0
	for _, axis := range [2][2]float64{{y, float64(b.Extent.Y)}, {z, float64(b.Extent.Z)}} {
		at, along := axis[0], axis[1]
		if along == 0 {
			if at > r || at < -r {
				return 1, 0
			}
			continue
		}
		a, b := (at-r)/along, (at+r)/along
		t0, t1 = max(t0, min(a, b)), min(t1, max(a, b))
	}
	if t0 > t1 {
		return 1, 0
	}
	x0, x1 := float64(b.Extent.X)*t0, float64(b.Extent.X)*t1
	return min(x0, x1) - r, max(x0, x1) + r
}

// strokeRow is distances of a stroke.
func strokeRow(dst []float32, e *Edit, s lattice.Sample, level uint8, margin float32) {
	p, reach, scale := &e.Place, e.Smooth+margin, strokeScale(e.Extent)
	y := float32(s.Y-p.Sample.Y) - p.Offset.Y
	z := float32(s.Z-p.Sample.Z) - p.Offset.Z
	for i := range dst {
		x := float32(s.X+int32(i)<<level-p.Sample.X) - p.Offset.X
		if d := strokeDistance(x, y, z, e.Extent, scale) - e.Radius; d <= reach {
			dst[i] = d
		} else {
			dst[i] = beyond
		}
	}
}

// strokeScale returns 1 over the square of the line's length. A line shorter than a micrometer, whose square float32
// could lose, is a point.
func strokeScale(end geom.Vec3) float32 {
	n := float32(end.X*end.X) + float32(end.Y*end.Y) + float32(end.Z*end.Z)
	if n < 1e-12 {
		return 0
	}
	return 1 / n
}

// strokeDistance returns the distance of a point from the line from 0 to end.
func strokeDistance(x, y, z float32, end geom.Vec3, scale float32) float32 {
	t := float32((float32(x*end.X) + float32(y*end.Y) + float32(z*end.Z)) * scale)
	t = scalar.Smaller(scalar.Larger(t, 0), 1) // of the way, where the line is next to the point
	x -= float32(t * end.X)
	y -= float32(t * end.Y)
	z -= float32(t * end.Z)
	return geom.Sqrt(float32(x*x) + float32(y*y) + float32(z*z))
}
