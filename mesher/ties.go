package mesher

import (
	"cmp"
	"slices"

	"github.com/terrane/terrane/mesh"
)

// nearSample returns how near to a sample a crossing must be to be looked at closely. Positions are float32
// and may be scaled, each of which moves one by at most 2⁻²⁴ of the distance from the origin; a crossing
// twice as near as both can round to the sample's own position.
func (v *view) nearSample() float32 {
	return float32(max(v.n[0], v.n[1], v.n[2])) / (1 << 22)
}

// noteTie notes a vertex if it lies on one of the samples of its edge: other edges of that sample may have
// theirs there too.
func (e *marcher) noteTie(at [3]int, axis int, t float32, vertex uint32) {
	v := &e.view
	place := func(d float32) float32 {
		return (float32(at[axis]-v.lo[axis]-v.shift) + d) * v.scale[axis]
	}
	if p := place(t); p == place(0) || p == place(1) {
		e.ties = append(e.ties, vertex)
	}
}

// A joiner makes one vertex of those that lie in one place. It is scratch memory.
type joiner struct {
	to   []uint32 // what becomes the number of each vertex
	used []uint8  // whether a triangle uses it
}

// join makes one vertex of those in ties that lie in one place, and drops the triangles that then have two
// corners there and the vertices that no triangle uses. It looks at the vertices and indices from the given
// numbers on only.
func (j *joiner) join(m *mesh.Mesh, ties []uint32, vertex, index int) {
	place := func(v uint32) *[3]float32 { return (*[3]float32)(m.Positions[3*v:]) }
	slices.SortFunc(ties, func(v, w uint32) int {
		p, q := place(v), place(w)
		return cmp.Or(cmp.Compare(p[2], q[2]), cmp.Compare(p[1], q[1]), cmp.Compare(p[0], q[0]), cmp.Compare(v, w))
	})
	joined := false
	for i := 1; i < len(ties); i++ {
		if *place(ties[i]) != *place(ties[i-1]) {
			continue
		}
		if !joined {
			joined = true
			j.to = resize(j.to, m.Vertices()-vertex)
			for i := range j.to {
				j.to[i] = uint32(vertex + i)
			}
		}
		j.to[int(ties[i])-vertex] = j.to[int(ties[i-1])-vertex] // the smallest number of the place
	}
	if !joined {
		return
	}
	n := vertex
	for i, to := range j.to {
		if int(to) != vertex+i {
			j.to[i] = j.to[int(to)-vertex]
			continue
		}
		j.to[i] = uint32(n)
		moveVertex(m, n, vertex+i)
		n++
	}
	cutVertices(m, n)
	if j.renumber(m, vertex, index) < n-vertex {
		j.dropUnused(m, vertex, index)
	}
}

// renumber gives the indices their vertices' new numbers and drops the triangles that come to have two corners
// in one. It returns how many of the vertices are used.
func (j *joiner) renumber(m *mesh.Mesh, vertex, index int) (used int) {
	j.used = resize(j.used, m.Vertices()-vertex)
	clear(j.used)
	own, n := m.Indices[index:], 0
	for i := 0; i+2 < len(own); i += 3 {
		t := own[i : i+3 : i+3]
		a, b, c := j.to[int(t[0])-vertex], j.to[int(t[1])-vertex], j.to[int(t[2])-vertex]
		if a != b && b != c && c != a {
			to := own[n : n+3 : n+3]
			to[0], to[1], to[2] = a, b, c
			j.used[int(a)-vertex], j.used[int(b)-vertex], j.used[int(c)-vertex] = 1, 1, 1
			n += 3
		}
	}
	m.Indices = m.Indices[:index+n]
	for _, u := range j.used {
		used += int(u)
	}
	return used
}

// dropUnused removes the vertices from a number on that none of the indices from a number on uses. The
// others keep their order.
func (j *joiner) dropUnused(m *mesh.Mesh, vertex, index int) {
	own := m.Indices[index:]
	j.to = resize(j.to, m.Vertices()-vertex)
	clear(j.to)
	for _, v := range own {
		j.to[int(v)-vertex] = 1
	}
	n := vertex
	for i, used := range j.to {
		if used != 0 {
			j.to[i] = uint32(n)
			moveVertex(m, n, vertex+i)
			n++
		}
	}
	cutVertices(m, n)
	for i, v := range own {
		own[i] = j.to[int(v)-vertex]
	}
}

// moveVertex makes vertex to what vertex from is.
func moveVertex(m *mesh.Mesh, to, from int) {
	*(*[3]float32)(m.Positions[3*to:]) = *(*[3]float32)(m.Positions[3*from:])
	if len(m.Normals) != 0 {
		*(*[3]float32)(m.Normals[3*to:]) = *(*[3]float32)(m.Normals[3*from:])
	}
	if len(m.Depths) != 0 {
		m.Depths[to] = m.Depths[from]
	}
	if len(m.Materials) != 0 {
		*(*[4]uint8)(m.Materials[4*to:]) = *(*[4]uint8)(m.Materials[4*from:])
	}
}

// cutVertices leaves the first n vertices.
func cutVertices(m *mesh.Mesh, n int) {
	m.Positions = m.Positions[:3*n]
	if len(m.Normals) != 0 {
		m.Normals = m.Normals[:3*n]
	}
	if len(m.Depths) != 0 {
		m.Depths = m.Depths[:n]
	}
	if len(m.Materials) != 0 {
		m.Materials = m.Materials[:4*n]
	}
}
