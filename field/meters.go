package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Between samples the density is what a mesh of level 0 shows: the trilinear mix of the eight samples round a point. It
// is not the formula of a graph at that point, which the mesh never sees: a sphere's surface lies a little inside its
// radius between samples, and whatever is to lie on the ground that people see must be told the same.

// AtPlace returns the density of f at a place, mixed from the eight samples round it. A place is exact anywhere in a
// world; where whole meters are all that is known, see [AtMeters]. It allocates nothing if f's At does not.
func AtPlace(f Field, p lattice.Place) float32 {
	c := cellAt(f, p.Sample)
	o := p.Offset
	low := scalar.Lerp(scalar.Lerp(c[0], c[1], o.X), scalar.Lerp(c[2], c[3], o.X), o.Y)
	high := scalar.Lerp(scalar.Lerp(c[4], c[5], o.X), scalar.Lerp(c[6], c[7], o.X), o.Y)
	return scalar.Lerp(low, high, o.Z) + 0
}

// GradientAtPlace returns how the density of f changes at a place, in each meter along x, y and z: the derivative of
// what [AtPlace] returns in the cell that the place lies in. It points into the ground; the normal of the surface is
// the opposite direction. On a cell's face it is that of the cell on the high side.
func GradientAtPlace(f Field, p lattice.Place) geom.Vec3 {
	c := cellAt(f, p.Sample)
	o := p.Offset
	mix := func(a, b, c, d, s, t float32) float32 {
		return scalar.Lerp(scalar.Lerp(a, b, s), scalar.Lerp(c, d, s), t) + 0
	}
	return geom.Vec3{
		X: mix(c[1]-c[0], c[3]-c[2], c[5]-c[4], c[7]-c[6], o.Y, o.Z),
		Y: mix(c[2]-c[0], c[3]-c[1], c[6]-c[4], c[7]-c[5], o.X, o.Z),
		Z: mix(c[4]-c[0], c[5]-c[1], c[6]-c[2], c[7]-c[3], o.X, o.Y),
	}
}

// AtMeters is [AtPlace] of the point x, y, z in meters. ok is false outside the world. A float64 of meters keeps
// micrometers ten million meters out; what a float32 of meters has lost there it has lost before.
func AtMeters(f Field, x, y, z float64) (density float32, ok bool) {
	p, ok := lattice.PlaceAt(x, y, z)
	if !ok {
		return 0, false
	}
	return AtPlace(f, p), true
}

// GradientAtMeters is [GradientAtPlace] of the point x, y, z in meters. ok is false outside the world.
func GradientAtMeters(f Field, x, y, z float64) (gradient geom.Vec3, ok bool) {
	p, ok := lattice.PlaceAt(x, y, z)
	if !ok {
		return geom.Vec3{}, false
	}
	return GradientAtPlace(f, p), true
}

// cellAt returns the densities of the corners of the cell whose low corner is s: corner bit 0 is x, bit 1 y, bit 2 z.
func cellAt(f Field, s lattice.Sample) (c [8]float32) {
	for i := range c {
		k := int32(i)
		c[i] = f.At(s.Add(k&1, k>>1&1, k>>2))
	}
	return c
}
