package edit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// An Op says what a brush does to the density.
type Op uint8

// The operations. Their numbers are stored.
const (
	Dig   Op = 1 // density becomes min(before, −brush)
	Build Op = 2 // density becomes max(before, brush)
)

// A Shape is the form of a brush.
type Shape uint8

// The shapes. Their numbers are stored.
const (
	Ball Shape = 1
)

// MaxReach bounds Radius + Smooth in meters, so that an edit concerns at most 2×2 regions.
const MaxReach = 64

// MinRadius is the smallest radius in meters; a smaller ball can miss every sample.
const MinRadius = 0.25

// A Brush is a shape and what it does.
type Brush struct {
	Op     Op
	Shape  Shape
	Radius float32 // meters, MinRadius … MaxReach − Smooth
	Smooth float32 // blend radius k in meters, 0 for a hard edge
}

// An Edit is a brush at a place.
type Edit struct {
	Brush
	Place lattice.Place
}

// ErrInvalid is wrapped by the errors of Validate.
var ErrInvalid = errors.New("invalid edit")

// Validate says what is wrong with e, if anything. Every edit from outside is validated before it is used.
func (e Edit) Validate() error {
	switch {
	case e.Op != Dig && e.Op != Build:
		return fmt.Errorf("%w: operation %d is unknown; 1 digs, 2 builds", ErrInvalid, e.Op)
	case e.Shape != Ball:
		return fmt.Errorf("%w: shape %d is unknown; 1 is a ball", ErrInvalid, e.Shape)
	case !(e.Radius >= MinRadius && e.Radius <= MaxReach): // false for NaN
		return fmt.Errorf("%w: radius %v m is outside %v … %v m", ErrInvalid, e.Radius, MinRadius, MaxReach)
	case !(e.Smooth >= 0 && e.Smooth <= MaxReach):
		return fmt.Errorf("%w: smooth %v m is outside 0 … %v m", ErrInvalid, e.Smooth, MaxReach)
	case e.Radius+e.Smooth > MaxReach:
		return fmt.Errorf("%w: radius %v m + smooth %v m exceeds %v m", ErrInvalid, e.Radius, e.Smooth, MaxReach)
	case !e.Place.Valid():
		return fmt.Errorf("%w: place %v is outside the world or its offset outside [0, 1)", ErrInvalid, e.Place)
	}
	return nil
}

// Reach returns the distance in meters from the place beyond which no sample of the level changes.
func (e Edit) Reach(level uint8) float32 {
	return e.Radius + e.Smooth + float32(int32(2)<<level)
}

// Box returns the samples that e can change at the level; samples of finer levels between them are included.
func (e Edit) Box(level uint8) lattice.Box {
	r := e.Reach(level)
	axis := func(s int32, off float32) (int32, int32) {
		return s + int32(math.Floor(float64(off-r))), s + int32(math.Ceil(float64(off+r))) + 1
	}
	var b lattice.Box
	p := e.Place
	b.Min.X, b.Max.X = axis(p.Sample.X, p.Offset.X)
	b.Min.Y, b.Max.Y = axis(p.Sample.Y, p.Offset.Y)
	b.Min.Z, b.Max.Z = axis(p.Sample.Z, p.Offset.Z)
	return b
}

// Value returns the density of s at the level after e, where before is the density without it. The result
// may be NaN only if before is; it is never −0.
func (e Edit) Value(before float32, s lattice.Sample, level uint8) float32 {
	d := e.distance(s)
	if !(d <= e.Reach(level)) {
		return before
	}
	outside := d - e.Radius // signed distance to the ball
	if e.Op == Dig {
		return digSmooth(before, outside, e.Smooth) + 0
	}
	return -digSmooth(-before, outside, e.Smooth) + 0
}

// distance returns the distance in meters from e's place to s.
func (e Edit) distance(s lattice.Sample) float32 {
	p := e.Place
	x := float32(s.X-p.Sample.X) - p.Offset.X
	y := float32(s.Y-p.Sample.Y) - p.Offset.Y
	z := float32(s.Z-p.Sample.Z) - p.Offset.Z
	return geom.Sqrt(float32(x*x) + float32(y*y) + float32(z*z))
}

// digSmooth returns the smooth minimum of a and b with blend radius k (reference §1): min(a, b) − h²/(4k),
// h = max(k − |a−b|, 0). k = 0 is the plain minimum.
func digSmooth(a, b, k float32) float32 {
	m := b
	if a < b {
		m = a
	}
	if k == 0 {
		return m
	}
	diff := a - b
	if diff < 0 {
		diff = -diff
	}
	h := k - diff
	if !(h > 0) {
		return m
	}
	return m - float32(h*h)/float32(4*k)
}

// BinarySize is the number of bytes that AppendBinary appends.
const BinarySize = 36

// AppendBinary appends the binary form of e to dst.
func (e Edit) AppendBinary(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, 1, byte(e.Op), byte(e.Shape), 0)
	dst = le.AppendUint32(dst, math.Float32bits(e.Radius))
	dst = le.AppendUint32(dst, math.Float32bits(e.Smooth))
	p := e.Place
	for _, v := range [3]int32{p.Sample.X, p.Sample.Y, p.Sample.Z} {
		dst = le.AppendUint32(dst, uint32(v))
	}
	for _, v := range [3]float32{p.Offset.X, p.Offset.Y, p.Offset.Z} {
		dst = le.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

// The errors of Parse, wrapped with what was found.
var (
	ErrVersion = errors.New("edit: unknown version")
	ErrCorrupt = errors.New("edit: corrupt")
)

// Parse reads one edit from the front of data, validates it and returns the rest.
func Parse(data []byte) (e Edit, rest []byte, err error) {
	if len(data) < BinarySize {
		return e, nil, fmt.Errorf("%w: %d bytes, need %d", ErrCorrupt, len(data), BinarySize)
	}
	if data[0] != 1 {
		return e, nil, fmt.Errorf("%w: %d, know 1", ErrVersion, data[0])
	}
	if data[3] != 0 {
		return e, nil, fmt.Errorf("%w: reserved byte is %d", ErrCorrupt, data[3])
	}
	u := func(i int) uint32 { return binary.LittleEndian.Uint32(data[i:]) }
	f := func(i int) float32 { return math.Float32frombits(u(i)) }
	e.Op, e.Shape = Op(data[1]), Shape(data[2])
	e.Radius, e.Smooth = f(4), f(8)
	e.Place.Sample = lattice.Sample{X: int32(u(12)), Y: int32(u(16)), Z: int32(u(20))}
	e.Place.Offset = geom.Vec3{X: f(24), Y: f(28), Z: f(32)}
	if err := e.Validate(); err != nil {
		return Edit{}, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return e, data[BinarySize:], nil
}
