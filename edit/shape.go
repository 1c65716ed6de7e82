package edit

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// A Shape is the form of a brush.
type Shape uint8

// A shape is what the package knows of a Shape. Its distance is signed, in meters, negative inside, and exact or
// less far than exact: along a meter it changes by a meter at most.
type shape struct {
	name string
	// check returns an error if a parameter that the shape reads is out of range, or one that it does not read is
	// not 0. Smooth was checked before.
	check func(b Brush) error
	// extent returns the box, in meters from the place, of the points within Smooth and margin meters of the shape.
	extent func(b Brush, margin float32) (lo, hi geom.Vec3)
	// volume returns about how many cubic meters lie within margin meters of the shape or inside it.
	volume func(b Brush, margin float64) float64
	// least returns a distance that no point of the box from lo to hi, in meters from the place, is below.
	least func(b Brush, lo, hi geom.Vec3) float32
	// row returns the range of x that holds the points of the line y, z within margin meters of the shape, in meters
	// from the place. It may be a little wider than need be; lo > hi stands for none.
	row func(b Brush, y, z, margin float64) (lo, hi float64)
}

// shapes holds each shape by its number.
var shapes = [...]shape{
	Ball: ballShape,
}

// kind returns what is known of s, nil for a number that is no shape's.
func (s Shape) kind() *shape {
	if s == 0 || int(s) >= len(shapes) {
		return nil
	}
	return &shapes[s]
}

// beyond stands for the distance of a sample that is out of the edit's reach: it keeps its value to the bit. No
// distance is that great.
const beyond = 1 << 40

// distances sets dst[i] to the distance from e's shape of the sample i steps of 1<<level along x from s, or to beyond
// where that is farther than smooth and margin meters. This is the loop that edits spend their time in, so shapes are
// told apart here, once a row, by a switch whose calls keep dst on the caller's stack.
func (e *Edit) distances(dst []float32, s lattice.Sample, level uint8, margin float32) {
	switch e.Shape {
	case Ball:
		ballRow(dst, e, s, level, margin)
	}
}

// toSample returns the vector in meters from e's place to s.
func (e *Edit) toSample(s lattice.Sample) geom.Vec3 {
	p := &e.Place
	return geom.Vec3{
		X: float32(s.X-p.Sample.X) - p.Offset.X,
		Y: float32(s.Y-p.Sample.Y) - p.Offset.Y,
		Z: float32(s.Z-p.Sample.Z) - p.Offset.Z,
	}
}
