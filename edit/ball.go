package edit

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// Ball is a ball of Radius round the place.
const Ball Shape = 1

var ballShape = shape{
	name:  "ball",
	check: checkBall,
	extent: func(b Brush, margin float32) (lo, hi geom.Vec3) {
		r := b.Radius + b.Smooth + margin
		return geom.Vec3{X: -r, Y: -r, Z: -r}, geom.Vec3{X: r, Y: r, Z: r}
	},
	volume: func(b Brush, margin float64) float64 {
		r := float64(b.Radius) + margin
		return 4 * math.Pi / 3 * r * r * r
	},
	least: func(b Brush, lo, hi geom.Vec3) float32 { return away(lo, hi).Len() - b.Radius },
	row: func(b Brush, y, z, margin float64) (lo, hi float64) {
		// The factor is far above the rounding of the float32 distances that decide.
		r := (float64(b.Radius) + margin) * (1 + 1e-5)
		rest := r*r - float64(y*y) - float64(z*z)
		if !(rest >= 0) {
			return 1, 0
		}
		half := math.Sqrt(rest)
		return -half, half
	},
	sized: func(b *Brush, size float32, _ geom.Vec3) { b.Radius = size },
	wgsl:  "return length(p) - radius;",
}

func checkBall(b Brush) error {
	switch {
	case b.Extent != geom.Vec3{}:
		return fmt.Errorf("extent %v is not 0, and a ball has none", b.Extent)
	case !(b.Radius >= MinRadius && b.Radius <= MaxReach): // false for NaN
		return fmt.Errorf("radius %v m is outside %v … %v m", b.Radius, MinRadius, MaxReach)
	case b.Radius+b.Smooth > MaxReach:
		return fmt.Errorf("radius %v m + smooth %v m exceeds %v m", b.Radius, b.Smooth, MaxReach)
	}
	return nil
}

// ballRow is distances of a ball. The logs of old worlds were written with these very operations: another order of
// the additions in reach would change bits of their worlds.
func ballRow(dst []float32, e *Edit, s lattice.Sample, level uint8, margin float32) {
	p, reach := &e.Place, e.Radius+e.Smooth+margin
	y := float32(s.Y-p.Sample.Y) - p.Offset.Y
	z := float32(s.Z-p.Sample.Z) - p.Offset.Z
	yy, zz := float32(y*y), float32(z*z)
	for i := range dst {
		x := float32(s.X+int32(i)<<level-p.Sample.X) - p.Offset.X
		d := geom.Sqrt(float32(x*x) + yy + zz)
		if d <= reach {
			dst[i] = d - e.Radius
		} else {
			dst[i] = beyond
		}
	}
}

// away returns, for each axis, how far the box from lo to hi stays from 0.
func away(lo, hi geom.Vec3) geom.Vec3 {
	axis := func(lo, hi float32) float32 {
		switch {
		case lo > 0:
			return lo
		case hi < 0:
			return -hi
		}
		return 0
	}
	return geom.Vec3{X: axis(lo.X, hi.X), Y: axis(lo.Y, hi.Y), Z: axis(lo.Z, hi.Z)}
}
