package codec

import (
	"fmt"
	"io"
	"math"

	"github.com/terrane/terrane/mesh"
)

// stlHeader is the size of the free text that a binary STL begins with. It must not begin with "solid":
// readers take that for the text form.
const stlHeader = 80

// writeSTL writes the binary form: per triangle its normal, its corners and two unused bytes.
func writeSTL(w io.Writer, m *mesh.Mesh, o Options) error {
	if uint64(m.Triangles()) > math.MaxUint32 {
		return fmt.Errorf("%w: %d triangles; an STL holds %d", ErrTooLarge, m.Triangles(), uint32(math.MaxUint32))
	}
	out := newWriter(w)
	text := "Terrane STL"
	if o.Origin != [3]float64{} {
		text += fmt.Sprintf(", origin %g %g %g", o.Origin[0], o.Origin[1], o.Origin[2])
	}
	header := make([]byte, stlHeader)
	copy(header, text)
	out.buf = append(out.buf, header...)
	out.u32(uint32(m.Triangles()))
	for t := range m.Triangles() {
		n := flat(m, t)
		out.f32s(n[:]...)
		for _, v := range m.Indices[3*t : 3*t+3] {
			out.f32s(m.Positions[3*v : 3*v+3]...)
		}
		out.buf = append(out.buf, 0, 0)
		out.room()
	}
	return out.flush()
}
