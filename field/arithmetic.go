package field

import (
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

func (c constant) bounds(*intervals, *lattice.Box) geom.Interval { return geom.Single(float32(c)) }

// add is a + b.
type add struct{}

func (add) of(a, b float32) float32                { return a + b }
func (add) all(dst, a, b []float32)                { rows.Add(dst, a, b) }
func (add) bound(a, b geom.Interval) geom.Interval { return a.Add(b) }
func (add) choice(a, b geom.Interval) int          { return pick(b == geom.Interval{}, a == geom.Interval{}) }

// subtract is a − b.
type subtract struct{}

func (subtract) of(a, b float32) float32                { return a - b }
func (subtract) all(dst, a, b []float32)                { rows.Subtract(dst, a, b) }
func (subtract) bound(a, b geom.Interval) geom.Interval { return a.Sub(b) }
func (subtract) choice(a, b geom.Interval) int          { return pick(b == geom.Interval{}, false) }

// multiply is a·b.
type multiply struct{}

func (multiply) of(a, b float32) float32                { return scalar.Multiply(a, b) }
func (multiply) all(dst, a, b []float32)                { rows.Multiply(dst, a, b) }
func (multiply) bound(a, b geom.Interval) geom.Interval { return a.Mul(b) }
func (multiply) choice(a, b geom.Interval) int {
	return pick(b == geom.Interval{Lo: 1, Hi: 1}, a == geom.Interval{Lo: 1, Hi: 1})
}

// scale is factor·a + term.
type scale struct{ factor, term float32 }

func (s scale) of(a float32) float32 { return scalar.Scale(a, s.factor, s.term) }
func (s scale) all(dst, a []float32) { rows.Scale(dst, a, s.factor, s.term) }
func (s scale) bound(a geom.Interval) geom.Interval {
	return a.Mul(geom.Single(s.factor)).Add(geom.Single(s.term)).Add(geom.Single(0))
}

// abs is |a|.
type abs struct{}

func (abs) of(a float32) float32                { return scalar.Abs(a) }
func (abs) all(dst, a []float32)                { rows.Abs(dst, a) }
func (abs) bound(a geom.Interval) geom.Interval { return a.Abs() }

// hypot is √(a² + b²).
type hypot struct{}

func (hypot) of(a, b float32) float32 { return scalar.Hypot(a, b) }
func (hypot) all(dst, a, b []float32) { rows.Hypot(dst, a, b) }
func (hypot) bound(a, b geom.Interval) geom.Interval {
	i := a.Square().Add(b.Square())
	return geom.Interval{Lo: geom.Sqrt(i.Lo), Hi: geom.Sqrt(i.Hi)}
}
func (hypot) choice(a, b geom.Interval) int { return -1 }

// clamp holds a between lo and hi.
type clamp struct{ lo, hi float32 }

func (c clamp) of(a float32) float32 { return scalar.Clamp(a, c.lo, c.hi) }
func (c clamp) all(dst, a []float32) { rows.Clamp(dst, a, c.lo, c.hi) }
func (c clamp) bound(a geom.Interval) geom.Interval {
	return geom.Interval{Lo: c.of(a.Lo), Hi: c.of(a.Hi)}
}

// smoothstep is t²(3−2t) of t = (a − low)/(high − low), held within [0, 1].
type smoothstep struct{ low, inverse float32 }

func (s smoothstep) of(a float32) float32 { return scalar.Smoothstep(a, s.low, s.inverse) }
func (s smoothstep) all(dst, a []float32) { rows.Smoothstep(dst, a, s.low, s.inverse) }

// bound is widened by what the four roundings of numbers up to 3 may do to a function that exactly rises.
func (s smoothstep) bound(a geom.Interval) geom.Interval {
	i := geom.Interval{Lo: s.of(a.Lo), Hi: s.of(a.Hi)}
	if i.IsSingle() && (i.Lo == 0 || i.Lo == 1) {
		return i // t is held at an end: every value is this one
	}
	return i.Widen(1.0 / (1 << 21)).Intersect(geom.Interval{Lo: 0, Hi: 1 + 1.0/(1<<21)})
}

// bump is (1 − t²)², t = a/width, within ±1.
type bump struct{ inverse float32 }

func (b bump) of(a float32) float32 { return scalar.Bump(a, b.inverse) }
func (b bump) all(dst, a []float32) { rows.Bump(dst, a, b.inverse) }

func (b bump) bound(a geom.Interval) geom.Interval {
	m := a.Abs()
	return geom.Interval{Lo: b.of(m.Hi), Hi: b.of(m.Lo)} // every step falls with |a|
}
