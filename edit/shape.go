package edit

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// A Shape is the form of a brush.
type Shape uint8

// A shape is the row of a Shape in the table of shapes. Its distance is signed, in meters, negative inside, and exact or
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
	// sized sets what makes the shape of a brush from the size of a tool in meters and from how far it was drawn.
	sized func(b *Brush, size float32, drawn geom.Vec3)
	// wgsl is what a shader's function returns for the distance of the point p, in meters from the place: the same
	// formula as the row's in Go, with radius and extent as the brush has them.
	wgsl string
}

// shapes holds each shape by its number.
var shapes = [...]shape{
	Ball:   ballShape,
	Box:    boxShape,
	Stroke: strokeShape,
}

// kind returns what is known of s, nil for a number that is no shape's.
func (s Shape) kind() *shape {
	if s == 0 || int(s) >= len(shapes) {
		return nil
	}
	return &shapes[s]
}

// Distance returns the body of a WGSL function that returns the signed distance from the shape of a point p: vec3<f32>,
// in meters from the place, with radius: f32 and extent: vec3<f32> of the brush.
func (s Shape) Distance() string { return s.kind().wgsl }

// Sized returns b with the measures of its shape from the size of a tool in meters: a ball's radius, half the side of a
// cube. drawn is the way in meters from the edit's place to where the tool made the edit before, for shapes that join
// the two; 0 for a first one. A size or a way out of range is checked with the edit.
func (b Brush) Sized(size float32, drawn geom.Vec3) Brush {
	if k := b.Shape.kind(); k != nil {
		k.sized(&b, size, drawn)
	}
	return b
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
	case Box:
		boxRow(dst, e, s, level, margin)
	case Stroke:
		strokeRow(dst, e, s, level, margin)
	}
}
