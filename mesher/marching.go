package mesher

import (
	"math/bits"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/cube"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// marching is the marching cubes mesher.
type marching struct{ extractor }

// Mesh implements Mesher.
func (k *marching) Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces) {
	k.view = chunkView(g, 1, g.Cells+1)
	k.extract(m)
}

// An extractor is marching cubes over a view. It goes plane by plane: the signs of the next plane are
// packed, the crossings they make are numbered by counting bits, and vertices and triangles follow while
// both planes are in cache.
type extractor struct {
	view   view
	planes planes
	batch  batch
	out    *mesh.Mesh
	next   int          // number of the next vertex to be written
	used   int          // indices written
	edge   [3][]uint64  // bits of a row whose crossings along an axis have a neighbor past the samples' edge
	inner  [3]innerRows // rows in which no crossing along an axis has
}

// innerRows is a range of rows and one of planes, both ends included.
type innerRows struct{ y0, y1, z0, z1 int }

func (r innerRows) has(y, z int) bool { return y >= r.y0 && y <= r.y1 && z >= r.z0 && z <= r.z1 }

// caseRow is what a case appends to the indices: edges in triples, counter-clockwise seen from the air.
type caseRow struct {
	edges [15]uint8
	n     uint8
}

var (
	caseRows    [cube.Cases]caseRow
	caseCrossed [cube.Cases]uint16
)

func init() {
	for c := range cube.Cases {
		t := cube.Triangles(uint8(c))
		r := &caseRows[c]
		for i := 0; i < len(t); i += 3 {
			r.edges[i], r.edges[i+1], r.edges[i+2] = t[i], t[i+2], t[i+1]
		}
		r.n = uint8(len(t))
		caseCrossed[c] = cube.Crossed(uint8(c))
	}
}

// rowSlack is how many indices past the last a row of cells may overwrite.
const rowSlack = 16

// extract appends the surface of the view to m.
func (e *extractor) extract(m *mesh.Mesh) {
	v, p := &e.view, &e.planes
	e.out, e.next, e.used = m, m.Vertices(), len(m.Indices)
	x0, x1, y0, y1 := v.lo[0], v.hi[0], v.lo[1], v.hi[1]
	p.reset(v, [3]starts{{x0, x1 - 1, y0, y1}, {x0, x1, y0, y1 - 1}, {x0, x1, y0, y1}})
	e.findEdges()
	lo, hi := v.lo[2], v.hi[2]
	p.pack(p.upper, v, lo)
	n := p.crossInPlane(p.upper, uint32(e.next))
	e.reserveVertices(int(n))
	e.gather(p.upper, 0, lo)
	e.gather(p.upper, 1, lo)
	for z := lo; z < hi; z++ {
		p.lower, p.upper = p.upper, p.lower
		p.pack(p.upper, v, z+1)
		n = p.crossBetween(n)
		n = p.crossInPlane(p.upper, n)
		e.reserveVertices(int(n))
		e.gather(p.lower, 2, z)
		e.gather(p.upper, 0, z+1)
		e.gather(p.upper, 1, z+1)
		e.cells()
	}
	m.Indices = m.Indices[:e.used]
	e.out = nil
}

// findEdges works out where crossings have neighbors past the edge of the samples.
func (e *extractor) findEdges() {
	v := &e.view
	for axis := range 3 {
		e.edge[axis] = resize(e.edge[axis], e.planes.words)
		last := v.n
		last[axis]--
		fillBits(e.edge[axis], 1, last[0]-1)
		for i := range e.edge[axis] {
			e.edge[axis][i] = ^e.edge[axis][i]
		}
		e.inner[axis] = innerRows{1, last[1] - 2, 1, last[2] - 2}
	}
}

// reserveVertices makes room for n vertices in all.
func (e *extractor) reserveVertices(n int) {
	m := e.out
	m.Positions = extend(m.Positions, 3*n)
	m.Normals = extend(m.Normals, 3*n)
	if len(e.view.ground) != 0 {
		m.Depths = extend(m.Depths, n)
	}
}

// reserveIndices makes room for n more indices.
func (e *extractor) reserveIndices(n int) {
	m := e.out
	if cap(m.Indices) < e.used+n {
		m.Indices = extend(m.Indices[:e.used], e.used+n)
	}
	m.Indices = m.Indices[:cap(m.Indices)]
}

// extend returns s with length n, keeping what it holds; what is added is undefined.
func extend[T float32 | uint32](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	t := make([]T, n, n+n/2)
	copy(t, s)
	return t
}

// cells appends the triangles of the cells between the two planes.
func (e *extractor) cells() {
	v, p := &e.view, &e.planes
	for y := v.lo[1]; y < v.hi[1]; y++ {
		l, u := p.lower, p.upper
		if l.base[0][y] == l.base[0][y+2] && u.base[0][y] == u.base[0][y+2] &&
			l.base[1][y] == l.base[1][y+1] && u.base[1][y] == u.base[1][y+1] && l.base[2][y] == l.base[2][y+2] {
			continue
		}
		e.reserveIndices(15*(v.hi[0]-v.lo[0]) + rowSlack)
		e.row(y)
	}
}

// A cellRow holds the numbers of the next vertices along the edges of a row of cells.
type cellRow struct {
	x [4]uint32 // along x, by the edge's place on y and z
	y [2]uint32 // along y, by its place on z
	z [2]uint32 // along z, by its place on y
}

// row appends the triangles of a row of cells.
func (e *extractor) row(y int) {
	p := &e.planes
	l, u, w := p.lower, p.upper, p.words
	r := cellRow{
		x: [4]uint32{l.base[0][y], l.base[0][y+1], u.base[0][y], u.base[0][y+1]},
		y: [2]uint32{l.base[1][y], u.base[1][y]},
		z: [2]uint32{l.base[2][y], l.base[2][y+1]},
	}
	s := [4][]uint64{
		l.solid[y*w : y*w+w], l.solid[y*w+w : y*w+2*w],
		u.solid[y*w : y*w+w], u.solid[y*w+w : y*w+2*w],
	}
	for i := range w {
		a := [4]uint64{s[0][i], s[1][i], s[2][i], s[3][i]}
		var next [4]uint64
		if i+1 < w {
			next = [4]uint64{s[0][i+1], s[1][i+1], s[2][i+1], s[3][i+1]}
		}
		some, every := a[0]|a[1]|a[2]|a[3], a[0]&a[1]&a[2]&a[3]
		some |= some>>1 | (next[0]|next[1]|next[2]|next[3])<<63
		every &= every>>1 | (next[0]&next[1]&next[2]&next[3])<<63
		active := some &^ every & p.mask[0][i]
		if low := uint32(active); low != 0 {
			e.used += emit(e.out.Indices[e.used:], &r, low, a)
		}
		if high := uint32(active >> 32); high != 0 {
			for k := range a {
				a[k] = a[k]>>32 | next[k]<<32
			}
			e.used += emit(e.out.Indices[e.used:], &r, high, a)
		}
	}
}

// emit appends the triangles of up to 32 cells of a row, those whose bits are set in active. Bits x and x+1
// of the words in solid are the corners of cell x. It returns the number of indices written and may
// overwrite some past them.
func emit(dst []uint32, r *cellRow, active uint32, solid [4]uint64) int {
	used := 0
	var id [16]uint32
	for ; active != 0; active &= active - 1 {
		x := bits.TrailingZeros32(active) & 31
		c := solid[0]>>x&3 | solid[1]>>x&3<<2 | solid[2]>>x&3<<4 | solid[3]>>x&3<<6
		cross := uint32(caseCrossed[c])
		id[0], id[1], id[2], id[3] = r.x[0], r.x[1], r.x[2], r.x[3]
		r.x[0] += cross & 1
		r.x[1] += cross >> 1 & 1
		r.x[2] += cross >> 2 & 1
		r.x[3] += cross >> 3 & 1
		id[4], id[6], id[8], id[10] = r.y[0], r.y[1], r.z[0], r.z[1]
		r.y[0] += cross >> 4 & 1
		r.y[1] += cross >> 6 & 1
		r.z[0] += cross >> 8 & 1
		r.z[1] += cross >> 10 & 1
		id[5], id[7], id[9], id[11] = r.y[0], r.y[1], r.z[0], r.z[1]
		row := &caseRows[c]
		out := (*[15]uint32)(dst[used:])
		for k := range 9 {
			out[k] = id[row.edges[k]&15]
		}
		if row.n > 9 {
			for k := 9; k < 15; k++ {
				out[k] = id[row.edges[k]&15]
			}
		}
		used += int(row.n)
	}
	return used
}
