package testground

import (
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// Rough is a ground in which no two samples are alike.
var Rough = Ground{Height: 3.25, SlopeX: 0.375, SlopeZ: -0.25, Rough: 2}

// Place returns the place at an offset in meters from the sample x, y, z.
func Place(x, y, z int32, dx, dy, dz float32) lattice.Place {
	return lattice.Place{Sample: lattice.Sample{X: x, Y: y, Z: z}, Offset: geom.Vec3{X: dx, Y: dy, Z: dz}}
}

// Ball returns a ball-shaped edit of radius r and blend radius k.
func Ball(op edit.Op, r, k float32, p lattice.Place) edit.Checked {
	return edit.Must(edit.Edit{Op: op, Shape: edit.Ball, Radius: r, Smooth: k, Place: p})
}
