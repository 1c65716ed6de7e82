package mesher

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/solve"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// marching is the marching cubes mesher.
type marching struct {
	marcher
	seam *seam      // made when it is first needed
	pool workerPool // of volumes
}

// ClosesSeams implements Mesher: transition cells do.
func (k *marching) ClosesSeams() bool { return true }

// Mesh implements Mesher.
func (k *marching) Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces) {
	k.openChunk(g, 1, g.Cells+1)
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

// volume implements surface: by the pool if there are several workers, or one that must know the size of the mesh first.
func (k *marching) volume(x *Extractor, m *mesh.Mesh, v view) (stats Stats, err error) {
	vertex, index := m.Vertices(), len(m.Indices)
	var ties []uint32
	if x.Run != nil && x.Threads > 1 || cap(m.Indices) == 0 {
		if len(k.pool.marchers) == 0 {
			k.pool.marchers = append(k.pool.marchers, &k.marcher)
		}
		stats.NaNs, err = k.pool.extract(x, m, v)
		ties = k.pool.ties
	} else {
		k.openVolume(x, v, 4)
		err = k.extract(m)
		stats.NaNs, ties = k.planes.nans, k.ties
	}
	if err == nil && len(ties) != 0 {
		k.joiner.Join(m, ties, vertex, index, false)
	}
	return stats, err
}

// A marcher is marching cubes over a view, plane by plane. The signs of a plane are packed, the crossings that
// they make are numbered by counting bits, and vertices and triangles are written while the samples are in
// the cache.
type marcher struct {
	scan
	batch solve.Batch
	used  int         // indices written
	edge  [3][]uint64 // bits of a row whose crossings along an axis have a neighbor past the samples' edge
	every []uint64    // all bits
	inner [3]innerRows

	tail [bits.EmitRoom]uint32 // for indices that do not fit in what is left with all that an emission may overwrite
	own  mesh.Mesh             // indices that do not have their place yet
}

// innerRows is the range of rows and the one of planes, both ends included, in which crossings along an
// axis have all their neighbors.
type innerRows struct{ y0, y1, z0, z1 int }

func (r innerRows) has(y, z int) bool { return y >= r.y0 && y <= r.y1 && z >= r.z0 && z <= r.z1 }

// extract appends the surface of the view to m.
func (e *marcher) extract(m *mesh.Mesh) error {
	e.begin(3)
	e.out, e.next, e.used = m, m.Vertices(), len(m.Indices)
	e.reserveIndices(0)
	v, p := &e.view, &e.planes
	lo, hi := v.lo[2], v.hi[2]
	e.first()
	n := p.crossInPlane(p.upper, uint32(e.next))
	for z := lo; z < hi; z++ {
		if e.window.rim != 0 {
			e.flush() // what is in the batch may need planes that go
		}
		e.step(z)
		n = p.crossBetween(n)
		if n = p.crossInPlane(p.upper, n); int(n) < e.next { // a plane has fewer crossings than would take it full circle
			m.Indices, e.out = m.Indices[:e.used], nil
			return fmt.Errorf("%w: the surface has more than %d vertices", ErrTooLarge, math.MaxUint32)
		}
		m.Resize(int(n), e.has)
		e.gatherPlane(p.lower, z)
		e.cells()
	}
	e.gather(p.upper, 0, hi)
	e.gather(p.upper, 1, hi)
	e.flush()
	m.Indices = m.Indices[:e.used]
	e.out = nil
	return nil
}

// gatherPlane adds the crossings in plane z and from it to the next to the mesh.
func (e *marcher) gatherPlane(q *plane, z int) {
	e.gather(q, 0, z)
	e.gather(q, 1, z)
	e.gather(q, 2, z)
}

// begin makes the marcher ready for the view, of which it will look at so many planes at a time.
func (e *marcher) begin(planes int) {
	v, b := &e.view, &e.batch
	e.has = v.attributes(e.flat)
	e.planes.reset(v, v.counted(), planes)
	e.findEdges()
	b.Flat, b.Weight, b.Near, b.Snap = e.flat, v.weight, -1, v.snap
	if e.noteTies {
		b.Near = v.nearSample()
	}
	e.ties = e.ties[:0]
}

// counted returns the edges that marching cubes gives a vertex to: all.
func (v *view) counted() [3]starts {
	x0, x1, y0, y1 := v.lo[0], v.hi[0], v.lo[1], v.hi[1]
	return [3]starts{{x0, x1 - 1, y0, y1}, {x0, x1, y0, y1 - 1}, {x0, x1, y0, y1}}
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
	if e.flat { // without gradients no crossing needs neighbors
		clear(e.every)
		for axis := range e.edge {
			clear(e.edge[axis])
		}
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
func extend[T float32 | uint32 | uint8 | netEdge](s []T, n int) []T {
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
	p := &e.planes
	l, u := p.lower, p.upper
	y0, y1, z0, z1 := l.first[1][y], u.first[1][y], l.first[2][y], l.first[2][y+1]
	next := bits.EdgeCounters{
		l.first[0][y], l.first[0][y+1], u.first[0][y], u.first[0][y+1],
		y0, y0, y1, y1, z0, z0, z1, z1,
	}
	cells := p.cells(y)
	for i := 0; i < p.words; {
		var n int
		n, i = bits.Emit(e.out.Indices[e.used:], &next, &cells, i)
		e.used += n
		if i < p.words {
			n, i = bits.Emit(e.tail[:], &next, &cells, i)
			e.reserveIndices(n)
			e.used += copy(e.out.Indices[e.used:], e.tail[:n])
		}
	}
}

// cells returns row y of the cells between the two planes.
func (p *planes) cells(y int) bits.CellRow {
	l, u := p.lower, p.upper
	return bits.CellRow{
		Solid: [4][]uint64{p.row(l.solid, y), p.row(l.solid, y+1), p.row(u.solid, y), p.row(u.solid, y+1)},
		Mask:  p.mask[0],
	}
}
