package sdf

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/scalar"
)

// Signed distance, positive outside the solid, exists in this file only; density turns it into what the rest
// of the engine knows.

// Density returns the density of a point at the signed distance. Subtracting makes both zeros +0.
func Density(distance float32) float32 { return 0 - distance }

// Densities is density for an interval.
func Densities(distance geom.Interval) geom.Interval { return distance.Neg() }

// A Solid is a shape round the origin, in meters.
type Solid interface {
	// At returns the density of a point.
	At(x, y, z float32) float32
	// Row sets dst to the densities of points that differ in x.
	Row(dst, x []float32, y, z float32)
	// Bounds returns an interval that holds the densities of the points of a box.
	Bounds(x, y, z geom.Interval) geom.Interval
}

// SolidOf returns the solid of a shape.
func SolidOf(s *graph.Step) Solid {
	c := s.Constants
	switch s.Kind {
	case graph.KindBall:
		return ball{c[0]}
	case graph.KindCylinder:
		return cylinder{s.Axis, c[0]}
	case graph.KindBox:
		return box{c[0], c[1], c[2], c[3]}
	case graph.KindCapsule:
		return capsule{c[0], c[1], c[2], c[3], c[4]}
	case graph.KindTorus:
		return torus{c[0], c[1]}
	case graph.KindPlane:
		return plane{c[0], c[1], c[2]}
	case graph.KindEllipsoid:
		return ellipsoid{c[0], c[1], c[2], c[3]}
	}
	return cone{c[0], c[1], c[2]}
}

// length returns √(x² + q), q a sum of squares.
func length(x, q float32) float32 { return geom.Sqrt(float32(x*x) + q) }

// squares returns y² + z².
func squares(y, z float32) float32 { return float32(y*y) + float32(z*z) }

// lengths is length(x, squares(y, z)) for intervals.
func lengths(x, y, z geom.Interval) geom.Interval {
	i := x.Square().Add(y.Square().Add(z.Square()))
	return geom.Interval{Lo: geom.Sqrt(i.Lo), Hi: geom.Sqrt(i.Hi)}
}

// lipschitz bounds a solid whose density changes by at most a meter a meter, by its value in the middle of a
// box. The slack is far over what rounding does to distances computed from numbers of that size.
func lipschitz(s Solid, x, y, z geom.Interval) geom.Interval {
	mid := func(i geom.Interval) (middle, half float32) {
		m := i.Lo + float32((i.Hi-i.Lo)*0.5)
		return m, scalar.Larger(i.Hi-m, m-i.Lo)
	}
	mx, hx := mid(x)
	my, hy := mid(y)
	mz, hz := mid(z)
	v := s.At(mx, my, mz)
	size := x.Magnitude() + y.Magnitude() + z.Magnitude() + scalar.Abs(v)
	return geom.Single(v).Widen(length(hx, squares(hy, hz))).Widen(float32(size * (1.0 / (1 << 18))))
}

// ball is the points within r of the origin.
type ball struct{ r float32 }

func (b ball) At(x, y, z float32) float32 { return Density(length(x, squares(y, z)) - b.r) }

func (b ball) Row(dst, x []float32, y, z float32) {
	q := squares(y, z)
	for i, x := range x {
		dst[i] = Density(length(x, q) - b.r)
	}
}

func (b ball) Bounds(x, y, z geom.Interval) geom.Interval {
	return Densities(lengths(x, y, z).Sub(geom.Single(b.r)))
}

// cylinder is the points within r of an axis.
type cylinder struct {
	axis int
	r    float32
}

func (c cylinder) At(x, y, z float32) float32 {
	switch c.axis {
	case 0:
		x = 0
	case 1:
		y = 0
	default:
		z = 0
	}
	return Density(length(x, squares(y, z)) - c.r)
}

func (c cylinder) Row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = c.At(x, y, z)
	}
}

func (c cylinder) Bounds(x, y, z geom.Interval) geom.Interval {
	switch c.axis {
	case 0:
		x = geom.Interval{}
	case 1:
		y = geom.Interval{}
	default:
		z = geom.Interval{}
	}
	return Densities(lengths(x, y, z).Sub(geom.Single(c.r)))
}

// box is the points within edge of a box of half sizes x, y, z.
type box struct{ x, y, z, edge float32 }

func (b box) At(x, y, z float32) float32 {
	x, y, z = scalar.Abs(x)-b.x, scalar.Abs(y)-b.y, scalar.Abs(z)-b.z
	inside := scalar.Smaller(scalar.Larger(x, scalar.Larger(y, z)), 0)
	return Density(length(scalar.Larger(x, 0), squares(scalar.Larger(y, 0), scalar.Larger(z, 0))) + inside - b.edge)
}

func (b box) Row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = b.At(x, y, z)
	}
}

func (b box) Bounds(x, y, z geom.Interval) geom.Interval {
	x, y, z = x.Abs().Sub(geom.Single(b.x)), y.Abs().Sub(geom.Single(b.y)), z.Abs().Sub(geom.Single(b.z))
	zero := geom.Interval{}
	inside := x.Larger(y.Larger(z)).Smaller(zero)
	outside := lengths(x.Larger(zero), y.Larger(zero), z.Larger(zero))
	return Densities(outside.Add(inside).Sub(geom.Single(b.edge)))
}

// capsule is the points within r of the line from the origin to an end.
type capsule struct {
	x, y, z, r float32
	square     float32 // of the line's length
}

func (c capsule) At(x, y, z float32) float32 {
	t := float32(0) // how far along the line the nearest point is
	if c.square > 0 {
		t = (float32(x*c.x) + (float32(y*c.y) + float32(z*c.z))) / c.square
		t = scalar.Smaller(scalar.Larger(t, 0), 1)
	}
	x, y, z = x-float32(c.x*t), y-float32(c.y*t), z-float32(c.z*t)
	return Density(length(x, squares(y, z)) - c.r)
}

func (c capsule) Row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = c.At(x, y, z)
	}
}

func (c capsule) Bounds(x, y, z geom.Interval) geom.Interval { return lipschitz(c, x, y, z) }

// torus is the points within tube of a level circle of radius ring.
type torus struct{ ring, tube float32 }

func (t torus) At(x, y, z float32) float32 {
	return Density(length(length(x, float32(z*z))-t.ring, float32(y*y)) - t.tube)
}

func (t torus) Row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = t.At(x, y, z)
	}
}

func (t torus) Bounds(x, y, z geom.Interval) geom.Interval {
	q := lengths(x, z, geom.Interval{}).Sub(geom.Single(t.ring))
	return Densities(lengths(q, y, geom.Interval{}).Sub(geom.Single(t.tube)))
}

// plane is the points behind the plane through the origin with a unit normal.
type plane struct{ x, y, z float32 }

func (p plane) At(x, y, z float32) float32 {
	return Density(float32(x*p.x) + (float32(y*p.y) + float32(z*p.z)))
}

func (p plane) Row(dst, x []float32, y, z float32) {
	q := float32(y*p.y) + float32(z*p.z)
	for i, x := range x {
		dst[i] = Density(float32(x*p.x) + q)
	}
}

func (p plane) Bounds(x, y, z geom.Interval) geom.Interval {
	return Densities(x.Mul(geom.Single(p.x)).Add(y.Mul(geom.Single(p.y)).Add(z.Mul(geom.Single(p.z)))))
}

// ellipsoid is a ball stretched by its radii. Its distance is that of the stretched space times the smallest
// radius: never more than the true one.
type ellipsoid struct{ x, y, z, least float32 }

func (e ellipsoid) At(x, y, z float32) float32 {
	return Density(float32((length(float32(x*e.x), squares(float32(y*e.y), float32(z*e.z))) - 1) * e.least))
}

func (e ellipsoid) Row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = e.At(x, y, z)
	}
}

func (e ellipsoid) Bounds(x, y, z geom.Interval) geom.Interval {
	l := lengths(x.Mul(geom.Single(e.x)), y.Mul(geom.Single(e.y)), z.Mul(geom.Single(e.z)))
	return Densities(l.Sub(geom.Single(1)).Mul(geom.Single(e.least)))
}

// cone is upright, its tip at the origin, its base at −height. Seen from the side it is a triangle, and the
// distance is that to its nearest edge.
type cone struct {
	height, radius float32
	square         float32 // of the slanted edge's length
}

func (c cone) At(x, y, z float32) float32 {
	r := length(x, float32(z*z))
	y = 0 - y // below the tip
	// The nearest points of the slanted edge and of the base.
	t := (float32(r*c.radius) + float32(y*c.height)) / c.square
	t = scalar.Smaller(scalar.Larger(t, 0), 1)
	slant := length(r-float32(t*c.radius), squares(y-float32(t*c.height), 0))
	base := length(r-scalar.Smaller(r, c.radius), squares(y-c.height, 0))
	d := scalar.Smaller(slant, base)
	if y < c.height && float32(y*c.radius)-float32(r*c.height) > 0 {
		d = -d
	}
	return Density(d)
}

func (c cone) Row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = c.At(x, y, z)
	}
}

func (c cone) Bounds(x, y, z geom.Interval) geom.Interval { return lipschitz(c, x, y, z) }
