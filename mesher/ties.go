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

// noteTie notes a vertex if it lies on one of the samples of its Edge: other edges of that sample may have
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

// joinTies makes one vertex of those in ties that lie in one place, and drops the triangles that then have
// two corners there and the vertices that no triangle uses. It looks at the vertices and indices from the
// given numbers on only; remap is scratch.
func joinTies(m *mesh.Mesh, ties []uint32, vertex, index int, remap []uint32) []uint32 {
	place := func(v uint32) *[3]float32 { return (*[3]float32)(m.Positions[3*v:]) }
	slices.SortFunc(ties, func(v, w uint32) int {
		p, q := place(v), place(w)
		return cmp.Or(cmp.Compare(p[2], q[2]), cmp.Compare(p[1], q[1]), cmp.Compare(p[0], q[0]), cmp.Compare(v, w))
	})
	remap = resize(remap, m.Vertices()-vertex)
	for i := range remap {
		remap[i] = uint32(vertex + i)
	}
	joined := false
	for i := 1; i < len(ties); i++ {
		if *place(ties[i]) == *place(ties[i-1]) {
			remap[int(ties[i])-vertex] = remap[int(ties[i-1])-vertex]
			joined = true
		}
	}
	if !joined {
		return remap
	}
	kept := m.Indices[:index]
	for own := m.Indices[index:]; len(own) >= 3; own = own[3:] {
		a, b, c := remap[int(own[0])-vertex], remap[int(own[1])-vertex], remap[int(own[2])-vertex]
		if a != b && b != c && c != a {
			kept = append(kept, a, b, c)
		}
	}
	m.Indices = kept
	dropUnused(m, vertex, index, remap)
	return remap
}

// dropUnused removes the vertices from a number on that none of the indices from a number on uses. The
// others keep their order. remap is scratch for that many vertices.
func dropUnused(m *mesh.Mesh, vertex, index int, remap []uint32) {
	own := m.Indices[index:]
	clear(remap)
	for _, v := range own {
		remap[int(v)-vertex] = 1
	}
	n := vertex
	for i, used := range remap {
		if used == 0 {
			continue
		}
		from := vertex + i
		remap[i] = uint32(n)
		copy(m.Positions[3*n:3*n+3], m.Positions[3*from:3*from+3])
		if len(m.Normals) != 0 {
			copy(m.Normals[3*n:3*n+3], m.Normals[3*from:3*from+3])
		}
		if len(m.Depths) != 0 {
			m.Depths[n] = m.Depths[from]
		}
		if len(m.Materials) != 0 {
			copy(m.Materials[4*n:4*n+4], m.Materials[4*from:4*from+4])
		}
		n++
	}
	for i, v := range own {
		own[i] = remap[int(v)-vertex]
	}
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
