package mesher

import (
	"fmt"
	"sync"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/internal/kernel/solve"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// seam closes the gap between a chunk's surface on a face and that of the finer neighbor there: it fills the
// plane of the face between the two outlines with the triangles of transition cells (cube.TransitionLoops).
// The cells have no thickness, so that what lies round the face's rim need not be known; where four chunks
// of two levels meet in a line, the seams of the two planes end there in the same edges.
//
// Vertices on the fine outline are computed from the slab as the neighbor computes its own, those on the
// coarse outline from the grid as the chunk's own, each bit for bit. Depths on the fine outline are mixed
// from the chunk's own columns.
type seam struct {
	view  *view
	out   *mesh.Mesh
	slab  []float32
	paint []uint8 // materials of the slab, if there are any
	side  int     // samples along the slab
	cells int
	face  lattice.Face
	u, v  int // the axes in the plane, ascending
	w     int // the axis across

	cases *[cube.TransitionCases][]uint8

	batch solve.Batch
	z     [bits.BatchSize]float32 // of the crossings' starts; batch has x and y
	axis  [bits.BatchSize]uint8   // of their edges
	half  [bits.BatchSize]bool    // in units of a coarse cell
	start [bits.BatchSize][3]int  // in the slab, axes u, v and across; for solveRobust
	first int                     // number of the batch's first vertex
	ids   [4][]uint32             // of vertices on the full face along u, v, and on the half face; 0 if there is none
}

// transitionCases returns what the seam needs to know of the transition cases: edges in triples, so that they
// face into the solid where u, v and the way into the chunk are right-handed. A browser's builder need not
// work them out before it has met a seam.
var transitionCases = sync.OnceValue(func() *[cube.TransitionCases][]uint8 {
	var cases [cube.TransitionCases][]uint8
	for c := range cases {
		cases[c] = cube.TransitionTriangles(uint16(c))
	}
	return &cases
})

// mesh appends the transition cells of a face.
func (s *seam) mesh(m *mesh.Mesh, v *view, g *grid.Grid, face lattice.Face) {
	if g.Chunk.Level == 0 {
		panic("mesher: a chunk of level 0 has no finer neighbor")
	}
	s.view, s.out, s.slab, s.cells, s.face = v, m, g.Slabs[face], g.Cells, face
	s.cases = transitionCases()
	s.side = 2*g.Cells + 3
	if len(s.slab) != 3*s.side*s.side {
		panic(fmt.Sprintf("mesher: the slab of face %d has %d samples, want %d", face, len(s.slab), 3*s.side*s.side))
	}
	if s.paint = g.SlabMaterials[face]; len(v.materials) != 0 && len(s.paint) != len(s.slab) {
		panic(fmt.Sprintf("mesher: the slab of face %d has %d materials, want %d", face, len(s.paint), len(s.slab)))
	}
	s.w = face.Axis()
	s.u, s.v = cube.LowerOther[s.w], cube.UpperOther[s.w]
	s.first, s.batch.N = m.Vertices(), 0
	s.batch.Weight, s.batch.Near, s.batch.Snap, s.batch.Flat = v.weight, -1, v.snap, false
	n := 2 * g.Cells
	for i, size := range [4]int{(n + 1) * n, n * (n + 1), (g.Cells + 1) * g.Cells, g.Cells * (g.Cells + 1)} {
		s.ids[i] = resize(s.ids[i], size)
		clear(s.ids[i])
	}
	inward := s.w != 1 == !face.High() // u, v and the way into the chunk are right-handed
	for cv := range g.Cells {
		for cu := range g.Cells {
			if c := s.caseOf(cu, cv); c != 0 && c != cube.TransitionCases-1 {
				s.cell(cu, cv, c, inward)
			}
		}
	}
	s.flush()
}

// index returns the place of a sample of the slab's middle layer, in fine cells from the chunk's corner.
func (s *seam) index(u, v int) int { return (s.side+v+1)*s.side + u + 1 }

// caseOf returns the case of a transition cell.
func (s *seam) caseOf(cu, cv int) (c uint16) {
	for v := range 3 {
		row := s.slab[s.index(2*cu, 2*cv+v):]
		c |= uint16(bits.Above(row[0], 0)|bits.Above(row[1], 0)<<1|bits.Above(row[2], 0)<<2) << (3 * v)
	}
	return c
}

// cell appends the triangles of a transition cell.
func (s *seam) cell(cu, cv int, c uint16, inward bool) {
	edges := s.cases[c]
	for i := 0; i < len(edges); i += 3 {
		p, q, r := s.vertex(cu, cv, edges[i]), s.vertex(cu, cv, edges[i+1]), s.vertex(cu, cv, edges[i+2])
		if inward {
			q, r = r, q
		}
		s.out.Indices = append(s.out.Indices, p, q, r)
	}
}

// vertex returns the number of the vertex on an edge of a transition cell.
func (s *seam) vertex(cu, cv int, edge uint8) uint32 {
	n, e := 2*s.cells, int(edge)
	var id *uint32
	var u, v int
	along := s.u
	switch {
	case e < 6:
		u, v = 2*cu+e&1, 2*cv+e>>1
		id = &s.ids[0][v*n+u]
	case e < 12:
		along = s.v
		u, v = 2*cu+(e-6)%3, 2*cv+(e-6)/3
		id = &s.ids[1][v*(n+1)+u]
	case e < 14:
		u, v = cu, cv+e-12
		id = &s.ids[2][v*s.cells+u]
	default:
		along = s.v
		u, v = cu+e-14, cv
		id = &s.ids[3][v*(s.cells+1)+u]
	}
	if *id == 0 {
		if s.batch.N == bits.BatchSize {
			s.flush()
		}
		*id = uint32(s.first+s.batch.N) + 1
		if e < 12 {
			s.addFull(u, v, along)
		} else {
			s.addHalf(u, v, along)
		}
	}
	return *id - 1
}

// addFull adds the crossing of the fine edge that starts at u, v and runs along an axis.
func (s *seam) addFull(u, v, along int) {
	b, m := &s.batch, s.batch.N
	i, layer := s.index(u, v), s.side*s.side
	stride := [3]int{}
	stride[s.u], stride[s.v], stride[s.w] = 1, s.side, layer
	j := i + stride[along]
	d := func(i, axis int) float32 { return s.slab[i+stride[axis]] - s.slab[i-stride[axis]] }
	b.A[m], b.B[m] = s.slab[i], s.slab[j]
	b.AX[m], b.AY[m], b.AZ[m] = d(i, 0), d(i, 1), d(i, 2)
	b.BX[m], b.BY[m], b.BZ[m] = d(j, 0), d(j, 1), d(j, 2)

	var at [3]int // in fine cells from the chunk's corner
	at[s.u], at[s.v] = u, v
	if s.face.High() {
		at[s.w] = 2 * s.cells
	}
	end := at
	end[along]++
	b.X[m], b.Y[m], s.z[m] = float32(at[0]), float32(at[1]), float32(at[2])
	b.DA[m], b.DB[m] = s.depth(at), s.depth(end)
	s.axis[m], s.half[m], s.start[m] = uint8(along), false, [3]int{u + 1, v + 1, 1}
	b.N++
}

// depth returns the depth of a fine sample, given in fine cells from the chunk's corner. Between two of the
// chunk's columns the ground is their mean.
func (s *seam) depth(at [3]int) float32 {
	v := s.view
	half := func(x, z int) float32 { return v.ground[(z+v.lo[2])*v.n[0]+x+v.lo[0]] }
	x, z := at[0]>>1, at[2]>>1
	ground := half(x, z)
	switch {
	case at[0]&1 != 0 && at[2]&1 != 0:
		ground = float32((half(x, z) + half(x+1, z) + half(x, z+1) + half(x+1, z+1)) * 0.25)
	case at[0]&1 != 0:
		ground = float32((half(x, z) + half(x+1, z)) * 0.5)
	case at[2]&1 != 0:
		ground = float32((half(x, z) + half(x, z+1)) * 0.5)
	}
	return ground - float32(v.height+int32(v.lo[1])*v.rise+int32(at[1])*(v.rise>>1))
}

// addHalf adds the crossing of the chunk's own edge that starts at u, v and runs along an axis.
func (s *seam) addHalf(u, v, along int) {
	b, m, view := &s.batch, s.batch.N, s.view
	var at [3]int
	at[s.u], at[s.v] = u+view.lo[s.u], v+view.lo[s.v]
	at[s.w] = view.lo[s.w]
	if s.face.High() {
		at[s.w] = view.hi[s.w]
	}
	end := at
	end[along]++
	i := view.index(at[0], at[1], at[2])
	b.A[m], b.B[m] = view.samples[i]-view.iso, view.samples[i+view.stride(along)]-view.iso
	b.AX[m], b.AY[m], b.AZ[m] = view.slope(at, 0), view.slope(at, 1), view.slope(at, 2)
	b.BX[m], b.BY[m], b.BZ[m] = view.slope(end, 0), view.slope(end, 1), view.slope(end, 2)
	b.X[m], b.Y[m], s.z[m] = float32(at[0]-view.lo[0]), float32(at[1]-view.lo[1]), float32(at[2]-view.lo[2])
	ground := func(at [3]int) float32 { return view.ground[at[2]*view.n[0]+at[0]] - view.heightOf(at[1]) }
	b.DA[m], b.DB[m] = ground(at), ground(end)
	s.axis[m], s.half[m], s.start[m] = uint8(along), true, at
	b.N++
}

// flush solves the batch and writes it to the mesh.
func (s *seam) flush() {
	b, m := &s.batch, s.out
	if b.N == 0 {
		return
	}
	solved, has := b.Solve(), s.view.attributes(false)
	for i := range b.N {
		if !solved {
			if fine, _ := b.SolveOne(i); !fine {
				s.solveRobust(i)
			}
		}
		p := [3]float32{b.X[i], b.Y[i], s.z[i]}
		p[s.axis[i]] += b.T[i]
		for axis, scale := range s.view.scale {
			if !s.half[i] {
				scale *= 0.5
			}
			p[axis] *= scale
		}
		v := mesh.Vertex{Position: p, Normal: [3]float32{b.NX[i], b.NY[i], b.NZ[i]}, Depth: solve.Mix(b.DA[i], b.DB[i], b.T[i])}
		if len(s.view.materials) != 0 {
			v.Materials = s.materials(i)
		}
		m.Append(v, has)
	}
	s.first += b.N
	b.N = 0
}

// solveRobust solves crossing i for any densities, as the chunk that has the edge does.
func (s *seam) solveRobust(i int) {
	b, view, axis := &s.batch, s.view, int(s.axis[i])
	var n [3]float32
	if s.half[i] {
		b.T[i], n = view.solveRobust(s.start[i], axis)
	} else {
		b.T[i], n = s.solveRobustFull(s.start[i], axis)
	}
	b.T[i] = (b.T[i] + view.snap) - view.snap
	b.NX[i], b.NY[i], b.NZ[i] = n[0], n[1], n[2]
}

// solveRobustFull does for the edge of the slab that starts at a place and runs along one of the world's axes
// what solveRobust does for a view's.
func (s *seam) solveRobustFull(at [3]int, axis int) (t float32, n [3]float32) {
	slab := view{samples: s.slab, n: [3]int{s.side, s.side, 3}}
	order := [3]int{s.u, s.v, s.w} // the world's axes in the slab's order
	end, along := at, 0
	for order[along] != axis {
		along++
	}
	end[along]++
	i := slab.index(at[0], at[1], at[2])
	a, b := s.slab[i], s.slab[i+slab.stride(along)]
	t = solve.Crossing(a, b)
	var g [3]float64
	for k, world := range order {
		from, to := slab.robustSlope(at, k), slab.robustSlope(end, k)
		g[world] = from + float64((to-from)*float64(t))
	}
	return t, solve.Direction(g, axis, a > 0)
}
