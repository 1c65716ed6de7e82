package mesh

import "fmt"

// What a vertex carries is said in this file and nowhere else: the fields of Vertex and Mesh, and the table in
// attributes, which everything that appends, moves or drops vertices goes through. Another attribute is a field in
// each, a bit of Attributes and a row of the table; TestAttributes finds what is forgotten.

// A Vertex is one vertex with all its attributes.
type Vertex struct {
	Position  [3]float32
	Normal    [3]float32
	Depth     float32
	Materials [4]uint8
}

// Attributes is a set of the attributes that vertices may have beside a position.
type Attributes uint8

// The attributes.
const (
	Normals Attributes = 1 << iota
	Depths
	Materials
)

// An Arrays holds the attributes of a run of vertices, an array each, in a mesh's own memory. The array of an
// attribute that the mesh lacks is empty.
type Arrays struct {
	Positions []float32
	Normals   []float32
	Depths    []float32
	Materials []uint8
}

// An attribute is one array of a mesh: floats or bytes, so many to a vertex.
type attribute struct {
	name   string
	bit    Attributes // 0 for positions, which every vertex has
	width  int
	floats *[]float32
	bytes  *[]uint8
}

// arrays is the number of arrays that vertices are spread over.
const arrays = 4

// attributes returns the arrays of m, positions first.
func (m *Mesh) attributes() [arrays]attribute {
	return [arrays]attribute{
		{name: "position", width: 3, floats: &m.Positions},
		{name: "normal", bit: Normals, width: 3, floats: &m.Normals},
		{name: "depth", bit: Depths, width: 1, floats: &m.Depths},
		{name: "materials", bit: Materials, width: 4, bytes: &m.Materials},
	}
}

// Slice returns the n vertices from number first on, to be read or written: batches write into the mesh without a
// call for each vertex.
func (m *Mesh) Slice(first, n int) Arrays {
	s := Arrays{Positions: m.Positions[3*first : 3*(first+n)]}
	if len(m.Normals) != 0 {
		s.Normals = m.Normals[3*first : 3*(first+n)]
	}
	if len(m.Depths) != 0 {
		s.Depths = m.Depths[first : first+n]
	}
	if len(m.Materials) != 0 {
		s.Materials = m.Materials[4*first : 4*(first+n)]
	}
	return s
}

// Vertex returns vertex i. What the mesh does not have is 0.
func (m *Mesh) Vertex(i int) (v Vertex) {
	s := m.Slice(i, 1)
	copy(v.Position[:], s.Positions)
	copy(v.Normal[:], s.Normals)
	copy(v.Materials[:], s.Materials)
	if len(s.Depths) != 0 {
		v.Depth = s.Depths[0]
	}
	return v
}

// SetVertex makes vertex i what v is, as far as the mesh has attributes for it.
func (m *Mesh) SetVertex(i int, v Vertex) {
	*(*[3]float32)(m.Positions[3*i:]) = v.Position
	if len(m.Normals) != 0 {
		*(*[3]float32)(m.Normals[3*i:]) = v.Normal
	}
	if len(m.Depths) != 0 {
		m.Depths[i] = v.Depth
	}
	if len(m.Materials) != 0 {
		*(*[4]uint8)(m.Materials[4*i:]) = v.Materials
	}
}

// len returns the number of vertices that have the attribute.
func (a *attribute) len() int {
	if a.bytes != nil {
		return len(*a.bytes) / a.width
	}
	return len(*a.floats) / a.width
}

// room returns the number of vertices that there is memory for.
func (a *attribute) room() int {
	if a.bytes != nil {
		return cap(*a.bytes) / a.width
	}
	return cap(*a.floats) / a.width
}

// resize gives the first n vertices the attribute. Where it is added before number known it is 0, and undefined after.
func (a *attribute) resize(n, known int) {
	if a.bytes != nil {
		*a.bytes = resized(*a.bytes, a.width*n, a.width*known)
	} else {
		*a.floats = resized(*a.floats, a.width*n, a.width*known)
	}
}

// resized returns s with length n; what is added before number known is 0. Memory grows by halves.
func resized[T float32 | uint8](s []T, n, known int) []T {
	old := len(s)
	if n > cap(s) {
		s = append(make([]T, 0, n+n/2), s...)
	}
	if s = s[:n]; old < min(known, n) {
		clear(s[old:min(known, n)])
	}
	return s
}

// move makes n vertices from number to on what those from number from on are.
func (a *attribute) move(to, from, n int) {
	if a.bytes != nil {
		copy((*a.bytes)[a.width*to:a.width*(to+n)], (*a.bytes)[a.width*from:])
	} else {
		copy((*a.floats)[a.width*to:a.width*(to+n)], (*a.floats)[a.width*from:])
	}
}

// write copies all of o's array, if o's vertices have the attribute, to the vertices from number first on.
func (a *attribute) write(first int, o *attribute) {
	if o.len() == 0 {
		return
	}
	if a.bytes != nil {
		copy((*a.bytes)[a.width*first:], *o.bytes)
	} else {
		copy((*a.floats)[a.width*first:], *o.floats)
	}
}

// check returns an error unless n vertices, or none, have the attribute, all of them finite.
func (a *attribute) check(n int) error {
	if a.bytes != nil {
		if got := len(*a.bytes); got != 0 && got != a.width*n {
			return fmt.Errorf("mesh: %d bytes of %s for %d vertices, want %d each", got, a.name, n, a.width)
		}
		return nil
	}
	if got := len(*a.floats); got != 0 && got != a.width*n {
		return fmt.Errorf("mesh: %d %s numbers for %d vertices, want %d each", got, a.name, n, a.width)
	}
	for i, f := range *a.floats {
		if !finite(f) {
			return fmt.Errorf("mesh: %s of vertex %d is %v", a.name, i/a.width, f)
		}
	}
	return nil
}

func finite(f float32) bool { return f-f == 0 }
