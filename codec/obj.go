package codec

import (
	"io"
	"strconv"
	"strings"

	"github.com/terrane/terrane/mesh"
)

// writeOBJ writes text: v and vn lines, then f lines that count from 1.
func writeOBJ(w io.Writer, m *mesh.Mesh, o Options) error {
	out := newWriter(w)
	out.string("# Terrane OBJ\n")
	if name := strings.Join(strings.Fields(o.Name), "_"); name != "" {
		out.string("o " + name + "\n")
	}
	for i := range m.Vertices() {
		out.string("v")
		for axis, v := range m.Positions[3*i : 3*i+3] {
			out.buf = append(out.buf, ' ')
			if at := o.Origin[axis]; at != 0 {
				out.buf = strconv.AppendFloat(out.buf, at+float64(v), 'g', -1, 64)
			} else {
				out.buf = strconv.AppendFloat(out.buf, float64(v), 'g', -1, 32)
			}
		}
		out.buf = append(out.buf, '\n')
		out.room()
	}
	if len(m.Normals) > 0 {
		for i := range m.Vertices() {
			out.string("vn")
			for _, v := range normal(m, i) {
				out.buf = append(out.buf, ' ')
				out.buf = strconv.AppendFloat(out.buf, float64(v), 'g', -1, 32)
			}
			out.buf = append(out.buf, '\n')
			out.room()
		}
	}
	for t := range m.Triangles() {
		out.string("f")
		for _, v := range m.Indices[3*t : 3*t+3] {
			out.buf = append(out.buf, ' ')
			out.buf = strconv.AppendUint(out.buf, uint64(v)+1, 10)
			if len(m.Normals) > 0 {
				out.string("//")
				out.buf = strconv.AppendUint(out.buf, uint64(v)+1, 10)
			}
		}
		out.buf = append(out.buf, '\n')
		out.room()
	}
	return out.flush()
}
