package codec

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/terrane/terrane/mesh"
)

// Numbers of the glTF 2.0 specification.
const (
	glbMagic     = 0x46546c67 // "glTF"
	glbJSON      = 0x4e4f534a // "JSON"
	glbBIN       = 0x004e4942 // "BIN\0"
	typeUint16   = 5123
	typeUint32   = 5125
	typeFloat32  = 5126
	targetVertex = 34962
	targetIndex  = 34963
)

// maxShortVertices is the most vertices that 16-bit indices number: the index 65535 is not allowed.
const maxShortVertices = math.MaxUint16

// writeGLB writes a glTF 2.0 asset in its one-file form: a header, a chunk of JSON, a chunk of bytes.
func writeGLB(w io.Writer, m *mesh.Mesh, o Options) error {
	short := m.Vertices() <= maxShortVertices
	layout := glbLayout(m, o, short)
	text := glbText(m, o, short, layout)
	for len(text)%4 != 0 {
		text += " "
	}
	total := 12 + 8 + int64(len(text)) + 8 + layout.size
	if total > math.MaxUint32 {
		return fmt.Errorf("%w: %d bytes; a GLB holds 4 GiB", ErrTooLarge, total)
	}
	out := newWriter(w)
	for _, v := range [...]uint32{glbMagic, 2, uint32(total), uint32(len(text)), glbJSON} {
		out.u32(v)
	}
	out.string(text)
	out.u32(uint32(layout.size))
	out.u32(glbBIN)
	for i := 0; i < len(m.Positions); i += 3 {
		out.f32s(m.Positions[i : i+3]...)
		out.room()
	}
	if len(m.Normals) > 0 {
		for i := range m.Vertices() {
			n := normal(m, i)
			out.f32s(n[:]...)
			out.room()
		}
	}
	if layout.colors > 0 {
		for i := range m.Vertices() {
			c := colorOf(m, o, i)
			for _, l := range [...]float64{c[0], c[1], c[2], 1} {
				v := uint16(math.Round(l * math.MaxUint16))
				out.buf = append(out.buf, byte(v), byte(v>>8))
			}
			out.room()
		}
	}
	for _, v := range m.Indices {
		if short {
			out.buf = append(out.buf, byte(v), byte(v>>8))
		} else {
			out.u32(v)
		}
		out.room()
	}
	if short && len(m.Indices)%2 != 0 {
		out.buf = append(out.buf, 0, 0)
	}
	return out.flush()
}

// A layout says where the parts of a GLB's bytes lie.
type layout struct {
	vectors int64 // bytes of the positions, and of the normals after them
	colors  int64 // bytes of the colors after those, four 16-bit numbers each
	indices int64 // where the indices begin
	length  int64 // bytes of the indices
	size    int64 // of all, padded to four
}

func glbLayout(m *mesh.Mesh, o Options, short bool) layout {
	l := layout{vectors: 4 * int64(len(m.Positions))}
	if colored(m, o) {
		l.colors = 8 * int64(m.Vertices())
	}
	l.indices = l.vectors + 4*int64(len(m.Normals)) + l.colors
	l.length = 4 * int64(len(m.Indices))
	if short {
		l.length /= 2
	}
	l.size = (l.indices + l.length + 3) &^ 3
	return l
}

// glbText returns the JSON. It is written by hand, since the bounds must be the very floats that follow.
func glbText(m *mesh.Mesh, o Options, short bool, l layout) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	name := jsonString(o.Name, "mesh")
	p(`{"asset":{"version":"2.0","generator":"Terrane"},"scene":0,"scenes":[{"nodes":[0]}],`)
	p(`"nodes":[{"name":%s,"mesh":0`, name)
	if o.Origin != [3]float64{} {
		p(`,"translation":[%s,%s,%s]`, number(o.Origin[0]), number(o.Origin[1]), number(o.Origin[2]))
	}
	color := o.Color
	if color == [3]float32{} {
		color = [3]float32{0.6, 0.6, 0.6}
	}
	if l.colors > 0 {
		color = [3]float32{1, 1, 1} // the vertices' are multiplied by it
	}
	p(`}],"materials":[{"name":"surface","pbrMetallicRoughness":{"baseColorFactor":[%s,%s,%s,1],"metallicFactor":0,"roughnessFactor":1}}],`,
		number(float64(color[0])), number(float64(color[1])), number(float64(color[2])))
	attributes, index := `"POSITION":0`, 1
	if len(m.Normals) > 0 {
		attributes, index = attributes+`,"NORMAL":1`, 2
	}
	if l.colors > 0 {
		attributes, index = fmt.Sprintf(`%s,"COLOR_0":%d`, attributes, index), index+1
	}
	p(`"meshes":[{"name":%s,"primitives":[{"attributes":{%s},"indices":%d,"material":0}]}],`, name, attributes, index)
	low, high := bounds(m.Positions)
	p(`"accessors":[{"bufferView":0,"componentType":%d,"count":%d,"type":"VEC3","min":[%s],"max":[%s]}`,
		typeFloat32, m.Vertices(), vector(low), vector(high))
	views := fmt.Sprintf(`{"buffer":0,"byteLength":%d,"target":%d}`, l.vectors, targetVertex)
	if len(m.Normals) > 0 {
		p(`,{"bufferView":1,"componentType":%d,"count":%d,"type":"VEC3"}`, typeFloat32, m.Vertices())
		views += fmt.Sprintf(`,{"buffer":0,"byteOffset":%d,"byteLength":%d,"target":%d}`, l.vectors, l.vectors, targetVertex)
	}
	if l.colors > 0 {
		p(`,{"bufferView":%d,"componentType":%d,"normalized":true,"count":%d,"type":"VEC4"}`, index-1, typeUint16, m.Vertices())
		views += fmt.Sprintf(`,{"buffer":0,"byteOffset":%d,"byteLength":%d,"target":%d}`, l.indices-l.colors, l.colors, targetVertex)
	}
	component := typeUint32
	if short {
		component = typeUint16
	}
	p(`,{"bufferView":%d,"componentType":%d,"count":%d,"type":"SCALAR"}],`, index, component, len(m.Indices))
	p(`"bufferViews":[%s,{"buffer":0,"byteOffset":%d,"byteLength":%d,"target":%d}],`, views, l.indices, l.length, targetIndex)
	p(`"buffers":[{"byteLength":%d}]}`, l.size)
	return b.String()
}

// bounds returns the least and the greatest of each coordinate.
func bounds(positions []float32) (low, high [3]float32) {
	copy(low[:], positions)
	copy(high[:], positions)
	for i := 0; i+3 <= len(positions); i += 3 {
		for axis, v := range positions[i : i+3] {
			if v < low[axis] {
				low[axis] = v
			}
			if v > high[axis] {
				high[axis] = v
			}
		}
	}
	return low, high
}

// vector writes three floats exactly: as the doubles they are, since readers compare doubles.
func vector(v [3]float32) string {
	return number(float64(v[0])) + "," + number(float64(v[1])) + "," + number(float64(v[2]))
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// jsonString quotes s for JSON, or the other string if s is empty.
func jsonString(s, other string) string {
	if s == "" {
		s = other
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s { // what is not UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
