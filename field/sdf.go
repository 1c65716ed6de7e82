package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Signed distance, positive outside the solid, exists in this file only; density turns it into what the rest
// of the engine knows.

// density returns the density of a point at the signed distance. Subtracting makes both zeros +0.
func density(distance float32) float32 { return 0 - distance }

// densities is density for an interval.
func densities(distance geom.Interval) geom.Interval { return distance.Neg() }

// A solid is a shape round the origin, in meters.
type solid interface {
	// at returns the density of a point.
	at(x, y, z float32) float32
	// row sets dst to the densities of points that differ in x.
	row(dst, x []float32, y, z float32)
	// bounds returns an interval that holds the densities of the points of a box.
	bounds(x, y, z geom.Interval) geom.Interval
}

// A shapeOp is a solid at a place, or at many.
type shapeOp struct {
	solid
	x, y, z axisPlace
	xs      []float32 // scratch: of a row's samples the x relative to the place
}

// An axisPlace is where on an axis a shape is.
type axisPlace graph.AxisPlace

// newSolid places the solid of a step.
func newSolid(s *graph.Step, _ *compiler) (op, error) { return newShape(s, solidOf(s), true), nil }

// newShape places a solid where a step says, rotated if it is. metric says whether the solid's density changes by at
// most a meter a meter.
func newShape(s *graph.Step, of solid, metric bool) op {
	if s.Rotation != nil {
		of = &rotated{of, s.Rotation, metric}
	}
	return &shapeOp{solid: of, x: axisPlace(s.Place[0]), y: axisPlace(s.Place[1]), z: axisPlace(s.Place[2])}
}

// solidOf returns the solid of a shape.
func solidOf(s *graph.Step) solid {
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

// relative returns the distance in meters from the place to a sample; if it repeats, from the nearest.
func (p *axisPlace) relative(sample int32) float32 { return float32(p.samples(sample)) - p.Offset }

// samples returns the number of samples from the anchor to a sample.
func (p *axisPlace) samples(sample int32) int64 {
	d := int64(sample) - int64(p.Anchor)
	if period := int64(p.Period); period > 0 {
		d = (d + period/2) % period
		if d < 0 {
			d += period
		}
		d -= period / 2
	}
	return d
}

// relatives returns where relative of the samples from lo to hi, which is excluded, lies.
func (p *axisPlace) relatives(lo, hi int32) geom.Interval {
	a, b := p.samples(lo), p.samples(hi-1)
	if period := int64(p.Period); period > 0 && (a > b || int64(hi)-int64(lo) > period) {
		a, b = -(period / 2), period-1-period/2
	}
	return geom.Interval{Lo: float32(a) - p.Offset, Hi: float32(b) - p.Offset}
}

func (o *shapeOp) fork() op { return &shapeOp{solid: o.solid, x: o.x, y: o.y, z: o.z} }

func (o *shapeOp) point(_ *values, s lattice.Sample) float32 {
	return o.at(o.x.relative(s.X), o.y.relative(s.Y), o.z.relative(s.Z))
}

func (o *shapeOp) block(dst []float32, _ *operands, b *block) {
	o.xs = resize(o.xs, b.count)
	for i := range o.xs {
		o.xs[i] = o.x.relative(b.x + int32(i)*b.dx)
	}
	for r := range b.rows {
		y, z := o.y.relative(b.y+int32(r)*b.dy), o.z.relative(b.z+int32(r)*b.dz)
		o.row(dst[r*b.count:][:b.count], o.xs, y, z)
	}
}

func (o *shapeOp) bounds(_ *intervals, b *lattice.Box) geom.Interval {
	return o.solid.bounds(o.x.relatives(b.Min.X, b.Max.X), o.y.relatives(b.Min.Y, b.Max.Y), o.z.relatives(b.Min.Z, b.Max.Z))
}

// resize returns s with length n; its contents are undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
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
func lipschitz(s solid, x, y, z geom.Interval) geom.Interval {
	mid := func(i geom.Interval) (middle, half float32) {
		m := i.Lo + float32((i.Hi-i.Lo)*0.5)
		return m, scalar.Larger(i.Hi-m, m-i.Lo)
	}
	mx, hx := mid(x)
	my, hy := mid(y)
	mz, hz := mid(z)
	v := s.at(mx, my, mz)
	size := x.Magnitude() + y.Magnitude() + z.Magnitude() + scalar.Abs(v)
	return geom.Single(v).Widen(length(hx, squares(hy, hz))).Widen(float32(size * (1.0 / (1 << 18))))
}

// ball is the points within r of the origin.
type ball struct{ r float32 }

func (b ball) at(x, y, z float32) float32 { return density(length(x, squares(y, z)) - b.r) }

func (b ball) row(dst, x []float32, y, z float32) {
	q := squares(y, z)
	for i, x := range x {
		dst[i] = density(length(x, q) - b.r)
	}
}

func (b ball) bounds(x, y, z geom.Interval) geom.Interval {
	return densities(lengths(x, y, z).Sub(geom.Single(b.r)))
}

// slab is an op: the points within half of a level plane.
type slab struct {
	y    axisPlace
	half float32
}

func newSlab(s *graph.Step, _ *compiler) (op, error) {
	return slab{axisPlace(s.Place[1]), s.Constants[0]}, nil
}

func (s slab) at(y float32) float32 { return density(scalar.Abs(y) - s.half) }

func (s slab) point(_ *values, p lattice.Sample) float32 { return s.at(s.y.relative(p.Y)) }

func (s slab) block(dst []float32, _ *operands, b *block) {
	for r := range b.rows {
		fillRow(dst[r*b.count:][:b.count], s.at(s.y.relative(b.y+int32(r)*b.dy)))
	}
}

func (s slab) bounds(_ *intervals, b *lattice.Box) geom.Interval {
	return densities(s.y.relatives(b.Min.Y, b.Max.Y).Abs().Sub(geom.Single(s.half)))
}

// cylinder is the points within r of an axis.
type cylinder struct {
	axis int
	r    float32
}

func (c cylinder) at(x, y, z float32) float32 {
	switch c.axis {
	case 0:
		x = 0
	case 1:
		y = 0
	default:
		z = 0
	}
	return density(length(x, squares(y, z)) - c.r)
}

func (c cylinder) row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = c.at(x, y, z)
	}
}

func (c cylinder) bounds(x, y, z geom.Interval) geom.Interval {
	switch c.axis {
	case 0:
		x = geom.Interval{}
	case 1:
		y = geom.Interval{}
	default:
		z = geom.Interval{}
	}
	return densities(lengths(x, y, z).Sub(geom.Single(c.r)))
}

// box is the points within edge of a box of half sizes x, y, z.
type box struct{ x, y, z, edge float32 }

func (b box) at(x, y, z float32) float32 {
	x, y, z = scalar.Abs(x)-b.x, scalar.Abs(y)-b.y, scalar.Abs(z)-b.z
	inside := scalar.Smaller(scalar.Larger(x, scalar.Larger(y, z)), 0)
	return density(length(scalar.Larger(x, 0), squares(scalar.Larger(y, 0), scalar.Larger(z, 0))) + inside - b.edge)
}

func (b box) row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = b.at(x, y, z)
	}
}

func (b box) bounds(x, y, z geom.Interval) geom.Interval {
	x, y, z = x.Abs().Sub(geom.Single(b.x)), y.Abs().Sub(geom.Single(b.y)), z.Abs().Sub(geom.Single(b.z))
	u := union{}
	inside := intersection{}.bound(u.bound(x, u.bound(y, z)), geom.Interval{})
	outside := lengths(u.bound(x, geom.Interval{}), u.bound(y, geom.Interval{}), u.bound(z, geom.Interval{}))
	return densities(outside.Add(inside).Sub(geom.Single(b.edge)))
}

// capsule is the points within r of the line from the origin to an end.
type capsule struct {
	x, y, z, r float32
	square     float32 // of the line's length
}

func (c capsule) at(x, y, z float32) float32 {
	t := float32(0) // how far along the line the nearest point is
	if c.square > 0 {
		t = (float32(x*c.x) + (float32(y*c.y) + float32(z*c.z))) / c.square
		t = scalar.Smaller(scalar.Larger(t, 0), 1)
	}
	x, y, z = x-float32(c.x*t), y-float32(c.y*t), z-float32(c.z*t)
	return density(length(x, squares(y, z)) - c.r)
}

func (c capsule) row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = c.at(x, y, z)
	}
}

func (c capsule) bounds(x, y, z geom.Interval) geom.Interval { return lipschitz(c, x, y, z) }

// torus is the points within tube of a level circle of radius ring.
type torus struct{ ring, tube float32 }

func (t torus) at(x, y, z float32) float32 {
	return density(length(length(x, float32(z*z))-t.ring, float32(y*y)) - t.tube)
}

func (t torus) row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = t.at(x, y, z)
	}
}

func (t torus) bounds(x, y, z geom.Interval) geom.Interval {
	q := lengths(x, z, geom.Interval{}).Sub(geom.Single(t.ring))
	return densities(lengths(q, y, geom.Interval{}).Sub(geom.Single(t.tube)))
}

// plane is the points behind the plane through the origin with a unit normal.
type plane struct{ x, y, z float32 }

func (p plane) at(x, y, z float32) float32 {
	return density(float32(x*p.x) + (float32(y*p.y) + float32(z*p.z)))
}

func (p plane) row(dst, x []float32, y, z float32) {
	q := float32(y*p.y) + float32(z*p.z)
	for i, x := range x {
		dst[i] = density(float32(x*p.x) + q)
	}
}

func (p plane) bounds(x, y, z geom.Interval) geom.Interval {
	return densities(x.Mul(geom.Single(p.x)).Add(y.Mul(geom.Single(p.y)).Add(z.Mul(geom.Single(p.z)))))
}

// ellipsoid is a ball stretched by its radii. Its distance is that of the stretched space times the smallest
// radius: never more than the true one.
type ellipsoid struct{ x, y, z, least float32 }

func (e ellipsoid) at(x, y, z float32) float32 {
	return density(float32((length(float32(x*e.x), squares(float32(y*e.y), float32(z*e.z))) - 1) * e.least))
}

func (e ellipsoid) row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = e.at(x, y, z)
	}
}

func (e ellipsoid) bounds(x, y, z geom.Interval) geom.Interval {
	l := lengths(x.Mul(geom.Single(e.x)), y.Mul(geom.Single(e.y)), z.Mul(geom.Single(e.z)))
	return densities(l.Sub(geom.Single(1)).Mul(geom.Single(e.least)))
}

// cone is upright, its tip at the origin, its base at −height. Seen from the side it is a triangle, and the
// distance is that to its nearest edge.
type cone struct {
	height, radius float32
	square         float32 // of the slanted edge's length
}

func (c cone) at(x, y, z float32) float32 {
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
	return density(d)
}

func (c cone) row(dst, x []float32, y, z float32) {
	for i, x := range x {
		dst[i] = c.at(x, y, z)
	}
}

func (c cone) bounds(x, y, z geom.Interval) geom.Interval { return lipschitz(c, x, y, z) }
