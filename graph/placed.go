package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/fdlibm"
)

// Repeated returns the shape n repeated endlessly: x, y and z are the samples from one to the next, 0 for an axis along
// which there is only one. It returns an error if n is no shape that repeats. Like its siblings it leaves n as it is.
func (n Node) Repeated(x, y, z int32) (Node, error) {
	info := InfoOf(n.Kind)
	if info == nil || info.Repeat == nil || len(n.Ints) < len(info.Ints) {
		return n, fmt.Errorf("a node of kind %v does not repeat", n.Kind)
	}
	n.Ints = append(slices.Clone(n.Ints[:len(info.Ints)]), int64(x), int64(y), int64(z))
	return n, nil
}

// Rotated returns the shape n rotated round its place, after what rotated it before: by an angle in degrees,
// counter-clockwise seen from where the axis points to. If the shape repeats each rotates by itself. A slab does not
// rotate; a flat box does. It returns an error if n is no shape that rotates or the axis has no length.
//
// The sine is the engine's own, so that every machine makes the same graph; the quaternions are multiplied in float64
// and rounded once.
func (n Node) Rotated(axis geom.Vec3, degrees float64) (Node, error) {
	l := math.Sqrt(float64(axis.X)*float64(axis.X) + float64(axis.Y)*float64(axis.Y) + float64(axis.Z)*float64(axis.Z))
	if !(l > 0) {
		return n, errors.New("the axis of a rotation has no length")
	}
	n, f, err := n.rotation()
	if err != nil {
		return n, err
	}
	half := degrees / 360 * math.Pi
	s, w := fdlibm.Sin(half)/l, fdlibm.Cos(half)
	x, y, z := s*float64(axis.X), s*float64(axis.Y), s*float64(axis.Z)
	p, q, r, v := float64(f[0]), float64(f[1]), float64(f[2]), float64(f[3])
	f[0] = float32(float64(w*p) + float64(x*v) + float64(y*r) - float64(z*q))
	f[1] = float32(float64(w*q) + float64(y*v) + float64(z*p) - float64(x*r))
	f[2] = float32(float64(w*r) + float64(z*v) + float64(x*q) - float64(y*p))
	f[3] = float32(float64(w*v) - float64(x*p) - float64(y*q) - float64(z*r))
	return n, nil
}

// Oriented returns the shape n with a rotation of its own instead of what rotated it before: the quaternion x, y, z, w.
func (n Node) Oriented(quaternion [4]float32) (Node, error) {
	n, f, err := n.rotation()
	if err == nil {
		copy(f, quaternion[:])
	}
	return n, err
}

// Stretched returns the shape n stretched along its own axes, from its place and before what rotates it.
func (n Node) Stretched(by geom.Vec3) (Node, error) {
	n, f, err := n.rotation()
	if err == nil {
		f[4], f[5], f[6] = float32(f[4]*by.X), float32(f[5]*by.Y), float32(f[6]*by.Z)
	}
	return n, err
}

// rotation returns n with floats of its own and those of them that rotate and stretch it, which it gets if it has none.
func (n Node) rotation() (Node, []float32, error) {
	info := InfoOf(n.Kind)
	if info == nil || info.Rotation == nil || len(n.Floats) < len(info.Floats) {
		return n, nil, fmt.Errorf("a node of kind %v does not rotate", n.Kind)
	}
	f := slices.Clone(n.Floats)
	if len(f) == len(info.Floats) {
		f = append(f, 0, 0, 0, 1, 1, 1, 1)
	}
	n.Floats = f
	return n, f[len(info.Floats):], nil
}
