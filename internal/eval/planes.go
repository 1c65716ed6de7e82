package eval

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// A planeKey names a rectangle of columns.
type planeKey struct {
	x, z   int32 // the first column
	d      int32 // between columns; 0 if the columns are not computed, only bounded, all from the first on
	nx, nz int
}

// planes holds the values over a rectangle of columns of the steps that do not depend on y: each is computed
// once a column, however many samples the column has.
type planes struct {
	key     planeKey
	ok      bool
	painted bool              // whether the steps that only the material needs are computed too
	margin  int               // columns on each side round those of key whose values are computed too
	v       [][]float32       // by step, of those that are kept, with the margin; a constant has one row
	rows    [][]geom.Interval // by step, of those that are kept: where each row of columns lies
	all     []geom.Interval   // by step, the same over all columns
	// Of the steps that the density reads, where they lie in each fine part of the columns, and then in each coarse
	// one; made when first asked for.
	parts  [][]geom.Interval
	parted bool
}

// A columnCache holds the planes of the last rectangles of columns that were asked for: chunks above each
// other share theirs, and are asked for in between others round the viewer.
type columnCache struct {
	planes [cachedPlanes + 1]planes // the last is for large ones
	next   int                      // to be replaced
	flat   [][]float32              // by step: scratch of the flat steps that are not kept
}

const (
	// cachedPlanes costs some 60 kB each in the default world.
	cachedPlanes = 8
	largePlanes  = 1 << 13 // columns; more would make the cache large
)

// columns returns the planes over the columns of k.
func (t *terrain) columns(k planeKey) *planes {
	c := &t.cache
	for i := range c.planes {
		if p := &c.planes[i]; p.ok && p.key == k {
			return p
		}
	}
	p := &c.planes[cachedPlanes]
	if k.d == 0 || k.nx*k.nz <= largePlanes {
		p = &c.planes[c.next]
		c.next = (c.next + 1) % cachedPlanes
	}
	p.fill(t, k)
	return p
}

// fill computes p for the columns of k.
func (p *planes) fill(t *terrain, k planeKey) {
	p.ok, p.key, p.painted, p.parted, p.margin = false, k, false, false, 0 // not ok if a tile is unavailable
	if k.d == 1 {
		p.margin = t.margin
	}
	if p.v == nil {
		p.v = make([][]float32, len(t.steps))
		p.rows = make([][]geom.Interval, len(t.steps))
		p.all = make([]geom.Interval, len(t.steps))
	}
	if k.d == 0 {
		p.boundTiles(t)
	} else {
		p.compute(t, false)
	}
	p.ok = true
}

// addPaint computes the steps that only the material needs.
func (p *planes) addPaint(t *terrain) {
	if !p.painted {
		p.compute(t, true)
		p.painted = true
	}
}

// compute computes the flat steps that only the material needs, or all others.
func (p *planes) compute(t *terrain, paint bool) {
	k, m := &p.key, p.margin
	t.run = ops.Block{X: k.x - int32(m), Z: k.z - int32(m), Dx: k.d, Dz: k.d, Count: k.nx + 2*m, Rows: k.nz + 2*m, Spare: &t.spare}
	flat := t.cache.flat
	for i := range t.steps {
		s, size := &t.steps[i], t.run.Size()
		switch {
		case !t.flat[i] || t.materialOnly[i] != paint:
			continue
		case s.constant():
			size = t.run.Count
		}
		v := &flat[i]
		if t.keep[i] {
			v = &p.v[i]
		}
		*v = ops.Resize(*v, size)
		if s.constant() {
			ops.FillRow(*v, s.all.Lo)
			p.all[i] = s.all
			continue
		}
		for j, q := range s.inputs {
			t.inputs[j] = ops.Operand{V: flat[q], Shared: t.steps[q].constant()}
			if t.keep[q] {
				t.inputs[j].V = p.v[q]
			}
		}
		if s.neighbors != nil && m == 1 {
			s.neighbors.Within(*v, t.inputs[0].V, &t.run)
		} else {
			s.op.Block(*v, &t.inputs, &t.run)
		}
		if t.keep[i] {
			p.bound(i)
		}
	}
}

// bound finds where the rows of step i lie.
func (p *planes) bound(i int) {
	n := p.key.nx
	p.rows[i] = ops.Resize(p.rows[i], p.key.nz)
	all := geom.Single(p.v[i][p.place(0, 0)])
	for z := range p.rows[i] {
		r := extremes(p.v[i][p.place(0, z):][:n])
		p.rows[i][z] = r
		all = all.Union(r)
	}
	p.all[i] = all
}

// place returns where the values of the column x, z of p's lie.
func (p *planes) place(x, z int) int { return (z+p.margin)*(p.key.nx+2*p.margin) + x + p.margin }

// boundTiles bounds the flat steps over p's columns without computing them, in its coarse parts: bounds close in on
// the values as boxes shrink.
func (p *planes) boundTiles(t *terrain) {
	const n = coarseParts
	k := &p.key
	end := lattice.Sample{X: int32(int64(k.x) + int64(k.nx)), Y: 1, Z: int32(int64(k.z) + int64(k.nz))}
	whole := lattice.Box{Min: lattice.Sample{X: k.x, Z: k.z}, Max: end}
	p.clearParts(t)
	for i := range p.all {
		p.all[i] = geom.Interval{Lo: maxValue, Hi: -maxValue}
	}
	for q := range n * n {
		t.box = lattice.Box{Min: cut(&whole, q%n, 0, q/n, n), Max: cut(&whole, q%n+1, n, q/n+1, n)}
		if t.box.Empty() {
			continue
		}
		for i := range t.steps {
			s := &t.steps[i]
			if !t.flat[i] || t.materialOnly[i] {
				continue
			}
			for j, q := range s.inputs {
				t.within[j] = t.bounds[q]
			}
			t.bounds[i] = s.op.Bounds(&t.within, &t.box)
			p.all[i] = p.all[i].Union(t.bounds[i])
			if len(p.parts[i]) != 0 {
				p.parts[i][coarsePart(q%n, q/n)] = t.bounds[i]
			}
		}
	}
}

// Parts of p's columns are numbered: the fine ones, along x and then z, then the coarse ones.
const (
	everyColumn = -1
	fineSide    = coarseParts * fineParts
)

func finePart(x, z int) int   { return z*fineSide + x }
func coarsePart(x, z int) int { return fineSide*fineSide + z*coarseParts + x }

// boundParts finds where the steps that the density reads lie in each part of the columns. Parts of no columns, of
// rectangles narrower than they are many, have empty intervals.
func (p *planes) boundParts(t *terrain) {
	if p.parted {
		return
	}
	edges := func(n int) (e [fineSide + 1]int) { // as part cuts a box twice
		for k := range coarseParts {
			lo, hi := n*k/coarseParts, n*(k+1)/coarseParts
			for j := range fineParts {
				e[k*fineParts+j] = lo + (hi-lo)*j/fineParts
			}
		}
		e[fineSide] = n
		return e
	}
	xs, zs := edges(p.key.nx), edges(p.key.nz)
	p.clearParts(t)
	for _, i := range t.density.reads {
		if t.steps[i].constant() {
			continue
		}
		for z := range fineSide {
			for x := range fineSide {
				p.boundPart(int(i), x, z, xs[x], xs[x+1], zs[z], zs[z+1])
			}
		}
	}
}

// clearParts makes the intervals of all parts of the steps that the density reads empty.
func (p *planes) clearParts(t *terrain) {
	p.parted = true
	if p.parts == nil {
		p.parts = make([][]geom.Interval, len(t.steps))
	}
	for _, i := range t.density.reads {
		if t.steps[i].constant() {
			continue
		}
		p.parts[i] = ops.Resize(p.parts[i], coarsePart(0, coarseParts))
		for k := range p.parts[i] {
			p.parts[i][k] = geom.Interval{Lo: maxValue, Hi: -maxValue}
		}
	}
}

// boundPart finds where step i lies in the fine part x, z, and adds that to its coarse part.
func (p *planes) boundPart(i, x, z, x0, x1, z0, z1 int) {
	if x0 == x1 || z0 == z1 {
		return
	}
	all := geom.Single(p.v[i][p.place(x0, z0)])
	for z := z0; z < z1; z++ {
		for _, v := range p.v[i][p.place(x0, z):p.place(x1, z)] {
			all = geom.Interval{Lo: scalar.Smaller(v, all.Lo), Hi: scalar.Larger(v, all.Hi)}
		}
	}
	p.parts[i][finePart(x, z)] = all
	c := &p.parts[i][coarsePart(x/fineParts, z/fineParts)]
	*c = c.Union(all)
}

// row returns the values of step i in row z.
func (p *planes) row(t *terrain, i, z int) []float32 {
	if t.steps[i].constant() {
		return p.v[i]
	}
	return p.v[i][p.place(0, z):][:p.key.nx]
}

// extremes returns the smallest interval that holds the numbers.
func extremes(v []float32) geom.Interval {
	i := geom.Single(v[0])
	for _, f := range v {
		if f < i.Lo {
			i.Lo = f
		}
		if f > i.Hi {
			i.Hi = f
		}
	}
	return i
}
