package eval

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// maxColumns bounds the columns of which bounds are found by computing them all, which is exact and costs
// some 0.1 µs a column in the default world: a chunk of level 0 has 1,225, one of level 1 has 4,761.
const maxColumns = 5000

// Bounds returns an interval that holds the density of every sample of b.
func (t *terrain) Bounds(b lattice.Box) geom.Interval {
	t.enter()
	defer t.leave()
	if b.Empty() {
		return geom.Interval{Lo: 1, Hi: -1}
	}
	p := t.columnsOf(&b)
	i := t.boundsOf(&b, p, everyColumn)
	if certain(i) {
		return i
	}
	return i.Intersect(t.parts(&b, p))
}

// How a box is cut into parts. In the default world 94 % of the chunks that bounds leave hold surface; with
// these it is 84 % if the parts are not cut again, 90 % if into half as many, and each chunk that is left in
// vain costs as much as bounding four.
const (
	coarseParts = 4 // along each side
	fineParts   = 3 // along each side of a part that is neither all air nor all solid
	fewParts    = 9 // if no more of them are, their parts' steps of costly bounds are bounded too, which takes the most time
)

// parts returns bounds of the density in b found from its parts, which are closer. It stops where one part is
// all air and one all solid, for then b holds surface, and its bounds are of no further use.
func (t *terrain) parts(b *lattice.Box, p *planes) geom.Interval {
	p.boundParts(t)
	// What does not matter in the whole of b is left out: its bounds are in the outer tape from before.
	r := t.density
	r.box, r.outer = r.outer, r.box
	r.box.cut(t, r.whole, r.step)
	f := finder{t: t, p: p, all: geom.Interval{Lo: maxValue, Hi: -maxValue}}
	const n = coarseParts
	var open [n * n * n]uint8
	count := 0
	for k := range n * n * n {
		// The highest and the lowest parts come first: one of each kind ends the search.
		x, y, z := k%n, (k/n+n-1)%n, k/(n*n)
		c := part(b, x, y, z, n)
		switch {
		case f.look(&c, coarsePart(x, z), false):
		case p.key.d == 0: // no finer parts are known of columns that were not computed
			f.all = f.all.Union(f.last)
		default:
			open[count] = uint8((z*n+y)*n + x)
			count++
		}
		if f.air && f.solid {
			return everything
		}
	}
	for _, k := range open[:count] {
		x, y, z := int(k)%n, int(k)/n%n, int(k)/(n*n)
		whole := part(b, x, y, z, n)
		const m = fineParts
		for k := range m * m * m {
			c := part(&whole, k%m, k/m%m, k/(m*m), m)
			if !f.look(&c, finePart(x*m+k%m, z*m+k/(m*m)), count <= fewParts) {
				f.all = f.all.Union(f.last)
			}
			if f.air && f.solid {
				return everything
			}
		}
	}
	return f.all
}

// A finder gathers the bounds of the parts of a box.
type finder struct {
	t          *terrain
	p          *planes       // over the box's columns
	all, last  geom.Interval // of the parts that are certain, and of the last part
	air, solid bool          // whether there are parts that are all air, and all solid
}

// look bounds a part over some columns and reports whether it is all air or all solid, or empty.
func (f *finder) look(c *lattice.Box, columns int, tight bool) bool {
	if c.Empty() {
		return true
	}
	if tight {
		f.last = f.t.tightBoundsOf(c, f.p, columns)
	} else {
		f.last = f.t.boundsWithin(c, f.p, columns)
	}
	if !certain(f.last) {
		return false
	}
	f.all = f.all.Union(f.last)
	f.air, f.solid = f.air || f.last.Hi <= 0, f.solid || f.last.Lo > 0
	return true
}

// everything holds every value.
var everything = geom.Interval{Lo: -maxValue, Hi: maxValue}

// part returns the part x, y, z of b, cut n times along each side.
func part(b *lattice.Box, x, y, z, n int) lattice.Box {
	return lattice.Box{Min: cut(b, x, y, z, n), Max: cut(b, x+1, y+1, z+1, n)}
}

// cut returns the corner x, y, z of the n³ parts of b.
func cut(b *lattice.Box, x, y, z, n int) lattice.Sample {
	axis := func(lo, hi int32, k int) int32 { return int32(int64(lo) + (int64(hi)-int64(lo))*int64(k)/int64(n)) }
	return lattice.Sample{X: axis(b.Min.X, b.Max.X, x), Y: axis(b.Min.Y, b.Max.Y, y), Z: axis(b.Min.Z, b.Max.Z, z)}
}

// columnsOf returns the planes over b's columns: computed, or if they are too many bounded.
func (t *terrain) columnsOf(b *lattice.Box) *planes {
	nx, nz := int64(b.Max.X)-int64(b.Min.X), int64(b.Max.Z)-int64(b.Min.Z)
	k := planeKey{x: b.Min.X, z: b.Min.Z, d: 1, nx: int(nx), nz: int(nz)}
	if nx > maxColumns || nz > maxColumns || nx*nz > maxColumns {
		k.d = 0
	}
	return t.columns(k)
}

// boundsOf bounds the density in b, whose columns are a part of p's: all, or one of boundParts'. Steps of costly
// bounds are taken to be anywhere in their range.
func (t *terrain) boundsOf(b *lattice.Box, p *planes, columns int) geom.Interval {
	r := t.density
	r.readColumns(t, p, columns)
	r.outer.bound(t, r.whole, *b, false)
	return r.outer.bounds[r.step]
}

// boundsWithin is boundsOf for a part of the box for which the target's box tape was cut.
func (t *terrain) boundsWithin(b *lattice.Box, p *planes, columns int) geom.Interval {
	r := t.density
	r.readColumns(t, p, columns)
	r.outer.bound(t, r.box, *b, false)
	return r.outer.bounds[r.box.alias[r.step]]
}

// readColumns sets the bounds of the flat steps in the outer tape to where they lie in some columns.
func (r *target) readColumns(t *terrain, p *planes, columns int) {
	for _, i := range r.reads {
		if columns == everyColumn || t.steps[i].constant() {
			r.outer.bounds[i] = p.all[i]
		} else {
			r.outer.bounds[i] = p.parts[i][columns]
		}
	}
}

// tightBoundsOf is boundsOf with steps of costly bounds bounded too, those that still matter.
func (t *terrain) tightBoundsOf(b *lattice.Box, p *planes, columns int) geom.Interval {
	i := t.boundsOf(b, p, columns)
	if certain(i) {
		return i
	}
	r := t.density
	r.outer.cut(t, r.whole, r.step)
	for _, i := range r.reads {
		r.inner.bounds[i] = r.outer.bounds[i]
	}
	r.inner.bound(t, r.outer, *b, true)
	return r.inner.bounds[r.outer.alias[r.step]]
}

// certain reports whether all of i is solid or all of it air.
func certain(i geom.Interval) bool { return i.Lo > 0 || i.Hi <= 0 }

// Limits of the search for heights that can hold surface.
const (
	finestSlice = 8  // samples: finer slices cost more than the cells they spare
	maxSlices   = 64 // an endless field stops here
	maxSpans    = 8
)

// A slice is a stretch of heights.
type slice struct {
	lo, hi int32
	sign   int8 // 1 if all solid, −1 if all air, 0 if unknown
}

// size returns the number of heights.
func (s slice) size() int64 { return int64(s.hi) - int64(s.lo) }

// Spans appends to dst the spans of heights that can hold surface in the columns of b.
func (t *terrain) Spans(dst []lattice.Span, b lattice.Box) []lattice.Span {
	t.enter()
	defer t.leave()
	if b.Min.X >= b.Max.X || b.Min.Z >= b.Max.Z {
		return dst
	}
	p := t.columnsOf(&b)
	if t.slices == nil {
		t.slices, t.halves = make([]slice, 0, 2*maxSlices), make([]slice, 0, 2*maxSlices)
	}
	s := append(t.slices[:0], t.slice(&b, p, -lattice.Limit, lattice.Limit))
	for unknown(s) > 0 && unknown(s) <= maxSlices/2 {
		next := t.halves[:0]
		split := false
		for _, h := range s {
			if h.sign != 0 || h.size() <= finestSlice {
				next = join(next, h)
				continue
			}
			split = true
			mid := int32(int64(h.lo) + h.size()/2)
			next = join(next, t.slice(&b, p, h.lo, mid))
			next = join(next, t.slice(&b, p, mid, h.hi))
		}
		s, t.slices, t.halves = next, next, s
		if !split {
			break
		}
	}
	return appendSpans(dst, s)
}

// slice returns the heights from lo to hi over b's columns with their sign.
func (t *terrain) slice(b *lattice.Box, p *planes, lo, hi int32) slice {
	b.Min.Y, b.Max.Y = lo, hi
	switch i := t.tightBoundsOf(b, p, everyColumn); {
	case i.Lo > 0:
		return slice{lo, hi, 1}
	case i.Hi <= 0:
		return slice{lo, hi, -1}
	}
	return slice{lo, hi, 0}
}

// join appends h to s, or to its last slice if both are of one sign. Unknown slices stay apart to be halved.
func join(s []slice, h slice) []slice {
	if n := len(s); n > 0 && h.sign != 0 && s[n-1].sign == h.sign {
		s[n-1].hi = h.hi
		return s
	}
	return append(s, h)
}

func unknown(s []slice) (n int) {
	for _, h := range s {
		if h.sign == 0 {
			n++
		}
	}
	return n
}

// appendSpans appends the unknown slices, each with the sample on either side, and the two samples at each
// place where solid meets air, joined to at most maxSpans.
func appendSpans(dst []lattice.Span, s []slice) []lattice.Span {
	start := len(dst)
	for i, h := range s {
		span := lattice.Span{Lo: h.lo - 1, Hi: h.hi + 1}
		switch {
		case h.sign == 0:
		case i > 0 && s[i-1].sign == -h.sign:
			span.Hi = h.lo + 1
		default:
			continue
		}
		span.Lo, span.Hi = max(span.Lo, -lattice.Limit), min(span.Hi, lattice.Limit)
		dst = append(dst, span)
	}
	return dst[:start+len(lattice.JoinSpans(dst[start:], maxSpans))]
}
