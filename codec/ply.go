package codec

import (
	"fmt"
	"io"
	"math"

	"github.com/terrane/terrane/mesh"
)

// writePLY writes the binary little-endian form.
func writePLY(w io.Writer, m *mesh.Mesh, o Options) error {
	if m.Vertices() > math.MaxInt32 || m.Triangles() > math.MaxInt32 {
		return fmt.Errorf("%w: %d vertices and %d triangles; a PLY holds %d", ErrTooLarge, m.Vertices(), m.Triangles(), math.MaxInt32)
	}
	out := newWriter(w)
	out.string("ply\nformat binary_little_endian 1.0\ncomment Terrane\n")
	if o.Origin != [3]float64{} {
		out.string(fmt.Sprintf("comment origin %g %g %g\n", o.Origin[0], o.Origin[1], o.Origin[2]))
	}
	out.string(fmt.Sprintf("element vertex %d\nproperty float x\nproperty float y\nproperty float z\n", m.Vertices()))
	if len(m.Normals) > 0 {
		out.string("property float nx\nproperty float ny\nproperty float nz\n")
	}
	if colored(m, o) {
		out.string("property uchar red\nproperty uchar green\nproperty uchar blue\n")
	}
	// int, not uint: some readers know no other list.
	out.string(fmt.Sprintf("element face %d\nproperty list uchar int vertex_indices\nend_header\n", m.Triangles()))
	for i := range m.Vertices() {
		out.f32s(m.Positions[3*i : 3*i+3]...)
		if len(m.Normals) > 0 {
			n := normal(m, i)
			out.f32s(n[:]...)
		}
		if colored(m, o) {
			c := colorOf(m, o, i)
			out.buf = append(out.buf, sRGB(c[0]), sRGB(c[1]), sRGB(c[2]))
		}
		out.room()
	}
	for t := range m.Triangles() {
		out.buf = append(out.buf, 3)
		for _, v := range m.Indices[3*t : 3*t+3] {
			out.u32(v)
		}
		out.room()
	}
	return out.flush()
}
