package graph

import (
	"fmt"

	"github.com/terrane/terrane/geom"
)

// What kernels compute with is derived of a node's floats here and nowhere else, so that the evaluator and the shaders
// read the same bits. Each product is rounded before it is added, as everywhere.

// positiveZeros makes −0 +0.
func positiveZeros(f []float32) ([]float32, error) {
	c := make([]float32, len(f))
	for i, v := range f {
		c[i] = v + 0
	}
	return c, nil
}

// deriveRange checks that low is not over high.
func deriveRange(f []float32) ([]float32, error) {
	if f[0] > f[1] {
		return nil, fmt.Errorf("low %g is over high %g", f[0]+0, f[1]+0)
	}
	return positiveZeros(f)
}

// deriveSmoothstep returns low and the inverse of the width.
func deriveSmoothstep(f []float32) ([]float32, error) {
	low, high := f[0], f[1]
	if !(high-low >= minMeters) {
		return nil, fmt.Errorf("low %g and high %g, want high at least %g over low", low, high, minMeters)
	}
	return []float32{low, 1 / (high - low)}, nil
}

// deriveBump returns the inverse of the width.
func deriveBump(f []float32) ([]float32, error) { return []float32{1 / f[0]}, nil }

// deriveTerrace returns the height, its inverse and the share that rises.
func deriveTerrace(f []float32) ([]float32, error) { return []float32{f[0], 1 / f[0], f[1]}, nil }

// deriveBox returns half the size without the rounded edges, along x, y and z, and the radius of the edges, which
// is no more than half the least side.
func deriveBox(f []float32) ([]float32, error) {
	edge := least(f[:4])
	return []float32{f[0] - edge, f[1] - edge, f[2] - edge, edge}, nil
}

// deriveCapsule returns the line's end x, y, z, the radius and the square of the line's length.
func deriveCapsule(f []float32) ([]float32, error) {
	return []float32{f[0], f[1], f[2], f[3], float32(f[0]*f[0]) + (float32(f[1]*f[1]) + float32(f[2]*f[2]))}, nil
}

// derivePlane returns the normal with length 1; a normal of length 0 points up.
func derivePlane(f []float32) ([]float32, error) {
	v := geom.Vec3{X: f[0], Y: f[1], Z: f[2]}
	if l := v.Len(); l > 0 {
		return []float32{v.X / l, v.Y / l, v.Z / l}, nil
	}
	return []float32{0, 1, 0}, nil
}

// deriveEllipsoid returns the inverse radii and the least radius.
func deriveEllipsoid(f []float32) ([]float32, error) {
	return []float32{1 / f[0], 1 / f[1], 1 / f[2], least(f)}, nil
}

// deriveCone returns the height, the radius and the square of the slanted edge's length.
func deriveCone(f []float32) ([]float32, error) {
	return []float32{f[0], f[1], float32(f[0]*f[0]) + float32(f[1]*f[1])}, nil
}

// least returns the smallest of v.
func least(v []float32) float32 {
	m := v[0]
	for _, f := range v[1:] {
		if f < m {
			m = f
		}
	}
	return m
}

// deriveCurve returns for each point x, y and the slope of the line to the next, 0 for the last.
func deriveCurve(f []float32) ([]float32, error) {
	c := make([]float32, 0, len(f)/2*3)
	for i := 0; i < len(f); i += 2 {
		c = append(c, f[i]+0, f[i+1]+0, 0)
	}
	for i := 3; i < len(c); i += 3 {
		if !(c[i]-c[i-3] >= minMeters) {
			return nil, fmt.Errorf("x %g follows %g, want at least %g over it", c[i], c[i-3], minMeters)
		}
		c[i-1] = (c[i+1] - c[i-2]) / (c[i] - c[i-3])
	}
	return c, nil
}

// deriveSpline returns for each point x, y and the slope of the spline there: the harmonic mean of those of the lines
// beside it, weighted by their lengths (Fritsch, Butland 1984, "A method for constructing local monotone piecewise
// cubic interpolants", equation 4), and 0 where these differ in sign and at the ends. So it turns nowhere between two
// points, which is what the evaluator's bounds rest on, and nothing jumps where it levels off.
func deriveSpline(f []float32) ([]float32, error) {
	c, err := deriveCurve(f)
	if err != nil {
		return nil, err
	}
	s := make([]float32, len(c))
	copy(s, c)
	for i := 3; i < len(c); i += 3 {
		s[i+2] = 0
		a, b := c[i-1], c[i+2]
		if i == len(c)-3 || float32(a*b) <= 0 {
			continue
		}
		before, after := c[i]-c[i-3], c[i+3]-c[i]
		wa, wb := before+float32(2*after), float32(2*before)+after
		s[i+2] = (wa + wb) / (wa/a + wb/b)
	}
	s[2] = 0
	return s, nil
}

// A Rotation describes how a shape is stretched along its own axes and then rotated round its place.
type Rotation struct {
	Axes    [3]geom.Vec3 // of the shape, in the world
	Inverse geom.Vec3    // of the stretch
	Least   float32      // of the stretch: a distance before it is at least this much after it
}

// deriveRotation makes the rotation of a quaternion x, y, z, w, of any length over 0, and a stretch along x, y and z.
func deriveRotation(f []float32) (*Rotation, error) {
	x, y, z, w := f[0], f[1], f[2], f[3]
	square := float32(x*x) + float32(y*y) + (float32(z*z) + float32(w*w))
	if !(square >= 1e-6) {
		return nil, fmt.Errorf("its rotation %g, %g, %g, %g is no quaternion, want one of length 1", x, y, z, w)
	}
	l := geom.Sqrt(square)
	x, y, z, w = x/l, y/l, z/l, w/l
	double := func(a, b float32) float32 { return float32(2 * float32(a*b)) }
	xx, yy, zz := double(x, x), double(y, y), double(z, z)
	xy, xz, yz := double(x, y), double(x, z), double(y, z)
	wx, wy, wz := double(w, x), double(w, y), double(w, z)
	return &Rotation{
		Axes: [3]geom.Vec3{
			{X: 1 - yy - zz, Y: xy + wz, Z: xz - wy},
			{X: xy - wz, Y: 1 - xx - zz, Z: yz + wx},
			{X: xz + wy, Y: yz - wx, Z: 1 - xx - yy},
		},
		Inverse: geom.Vec3{X: 1 / f[4], Y: 1 / f[5], Z: 1 / f[6]},
		Least:   least(f[4:7]),
	}, nil
}
