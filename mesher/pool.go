package mesher

import (
	"math"
	"sync/atomic"

	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/pool"
	"github.com/terrane/terrane/mesh"
)

// slabCells is how many cells a slab has along z. Thinner slabs make workers meet more often;
// thicker ones fall out of the cache between packing and filling.
const slabCells = 4

// A workerPool extracts a volume with several marchers at the same time, or with one that is to know the size of
// the mesh before it writes any of it. Each takes the next slab, packs its planes, numbers its vertices, emits
// its triangles into memory of its own, learns from the slab before where both go, and writes them there. The
// order is that of a single marcher, and no plane is packed twice.
//
// Workers wait for each other by spinning, and fall back to a condition variable (pool.Signal). The caller's Run starts
// them: this package starts no goroutine.
type workerPool struct {
	marchers []*marcher
	all      func(i int) // has marcher i work until all slabs are taken
	ties     []uint32

	solid []uint64    // the signs of all planes
	state []uint8     // what their rows hold
	slabs []slab      // and one past the last, which says how large all are
	done  pool.Signal // of packed and placed
	taken atomic.Int64
	nans  atomic.Int64
	out   mesh.Mesh // the mesh, every slice as long as its capacity
	has   mesh.Attributes
}

// A slab is the cells between some planes.
type slab struct {
	packed        atomic.Bool // its planes and the one after them have their signs
	placed        atomic.Bool // it is known where it goes:
	vertex, index int
}

// extract appends the surface of a view to m and returns the number of NaN samples.
func (c *workerPool) extract(x *Extractor, m *mesh.Mesh, v view) (nans int, err error) {
	workers := 1
	if x.Run != nil && x.Threads > 1 {
		workers = x.Threads
	}
	c.open(x, v, workers)
	c.slabs[0].vertex, c.slabs[0].index = m.Vertices(), len(m.Indices)
	last := len(c.slabs) - 1
	for first := 0; ; {
		c.round(x, m, workers, first)
		for first < last && c.fits(&c.slabs[first+1]) {
			first++
		}
		c.keep(m, &c.slabs[first])
		if first == last {
			break
		}
		// There is no room for the rest, but now it is known how much it takes.
		if err := x.allocate(m, c.slabs[last].vertex, c.slabs[last].index); err != nil {
			return 0, err
		}
	}
	c.out = mesh.Mesh{}
	c.ties = c.ties[:0]
	for _, e := range c.marchers[:workers] {
		c.ties = append(c.ties, e.ties...)
	}
	return int(c.nans.Load()), nil
}

// open makes everything ready for the view.
func (c *workerPool) open(x *Extractor, v view, workers int) {
	for len(c.marchers) < workers {
		c.marchers = append(c.marchers, &marcher{})
	}
	for _, e := range c.marchers[:workers] {
		e.openVolume(x, v, slabCells+3)
		e.begin(slabCells + 1)
	}
	c.done.Init()
	if c.all == nil {
		c.all = func(i int) {
			for c.work(c.marchers[i]) {
			}
		}
	}
	e := c.marchers[0]
	planes, rows := e.view.n[2], e.view.n[1]
	c.has = v.attributes(x.NoNormals)
	c.solid = resize(c.solid, planes*rows*e.planes.words)
	c.state = resize(c.state, planes*rows)
	c.slabs = resize(c.slabs, (e.view.hi[2]-e.view.lo[2]+slabCells-1)/slabCells+1)
	for i := range c.slabs {
		c.slabs[i].packed.Store(false)
	}
	c.nans.Store(0)
}

// fits reports whether there is room for what goes before a slab.
func (c *workerPool) fits(s *slab) bool {
	return s.vertex <= c.out.Vertices() && s.index <= len(c.out.Indices) && s.vertex <= math.MaxUint32
}

// keep gives m what the workers have written before a slab.
func (c *workerPool) keep(m *mesh.Mesh, s *slab) {
	m.Resize(s.vertex, c.has)
	m.Indices = m.Indices[:s.index]
}

// round has the workers count the slabs from a number on, whose place is known, and fill those that m has
// room for.
func (c *workerPool) round(x *Extractor, m *mesh.Mesh, workers, first int) {
	c.out = *m
	c.out.Resize(m.Room(c.has), c.has)
	c.out.Indices = m.Indices[:cap(m.Indices)]
	for i := range c.slabs {
		c.slabs[i].placed.Store(i <= first)
	}
	c.taken.Store(int64(first))
	if workers == 1 {
		c.all(0)
	} else {
		x.Run(workers, c.all)
	}
}

// work has a marcher do the next slab. It reports false if there is none.
func (c *workerPool) work(e *marcher) bool {
	i := int(c.taken.Add(1)) - 1
	if i >= len(c.slabs)-1 {
		return false
	}
	s, next := &c.slabs[i], &c.slabs[i+1]
	z0 := e.view.lo[2] + i*slabCells
	z1 := min(z0+slabCells, e.view.hi[2])
	e.hold(z0-1, z1+1)
	if !s.packed.Load() {
		c.pack(e, i, z0, z1)
	}
	if i > 0 {
		c.done.Wait(&c.slabs[i-1].packed)
	}
	for z := z0; z <= z1; z++ {
		c.show(e, z-z0, z)
	}
	vertices := e.number(z0, z1)
	indices := e.triangles(z1-z0, vertices)
	c.done.Wait(&s.placed)
	next.vertex, next.index = s.vertex+vertices, s.index+len(indices)
	c.done.Set(&next.placed)
	if c.fits(next) {
		e.out, e.next = &c.out, s.vertex
		for i := range z1 - z0 {
			e.gatherPlane(&e.planes.all[i], z0+i)
		}
		if z1 == e.view.hi[2] {
			e.gather(&e.planes.all[z1-z0], 0, z1)
			e.gather(&e.planes.all[z1-z0], 1, z1)
		}
		e.flush()
		bits.Add(c.out.Indices[s.index:next.index], indices, uint32(s.vertex))
	}
	return true
}

// pack packs the planes of slab i, which lies between z0 and z1, that no slab before it packs: it packs one
// beyond its last, which the gradients there reach into (see planes).
func (c *workerPool) pack(e *marcher, i, z0, z1 int) {
	from := z0 + 2
	if i == 0 {
		from = z0
	}
	nans := 0
	for z := from; z <= min(z1+1, e.view.hi[2]); z++ {
		c.show(e, 0, z)
		e.planes.pack(&e.planes.all[0], &e.view, z)
		nans += e.planes.all[0].nans
	}
	c.nans.Add(int64(nans))
	c.done.Set(&c.slabs[i].packed)
}

// show lets a marcher's plane i have the signs of plane z.
func (c *workerPool) show(e *marcher, i, z int) {
	q, rows := &e.planes.all[i], e.view.n[1]
	size := rows * e.planes.words
	q.solid, q.state = c.solid[z*size:(z+1)*size:(z+1)*size], c.state[z*rows:(z+1)*rows:(z+1)*rows]
}

// number finds the crossings of the slab between planes z0 and z1, whose signs are known, numbers them from
// 0 on and returns how many there are. Those in plane z1 are the next slab's unless there is none.
func (e *marcher) number(z0, z1 int) (n int) {
	p := &e.planes
	next := p.crossInPlane(&p.all[0], 0)
	n = int(next)
	for i := range z1 - z0 {
		p.lower, p.upper = &p.all[i], &p.all[i+1]
		// Numbers may go full circle; there is no room for the slab then.
		before := next
		next = p.crossBetween(next)
		if after := p.crossInPlane(p.upper, next); i+1 < z1-z0 || z1 == e.view.hi[2] {
			next = after
		}
		n += int(next - before)
	}
	return n
}

// triangles emits the triangles of the slab numbered last, as many cells thick as given, into memory of the
// marcher's own. On closed surfaces there are twice as many as vertices.
func (e *marcher) triangles(cells, vertices int) []uint32 {
	if n := 6*vertices + vertices/2 + bits.EmitRoom; cap(e.own.Indices) < n {
		e.own.Indices = make([]uint32, n+n/2)
	}
	e.out, e.used = &e.own, 0
	e.reserveIndices(0)
	p := &e.planes
	for i := range cells {
		p.lower, p.upper = &p.all[i], &p.all[i+1]
		e.cells()
	}
	return e.own.Indices[:e.used]
}
