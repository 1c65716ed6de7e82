package field

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// constant is a number.
type constant float32

func (c constant) point(*values, lattice.Sample) float32 { return float32(c) }

func (c constant) block(dst []float32, _ *operands, _ *block) {
	for i := range dst {
		dst[i] = float32(c)
	}
}

func (c constant) bounds(*intervals, *lattice.Box) Interval { return single(float32(c)) }

// add is a + b.
type add struct{}

func (add) of(a, b float32) float32      { return a + b }
func (add) all(dst, a, b []float32)      { rows.Add(dst, a, b) }
func (add) bound(a, b Interval) Interval { return a.add(b) }
func (add) choice(a, b Interval) int     { return pick(b == Interval{}, a == Interval{}) }

// subtract is a − b.
type subtract struct{}

func (subtract) of(a, b float32) float32      { return a - b }
func (subtract) all(dst, a, b []float32)      { rows.Subtract(dst, a, b) }
func (subtract) bound(a, b Interval) Interval { return a.sub(b) }
func (subtract) choice(a, b Interval) int     { return pick(b == Interval{}, false) }

// multiply is a·b.
type multiply struct{}

func (multiply) of(a, b float32) float32      { return scalar.Multiply(a, b) }
func (multiply) all(dst, a, b []float32)      { rows.Multiply(dst, a, b) }
func (multiply) bound(a, b Interval) Interval { return a.mul(b) }
func (multiply) choice(a, b Interval) int     { return pick(b == Interval{1, 1}, a == Interval{1, 1}) }

// scale is factor·a + term.
type scale struct{ factor, term float32 }

func (s scale) of(a float32) float32 { return scalar.Scale(a, s.factor, s.term) }
func (s scale) all(dst, a []float32) { rows.Scale(dst, a, s.factor, s.term) }
func (s scale) bound(a Interval) Interval {
	return a.mul(single(s.factor)).add(single(s.term)).add(single(0))
}

// abs is |a|.
type abs struct{}

func (abs) of(a float32) float32      { return scalar.Abs(a) }
func (abs) all(dst, a []float32)      { rows.Abs(dst, a) }
func (abs) bound(a Interval) Interval { return a.abs() }

// hypot is √(a² + b²).
type hypot struct{}

func (hypot) of(a, b float32) float32 { return scalar.Hypot(a, b) }
func (hypot) all(dst, a, b []float32) { rows.Hypot(dst, a, b) }
func (hypot) bound(a, b Interval) Interval {
	i := a.square().add(b.square())
	return Interval{geom.Sqrt(i.Lo), geom.Sqrt(i.Hi)}
}
func (hypot) choice(a, b Interval) int { return -1 }

// clamp holds a between lo and hi.
type clamp struct{ lo, hi float32 }

func newClamp(n *Node, _ *compiler) (op, error) {
	c := clamp{n.Floats[0] + 0, n.Floats[1] + 0}
	if c.lo > c.hi {
		return nil, fmt.Errorf("low %g is over high %g", c.lo, c.hi)
	}
	return monadicOp{c}, nil
}

func (c clamp) of(a float32) float32      { return scalar.Clamp(a, c.lo, c.hi) }
func (c clamp) all(dst, a []float32)      { rows.Clamp(dst, a, c.lo, c.hi) }
func (c clamp) bound(a Interval) Interval { return Interval{c.of(a.Lo), c.of(a.Hi)} }

// smoothstep is t²(3−2t) of t = (a − low)/(high − low), held within [0, 1].
type smoothstep struct{ low, inverse float32 }

func newSmoothstep(n *Node, _ *compiler) (op, error) {
	low, high := n.Floats[0], n.Floats[1]
	if !(high-low >= minMeters) {
		return nil, fmt.Errorf("low %g and high %g, want high at least %g over low", low, high, minMeters)
	}
	return monadicOp{smoothstep{low, 1 / (high - low)}}, nil
}

func (s smoothstep) of(a float32) float32 { return scalar.Smoothstep(a, s.low, s.inverse) }
func (s smoothstep) all(dst, a []float32) { rows.Smoothstep(dst, a, s.low, s.inverse) }

// bound is widened by what the four roundings of numbers up to 3 may do to a function that exactly rises.
func (s smoothstep) bound(a Interval) Interval {
	i := Interval{s.of(a.Lo), s.of(a.Hi)}
	if i.isSingle() && (i.Lo == 0 || i.Lo == 1) {
		return i // t is held at an end: every value is this one
	}
	return i.widen(1.0 / (1 << 21)).within(Interval{0, 1 + 1.0/(1<<21)})
}

// bump is (1 − t²)², t = a/width, within ±1.
type bump struct{ inverse float32 }

func (b bump) of(a float32) float32 { return scalar.Bump(a, b.inverse) }
func (b bump) all(dst, a []float32) { rows.Bump(dst, a, b.inverse) }

func (b bump) bound(a Interval) Interval {
	m := a.abs()
	return Interval{b.of(m.Hi), b.of(m.Lo)} // every step falls with |a|
}
