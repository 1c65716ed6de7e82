package edit

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Box is a box along the axes round the place. Extent holds half its sides, each MinRadius … MaxReach − Smooth, and
// Radius, 0 … the least of them, rounds its edges within it.
const Box Shape = 2

var boxShape = shape{
	name:  "box",
	check: checkBox,
	extent: func(b Brush, margin float32) (lo, hi geom.Vec3) {
		r := b.Smooth + margin
		hi = b.Extent.Add(geom.Vec3{X: r, Y: r, Z: r})
		return geom.Vec3{X: -hi.X, Y: -hi.Y, Z: -hi.Z}, hi
	},
	volume: func(b Brush, margin float64) float64 {
		return 8 * (float64(b.Extent.X) + margin) * (float64(b.Extent.Y) + margin) * (float64(b.Extent.Z) + margin)
	},
	least: func(b Brush, lo, hi geom.Vec3) float32 {
		p := away(lo, hi) // the distance rises with each of |x|, |y| and |z|
		return boxDistance(p.X-(b.Extent.X-b.Radius), p.Y-(b.Extent.Y-b.Radius), p.Z-(b.Extent.Z-b.Radius), b.Radius)
	},
	row: func(b Brush, y, z, margin float64) (lo, hi float64) {
		margin += 1e-3 // far above the rounding of the float32 distances that decide
		if x, y, z := float64(b.Extent.X)+margin, float64(b.Extent.Y)+margin-max(y, -y), float64(b.Extent.Z)+margin-max(z, -z); y >= 0 && z >= 0 {
			return -x, x
		}
		return 1, 0
	},
	sized: func(b *Brush, size float32, _ geom.Vec3) {
		b.Radius, b.Extent = 0, geom.Vec3{X: size, Y: size, Z: size}
	},
	wgsl: "let q = abs(p) - (extent - radius);\n\t" +
		"return length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0) - radius;",
}

func checkBox(b Brush) error {
	least := b.Extent.X
	for _, v := range [3]float32{b.Extent.X, b.Extent.Y, b.Extent.Z} {
		if !(v >= MinRadius && v+b.Smooth <= MaxReach) { // false for NaN
			return fmt.Errorf("half side %v m is outside %v … %v m, smooth %v m included", v, MinRadius, MaxReach, b.Smooth)
		}
		if v < least {
			least = v
		}
	}
	if !(b.Radius >= 0 && b.Radius <= least) {
		return fmt.Errorf("radius %v m of the edges is outside 0 … %v m, the least half side", b.Radius, least)
	}
	return nil
}

// boxRow is distances of a box.
func boxRow(dst []float32, e *Edit, s lattice.Sample, level uint8, margin float32) {
	p, reach := &e.Place, e.Smooth+margin
	abs := func(v float32) float32 { return scalar.Larger(v, 0-v) }
	inner := e.Extent.X - e.Radius
	y := abs(float32(s.Y-p.Sample.Y)-p.Offset.Y) - (e.Extent.Y - e.Radius)
	z := abs(float32(s.Z-p.Sample.Z)-p.Offset.Z) - (e.Extent.Z - e.Radius)
	for i := range dst {
		x := abs(float32(s.X+int32(i)<<level-p.Sample.X)-p.Offset.X) - inner
		if d := boxDistance(x, y, z, e.Radius); d <= reach {
			dst[i] = d
		} else {
			dst[i] = beyond
		}
	}
}

// boxDistance returns the distance from a box whose edges are rounded by r, of a point that lies x, y and z beyond the
// box without its rounding, negative inside.
func boxDistance(x, y, z, r float32) float32 {
	inside := scalar.Smaller(scalar.Larger(x, scalar.Larger(y, z)), 0)
	x, y, z = scalar.Larger(x, 0), scalar.Larger(y, 0), scalar.Larger(z, 0)
	return geom.Sqrt(float32(x*x)+float32(y*y)+float32(z*z)) + inside - r
}
