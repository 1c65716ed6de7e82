package mesher

import (
	"math"
	"sync"

	"github.com/terrane/terrane/mesh"
)

// crewSlab is how many cells a slab of the crew has along z. The planes at its ends are read by two workers,
// which thinner slabs would do more often; thicker ones fall out of the cache between count and fill (16
// cost a tenth more than 4 on 512³ samples).
const crewSlab = 4

// A crew extracts a volume with several marchers. Each takes the next slab, counts it, learns from the
// slabs before it where its vertices and indices go, and fills it: all write into one mesh, and the order is
// that of a single marcher. The counts of earlier slabs are there nearly always when they are asked for.
type crew struct {
	marchers []*marcher
	ties     []uint32

	slabs int       // of the volume
	out   mesh.Mesh // the mesh, every slice as long as its capacity

	mu            sync.Mutex
	placed        sync.Cond // a slab has its place
	taken         int       // slabs that a marcher has taken
	known         int       // slabs whose place is known
	vertex, index int       // where the next of them goes
	full          int       // the first slab that there is no room for
	fullV, fullI  int       // and where it would go
	again         bool      // the slabs have been counted before
	nans          int
}

// extract appends the surface of a view to m and returns the number of NaN samples.
func (c *crew) extract(x *Extractor, m *mesh.Mesh, v view) (nans int, err error) {
	for len(c.marchers) < x.Threads {
		c.marchers = append(c.marchers, &marcher{})
	}
	crew := c.marchers[:x.Threads]
	for _, e := range crew {
		e.open(v, x.Caps, crewSlab+3)
		e.flat, e.noteTies, e.local = x.NoNormals, true, true
		e.begin(crewSlab)
	}
	c.placed.L = &c.mu
	e := crew[0]
	c.slabs = (e.view.hi[2] - e.view.lo[2] + crewSlab - 1) / crewSlab
	c.vertex, c.index, c.nans, c.again = m.Vertices(), len(m.Indices), 0, false
	for first := 0; first < c.slabs; first = c.full {
		c.round(x, m, first)
		if c.full < c.slabs {
			// There is no room for the rest, but now it is known how much it takes.
			c.keep(m, c.fullV, c.fullI)
			if err := allocate(m, c.vertex, c.index, x.NoNormals); err != nil {
				return 0, err
			}
			c.vertex, c.index = c.fullV, c.fullI
		}
	}
	c.keep(m, c.vertex, c.index)
	c.ties = c.ties[:0]
	for _, e := range crew {
		c.ties = append(c.ties, e.ties...)
	}
	return c.nans, nil
}

// keep gives m what the crew has written up to a vertex and an index.
func (c *crew) keep(m *mesh.Mesh, vertex, index int) {
	m.Positions = m.Positions[:3*vertex]
	if len(m.Normals) != 0 || len(c.out.Normals) != 0 {
		m.Normals = m.Normals[:3*vertex]
	}
	m.Indices = m.Indices[:index]
}

// round has the crew count the slabs from a number on and fill those that m has room for.
func (c *crew) round(x *Extractor, m *mesh.Mesh, first int) {
	c.out = mesh.Mesh{Positions: m.Positions[:cap(m.Positions)], Indices: m.Indices[:cap(m.Indices)]}
	if !x.NoNormals {
		c.out.Normals = m.Normals[:cap(m.Normals)]
	}
	c.taken, c.known, c.full = first, first, c.slabs
	x.Run(x.Threads, func(i int) {
		for c.work(c.marchers[i]) {
		}
	})
	c.again = true
}

// work has a marcher count and fill the next slab. It reports false if there is none.
func (c *crew) work(e *marcher) bool {
	c.mu.Lock()
	slab := c.taken
	c.taken++
	c.mu.Unlock()
	if slab >= c.slabs {
		return false
	}
	z := e.view.lo[2] + slab*crewSlab
	vertices := int(e.count(z, min(z+crewSlab, e.view.hi[2]), 0))
	indices := 3 * e.triangles()
	vertex, index, ok := c.place(slab, vertices, indices, e.nans())
	if ok {
		e.out = &mesh.Mesh{Positions: c.out.Positions, Normals: c.out.Normals, Indices: c.out.Indices[: index+indices : index+indices]}
		e.base, e.next, e.used = uint32(vertex), vertex, index
		e.fill()
		e.flush()
		e.out = nil
	}
	return true
}

// place waits until the places of all slabs before one are known and returns its own; ok is false if there
// is no room for it.
func (c *crew) place(slab, vertices, indices, nans int) (vertex, index int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.known < slab {
		c.placed.Wait()
	}
	vertex, index = c.vertex, c.index
	c.vertex += vertices
	c.index += indices
	c.known++
	c.placed.Broadcast()
	if !c.again {
		c.nans += nans
	}
	fits := 3*c.vertex <= len(c.out.Positions) && c.index <= len(c.out.Indices) && c.vertex <= math.MaxUint32 &&
		(len(c.marchers) == 0 || c.marchers[0].flat || 3*c.vertex <= len(c.out.Normals))
	if slab < c.full && !fits {
		c.full, c.fullV, c.fullI = slab, vertex, index
	}
	return vertex, index, slab < c.full
}

// triangles returns the number of triangles of the slab counted last.
func (e *marcher) triangles() (n int) {
	p := &e.planes
	for i := range e.z1 - e.z0 {
		p.lower, p.upper = &p.all[i], &p.all[i+1]
		for y := p.y0; y < p.y1; y++ {
			n += p.triangles(y, true)
		}
	}
	return n
}
