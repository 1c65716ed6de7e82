package mesher

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/signs"
	"github.com/terrane/terrane/internal/vertex"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// marching is the marching cubes mesher.
type marching struct {
	marcher
	seam *seam // made when it is first needed
}

// Mesh implements Mesher.
func (k *marching) Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces) {
	k.view = chunkView(g, 1, g.Cells+1)
	if err := k.extract(m); err != nil {
		panic(err) // 1024³ cells have fewer than 2³² vertices
	}
	for face := lattice.LowX; face <= lattice.HighZ; face++ {
		if finer.Has(face) {
			if k.seam == nil {
				k.seam = &seam{}
			}
			k.seam.mesh(m, &k.view, g, face)
		}
	}
}

// A marcher is marching cubes over a view, slab by slab, a slab being the cells between some planes. A slab
// is counted first: the signs of its planes are packed, and the crossings they make are numbered by counting
// bits. Then it is filled: vertices and triangles are written while its samples are in the cache.
type marcher struct {
	source
	flat   bool // no normals are wanted
	planes planes
	batch  vertex.Batch
	out    *mesh.Mesh
	z0, z1 int         // the slab counted last
	last   bool        // and whether it is the view's last
	local  bool        // slabs are numbered each from 0
	base   uint32      // what its numbers of vertices fall short by
	next   int         // number of the next vertex to be written
	used   int         // indices written
	edge   [3][]uint64 // bits of a row whose crossings along an axis have a neighbor past the samples' edge
	every  []uint64    // all bits
	inner  [3]innerRows

	tail     [signs.EmitRoom]uint32 // for indices that do not fit in what is left with all that emit may overwrite
	noteTies bool
	ties     []uint32 // vertices that lie on a sample
}

// innerRows is the range of rows and the one of planes, both ends included, in which crossings along an
// axis have all their neighbors.
type innerRows struct{ y0, y1, z0, z1 int }

func (r innerRows) has(y, z int) bool { return y >= r.y0 && y <= r.y1 && z >= r.z0 && z <= r.z1 }

// extract appends the surface of the view to m.
func (e *marcher) extract(m *mesh.Mesh) error {
	e.begin(1)
	e.out, e.next, e.used = m, m.Vertices(), len(m.Indices)
	e.reserveIndices(0)
	nans := 0
	for z := e.view.lo[2]; z < e.view.hi[2]; z++ {
		n := e.count(z, z+1, uint32(e.next+e.batch.N))
		if int(n) < e.next { // a plane has fewer crossings than would take it full circle
			m.Indices, e.out = m.Indices[:e.used], nil
			return fmt.Errorf("%w: the surface has more than %d vertices", ErrTooLarge, math.MaxUint32)
		}
		nans += e.nans()
		e.reserveVertices(int(n))
		e.fill()
	}
	e.flush()
	e.planes.nans = nans
	m.Indices = m.Indices[:e.used]
	e.out = nil
	return nil
}

// begin makes the marcher ready for the view in slabs of up to so many cells.
func (e *marcher) begin(cells int) {
	v, b := &e.view, &e.batch
	e.planes.reset(v, v.counted(), cells+2)
	e.findEdges()
	b.Flat, b.Weight, b.Near, b.Snap = e.flat, v.weight, -1, v.snap
	if e.noteTies {
		b.Near = v.nearSample()
	}
	e.ties = e.ties[:0]
	e.base, e.z1 = 0, -1
}

// counted returns the edges that marching cubes gives a vertex to: all.
func (v *view) counted() [3]starts {
	x0, x1, y0, y1 := v.lo[0], v.hi[0], v.lo[1], v.hi[1]
	return [3]starts{{x0, x1 - 1, y0, y1}, {x0, x1, y0, y1 - 1}, {x0, x1, y0, y1}}
}

// count packs and numbers the slab of the cells between planes z0 and z1, its vertices from first on, and
// returns the number of the next slab's first vertex. The vertices on plane z1 are the next slab's unless
// there is none. If the slab before was counted last, what is known of their common plane stays.
func (e *marcher) count(z0, z1 int, first uint32) uint32 {
	v, p := &e.view, &e.planes
	if e.z1 == z0 && z0 > e.z0 {
		known := z0 - e.z0
		for i := range 2 {
			p.all[i], p.all[known+i] = p.all[known+i], p.all[i]
		}
	} else {
		p.all[0].z = -1
	}
	if e.window.rim != 0 {
		e.flush() // what is in the batch may need planes that go
		e.hold(z0-1, z1+1)
	}
	e.z0, e.z1, e.last = z0, z1, z1 == v.hi[2]
	if p.all[0].z != z0 || e.local {
		e.pack(0)
		p.crossInPlane(&p.all[0], first)
	}
	n := first + p.all[0].inPlane
	e.pack(1)
	for i := range z1 - z0 {
		p.lower, p.upper = &p.all[i], &p.all[i+1]
		if z0+i+2 <= v.hi[2] {
			e.pack(i + 2)
		}
		n = p.crossBetween(n)
		p.crossInPlane(p.upper, n)
		if i+1 < z1-z0 || e.last {
			n += p.upper.inPlane
		}
	}
	return n
}

// pack reads the signs of the slab's plane i unless they are known.
func (e *marcher) pack(i int) {
	if q, z := &e.planes.all[i], e.z0+i; q.z != z {
		e.planes.pack(q, &e.view, z)
	}
}

// nans returns the number of NaN samples in the slab's own planes.
func (e *marcher) nans() (n int) {
	own := e.z1 - e.z0
	if e.last {
		own++
	}
	for _, q := range e.planes.all[:own] {
		n += q.nans
	}
	return n
}

// fill writes the vertices and triangles of the slab counted last.
func (e *marcher) fill() {
	p := &e.planes
	for i := range e.z1 - e.z0 {
		p.lower, p.upper = &p.all[i], &p.all[i+1]
		z := e.z0 + i
		e.gather(p.lower, 0, z)
		e.gather(p.lower, 1, z)
		e.gather(p.lower, 2, z)
		e.cells()
	}
	if e.last {
		e.gather(p.upper, 0, e.z1)
		e.gather(p.upper, 1, e.z1)
	}
}

// findEdges works out where crossings have neighbors past the edge of the samples.
func (e *marcher) findEdges() {
	v := &e.view
	first := v.rim
	for axis := range 3 {
		e.edge[axis] = resize(e.edge[axis], e.planes.words)
		last := [3]int{v.n[0] - 1 - v.rim, v.n[1] - 1 - v.rim, v.n[2] - 1 - v.rim}
		last[axis]--
		fillBits(e.edge[axis], first+1, last[0])
		for i := range e.edge[axis] {
			e.edge[axis][i] = ^e.edge[axis][i]
		}
		e.inner[axis] = innerRows{first + 1, last[1] - 1, first + 1, last[2] - 1}
	}
	e.every = resize(e.every, e.planes.words)
	for i := range e.every {
		e.every[i] = ^uint64(0)
	}
}

// reserveVertices makes room for n vertices in all.
func (e *marcher) reserveVertices(n int) {
	m := e.out
	m.Positions = extend(m.Positions, 3*n)
	if !e.flat {
		m.Normals = extend(m.Normals, 3*n)
	}
	if len(e.view.ground) != 0 {
		m.Depths = extend(m.Depths, n)
	}
}

// reserveIndices makes room for n more indices. The indices are kept as long as there is room.
func (e *marcher) reserveIndices(n int) {
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
func (e *marcher) cells() {
	p := &e.planes
	l, u := p.lower, p.upper
	for y := p.y0; y < p.y1; y++ {
		if l.state[y]|l.state[y+1]|u.state[y]|u.state[y+1] == mixed {
			e.row(y)
		}
	}
}

// row appends the triangles of a row of cells.
func (e *marcher) row(y int) {
	p, n := &e.planes, e.base
	l, u := p.lower, p.upper
	y0, y1, z0, z1 := n+l.first[1][y], n+u.first[1][y], n+l.first[2][y], n+l.first[2][y+1]
	next := signs.EdgeCounters{
		n + l.first[0][y], n + l.first[0][y+1], n + u.first[0][y], n + u.first[0][y+1],
		y0, y0, y1, y1, z0, z0, z1, z1,
	}
	var c signs.Corners
	for i := range p.words {
		active := p.active(y, i, &c)
		switch {
		case active == 0:
		case len(e.out.Indices)-e.used >= signs.EmitRoom:
			e.used += signs.Emit(e.out.Indices[e.used:], &next, active, &c)
		default:
			n := signs.Emit(e.tail[:], &next, active, &c)
			e.reserveIndices(n)
			e.used += copy(e.out.Indices[e.used:], e.tail[:n])
		}
	}
}

// active sets c to the corners of 64 cells of a row and returns those of the cells that the surface passes.
func (p *planes) active(y, i int, c *signs.Corners) uint64 {
	l, u := p.lower, p.upper
	c[0], c[1] = word(p.row(l.solid, y), i)
	c[2], c[3] = word(p.row(l.solid, y+1), i)
	c[4], c[5] = word(p.row(u.solid, y), i)
	c[6], c[7] = word(p.row(u.solid, y+1), i)
	some := c[0] | c[1] | c[2] | c[3] | c[4] | c[5] | c[6] | c[7]
	every := c[0] & c[1] & c[2] & c[3] & c[4] & c[5] & c[6] & c[7]
	return some &^ every & p.mask[0][i]
}
