package mesher

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/internal/kernel/solve"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// nets is the surface nets mesher: a vertex in the middle of each part of each cell's surface (cube.Parts)
// and a polygon round each crossed edge, which joins the parts that meet there.
//
// The seam rule: an edge of the lattice, and so its polygon, belongs to the chunk that has the edge's first
// sample on its low sides or inside (0 … Cells−1 along each axis). Chunks therefore reach half a cell or so
// past their low sides and stop as short of their high sides; the vertices they need from the margin are bit
// for bit those of the neighbor, and all chunks together are closed, each polygon there once.
type nets struct {
	scan
	table  *[cube.Cases]cube.Net
	batch  solve.NetBatch
	list   bits.Places
	below  netSlab
	above  netSlab
	active []uint64     // the cells of the slab above that have a vertex, as bits
	count  []uint32     // how many each row has
	cases  []uint8      // of all these cells; and room
	edges  [3][]netEdge // along each axis, that start in the plane and whose polygons are to be made
	from   int          // how many cells past lo an edge that counts starts along its own axis, or further
	none   []uint64     // a row without bits
	// owned holds, by the place of a cell on each axis (first, middle, last, only), its edges that count.
	owned    [4][4][4]uint16
	orphans  bool // a vertex may be unused
	counting bool // nothing is made: next, indices and fans count
	indices  int
	fans     int  // vertices amid fans
	parts    bool // a cell in the batch has several parts
}

// A netSlab holds what polygons need to know of the cells between two planes, by their place in the plane.
// Only cells with a vertex are set.
type netSlab struct {
	first []uint32 // number of the cell's first vertex, with manyParts set if there are more
	cases []uint8
}

// manyParts marks the number of a cell's first vertex if the cell has others.
const manyParts = 1 << 31

// ClosesSeams implements Mesher: there are no transition cells between dual meshes.
func (k *nets) ClosesSeams() bool { return false }

// Mesh implements Mesher; finer must be 0.
func (k *nets) Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces) {
	refuseFiner(Nets, finer)
	k.openChunk(g, 0, g.Cells+1)
	k.view.shift = 1
	vertex, index := m.Vertices(), len(m.Indices)
	if err := k.extract(m, 1); err != nil {
		panic(err) // chunks are smaller than that
	}
	if k.orphans {
		k.joiner.Join(m, nil, vertex, index, true)
	}
}

// volume implements surface. A mesh without any capacity is counted first.
func (k *nets) volume(x *Extractor, m *mesh.Mesh, v view) (Stats, error) {
	k.openVolume(x, v, 4)
	if cap(m.Indices) == 0 {
		k.counting = true
		err := k.extract(m, 0)
		k.counting = false
		if err != nil {
			return Stats{}, err
		}
		if n := k.fans + k.fans/8; cap(k.ties) < n {
			k.ties = make([]uint32, 0, n)
		}
		if err := x.allocate(m, k.next, len(m.Indices)+k.indices); err != nil {
			return Stats{}, err
		}
	}
	vertex, index := m.Vertices(), len(m.Indices)
	if err := k.extract(m, 0); err != nil {
		return Stats{}, err
	}
	if len(k.ties) != 0 || k.orphans {
		k.joiner.Join(m, k.ties, vertex, index, k.orphans)
	}
	return Stats{NaNs: k.planes.nans}, nil
}

// extract appends the surface of the view to m. An edge counts if its first sample is at least lo+first
// along its own axis and lies past lo and short of hi along the others.
func (k *nets) extract(m *mesh.Mesh, first int) error {
	v, p := &k.view, &k.planes
	k.has = v.attributes(k.flat)
	k.out, k.next, k.orphans, k.indices, k.fans = m, m.Vertices(), false, 0, 0
	k.begin(first)
	lo, hi := v.lo[2], v.hi[2]
	k.first()
	p.noCrossings(p.upper, 0)
	p.noCrossings(p.upper, 1)
	for z := lo; z < hi; z++ {
		k.step(z)
		k.below, k.above = k.above, k.below
		p.noCrossings(p.lower, 2)
		if z >= lo+first {
			p.crossBetween(0)
		}
		if z+1 < hi {
			p.crossInPlane(p.upper, 0)
		} else {
			p.noCrossings(p.upper, 0)
			p.noCrossings(p.upper, 1)
		}
		k.vertices(z)
		if k.next > math.MaxInt32 {
			return fmt.Errorf("%w: the surface has more than %d vertices", ErrTooLarge, math.MaxInt32)
		}
		k.polygons(z)
	}
	k.out = nil
	return nil
}

// begin makes everything ready for the view.
func (k *nets) begin(first int) {
	k.table = cube.Nets()
	v, p := &k.view, &k.planes
	x, y := [2]int{v.lo[0] + 1, v.hi[0] - 1}, [2]int{v.lo[1] + 1, v.hi[1] - 1}
	p.reset(v, [3]starts{
		{v.lo[0] + first, x[1], y[0], y[1]},
		{x[0], x[1], v.lo[1] + first, y[1]},
		{x[0], x[1], y[0], y[1]},
	}, 3)
	k.findOwned(first)
	k.from = first
	for axis := range k.edges {
		k.edges[axis] = k.edges[axis][:0]
	}
	for _, s := range []*netSlab{&k.below, &k.above} {
		s.first = resize(s.first, v.n[0]*v.n[1])
		s.cases = resize(s.cases, v.n[0]*v.n[1])
	}
	k.active, k.count, k.none = resize(k.active, p.words*v.n[1]), resize(k.count, v.n[1]), resize(k.none, p.words)
	clear(k.none)
	k.ties = k.ties[:0]
	k.batch.Weight = v.weight
}

// findOwned works out which edges of a cell count.
func (k *nets) findOwned(first int) {
	for class := range 64 {
		at := [3]int{class & 3, class >> 2 & 3, class >> 4}
		var set uint16
		for e := range cube.Edges {
			counts := true
			for axis := range 3 {
				high := int(cube.EdgeEnds[e][0]) >> axis & 1
				switch {
				case axis == e>>2:
					counts = counts && (at[axis]%3 > 0 || first == 0)
				case at[axis] == 0:
					counts = counts && high == 1
				case at[axis] == 2:
					counts = counts && high == 0
				case at[axis] == 3:
					counts = false
				}
			}
			if counts {
				set |= 1 << e
			}
		}
		k.owned[at[0]][at[1]][at[2]] = set
	}
}

// class returns 0 for the first cell along an axis, 2 for the last, 3 for the only one and 1 for the others.
func (k *nets) class(i, axis int) int {
	first, last := i == k.view.lo[axis], i == k.view.hi[axis]-1
	switch {
	case first && last:
		return 3
	case first:
		return 0
	case last:
		return 2
	}
	return 1
}

// vertices adds the vertices of the cells between planes z and z+1.
func (k *nets) vertices(z int) {
	v := &k.view
	cases := k.cases[:k.findCells()]
	cells := bits.Listing{
		Words: k.active, Count: k.count, Edge: k.none, NX: v.n[0], Row: v.lo[1], End: v.hi[1],
		X: float32(-v.lo[0] - v.shift), Y: float32(-v.lo[1] - v.shift),
	}
	for more := len(cases) != 0; more; {
		k.list.N = 0
		more = k.list.List(&cells)
		n := k.list.N
		k.listEdges(z, cases[:n])
		if k.counting {
			k.countCells(cases[:n])
		} else {
			k.addCells(z, cases[:n])
		}
		cases = cases[n:]
	}
	k.flush(z)
}

// findCells sets active and count to the cells between the two planes that have a vertex, and cases to their
// cases; it returns their number.
func (k *nets) findCells() (n int) {
	p, v := &k.planes, &k.view
	l, u := p.lower, p.upper
	for y := v.lo[1]; y < v.hi[1]; y++ {
		k.count[y] = 0
		if l.state[y]|l.state[y+1]|u.state[y]|u.state[y+1] == mixed {
			k.cases = extend(k.cases, n+64*p.words+64)
			found := k.findInRow(y, k.cases[n:])
			k.count[y] = uint32(found)
			n += found
		}
	}
	return n
}

// findInRow sets active to the cells of a row that have a vertex, and cases to their cases; it returns their
// number.
func (k *nets) findInRow(y int, cases []uint8) (n int) {
	p := &k.planes
	l, u := p.lower, p.upper
	x0, x1, x2, x3 := p.row(l.cross[0], y), p.row(l.cross[0], y+1), p.row(u.cross[0], y), p.row(u.cross[0], y+1)
	y0, y1 := p.row(l.cross[1], y), p.row(u.cross[1], y)
	z0, z1 := p.row(l.cross[2], y), p.row(l.cross[2], y+1)
	row, cells := p.row(k.active, y), p.cells(y)
	var c bits.Corners
	for i := range row {
		across := y0[i] | y1[i] | z0[i] | z1[i]
		after := across >> 1
		if i+1 < len(row) {
			after |= (y0[i+1] | y1[i+1] | z0[i+1] | z1[i+1]) << 63
		}
		active := x0[i] | x1[i] | x2[i] | x3[i] | across | after
		row[i] = active
		if active != 0 {
			cells.Corners(i, &c)
			n += bits.ListCases(cases[n:], active, &c)
		}
	}
	return n
}

// addCells adds the vertices of the listed cells to the batch.
func (k *nets) addCells(z int, cases []uint8) {
	v, b, iso := &k.view, &k.batch, k.view.iso
	nx := v.n[0]
	plane, next := v.samples[v.index(0, 0, z):], v.samples[v.index(0, 0, z+1):]
	for m, c := range cases {
		if b.N > bits.BatchSize-4 {
			k.flush(z)
		}
		m := m & bits.BatchMask
		place := int(k.list.At[m])
		n := &k.table[c]
		first := uint32(k.next + b.N)
		if n.N > 1 {
			first |= manyParts
			k.parts = true
			k.findOrphans(n, place%nx, place/nx, z)
		}
		k.above.first[place], k.above.cases[place] = first, c
		s0, s1 := (*[2]float32)(plane[place:]), (*[2]float32)(plane[place+nx:])
		s2, s3 := (*[2]float32)(next[place:]), (*[2]float32)(next[place+nx:])
		for _, edges := range n.Edges[:n.N] {
			i := b.N & bits.BatchMask
			b.X[i], b.Y[i], b.Edges[i] = k.list.X[m], k.list.Y[m], int32(edges)
			b.D[0][i], b.D[1][i], b.D[2][i], b.D[3][i] = s0[0]-iso, s0[1]-iso, s1[0]-iso, s1[1]-iso
			b.D[4][i], b.D[5][i], b.D[6][i], b.D[7][i] = s2[0]-iso, s2[1]-iso, s3[0]-iso, s3[1]-iso
			if len(v.ground) != 0 {
				g := v.ground[z*nx+place%nx:]
				b.Ground[0][i], b.Ground[1][i], b.Ground[2][i], b.Ground[3][i] = g[0], g[1], g[nx], g[nx+1]
			}
			b.N++
		}
	}
}

// countCells counts the vertices of the listed cells.
func (k *nets) countCells(cases []uint8) {
	for m, c := range cases {
		place, n := int(k.list.At[m]), k.table[c].N
		k.above.first[place], k.above.cases[place] = 0, c
		if n > 1 {
			k.above.first[place] = manyParts
		}
		k.next += n
	}
}

// findOrphans notes whether a part of a cell has only edges that do not count.
func (k *nets) findOrphans(n *cube.Net, x, y, z int) {
	owned := k.owned[k.class(x, 0)][k.class(y, 1)][k.class(z, 2)]
	for _, edges := range n.Edges[:n.N] {
		k.orphans = k.orphans || edges&owned == 0
	}
}

// flush solves the batch and writes it to the mesh.
func (k *nets) flush(z int) {
	b, v, m, o := &k.batch, &k.view, k.out, k.next
	if b.N == 0 {
		return
	}
	if !b.Solve() {
		for i := range b.N {
			if !b.SolveOne(i) {
				b.SolveRobust(i)
			}
		}
	}
	m.Resize(o+b.N, k.has)
	to := m.Slice(o, b.N)
	b.WritePositions(to.Positions, float32(z-v.lo[2]-v.shift), v.scale)
	if !k.flat {
		b.WriteNormals(to.Normals)
	}
	if len(v.ground) != 0 {
		for i, depths := 0, to.Depths; i < len(depths); i++ {
			j := i & bits.BatchMask
			y := v.heightOf(int(b.Y[j]) + v.lo[1] + v.shift)
			depths[i] = b.Level[j] - y - float32(b.P[1][j]*float32(v.rise))
		}
	}
	if len(v.materials) != 0 {
		k.writeMaterials(to.Materials, z)
	}
	if k.noteTies {
		k.findTies()
	}
	k.next += b.N
	b.N, k.parts = 0, false
}

// findTies notes the solved vertices that lie where others may: on a face of their cell, or in the place of
// another part of it.
func (k *nets) findTies() {
	b := &k.batch
	if !k.parts && b.Inside() {
		return
	}
	for i := range b.N {
		i := i & bits.BatchMask
		if onFace(b.P[0][i]) || onFace(b.P[1][i]) || onFace(b.P[2][i]) {
			k.note(uint32(k.next + i))
			continue
		}
		for j := i - 1; j >= 0 && b.X[j] == b.X[i] && b.Y[j] == b.Y[i]; j-- {
			if b.P[0][j] == b.P[0][i] && b.P[1][j] == b.P[1][i] && b.P[2][j] == b.P[2][i] {
				k.note(uint32(k.next + i))
				k.note(uint32(k.next + j))
			}
		}
	}
}

// note notes a vertex that may lie where another does.
func (k *nets) note(v uint32) {
	if k.noteTies {
		k.ties = append(k.ties, v)
	}
}

// onFace reports whether a coordinate in a cell is one of its ends.
func onFace(f float32) bool { return f == 0 || f == 1 }
