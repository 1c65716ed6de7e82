package mesh

import (
	"math"
	"slices"

	"github.com/terrane/terrane/geom"
)

// A Mesh is an indexed triangle mesh. Its slices keep their memory over Reset, so one mesh per goroutine
// serves any number of chunks. Triangles run counter-clockwise seen from the air.
type Mesh struct {
	Positions []float32 // x, y, z per vertex, in meters from the origin its maker states (a chunk's low corner)
	Normals   []float32 // x, y, z per vertex, unit length, pointing into the air
	Depths    []float32 // per vertex: meters below the generated ground, negative above it; empty if unknown
	Indices   []uint32  // three per triangle
	// Materials holds four bytes per vertex, or nothing: the material of the solid and that of the air sample
	// between which the vertex lies, the weight of the second from 0 to 255, and 0.
	Materials []uint8
}

// Reset empties the mesh and keeps its memory.
func (m *Mesh) Reset() {
	m.Resize(0, 0)
	m.Indices = m.Indices[:0]
}

// Vertices returns the number of vertices.
func (m *Mesh) Vertices() int { return len(m.Positions) / 3 }

// Triangles returns the number of triangles.
func (m *Mesh) Triangles() int { return len(m.Indices) / 3 }

// Attributes returns the attributes that the vertices have beside a position.
func (m *Mesh) Attributes() Attributes {
	var has Attributes
	for _, a := range m.attributes() {
		if a.len() != 0 {
			has |= a.bit
		}
	}
	return has
}

// Resize makes m a mesh of n vertices. It drops the last ones, or adds some with the attributes has, which are
// undefined until they are written. An attribute that only some vertices come with is 0 for the others. Memory grows
// by halves; what there is room for allocates nothing.
func (m *Mesh) Resize(n int, has Attributes) {
	old := m.Vertices()
	for _, a := range m.attributes() {
		switch {
		case a.bit&^has == 0:
			a.resize(n, old)
		case a.len() != 0: // others have it, the added ones do not
			a.resize(n, n)
		}
	}
}

// Room returns the number of vertices with the attributes has, and with those of the mesh, that its memory is enough
// for.
func (m *Mesh) Room(has Attributes) int {
	n := math.MaxInt
	for _, a := range m.attributes() {
		if a.bit&^(has|m.Attributes()) == 0 {
			n = min(n, a.room())
		}
	}
	return n
}

// Append appends a vertex with the attributes has and returns its number.
func (m *Mesh) Append(v Vertex, has Attributes) uint32 {
	n := m.Vertices()
	m.Resize(n+1, has)
	m.SetVertex(n, v)
	return uint32(n)
}

// AppendMesh appends o, moved by offset.
func (m *Mesh) AppendMesh(o *Mesh, offset geom.Vec3) {
	first := m.Vertices()
	m.Resize(first+o.Vertices(), o.Attributes())
	to, from := m.attributes(), o.attributes()
	for i := range to {
		to[i].write(first, &from[i])
	}
	for p := m.Positions[3*first:]; len(p) >= 3; p = p[3:] {
		p[0], p[1], p[2] = p[0]+offset.X, p[1]+offset.Y, p[2]+offset.Z
	}
	m.Indices = slices.Grow(m.Indices, len(o.Indices))
	for _, v := range o.Indices {
		m.Indices = append(m.Indices, uint32(first)+v)
	}
}

// Move makes n vertices from number to on what those from number from on are; the runs may overlap.
func (m *Mesh) Move(to, from, n int) {
	if to == from {
		return
	}
	for _, a := range m.attributes() {
		if a.len() != 0 {
			a.move(to, from, n)
		}
	}
}

// Flip reverses the winding of all triangles, and leaves the normals.
func (m *Mesh) Flip() {
	for i := 0; i+2 < len(m.Indices); i += 3 {
		m.Indices[i+1], m.Indices[i+2] = m.Indices[i+2], m.Indices[i+1]
	}
}

// Memory makes slices of a length, whose contents are undefined.
type Memory interface {
	Floats(n int) []float32
	Uints(n int) []uint32
}

// Reserve gives m memory for so many vertices with the attributes has, and so many indices, in all: from memory if it
// is not nil. What the mesh holds is kept.
func (m *Mesh) Reserve(vertices, indices int, has Attributes, memory Memory) {
	floats, uints := makeSlice[float32], makeSlice[uint32]
	if memory != nil {
		floats, uints = memory.Floats, memory.Uints
	}
	for _, a := range m.attributes() {
		switch {
		case a.bit&^has != 0:
		case a.bytes != nil:
			*a.bytes = reserved(*a.bytes, a.width*vertices, makeSlice[uint8])
		default:
			*a.floats = reserved(*a.floats, a.width*vertices, floats)
		}
	}
	m.Indices = reserved(m.Indices, indices, uints)
}

func makeSlice[T float32 | uint32 | uint8](n int) []T { return make([]T, n) }

// reserved returns s with a capacity of at least n, made by alloc if need be.
func reserved[T float32 | uint32 | uint8](s []T, n int, alloc func(n int) []T) []T {
	if n <= cap(s) {
		return s
	}
	t := alloc(n)
	return t[:copy(t, s)]
}
