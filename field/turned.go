package field

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/scalar"
)

// turned is a solid that was stretched along its own axes and then turned round its place. Its density is that
// of the solid where the point was before, times the least stretch: never more than the distance.
type turned struct {
	solid
	axes    [3]geom.Vec3 // of the solid, in the world
	inverse geom.Vec3    // of the stretch
	least   float32      // of the stretch
}

// newTurned turns s by the floats f: the quaternion x, y, z, w, of any length over 0, and the stretch along
// the solid's x, y and z.
func newTurned(s solid, f []float32) (solid, error) {
	x, y, z, w := f[0], f[1], f[2], f[3]
	square := float32(x*x) + float32(y*y) + (float32(z*z) + float32(w*w))
	if !(square >= 1e-6) {
		return nil, fmt.Errorf("its turn %g, %g, %g, %g is no quaternion, want one of length 1", x, y, z, w)
	}
	l := geom.Sqrt(square)
	x, y, z, w = x/l, y/l, z/l, w/l
	double := func(a, b float32) float32 { return float32(2 * float32(a*b)) }
	xx, yy, zz := double(x, x), double(y, y), double(z, z)
	xy, xz, yz := double(x, y), double(x, z), double(y, z)
	wx, wy, wz := double(w, x), double(w, y), double(w, z)
	return &turned{
		solid: s,
		axes: [3]geom.Vec3{
			{X: 1 - yy - zz, Y: xy + wz, Z: xz - wy},
			{X: xy - wz, Y: 1 - xx - zz, Z: yz + wx},
			{X: xz + wy, Y: yz - wx, Z: 1 - xx - yy},
		},
		inverse: geom.Vec3{X: 1 / f[4], Y: 1 / f[5], Z: 1 / f[6]},
		least:   scalar.Smaller(f[4], scalar.Smaller(f[5], f[6])),
	}, nil
}

// along returns the place of x, y, z along an axis of the solid, given the share of y and z.
func along(axis geom.Vec3, x, yz, inverse float32) float32 {
	return float32((float32(x*axis.X) + yz) * inverse)
}

// across returns the share of y and z in a place along an axis.
func across(axis geom.Vec3, y, z float32) float32 { return float32(y*axis.Y) + float32(z*axis.Z) }

func (t *turned) at(x, y, z float32) float32 {
	return t.seen(x, across(t.axes[0], y, z), across(t.axes[1], y, z), across(t.axes[2], y, z))
}

// seen returns the density at x, given the shares of y and z along the solid's axes.
func (t *turned) seen(x, a, b, c float32) float32 {
	v := t.solid.at(along(t.axes[0], x, a, t.inverse.X), along(t.axes[1], x, b, t.inverse.Y), along(t.axes[2], x, c, t.inverse.Z))
	return float32(v*t.least) + 0
}

func (t *turned) row(dst, x []float32, y, z float32) {
	a, b, c := across(t.axes[0], y, z), across(t.axes[1], y, z), across(t.axes[2], y, z)
	for i, x := range x {
		dst[i] = t.seen(x, a, b, c)
	}
}

// bounds are the solid's in the box round the turned one, and where it changes by no more than a meter a meter
// also those of its middle: the box of a turned box is up to √3 times as wide.
func (t *turned) bounds(x, y, z geom.Interval) geom.Interval {
	span := func(a geom.Vec3, inverse float32) geom.Interval {
		return x.Mul(geom.Single(a.X)).Add(y.Mul(geom.Single(a.Y)).Add(z.Mul(geom.Single(a.Z)))).Mul(geom.Single(inverse))
	}
	i := t.solid.bounds(span(t.axes[0], t.inverse.X), span(t.axes[1], t.inverse.Y), span(t.axes[2], t.inverse.Z))
	i = i.Mul(geom.Single(t.least)).Add(geom.Single(0))
	if _, ok := t.solid.(*volume); ok {
		return i
	}
	// The axes are of length 1 within 2⁻²¹, and a point's place along them as exact: with what lipschitz allows
	// for, that is 2⁻¹⁷ of its coordinates at most.
	slack := float32((x.Magnitude() + y.Magnitude() + z.Magnitude()) * (1.0 / (1 << 17)))
	return i.Intersect(lipschitz(t, x, y, z).Widen(slack))
}
