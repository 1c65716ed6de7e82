package geom

import "math"

// A Vec3 is a point or a direction in meters.
type Vec3 struct{ X, Y, Z float32 }

// Add returns v + w.
func (v Vec3) Add(w Vec3) Vec3 { return Vec3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v − w.
func (v Vec3) Sub(w Vec3) Vec3 { return Vec3{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Mul returns v scaled by s.
func (v Vec3) Mul(s float32) Vec3 { return Vec3{v.X * s, v.Y * s, v.Z * s} }

// Dot returns the scalar product, each product rounded before it is added.
func (v Vec3) Dot(w Vec3) float32 {
	return float32(v.X*w.X) + float32(v.Y*w.Y) + float32(v.Z*w.Z)
}

// Cross returns the vector product of v and w.
func (v Vec3) Cross(w Vec3) Vec3 {
	return Vec3{
		float32(v.Y*w.Z) - float32(v.Z*w.Y),
		float32(v.Z*w.X) - float32(v.X*w.Z),
		float32(v.X*w.Y) - float32(v.Y*w.X),
	}
}

// Len returns the length of v.
func (v Vec3) Len() float32 { return Sqrt(v.Dot(v)) }

// Unit returns v scaled to length 1, and the zero vector for the zero vector.
func (v Vec3) Unit() Vec3 {
	l := v.Len()
	if l == 0 {
		return Vec3{}
	}
	return Vec3{v.X / l, v.Y / l, v.Z / l}
}

// Finite reports whether no component is NaN or infinite.
func (v Vec3) Finite() bool { return Finite(v.X) && Finite(v.Y) && Finite(v.Z) }

// Finite reports whether f is neither NaN nor infinite.
func Finite(f float32) bool { return math.Float32bits(f)&0x7f800000 != 0x7f800000 }

// Sqrt returns the correctly rounded float32 square root: the same bits on every machine.
func Sqrt(f float32) float32 { return float32(math.Sqrt(float64(f))) }

// A Box is the half-open box of points p with Min ≤ p < Max on every axis.
type Box struct{ Min, Max Vec3 }

// Contains reports whether p lies in b.
func (b Box) Contains(p Vec3) bool {
	return p.X >= b.Min.X && p.X < b.Max.X &&
		p.Y >= b.Min.Y && p.Y < b.Max.Y &&
		p.Z >= b.Min.Z && p.Z < b.Max.Z
}

// A Ray starts at Origin and runs along Dir, which has length 1.
type Ray struct{ Origin, Dir Vec3 }

// At returns the point t meters along the ray.
func (r Ray) At(t float32) Vec3 {
	return Vec3{
		r.Origin.X + float32(r.Dir.X*t),
		r.Origin.Y + float32(r.Dir.Y*t),
		r.Origin.Z + float32(r.Dir.Z*t),
	}
}
