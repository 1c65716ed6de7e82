// Package join makes one vertex of those that lie in one place, in the little time that few of them deserve.
//
// Where a sample equals the iso level, or is so near it that crossings round to its place, marching cubes puts up to
// six vertices there, one on each crossed edge of the sample, and triangles between them have no area. Their meshers
// know which vertices those may be, so that no search of the whole mesh is needed: a hash table of those few, and a
// pass over the indices that skips all parts without one.
package join

import (
	"math"
	mathbits "math/bits"
	"slices"

	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/mesh"
)

// A Joiner makes one vertex of those that lie in one place, and removes those that no triangle uses. It is
// scratch memory: little, for a mesh has few such vertices.
type Joiner struct {
	vertex, index int // of the mesh, where the part begins that is looked at; vertices are counted from there

	many   bool     // of them are joined: see manyPairs
	gone   []uint64 // the vertices to be removed as bits
	before []uint32 // how many of them lie before those of each word
	pairs  []pair   // these vertices ascending; what is unused stands for itself
	spare  []pair   // scratch of addUnused
	loose  []corner // of triangles that have been dropped; at most maxLoose
	used   []uint8  // whether a triangle uses a vertex
	slots  []uint32 // a hash table of places: numbers of ties, from 1
}

// A pair is a vertex and the one in the same place that stands for it.
type pair struct{ vertex, first uint32 }

// A corner is a vertex and where in the mesh's indices, counted in triangles, one was that had it.
type corner struct {
	vertex   uint32
	triangle int
}

// maxLoose is the number of corners of dropped triangles from which on it is faster to look at all triangles
// for unused vertices than to look for those corners one by one.
const maxLoose = 256

// manyPairs is the number of vertices to one that is joined with another below which some will come to be unused, and
// all is best done at once. Above it nearly all of the mesh stays what it is.
const manyPairs = 256

// Join makes one vertex of those in ties that lie in one place, and drops the triangles that then have two
// corners there and the vertices that no triangle uses. It looks at the vertices and indices from the given
// numbers on only. Unless something is joined, unused vertices are looked for only if there are said to be
// orphans.
func (j *Joiner) Join(m *mesh.Mesh, ties []uint32, vertex, index int, orphans bool) {
	j.vertex, j.index = vertex, index
	if !slices.IsSorted(ties) {
		slices.Sort(ties)
	}
	j.loose = j.loose[:0]
	j.findPairs(m, slices.Compact(ties))
	j.many = len(j.pairs) > (m.Vertices()-vertex)/manyPairs
	if len(j.pairs) != 0 && !j.many {
		j.mark(m)
		j.remove(m)
		j.pairs = j.pairs[:0]
	}
	if orphans || j.many || j.someUnused(m) {
		j.mark(m)
		if j.addUnused(m); len(j.pairs) != 0 {
			j.mark(m)
			j.remove(m)
		}
	}
}

// findPairs finds which of the vertices, which ascend, lie where one before them does.
func (j *Joiner) findPairs(m *mesh.Mesh, ties []uint32) {
	j.pairs = j.pairs[:0]
	if len(ties) < 2 {
		return
	}
	place := func(v uint32) *[3]float32 { return (*[3]float32)(m.Positions[3*v:]) }
	j.slots = resize(j.slots, 1<<mathbits.Len(uint(len(ties)+len(ties)/8)))
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

// someUnused reports whether a corner of a dropped triangle is not, or may not be, one of another triangle. Such
// triangles are mostly near in the mesh as well.
func (j *Joiner) someUnused(m *mesh.Mesh) bool {
	own := m.Indices[j.index:]
	left := len(own) / 16 // triangles to search before a pass over all of them is cheaper
	for _, c := range j.loose {
		for d := 0; ; d++ {
			before, after := 3*(c.triangle-1-d), 3*(c.triangle+d)
			if before >= 0 && slices.Contains(own[before:before+3], c.vertex) ||
				after < len(own) && slices.Contains(own[after:after+3], c.vertex) {
				break
			}
			if left--; left < 0 || before < 0 && after >= len(own) {
				return true
			}
		}
	}
	return len(j.loose) == maxLoose
}

// mark makes the vertices that have pairs those that are gone.
func (j *Joiner) mark(m *mesh.Mesh) {
	words := (m.Vertices() - j.vertex + 63) / 64
	j.gone, j.before = resize(j.gone, words), resize(j.before, words)
	clear(j.gone)
	for _, p := range j.pairs {
		j.gone[p.vertex>>6] |= 1 << (p.vertex & 63)
	}
	n := uint32(0)
	for w, gone := range j.gone {
		j.before[w] = n
		n += uint32(mathbits.OnesCount64(gone))
	}
}

// addUnused adds to the pairs the vertices that no triangle will have, when those that are gone have been joined
// with others and the triangles dropped that then have two corners in one place.
func (j *Joiner) addUnused(m *mesh.Mesh) {
	base := uint32(j.vertex)
	j.used = resize(j.used, m.Vertices()-j.vertex)
	clear(j.used)
	for own := m.Indices[j.index:]; len(own) >= 3; own = own[3:] {
		a, b, c := own[0]-base, own[1]-base, own[2]-base
		if j.someGone(a, b, c) {
			if a, b, c = j.first(a), j.first(b), j.first(c); a == b || b == c || c == a {
				continue
			}
		}
		j.used[a], j.used[b], j.used[c] = 1, 1, 1
	}
	joined, all := j.pairs, j.spare[:0]
	for v, used := range j.used {
		if len(joined) != 0 && joined[0].vertex == uint32(v) {
			all, joined = append(all, joined[0]), joined[1:]
		} else if used == 0 {
			all = append(all, pair{uint32(v), uint32(v)})
		}
	}
	j.pairs, j.spare = all, j.pairs
}

// remove makes the vertices that have pairs those they stand for, and drops triangles that come to have two
// corners in one vertex. All else keeps its order.
func (j *Joiner) remove(m *mesh.Mesh) {
	vertices := m.Vertices() - j.vertex
	kept := int(j.pairs[0].vertex)
	for i, p := range j.pairs {
		from, end := int(p.vertex)+1, vertices
		if i+1 < len(j.pairs) {
			end = int(j.pairs[i+1].vertex)
		}
		m.Move(j.vertex+kept, j.vertex+from, end-from)
		kept += end - from
	}
	m.Resize(j.vertex+kept, 0)
	j.renumber(m)
}

// renumberAtOnce is how many indices are looked at together: fewer would make the look long beside what it
// saves, more are less often without a vertex that goes between the least and the greatest of them.
const renumberAtOnce = 768

// renumber gives all corners the new numbers of their vertices, and drops the triangles that come to have two
// corners in one vertex.
func (j *Joiner) renumber(m *mesh.Mesh) {
	own, base, kept := m.Indices[j.index:], uint32(j.vertex), 0
	for i := 0; i < len(own); i += renumberAtOnce {
		part := own[i:min(i+renumberAtOnce, len(own))]
		if shift, all := j.shiftOf(part); all {
			if shift != 0 || kept != i {
				bits.Add(own[kept:], part, -shift)
			}
			kept += len(part)
			continue
		}
		for ; len(part) >= 3; part = part[3:] {
			a, b, c := part[0]-base, part[1]-base, part[2]-base
			if j.someGone(a, b, c) {
				if a, b, c = j.first(a), j.first(b), j.first(c); a == b || b == c || c == a {
					j.drop(j.now(a)+base, j.now(b)+base, j.now(c)+base, kept/3)
					continue
				}
			}
			to := own[kept : kept+3 : kept+3]
			to[0], to[1], to[2] = j.now(a)+base, j.now(b)+base, j.now(c)+base
			kept += 3
		}
	}
	m.Indices = m.Indices[:j.index+kept]
}

// shiftOf returns how much lower the new numbers of vertices are, if that is the same for all and none is to be
// removed.
func (j *Joiner) shiftOf(part []uint32) (shift uint32, all bool) {
	if j.many {
		return 0, false // there is little hope
	}
	least, most := bits.Span(part)
	least, most = least-uint32(j.vertex), most-uint32(j.vertex)
	shift = j.goneBefore(least)
	return shift, shift == j.goneBefore(most) && !j.isGone(most)
}

// drop notes the corners of a triangle that is dropped: they may be nowhere else.
func (j *Joiner) drop(a, b, c uint32, triangle int) {
	for _, v := range [3]uint32{a, b, c} {
		if len(j.loose) < maxLoose {
			j.loose = append(j.loose, corner{v, triangle})
		}
	}
}

// now returns the new number of a vertex that is not gone.
func (j *Joiner) now(v uint32) uint32 { return v - j.goneBefore(v) }

// first returns the vertex that stands for one.
func (j *Joiner) first(v uint32) uint32 {
	if j.isGone(v) {
		return j.pairs[j.goneBefore(v)].first
	}
	return v
}

// isGone reports whether a vertex is to be removed.
func (j *Joiner) isGone(v uint32) bool { return j.gone[v>>6]>>(v&63)&1 != 0 }

// someGone reports whether one of three vertices is to be removed.
func (j *Joiner) someGone(a, b, c uint32) bool {
	return (j.gone[a>>6]>>(a&63)|j.gone[b>>6]>>(b&63)|j.gone[c>>6]>>(c&63))&1 != 0
}

// goneBefore returns how many vertices before one are to be removed.
func (j *Joiner) goneBefore(v uint32) uint32 {
	n, gone := j.before[v>>6], j.gone[v>>6]
	if gone == 0 {
		return n
	}
	return n + uint32(mathbits.OnesCount64(gone&(1<<(v&63)-1)))
}

// resize returns s with length n and undefined contents, in its own memory if that is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
