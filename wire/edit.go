package wire

import (
	"github.com/terrane/terrane/edit"
)

// EditOf returns the wire form of c.
func EditOf(c edit.Checked) Edit {
	e := c.Edit()
	return Edit{Op: uint32(e.Op), Shape: uint32(e.Shape), Radius: e.Radius, Smooth: e.Smooth, Place: e.Place}
}

// Edit returns e checked, or an error that wraps ErrInvalid and says what is wrong and what would be right.
func (e Edit) Edit() (edit.Checked, error) {
	if e.Op > 255 || e.Shape > 255 { // does not fit the engine's form; its own check names the small ones
		return edit.Checked{}, fail(ErrInvalid, "edit: no such operation or shape; operation 1 digs, 2 builds, shape 1 is a ball")
	}
	v := edit.Edit{
		Op: edit.Op(e.Op), Shape: edit.Shape(e.Shape), Radius: e.Radius, Smooth: e.Smooth,
		Place: e.Place,
	}
	c, err := v.Check()
	if err != nil {
		return edit.Checked{}, fail(ErrInvalid, err.Error())
	}
	return c, nil
}
