package gpu

import (
	"math"

	"github.com/terrane/terrane/edit"
)

// EditWords is the length of an edit in AppendEdits' result.
const EditWords = 12

// AppendEdits appends edits as the part edits.wgsl describes them.
func AppendEdits(dst []uint32, edits ...edit.Checked) []uint32 {
	f := math.Float32bits
	for _, c := range edits {
		e := c.Edit()
		s, o := e.Place.Sample, e.Place.Offset
		dst = append(dst, uint32(s.X), uint32(s.Y), uint32(s.Z), uint32(e.Op), f(o.X), f(o.Y), f(o.Z), f(e.Radius),
			f(e.Smooth), f(e.Radius+e.Smooth+2), 0, 0)
	}
	return dst
}
