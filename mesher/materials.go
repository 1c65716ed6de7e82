package mesher

import (
	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/internal/kernel/solve"
)

// What a vertex says of its materials comes, like its place, from the two samples at the ends of the crossed
// edge that it lies on, so that chunks agree on it. The vertex of a surface net has those of the first
// crossed edge of its part of the cell: numbers of a palette have no mean.

// addBlend appends to dst the materials of the crossed edge from the sample with material a to the one with
// material b, crossed at t: the solid one's, the air one's and the weight of the second.
func addBlend(dst []uint8, a, b uint8, solidFirst bool, t float32) []uint8 {
	if !solidFirst {
		a, b, t = b, a, 1-t
	}
	return append(dst, a, b, weightOf(t), 0)
}

// weightOf returns t from 0 to 1 in 255ths.
func weightOf(t float32) uint8 {
	if !(t > 0) {
		return 0
	}
	if t >= 1 {
		return 255
	}
	return uint8(float32(t*255) + 0.5)
}

// writeMaterials writes the materials of the solved batch's vertices, from number e.next on.
func (e *marcher) writeMaterials() {
	b, v, m := &e.batch, &e.view, e.out
	dst := roomForMaterials(m.Materials, 4*e.next, 4*b.N)
	for k, r := range b.Runs {
		stride := v.stride(r.Axis)
		for i := r.Start; i < b.EndOf(k); i++ {
			j := i & bits.BatchMask
			at := int(b.At[j])
			dst = addBlend(dst, v.materials[at], v.materials[at+stride], b.A[j] > 0, b.T[j])
		}
	}
	m.Materials = dst
}

// roomForMaterials returns s with length n and room for more bytes. Vertices that came without materials have
// zeros.
func roomForMaterials(s []uint8, n, more int) []uint8 {
	if cap(s) < n+more {
		s = append(make([]uint8, 0, n+more+(n+more)/2), s...)
	}
	if old := len(s); old < n {
		s = s[:n]
		clear(s[old:])
	}
	return s[:n]
}

// writeMaterials writes the materials of the solved batch's vertices, whose cells lie between planes z and
// z + 1.
func (k *nets) writeMaterials(z int) {
	b, v, m := &k.batch, &k.view, k.out
	dst := roomForMaterials(m.Materials, 4*k.next, 4*b.N)
	for i := range b.N {
		i &= bits.BatchMask
		edge := firstEdge(b.Edges[i])
		from, to := cube.EdgeEnds[edge][0]&7, cube.EdgeEnds[edge][1]&7
		at := v.index(int(b.X[i])+v.lo[0]+v.shift, int(b.Y[i])+v.lo[1]+v.shift, z)
		a, c := b.D[from][i], b.D[to][i]
		dst = addBlend(dst, v.materials[at+v.corner(int(from))], v.materials[at+v.corner(int(to))], a > 0, solve.Crossing(a, c))
	}
	m.Materials = dst
}

// firstEdge returns the number of the lowest bit of a set of edges.
func firstEdge(edges int32) int {
	for e := range cube.EdgeEnds {
		if edges>>e&1 != 0 {
			return e
		}
	}
	return 0
}

// corner returns the place of a cell's corner from that of its first.
func (v *view) corner(c int) int { return c&1 + (c>>1&1)*v.n[0] + c>>2*v.n[0]*v.n[1] }

// addMaterials adds the materials of vertex i of the batch.
func (s *seam) addMaterials(i int) {
	b, v, from := &s.batch, s.view, s.start[i]
	axis, solid, m := int(s.axis[i]), b.A[i] > 0, s.out
	if s.half[i] {
		at := v.index(from[0], from[1], from[2])
		m.Materials = addBlend(m.Materials, v.materials[at], v.materials[at+v.stride(axis)], solid, b.T[i])
		return
	}
	at := (from[2]*s.side+from[1])*s.side + from[0]
	stride := s.side
	if axis == s.u {
		stride = 1
	}
	m.Materials = addBlend(m.Materials, s.paint[at], s.paint[at+stride], solid, b.T[i])
}
