package noise

import (
	"math"
	"math/bits"

	"github.com/terrane/terrane/internal/kernel/scalar"
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
	lo = scalar.Larger(lo-float32(slack*o.amplitude), -o.wide())
	hi = scalar.Smaller(hi+float32(slack*o.amplitude), o.wide())
	if o.folded {
		return o.foldBounds(lo, hi)
	}
	return lo, hi
}

// foldBounds returns bounds of the folded octave, given those of its value.
func (o *octave) foldBounds(lo, hi float32) (float32, float32) {
	near, far := float32(0), scalar.Larger(-lo, hi) // of the absolute value
	if lo > 0 {
		near = lo
	} else if hi < 0 {
		near = -hi
	}
	a, b := o.base+float32(o.slope*near), o.base+float32(o.slope*far)
	return scalar.Smaller(a, b), scalar.Larger(a, b)
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

// An extremes gathers the smallest and the largest of some numbers.
type extremes struct{ lo, hi float32 }

func newExtremes() extremes { return extremes{2, -2} } // octaves lie within ±1.1

func (e *extremes) add(v float32) {
	e.lo, e.hi = scalar.Smaller(e.lo, v), scalar.Larger(e.hi, v)
}

func (e *extremes) addInterval(i interval) {
	e.lo, e.hi = scalar.Smaller(e.lo, i.lo), scalar.Larger(e.hi, i.hi)
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
	return interval{scalar.Larger(a, low), scalar.Smaller(b, high)}, b >= low && a <= high
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
