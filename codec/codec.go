package codec

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/terrane/terrane/mesh"
)

// A Format is a file format for meshes.
type Format uint8

// The formats.
const (
	GLB Format = iota + 1
	STL
	OBJ
	PLY
)

// formats names each format as files' endings do.
var formats = [...]string{GLB: "glb", STL: "stl", OBJ: "obj", PLY: "ply"}

func (f Format) String() string {
	if int(f) < len(formats) && formats[f] != "" {
		return formats[f]
	}
	return fmt.Sprintf("Format(%d)", f)
}

// ParseFormat returns the format of a name, which is a file's ending without its dot, in lower case.
func ParseFormat(name string) (Format, error) {
	for f, known := range formats {
		if known != "" && known == name {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("format %q is unknown; meshes are written as glb, stl, obj or ply", name)
}

// Options are the settings a mesh does not carry. The zero value is useful.
type Options struct {
	Name   string     // what it is called inside the file
	Origin [3]float64 // where its 0, 0, 0 lies
	Color  [3]float32 // base color of its material, linear, 0 … 1; all 0 is a light gray
	// Palette, if it is given, has the colors of the mesh's materials in sRGB: GLB and PLY then have a color to
	// each vertex.
	Palette [][3]uint8
}

// The errors of Write, wrapped with what was found.
var (
	// ErrEmpty reports a mesh without triangles, which many readers reject.
	ErrEmpty = errors.New("codec: the mesh has no triangles")
	// ErrInvalid reports a mesh that is malformed: an index past the vertices, a coordinate that is not finite.
	ErrInvalid = errors.New("codec: not a mesh")
	// ErrTooLarge reports a mesh whose counts or bytes a field of the format cannot hold: 32 bits in GLB and STL.
	ErrTooLarge = errors.New("codec: too large for the format")
)

// Write writes m to w.
func Write(w io.Writer, f Format, m *mesh.Mesh, o Options) error {
	if err := check(m, o); err != nil {
		return err
	}
	switch f {
	case GLB:
		return writeGLB(w, m, o)
	case STL:
		return writeSTL(w, m, o)
	case OBJ:
		return writeOBJ(w, m, o)
	case PLY:
		return writePLY(w, m, o)
	}
	return fmt.Errorf("codec: %v is no format", f)
}

// Size returns how many bytes Write writes of m without colors, all but exactly; of OBJ, whose numbers are text,
// an estimate.
func Size(f Format, m *mesh.Mesh) int64 {
	vertices, triangles := int64(m.Vertices()), int64(m.Triangles())
	vectors := int64(len(m.Positions)+len(m.Normals)) * 4
	switch f {
	case GLB:
		return glbLayout(m, Options{}, m.Vertices() <= maxShortVertices).size + 1024
	case STL:
		return stlHeader + 4 + 50*triangles
	case PLY:
		return vectors + 13*triangles + 256
	}
	return vectors*5/2 + vertices*6 + triangles*24 // OBJ: some ten digits a number
}

// check refuses what no reader would take.
func check(m *mesh.Mesh, o Options) error {
	n := m.Vertices()
	switch {
	case len(m.Indices) == 0 && len(m.Positions)%3 == 0:
		return ErrEmpty
	case len(m.Positions)%3 != 0 || len(m.Indices)%3 != 0:
		return fmt.Errorf("%w: %d coordinates and %d indices are not threes", ErrInvalid, len(m.Positions), len(m.Indices))
	case len(m.Normals) != 0 && len(m.Normals) != len(m.Positions):
		return fmt.Errorf("%w: %d normals for %d vertices", ErrInvalid, len(m.Normals)/3, n)
	}
	for i, v := range m.Indices {
		if uint64(v) >= uint64(n) {
			return fmt.Errorf("%w: triangle %d uses vertex %d of %d", ErrInvalid, i/3, v, n)
		}
	}
	for i, v := range m.Positions {
		if v-v != 0 { // NaN or infinite
			return fmt.Errorf("%w: vertex %d has the coordinate %v", ErrInvalid, i/3, v)
		}
	}
	for _, v := range o.Origin {
		if v-v != 0 {
			return fmt.Errorf("%w: the origin is %v", ErrInvalid, o.Origin)
		}
	}
	return checkColors(m, o)
}

// normal returns the normal of vertex i, made usable.
func normal(m *mesh.Mesh, i int) [3]float32 {
	n := [3]float32{m.Normals[3*i], m.Normals[3*i+1], m.Normals[3*i+2]}
	x, y, z := float64(n[0]), float64(n[1]), float64(n[2])
	length := math.Sqrt(x*x + y*y + z*z)
	switch {
	case !(length > 1e-12) || math.IsInf(length, 0):
		return [3]float32{0, 1, 0}
	case math.Abs(length-1) > 1e-4:
		return [3]float32{float32(x / length), float32(y / length), float32(z / length)}
	}
	return n
}

// flat returns the unit normal of triangle t, zero if it has no area.
func flat(m *mesh.Mesh, t int) [3]float32 {
	var p [3][3]float64
	for k := range 3 {
		v := 3 * int(m.Indices[3*t+k])
		for axis := range 3 {
			p[k][axis] = float64(m.Positions[v+axis])
		}
	}
	var a, b [3]float64
	for axis := range 3 {
		a[axis], b[axis] = p[1][axis]-p[0][axis], p[2][axis]-p[0][axis]
	}
	n := [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if length == 0 {
		return [3]float32{}
	}
	return [3]float32{float32(n[0] / length), float32(n[1] / length), float32(n[2] / length)}
}
