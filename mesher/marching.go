package mesher

import (
	"github.com/terrane/terrane/grid"
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
// packed, the crossings they make are numbered by counting bits, and vertices and triangles follow while the
// planes round them are in the cache.
type extractor struct {
	view   view
	planes planes
	batch  batch
	out    *mesh.Mesh
	next   int         // number of the next vertex to be written
	used   int         // indices written
	edge   [3][]uint64 // bits of a row whose crossings along an axis have a neighbor past the samples' edge
	every  []uint64    // all bits
	inner  [3]innerRows
}

// innerRows is the range of rows and the one of planes, both ends included, in which crossings along an
// axis have all their neighbors.
type innerRows struct{ y0, y1, z0, z1 int }

func (r innerRows) has(y, z int) bool { return y >= r.y0 && y <= r.y1 && z >= r.z0 && z <= r.z1 }

// extract appends the surface of the view to m.
func (e *extractor) extract(m *mesh.Mesh) {
	v, p := &e.view, &e.planes
	e.out, e.next, e.used = m, m.Vertices(), len(m.Indices)
	x0, x1, y0, y1 := v.lo[0], v.hi[0], v.lo[1], v.hi[1]
	p.reset(v, [3]starts{{x0, x1 - 1, y0, y1}, {x0, x1, y0, y1 - 1}, {x0, x1, y0, y1}})
	e.findEdges()
	lo, hi := v.lo[2], v.hi[2]
	p.start(v)
	n := p.crossInPlane(p.upper, uint32(e.next))
	e.reserveVertices(int(n))
	e.gather(p.upper, 0, lo)
	e.gather(p.upper, 1, lo)
	for z := lo; z < hi; z++ {
		p.advance(v, z)
		n = p.crossBetween(n)
		n = p.crossInPlane(p.upper, n)
		e.reserveVertices(int(n))
		e.gather(p.lower, 2, z)
		e.gather(p.upper, 0, z+1)
		e.gather(p.upper, 1, z+1)
		e.cells()
	}
	e.flush()
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
	e.every = resize(e.every, e.planes.words)
	for i := range e.every {
		e.every[i] = ^uint64(0)
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
	p := &e.planes
	l, u := p.lower, p.upper
	for y := p.y0; y < p.y1; y++ {
		if l.state[y]|l.state[y+1]|u.state[y]|u.state[y+1] == mixed {
			e.reserveIndices(15*64*p.words + emitSlack)
			e.row(y)
		}
	}
}

// row appends the triangles of a row of cells.
func (e *extractor) row(y int) {
	p := &e.planes
	l, u := p.lower, p.upper
	y0, y1, z0, z1 := l.first[1][y], u.first[1][y], l.first[2][y], l.first[2][y+1]
	next := edgeCounters{
		l.first[0][y], l.first[0][y+1], u.first[0][y], u.first[0][y+1],
		y0, y0, y1, y1, z0, z0, z1, z1,
	}
	s0, s1 := p.row(l.solid, y), p.row(l.solid, y+1)
	s2, s3 := p.row(u.solid, y), p.row(u.solid, y+1)
	var c corners
	for i := range p.words {
		c[0], c[1] = word(s0, i)
		c[2], c[3] = word(s1, i)
		c[4], c[5] = word(s2, i)
		c[6], c[7] = word(s3, i)
		some := c[0] | c[1] | c[2] | c[3] | c[4] | c[5] | c[6] | c[7]
		every := c[0] & c[1] & c[2] & c[3] & c[4] & c[5] & c[6] & c[7]
		if active := some &^ every & p.mask[0][i]; active != 0 {
			e.used += emit(e.out.Indices[e.used:], &next, active, &c)
		}
	}
}
