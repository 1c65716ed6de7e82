package field

import "github.com/terrane/terrane/lattice"

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
	painted bool         // whether the steps that only the material needs are computed too
	margin  int          // columns on each side round those of key whose values are computed too
	v       [][]float32  // by step, of those that are kept, with the margin; a constant has one row
	rows    [][]Interval // by step, of those that are kept: where each row of columns lies
	all     []Interval   // by step, the same over all columns
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
	p.ok, p.key, p.painted, p.margin = true, k, false, 0
	if k.d == 1 {
		p.margin = t.margin
	}
	if p.v == nil {
		p.v = make([][]float32, len(t.steps))
		p.rows = make([][]Interval, len(t.steps))
		p.all = make([]Interval, len(t.steps))
	}
	if k.d == 0 {
		p.boundTiles(t)
		return
	}
	p.compute(t, false)
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
	t.run = block{x: k.x - int32(m), z: k.z - int32(m), dx: k.d, dz: k.d, count: k.nx + 2*m, rows: k.nz + 2*m}
	flat := t.cache.flat
	for i := range t.steps {
		s, size := &t.steps[i], t.run.size()
		switch {
		case !t.flat[i] || t.paint[i] != paint:
			continue
		case s.constant():
			size = t.run.count
		}
		v := &flat[i]
		if t.keep[i] {
			v = &p.v[i]
		}
		*v = resize(*v, size)
		if s.constant() {
			fillRow(*v, s.all.Lo)
			p.all[i] = s.all
			continue
		}
		for j, q := range s.inputs {
			t.inputs[j] = operand{flat[q], t.steps[q].constant()}
			if t.keep[q] {
				t.inputs[j].v = p.v[q]
			}
		}
		if o, ok := s.op.(*slope); ok && m == 1 {
			o.within(*v, t.inputs[0].v, &t.run)
		} else {
			s.op.block(*v, &t.inputs, &t.run)
		}
		if t.keep[i] {
			p.bound(i)
		}
	}
}

// bound finds where the rows of step i lie.
func (p *planes) bound(i int) {
	n := p.key.nx
	p.rows[i] = resize(p.rows[i], p.key.nz)
	all := single(p.v[i][p.place(0, 0)])
	for z := range p.rows[i] {
		r := extremes(p.v[i][p.place(0, z):][:n])
		p.rows[i][z] = r
		all = all.union(r)
	}
	p.all[i] = all
}

// place returns where the values of the column x, z of p's lie.
func (p *planes) place(x, z int) int { return (z+p.margin)*(p.key.nx+2*p.margin) + x + p.margin }

// boundTiles bounds the flat steps over p's columns without computing them, in tiles: bounds close in on the
// values as boxes shrink.
func (p *planes) boundTiles(t *terrain) {
	const tiles = 4 // a side
	k := &p.key
	end := lattice.Sample{X: int32(int64(k.x) + int64(k.nx)), Y: 1, Z: int32(int64(k.z) + int64(k.nz))}
	whole := lattice.Box{Min: lattice.Sample{X: k.x, Z: k.z}, Max: end}
	for n := range tiles * tiles {
		t.box = lattice.Box{Min: cut(&whole, n%tiles, 0, n/tiles, tiles), Max: cut(&whole, n%tiles+1, tiles, n/tiles+1, tiles)}
		for i := range t.steps {
			s := &t.steps[i]
			if !t.flat[i] || t.paint[i] {
				continue
			}
			for j, q := range s.inputs {
				t.within[j] = t.tile[q]
			}
			t.tile[i] = s.op.bounds(&t.within, &t.box)
			if n == 0 {
				p.all[i] = t.tile[i]
			} else {
				p.all[i] = p.all[i].union(t.tile[i])
			}
		}
	}
}

// within returns an interval that holds the values of step i over the columns of b, which are some of p's.
func (p *planes) within(t *terrain, i int, b *lattice.Box) Interval {
	k := &p.key
	if k.d == 0 || t.steps[i].constant() {
		return p.all[i]
	}
	x0, x1 := int(b.Min.X-k.x), int(b.Max.X-k.x)
	z0, z1 := int(b.Min.Z-k.z), int(b.Max.Z-k.z)
	if x0 == 0 && x1 == k.nx && z0 == 0 && z1 == k.nz {
		return p.all[i]
	}
	all := single(p.v[i][p.place(x0, z0)])
	for z := z0; z < z1; z++ {
		all = all.union(extremes(p.v[i][p.place(x0, z):p.place(x1, z)]))
	}
	return all
}

// row returns the values of step i in row z.
func (p *planes) row(t *terrain, i, z int) []float32 {
	if t.steps[i].constant() {
		return p.v[i]
	}
	return p.v[i][p.place(0, z):][:p.key.nx]
}

// extremes returns the smallest interval that holds the numbers.
func extremes(v []float32) Interval {
	i := single(v[0])
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

func fillRow(dst []float32, v float32) {
	for i := range dst {
		dst[i] = v
	}
}
