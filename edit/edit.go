package edit

import (
	"errors"
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// MaxReach bounds how far an edit's shape, its blend radius included, extends from its place along each axis, in
// meters. An edit then concerns at most 2×2 regions, which are 256 m wide: with a greater reach one edit could cost a
// server more snapshots than its author is subscribed to.
const MaxReach = 64

// MinRadius is the smallest radius and half side in meters; a smaller shape can miss every sample.
const MinRadius = 0.25

// A Brush is an operation with a shape. What a shape or an operation does not read is 0.
type Brush struct {
	Op     Op
	Shape  Shape
	Radius float32 // meters; of a ball MinRadius … MaxReach − Smooth
	Smooth float32 // blend radius k in meters, 0 for a hard edge
	// Extent is the second measure of shapes that need one, in meters; 0 for others.
	Extent geom.Vec3
	// Material is the number in the world's palette of what is painted; 0 for other operations.
	Material uint8
}

// An Edit is a brush at a place.
type Edit struct {
	Brush
	Place lattice.Place
}

// ErrInvalid is wrapped by the errors of Check.
var ErrInvalid = errors.New("invalid edit")

// Check returns e as a checked edit, or an error that wraps ErrInvalid and says what would be right.
func (e Edit) Check() (Checked, error) {
	op, shape := e.Op.kind(), e.Shape.kind()
	switch {
	case op == nil:
		return Checked{}, fmt.Errorf("%w: operation %d is unknown; %s", ErrInvalid, e.Op, known(len(operations), func(i int) string { return operations[i].name }))
	case shape == nil:
		return Checked{}, fmt.Errorf("%w: shape %d is unknown; %s", ErrInvalid, e.Shape, known(len(shapes), func(i int) string { return shapes[i].name }))
	case !(e.Smooth >= 0 && e.Smooth <= MaxReach): // false for NaN
		return Checked{}, fmt.Errorf("%w: smooth %v m is outside 0 … %v m", ErrInvalid, e.Smooth, MaxReach)
	case !e.Place.Valid():
		return Checked{}, fmt.Errorf("%w: place %v is outside the world or its offset outside [0, 1)", ErrInvalid, e.Place)
	}
	if err := op.check(e.Brush); err != nil {
		return Checked{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err := shape.check(e.Brush); err != nil {
		return Checked{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return Checked{edit: e, box: e.boxAt(0)}, nil
}

// known lists the numbers and names of a table's rows from 1 on.
func known(n int, name func(int) string) string {
	text := ""
	for i := 1; i < n; i++ {
		if i > 1 {
			text += ", "
		}
		text += fmt.Sprintf("%d is %s", i, name(i))
	}
	return text
}

// Must returns e as a checked edit and panics if it is invalid: for edits that a program is written with.
func Must(e Edit) Checked {
	c, err := e.Check()
	if err != nil {
		panic("edit: " + err.Error())
	}
	return c
}
