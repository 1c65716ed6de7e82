package sdf

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
)

// Rotated is a solid that was stretched along its own axes and then rotated round its place. Its density is that
// of the solid where the point was before, times the least stretch: never more than the distance.
type Rotated struct {
	Solid
	*graph.Rotation
	Metric bool // the solid's density changes by at most a meter a meter
}

// along returns the place of x, y, z along an axis of the solid, given the share of y and z.
func along(axis geom.Vec3, x, yz, inverse float32) float32 {
	return float32((float32(x*axis.X) + yz) * inverse)
}

// across returns the share of y and z in a place along an axis.
func across(axis geom.Vec3, y, z float32) float32 { return float32(y*axis.Y) + float32(z*axis.Z) }

func (t *Rotated) At(x, y, z float32) float32 {
	return t.seen(x, across(t.Axes[0], y, z), across(t.Axes[1], y, z), across(t.Axes[2], y, z))
}

// seen returns the density at x, given the shares of y and z along the solid's axes.
func (t *Rotated) seen(x, a, b, c float32) float32 {
	v := t.Solid.At(along(t.Axes[0], x, a, t.Inverse.X), along(t.Axes[1], x, b, t.Inverse.Y), along(t.Axes[2], x, c, t.Inverse.Z))
	return float32(v*t.Least) + 0
}

func (t *Rotated) Row(dst, x []float32, y, z float32) {
	a, b, c := across(t.Axes[0], y, z), across(t.Axes[1], y, z), across(t.Axes[2], y, z)
	for i, x := range x {
		dst[i] = t.seen(x, a, b, c)
	}
}

// Bounds are the solid's in the box round the rotated one, and where it changes by no more than a meter a meter
// also those of its middle: the box of a rotated box is up to √3 times as wide.
func (t *Rotated) Bounds(x, y, z geom.Interval) geom.Interval {
	span := func(a geom.Vec3, inverse float32) geom.Interval {
		return x.Mul(geom.Single(a.X)).Add(y.Mul(geom.Single(a.Y)).Add(z.Mul(geom.Single(a.Z)))).Mul(geom.Single(inverse))
	}
	i := t.Solid.Bounds(span(t.Axes[0], t.Inverse.X), span(t.Axes[1], t.Inverse.Y), span(t.Axes[2], t.Inverse.Z))
	i = i.Mul(geom.Single(t.Least)).Add(geom.Single(0))
	if !t.Metric {
		return i
	}
	// The axes are of length 1 within 2⁻²¹, and a point's place along them as exact: with what lipschitz allows
	// for, that is 2⁻¹⁷ of its coordinates at most.
	slack := float32((x.Magnitude() + y.Magnitude() + z.Magnitude()) * (1.0 / (1 << 17)))
	return i.Intersect(lipschitz(t, x, y, z).Widen(slack))
}
