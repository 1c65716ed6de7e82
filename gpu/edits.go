package gpu

import (
	"math"

	"github.com/terrane/terrane/edit"
)

// EditWords is the length of an edit in AppendEdits' result.
const EditWords = 12

// AppendEdits appends edits as the part edits.wgsl describes them. Every edit must be valid.
func AppendEdits(dst []uint32, edits ...edit.Edit) []uint32 {
	f := math.Float32bits
	for _, e := range edits {
		s, o := e.Place.Sample, e.Place.Offset
		dst = append(dst, uint32(s.X), uint32(s.Y), uint32(s.Z), uint32(e.Op), f(o.X), f(o.Y), f(o.Z), f(e.Radius),
			f(e.Smooth), f(e.Reach(0)), 0, 0)
	}
	return dst
}
