package mesher

import (
	"math"

	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/internal/kernel/solve"
	"github.com/terrane/terrane/mesh"
)

// polygons adds the polygons round the edges of plane z that run along x and y, and round those from it to
// the next along z.
func (k *nets) polygons(z int) {
	nx := k.view.n[0]
	for axis, edges := range k.edges {
		// The four cells round an edge, from the one on whose high sides it lies.
		ring := [4]netCorner{{&k.below, -nx}, {&k.below, 0}, {&k.above, 0}, {&k.above, -nx}}
		switch axis {
		case 1:
			ring = [4]netCorner{{&k.below, -1}, {&k.above, -1}, {&k.above, 0}, {&k.below, 0}}
		case 2:
			ring = [4]netCorner{{&k.above, -nx - 1}, {&k.above, -nx}, {&k.above, 0}, {&k.above, -1}}
		}
		if k.counting {
			k.countAround(edges, &ring, axis, z)
		} else {
			k.around(edges, &ring, axis, z)
		}
		k.edges[axis] = edges[:0]
	}
}

// A netEdge is a crossed edge whose polygon counts: twice the place in its plane of the sample that it starts at,
// and 1 more if that is solid.
type netEdge uint32

func (e netEdge) place() int { return int(e >> 1) }

// air returns all ones if the edge starts in air, and else 0.
func (e netEdge) air() uint32 { return uint32(e)&1 - 1 }

// listEdges notes the crossed edges that start at the low corners of the listed cells and count. Whether there is
// one is as good as random, so that each is written and then counted or not.
func (k *nets) listEdges(z int, cases []uint8) {
	var n [3]int
	for axis, edges := range k.edges {
		n[axis] = len(edges)
		k.edges[axis] = extend(edges, len(edges)+len(cases)+1)
	}
	v := &k.view
	x0, y0 := float32(-v.shift), float32(-v.shift)
	inZ, fromZ := one(z > v.lo[2]), one(z >= v.lo[2]+k.from)
	nx, ny, nz := n[0], n[1], n[2]
	alongX, alongY, alongZ := k.edges[0], k.edges[1], k.edges[2]
	for m, c := range cases {
		m := m & bits.BatchMask
		e := netEdge(k.list.At[m]<<1 | uint32(c&1))
		alongX[nx], alongY[ny], alongZ[nz] = e, e, e
		inX, inY := one(k.list.X[m] > x0), one(k.list.Y[m] > y0)
		if inX&inY == 0 {
			// A cell at the low border has edges that do not count.
			any := one(k.from == 0)
			nx += int((c ^ c>>1) & (inX | any) & inY & inZ)
			ny += int((c ^ c>>2) & inX & (inY | any) & inZ)
			nz += int((c ^ c>>4) & inX & inY & fromZ)
			continue
		}
		nx += int((c ^ c>>1) & inZ)
		ny += int((c ^ c>>2) & inZ)
		nz += int((c ^ c>>4) & fromZ)
	}
	k.edges[0], k.edges[1], k.edges[2] = alongX[:nx], alongY[:ny], alongZ[:nz]
}

// one returns 1 if b is true and else 0.
func one(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// A netCorner is one of the cells round an edge: its slab and its place from that of the edge's start.
type netCorner struct {
	slab  *netSlab
	shift int
}

// around adds the polygons round edges, which start in plane z and run along an axis.
func (k *nets) around(edges []netEdge, ring *[4]netCorner, axis, z int) {
	r0, r1, r2, r3 := ring[0].slab.first, ring[1].slab.first, ring[2].slab.first, ring[3].slab.first
	o0, o1, o2, o3 := ring[0].shift, ring[1].shift, ring[2].shift, ring[3].shift
	pos, n := k.out.Positions, len(k.out.Indices)
	indices := extend(k.out.Indices, n+6*len(edges))
	for m, e := range edges {
		place, air := e.place(), e.air()
		a, b, c, d := r0[place+o0], r1[place+o1], r2[place+o2], r3[place+o3]
		if (a|b|c|d)&manyParts != 0 {
			k.out.Indices = indices[:n]
			k.special(ring, place, axis, z, air == 0)
			pos, n = k.out.Positions, len(k.out.Indices)
			indices = extend(k.out.Indices, n+6*(len(edges)-m-1))
			continue
		}
		quad((*[6]uint32)(indices[n:]), pos, a, b, c, d, air)
		n += 6
	}
	k.out.Indices = indices[:n]
}

// countAround counts the indices of the polygons round edges, and the vertices of their own.
func (k *nets) countAround(edges []netEdge, ring *[4]netCorner, axis, z int) {
	for _, e := range edges {
		var parts uint32
		for _, r := range ring {
			parts |= r.slab.first[e.place()+r.shift]
		}
		if parts&manyParts != 0 {
			k.special(ring, e.place(), axis, z, true)
		} else {
			k.indices += 6
		}
	}
}

// quad writes two triangles for a polygon of four corners, cut along the shorter diagonal. Its corners go round
// the other way if air is all ones and not 0. Both turns are as good as random, so nothing here branches.
// Coordinates are multiples of 1/8192 cell, so their differences are exact and do not depend on the chunk.
func quad(dst *[6]uint32, pos []float32, a, b, c, d, air uint32) {
	turn := (b ^ d) & air
	b, d = b^turn, d^turn
	// Squares are not negative, so their bits compare as they do.
	ac, bd := math.Float32bits(distance(pos, a, c)), math.Float32bits(distance(pos, b, d))
	long := uint32((int64(bd) - int64(ac)) >> 63) // all ones if the diagonal from a to c is the longer one
	dst[0], dst[1], dst[2] = a^(a^b)&long, b^(b^c)&long, c^(c^d)&long
	dst[3], dst[4], dst[5] = dst[0], dst[2], d^(d^a)&long
}

// distance returns the square of the distance between two vertices.
func distance(pos []float32, a, b uint32) float32 {
	p, q := (*[3]float32)(pos[3*int(a):]), (*[3]float32)(pos[3*int(b):])
	x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return float32(x*x) + float32(y*y) + float32(z*z)
}

// special adds the polygon round an edge where a cell has several parts. If two of one cell meet at the edge
// the polygon has more than four corners and becomes a fan round a vertex of its own where the edge is
// crossed: any diagonal could be an edge of another polygon too.
func (k *nets) special(ring *[4]netCorner, place, axis, z int, solid bool) {
	var ids [12]uint32
	n := 0
	for i, r := range ring {
		j := place + r.shift
		fan := &k.table[r.slab.cases[j]].Fans[cube.RingEdges[axis][i]]
		for q := range fan.N {
			if fan.From != cube.RingFaces[axis][i] {
				q = fan.N - 1 - q
			}
			ids[n] = r.slab.first[j]&^manyParts + uint32(fan.Parts[q])
			n++
		}
	}
	if k.counting {
		if k.indices += 6; n != 4 {
			k.indices += 3*n - 6
			k.next++
			k.fans++
		}
		return
	}
	if n == 4 {
		if !solid {
			ids[1], ids[3] = ids[3], ids[1]
		}
		n := len(k.out.Indices)
		k.out.Indices = extend(k.out.Indices, n+6)
		quad((*[6]uint32)(k.out.Indices[n:]), k.out.Positions, ids[0], ids[1], ids[2], ids[3], 0)
		return
	}
	nx := k.view.n[0]
	mid := k.crossingVertex([3]int{place % nx, place / nx, z}, axis)
	for i := range n {
		a, b := ids[i], ids[(i+1)%n]
		if !solid {
			a, b = b, a
		}
		k.out.Indices = append(k.out.Indices, mid, a, b)
	}
}

// crossingVertex adds a vertex where an edge is crossed, as marching cubes would, and returns its number.
func (k *nets) crossingVertex(at [3]int, axis int) uint32 {
	v := &k.view
	var x mesh.Vertex
	t, normal := v.solveRobust(at, axis)
	t, x.Normal = solve.Snap(t), normal
	for i := range at {
		p := float32(at[i] - v.lo[i] - v.shift)
		if i == axis {
			p += t
		}
		x.Position[i] = p * v.scale[i]
	}
	if len(v.ground) != 0 {
		end := at
		end[axis]++
		from := v.ground[at[2]*v.n[0]+at[0]] - v.heightOf(at[1])
		to := v.ground[end[2]*v.n[0]+end[0]] - v.heightOf(end[1])
		x.Depth = solve.Mix(from, to, t)
	}
	if len(v.materials) != 0 {
		i := v.index(at[0], at[1], at[2])
		x.Materials = blend(v.materials[i], v.materials[i+v.stride(axis)], v.samples[i] > v.iso, t)
	}
	k.note(uint32(k.next))
	k.next++
	return k.out.Append(x, k.has)
}
