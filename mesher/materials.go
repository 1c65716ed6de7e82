package mesher

import (
	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/internal/kernel/solve"
)

// What a vertex says of its materials comes, like its place, from the two samples at the ends of the crossed
// edge that it lies on, so that chunks agree on it. The vertex of a surface net has those of the first
// crossed edge of its part of the cell: numbers of a palette have no mean.

// blend returns the materials of the crossed edge from the sample with material a to the one with material b, crossed
// at t: the solid one's, the air one's and the weight of the second.
func blend(a, b uint8, solidFirst bool, t float32) [4]uint8 {
	if !solidFirst {
		a, b, t = b, a, 1-t
	}
	return [4]uint8{a, b, weightOf(t), 0}
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

// writeMaterials writes the materials of the solved batch's vertices.
func (e *marcher) writeMaterials(dst []uint8) {
	b, v := &e.batch, &e.view
	for k, r := range b.Runs {
		stride := v.stride(r.Axis)
		for i := r.Start; i < b.EndOf(k); i++ {
			j := i & bits.BatchMask
			at := int(b.At[j])
			*(*[4]uint8)(dst[4*i:]) = blend(v.materials[at], v.materials[at+stride], b.A[j] > 0, b.T[j])
		}
	}
}

// writeMaterials writes the materials of the solved batch's vertices, whose cells lie between planes z and
// z + 1.
func (k *nets) writeMaterials(dst []uint8, z int) {
	b, v := &k.batch, &k.view
	for i := range b.N {
		i &= bits.BatchMask
		edge := firstEdge(b.Edges[i])
		from, to := cube.EdgeEnds[edge][0]&7, cube.EdgeEnds[edge][1]&7
		at := v.index(int(b.X[i])+v.lo[0]+v.shift, int(b.Y[i])+v.lo[1]+v.shift, z)
		a, c := b.D[from][i], b.D[to][i]
		*(*[4]uint8)(dst[4*i:]) = blend(v.materials[at+v.corner(int(from))], v.materials[at+v.corner(int(to))], a > 0, solve.Crossing(a, c))
	}
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

// materials returns the materials of vertex i of the batch.
func (s *seam) materials(i int) [4]uint8 {
	b, v, from := &s.batch, s.view, s.start[i]
	axis, solid := int(s.axis[i]), b.A[i] > 0
	if s.half[i] {
		at := v.index(from[0], from[1], from[2])
		return blend(v.materials[at], v.materials[at+v.stride(axis)], solid, b.T[i])
	}
	at := (from[2]*s.side+from[1])*s.side + from[0]
	stride := s.side
	if axis == s.u {
		stride = 1
	}
	return blend(s.paint[at], s.paint[at+stride], solid, b.T[i])
}
