package noise

import (
	"math"
	"math/bits"

	"github.com/terrane/terrane/lattice"
)

// slack widens an octave's bounds, times its weight: its kernels round about a dozen times numbers no larger
// than twice the weight, 2⁻²⁴ of them each.
const slack = 1.0 / (1 << 19)

// maxPieces bounds the pieces into which an octave's box is cut, at some 60 ns each. An octave whose box has
// more cells is answered with its amplitude, which so many cells nearly reach anyway. With twice as many, the
// bounds of the default world's chunks cost half as much again and rule out no more of them; with half, boxes
// of one cell are bounded a third wider.
const maxPieces = 32

// Bounds returns numbers lo ≤ hi between which the noise lies at every sample of b. They are exact for one
// octave of value noise and close for one of gradient noise; sums of octaves are bounded as if they were
// independent.
func (n *Noise) Bounds(b lattice.Box) (lo, hi float32) {
	if b.Empty() {
		return 0, 0
	}
	for i := range n.octaves {
		a, c := n.octaves[i].bounds(n, b)
		lo, hi = lo+a, hi+c
	}
	return lo, hi
}

// Range returns bounds that hold at every sample.
func (n *Noise) Range() (lo, hi float32) {
	for i := range n.octaves {
		a, b := n.octaves[i].limits()
		lo, hi = lo+a, hi+b
	}
	return lo, hi
}

// limits returns bounds of the octave's share that hold at every sample.
func (o *octave) limits() (lo, hi float32) {
	if !o.folded {
		return -o.wide(), o.wide()
	}
	return o.foldBounds(-o.wide(), o.wide())
}

// wide is the amplitude with the slack that rounding may add.
func (o *octave) wide() float32 { return o.amplitude + float32(2*slack*o.amplitude) }

// bounds returns bounds of the octave's share in b.
func (o *octave) bounds(n *Noise, b lattice.Box) (lo, hi float32) {
	var s [3]span
	cells := 1
	for axis, r := range [3][2]int32{{b.Min.X, b.Max.X}, {b.Min.Y, b.Max.Y}, {b.Min.Z, b.Max.Z}} {
		if axis == 1 && n.dims == 2 {
			s[axis].last = 1
			continue
		}
		s[axis] = o.span(axis, r[0], r[1]-1)
		if s[axis].last > maxPieces {
			return o.limits()
		}
		cells *= s[axis].last
	}
	if cells > maxPieces {
		return o.limits()
	}
	switch {
	case n.kind > Gradient:
		lo, hi = o.boundPlaces(n, s, cells)
	case n.kind == Value && n.dims == 2:
		lo, hi = o.boundValue2(s[0], s[2])
	case n.kind == Value:
		lo, hi = o.boundValue3(s)
	case n.dims == 2:
		lo, hi = o.boundGradient2(s[0], s[2])
	default:
		lo, hi = o.boundGradient3(s, cells)
	}
	lo = larger(lo-float32(slack*o.amplitude), -o.wide())
	hi = smaller(hi+float32(slack*o.amplitude), o.wide())
	if o.folded {
		return o.foldBounds(lo, hi)
	}
	return lo, hi
}

// foldBounds returns bounds of the folded octave, given those of its value.
func (o *octave) foldBounds(lo, hi float32) (float32, float32) {
	near, far := float32(0), larger(-lo, hi) // of the absolute value
	if lo > 0 {
		near = lo
	} else if hi < 0 {
		near = -hi
	}
	a, b := o.base+float32(o.slope*near), o.base+float32(o.slope*far)
	return smaller(a, b), larger(a, b)
}

// A span is the stretch of lattice cells that a box reaches along an axis: from the place low in the first
// cell to the place high in the last.
type span struct {
	first     uint32
	last      int // number of cells
	low, high float32
}

// span returns the cells from the sample a to the sample b, or one with very many cells if they are too many
// to count.
func (o *octave) span(axis int, a, b int32) span {
	p := o.phase(axis, a)
	hi, lo := bits.Mul64(uint64(int64(b)-int64(a)), uint64(o.step[axis]))
	end, carry := bits.Add64(lo, uint64(p&(1<<32-1)), 0)
	if hi+carry != 0 || end>>32 > maxPieces {
		return span{last: maxPieces + 1}
	}
	return span{p.Cell(), int(end>>32) + 1, p.Fraction(), Phase(end).Fraction()}
}

// in returns the stretch of cell i that the span reaches.
func (s span) in(i int) (low, high float32) {
	high = 1
	if i == 0 {
		low = s.low
	}
	if i == s.last-1 {
		high = s.high
	}
	return low, high
}

// fadeWobble is more than fade, rounded, ever falls below what it was at a smaller place (2.21e-6, near 1, found
// by trying all 2²⁴ of them; the test does so again): it rises only roughly.
const fadeWobble = 2.3e-6

// fadeBounds returns bounds of fade from low to high.
func fadeBounds(low, high float32) (lo, hi float32) {
	return fade(low) - fadeWobble, fade(high) + fadeWobble
}

// fadeInterval is fadeBounds of an interval.
func fadeInterval(t interval) interval {
	lo, hi := fadeBounds(t.lo, t.hi)
	return interval{lo, hi}
}

// boundValue2 returns the extremes of value noise over a box. Within a cell it is linear in each axis' fade,
// so they lie at the corners of the box's part of some cell.
func (o *octave) boundValue2(x, z span) (lo, hi float32) {
	e := newExtremes()
	for k := range z.last {
		h0, h1 := rowHash(o.seed, 0, z.first+uint32(k)), rowHash(o.seed, 0, z.first+uint32(k)+1)
		za, zb := z.in(k)
		za, zb = fadeBounds(za, zb)
		for i := range x.last {
			c := x.first + uint32(i)
			v00, v10 := o.lattice(h0, c), o.lattice(h0, c+1)
			v01, v11 := o.lattice(h1, c), o.lattice(h1, c+1)
			xa, xb := x.in(i)
			xa, xb = fadeBounds(xa, xb)
			for _, s := range [2]float32{xa, xb} {
				low, high := lerp(v00, v10, s), lerp(v01, v11, s)
				e.add(lerp(low, high, za))
				e.add(lerp(low, high, zb))
			}
		}
	}
	return e.lo, e.hi
}

// boundValue3 is boundValue2 in three dimensions.
func (o *octave) boundValue3(s [3]span) (lo, hi float32) {
	e := newExtremes()
	for k := range s[2].last {
		cz := s[2].first + uint32(k)
		za, zb := s[2].in(k)
		za, zb = fadeBounds(za, zb)
		for j := range s[1].last {
			cy := s[1].first + uint32(j)
			h := [4]uint32{rowHash(o.seed, cy, cz), rowHash(o.seed, cy, cz+1),
				rowHash(o.seed, cy+1, cz), rowHash(o.seed, cy+1, cz+1)}
			ya, yb := s[1].in(j)
			ya, yb = fadeBounds(ya, yb)
			for i := range s[0].last {
				cx := s[0].first + uint32(i)
				xa, xb := s[0].in(i)
				xa, xb = fadeBounds(xa, xb)
				var v, w [4]float32
				for q, row := range h {
					v[q], w[q] = o.lattice(row, cx), o.lattice(row, cx+1)
				}
				for _, t := range [2]float32{za, zb} {
					v0, v1 := lerp(v[0], v[1], t), lerp(v[2], v[3], t)
					w0, w1 := lerp(w[0], w[1], t), lerp(w[2], w[3], t)
					for _, u := range [2]float32{xa, xb} {
						low, high := lerp(v0, w0, u), lerp(v1, w1, u)
						e.add(lerp(low, high, ya))
						e.add(lerp(low, high, yb))
					}
				}
			}
		}
	}
	return e.lo, e.hi
}

// An extremes gathers the smallest and the largest of some numbers.
type extremes struct{ lo, hi float32 }

func newExtremes() extremes { return extremes{2, -2} } // octaves lie within ±1.1

func (e *extremes) add(v float32) {
	e.lo, e.hi = smaller(e.lo, v), larger(e.hi, v)
}

func (e *extremes) addInterval(i interval) {
	e.lo, e.hi = smaller(e.lo, i.lo), larger(e.hi, i.hi)
}

func smaller(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

func larger(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// An interval holds the numbers from lo to hi.
type interval struct{ lo, hi float32 }

func (a interval) add(b interval) interval { return interval{a.lo + b.lo, a.hi + b.hi} }

// scale returns a·f.
func (a interval) scale(f float32) interval {
	if f < 0 {
		return interval{float32(a.hi * f), float32(a.lo * f)}
	}
	return interval{float32(a.lo * f), float32(a.hi * f)}
}

// mix2 returns the mixes of a and b by the fades s, within [0, 1].
func mix2(a, b, s interval) interval {
	return interval{
		smaller(lerp(a.lo, b.lo, s.lo), lerp(a.lo, b.lo, s.hi)),
		larger(lerp(a.hi, b.hi, s.lo), lerp(a.hi, b.hi, s.hi)),
	}
}

// boundGradient2 returns bounds of gradient noise over a box, cut into pieces of at most a quarter cell: the
// bounds of a piece close in on its extremes as it shrinks.
func (o *octave) boundGradient2(x, z span) (lo, hi float32) {
	e := newExtremes()
	parts := partsFor(x.last*z.last, 2)
	for k := range z.last {
		cz := z.first + uint32(k)
		h0, h1 := rowHash(o.seed, 0, cz), rowHash(o.seed, 0, cz+1)
		for i := range x.last {
			cx := x.first + uint32(i)
			var g cell2
			g.x[0], g.z[0] = gradient2(hash(h0, cx), o.weight)
			g.x[1], g.z[1] = gradient2(hash(h0, cx+1), o.weight)
			g.x[2], g.z[2] = gradient2(hash(h1, cx), o.weight)
			g.x[3], g.z[3] = gradient2(hash(h1, cx+1), o.weight)
			for p := range parts * parts {
				px, okX := x.piece(i, p/parts, parts)
				pz, okZ := z.piece(k, p%parts, parts)
				if okX && okZ {
					e.addInterval(g.bounds(px, pz))
				}
			}
		}
	}
	return e.lo, e.hi
}

// partsFor returns into how many parts to cut each side of each of some cells.
func partsFor(cells, dims int) int {
	for parts := 4; parts > 1; parts-- {
		n := cells
		for range dims {
			n *= parts
		}
		if n <= maxPieces {
			return parts
		}
	}
	return 1
}

// piece returns part p of cell i of the span, of which a whole cell has the given number; ok is false if the
// span does not reach it.
func (s span) piece(i, p, parts int) (part interval, ok bool) {
	low, high := s.in(i)
	a, b := float32(p)/float32(parts), float32(p+1)/float32(parts)
	return interval{larger(a, low), smaller(b, high)}, b >= low && a <= high
}

// A cell2 holds the slopes at the corners of a lattice cell; corner bit 0 is x, bit 1 z.
type cell2 struct{ x, z [4]float32 }

func (g *cell2) bounds(x, z interval) interval {
	sx, sz := fadeInterval(x), fadeInterval(z)
	x1, z1 := interval{x.lo - 1, x.hi - 1}, interval{z.lo - 1, z.hi - 1}
	corner := func(i int, x, z interval) interval { return x.scale(g.x[i]).add(z.scale(g.z[i])) }
	return mix2(
		mix2(corner(0, x, z), corner(1, x1, z), sx),
		mix2(corner(2, x, z1), corner(3, x1, z1), sx), sz)
}

// boundGradient3 is boundGradient2 in three dimensions.
func (o *octave) boundGradient3(s [3]span, cells int) (lo, hi float32) {
	e := newExtremes()
	parts := partsFor(cells, 3)
	for k := range s[2].last {
		for j := range s[1].last {
			for i := range s[0].last {
				g := o.cell3(s[0].first+uint32(i), s[1].first+uint32(j), s[2].first+uint32(k))
				for p := range parts * parts * parts {
					x, okX := s[0].piece(i, p/(parts*parts), parts)
					y, okY := s[1].piece(j, p/parts%parts, parts)
					z, okZ := s[2].piece(k, p%parts, parts)
					if okX && okY && okZ {
						e.addInterval(g.bounds(x, y, z))
					}
				}
			}
		}
	}
	return e.lo, e.hi
}

// boundPlaces bounds the noises that have no closer way by their value in the middle of each piece and the
// most they change within it.
func (o *octave) boundPlaces(n *Noise, s [3]span, cells int) (lo, hi float32) {
	e := newExtremes()
	parts := partsFor(cells, n.dims)
	perCell := [3]int{parts, parts, parts}
	if n.dims == 2 {
		perCell[1] = 1
	}
	slope := float32(n.slope() * o.amplitude)
	for p := range cells * perCell[0] * perCell[1] * perCell[2] {
		var at [3]place
		square, reached := float32(0), true
		for axis := range at {
			count := s[axis].last * perCell[axis]
			i := p % count
			p /= count
			part, ok := s[axis].piece(i/perCell[axis], i%perCell[axis], perCell[axis])
			if axis == 1 && n.dims == 2 {
				continue
			}
			reached = reached && ok
			half := float32((part.hi - part.lo) * 0.5)
			at[axis] = place{s[axis].first + uint32(i/perCell[axis]), part.lo + half}
			if axis == 2 && n.kind == Simplex && n.dims == 2 {
				half = float32(half * sqrt3)
			}
			square += float32(half * half)
		}
		if reached {
			v := o.at(n.kind, n.dims, at[0], at[1], at[2])
			w := float32(slope * float32(math.Sqrt(float64(square))))
			e.addInterval(interval{v - w, v + w})
		}
	}
	return e.lo, e.hi
}

// slope returns the most that an octave of amplitude 1 changes per lattice cell.
func (n *Noise) slope() float32 {
	switch {
	case n.kind == Cellular:
		return 2
	case n.kind == Edges:
		return 4
	case n.dims == 2:
		return simplexSlope2
	}
	return simplexSlope3
}

// A cell3 holds the slopes at the corners of a lattice cell; corner bit 0 is x, bit 1 y, bit 2 z.
type cell3 struct{ x, y, z [8]float32 }

func (o *octave) cell3(x, y, z uint32) (g cell3) {
	for i := range uint32(8) {
		h := hash(rowHash(o.seed, y+i>>1&1, z+i>>2), x+i&1)
		g.x[i], g.y[i], g.z[i] = gradient3(h, o.weight)
	}
	return g
}

func (g *cell3) bounds(x, y, z interval) interval {
	var v [8]interval
	for i := range v {
		cx, cy, cz := x, y, z
		if i&1 != 0 {
			cx = interval{x.lo - 1, x.hi - 1}
		}
		if i&2 != 0 {
			cy = interval{y.lo - 1, y.hi - 1}
		}
		if i&4 != 0 {
			cz = interval{z.lo - 1, z.hi - 1}
		}
		v[i] = cx.scale(g.x[i]).add(cy.scale(g.y[i])).add(cz.scale(g.z[i]))
	}
	sx, sy, sz := fadeInterval(x), fadeInterval(y), fadeInterval(z)
	for i := range 4 {
		v[i] = mix2(v[i], v[i+4], sz)
	}
	return mix2(mix2(v[0], v[1], sx), mix2(v[2], v[3], sx), sy)
}
