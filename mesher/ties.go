package mesher

import (
	"cmp"
	"math"
	"math/bits"
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

// A joiner makes one vertex of those that lie in one place, and removes those that no triangle uses. It is
// scratch memory: little, for a mesh has few such vertices.
type joiner struct {
	vertex, index int // of the mesh, where the part begins that is looked at; vertices are counted from there

	gone   []uint64 // the vertices to be removed as bits
	before []uint32 // how many of them lie before those of each word
	pairs  []pair   // these vertices ascending; what is unused stands for itself
	used   []uint8  // whether a triangle uses a vertex
	slots  []uint32 // a hash table of places: numbers of ties, from 1
}

// A pair is a vertex and the one in the same place that stands for it.
type pair struct{ vertex, first uint32 }

// join makes one vertex of those in ties that lie in one place, and drops the triangles that then have two
// corners there and the vertices that no triangle uses. It looks at the vertices and indices from the given
// numbers on only. Unless something is joined, unused vertices are looked for only if there are said to be
// orphans.
func (j *joiner) join(m *mesh.Mesh, ties []uint32, vertex, index int, orphans bool) {
	j.vertex, j.index = vertex, index
	if !slices.IsSorted(ties) {
		slices.Sort(ties)
	}
	j.findPairs(m, slices.Compact(ties))
	if len(j.pairs) == 0 && !orphans {
		return
	}
	j.open(m)
	j.count()
	j.markUsed(m)
	joined := len(j.pairs)
	for v, used := range j.used {
		if used == 0 && j.gone[v>>6]>>(v&63)&1 == 0 {
			j.pairs = append(j.pairs, pair{uint32(v), uint32(v)})
		}
	}
	if len(j.pairs) > joined {
		slices.SortFunc(j.pairs, func(a, b pair) int { return cmp.Compare(a.vertex, b.vertex) })
		j.count()
	}
	j.remove(m)
}

// findPairs finds which of the vertices, which ascend, lie where one before them does.
func (j *joiner) findPairs(m *mesh.Mesh, ties []uint32) {
	j.pairs = j.pairs[:0]
	if len(ties) < 2 {
		return
	}
	place := func(v uint32) *[3]float32 { return (*[3]float32)(m.Positions[3*v:]) }
	j.slots = resize(j.slots, 1<<bits.Len(uint(len(ties)+len(ties)/8)))
	clear(j.slots)
	mask := uint32(len(j.slots) - 1)
	for i, v := range ties {
		p := place(v)
		h := hashPlace(p) & mask
		for j.slots[h] != 0 && *place(ties[j.slots[h]-1]) != *p {
			h = (h + 1) & mask
		}
		if j.slots[h] == 0 {
			j.slots[h] = uint32(i + 1)
		} else {
			j.pairs = append(j.pairs, pair{v - uint32(j.vertex), ties[j.slots[h]-1] - uint32(j.vertex)})
		}
	}
}

// hashPlace returns a number that is the same for equal places.
func hashPlace(p *[3]float32) uint32 {
	x, y, z := math.Float32bits(p[0]+0), math.Float32bits(p[1]+0), math.Float32bits(p[2]+0) // −0 is 0
	h := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(y)*0xc2b2ae3d27d4eb4f ^ uint64(z)*0x165667b19e3779f9
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return uint32(h >> 32)
}

// open makes room for what is to be known of the mesh's vertices, of which none is gone.
func (j *joiner) open(m *mesh.Mesh) {
	n := m.Vertices() - j.vertex
	words := (n + 63) / 64
	j.gone, j.before, j.used = resize(j.gone, words), resize(j.before, words), resize(j.used, n)
	clear(j.gone)
	clear(j.used)
}

// count makes the vertices that have pairs those that are gone.
func (j *joiner) count() {
	for _, p := range j.pairs {
		j.gone[p.vertex>>6] |= 1 << (p.vertex & 63)
	}
	n := uint32(0)
	for w, gone := range j.gone {
		j.before[w] = n
		n += uint32(bits.OnesCount64(gone))
	}
}

// markUsed finds the vertices that triangles will have, when those that are gone have been joined with others
// and the triangles that then have two corners in one place dropped.
func (j *joiner) markUsed(m *mesh.Mesh) {
	base := uint32(j.vertex)
	for own := m.Indices[j.index:]; len(own) >= 3; own = own[3:] {
		a, b, c := own[0]-base, own[1]-base, own[2]-base
		if (j.gone[a>>6]>>(a&63)|j.gone[b>>6]>>(b&63)|j.gone[c>>6]>>(c&63))&1 != 0 {
			a, b, c = j.first(a), j.first(b), j.first(c)
			if a == b || b == c || c == a {
				continue
			}
		}
		j.used[a], j.used[b], j.used[c] = 1, 1, 1
	}
}

// first returns the vertex that stands for one.
func (j *joiner) first(v uint32) uint32 {
	gone := j.gone[v>>6]
	if gone>>(v&63)&1 == 0 {
		return v
	}
	return j.pairs[j.before[v>>6]+uint32(bits.OnesCount64(gone&(1<<(v&63)-1)))].first
}

// remove removes the vertices that are gone, which are the joined ones and the unused ones, and triangles that come to
// have two corners in one vertex. The others keep their order.
func (j *joiner) remove(m *mesh.Mesh) {
	n := 0
	for w, gone := range j.gone {
		from, end := 64*w, min(64*w+64, m.Vertices()-j.vertex)
		if gone == 0 {
			moveVertices(m, j.vertex+n, j.vertex+from, end-from)
			n += end - from
			continue
		}
		for v := from; v < end; v++ {
			if gone>>(v&63)&1 == 0 {
				moveVertices(m, j.vertex+n, j.vertex+v, 1)
				n++
			}
		}
	}
	cutVertices(m, j.vertex+n)
	own, base, kept := m.Indices[j.index:], uint32(j.vertex), 0
	for i := 0; i+2 < len(own); i += 3 {
		t := own[i : i+3 : i+3]
		a, b, c := t[0]-base, t[1]-base, t[2]-base
		if (j.gone[a>>6]>>(a&63)|j.gone[b>>6]>>(b&63)|j.gone[c>>6]>>(c&63))&1 != 0 {
			a, b, c = j.first(a), j.first(b), j.first(c)
			if a == b || b == c || c == a {
				continue
			}
		}
		to := own[kept : kept+3 : kept+3]
		to[0], to[1], to[2] = j.now(a)+base, j.now(b)+base, j.now(c)+base
		kept += 3
	}
	m.Indices = m.Indices[:j.index+kept]
}

// now returns the new number of a vertex that is not gone.
func (j *joiner) now(v uint32) uint32 {
	gone := j.gone[v>>6]
	if gone == 0 {
		return v - j.before[v>>6]
	}
	return v - j.before[v>>6] - uint32(bits.OnesCount64(gone&(1<<(v&63)-1)))
}

// moveVertices makes n vertices from number to on what those from number from on are.
func moveVertices(m *mesh.Mesh, to, from, n int) {
	if to == from {
		return
	}
	copy(m.Positions[3*to:3*(to+n)], m.Positions[3*from:])
	if len(m.Normals) != 0 {
		copy(m.Normals[3*to:3*(to+n)], m.Normals[3*from:])
	}
	if len(m.Depths) != 0 {
		copy(m.Depths[to:to+n], m.Depths[from:])
	}
	if len(m.Materials) != 0 {
		copy(m.Materials[4*to:4*(to+n)], m.Materials[4*from:])
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
