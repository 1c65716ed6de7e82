package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Constant is a number.
type Constant float32

func (c Constant) Point(*Values, lattice.Sample) float32 { return float32(c) }

func (c Constant) Block(dst []float32, _ *Operands, _ *Block) {
	for i := range dst {
		dst[i] = float32(c)
	}
}

func (c Constant) Bounds(*Intervals, *lattice.Box) geom.Interval { return geom.Single(float32(c)) }

// Add is a + b.
type Add struct{}

func (Add) of(a, b float32) float32                { return a + b }
func (Add) all(dst, a, b []float32)                { rows.Add(dst, a, b) }
func (Add) bound(a, b geom.Interval) geom.Interval { return a.Add(b) }
func (Add) choice(a, b geom.Interval) int          { return pick(b == geom.Interval{}, a == geom.Interval{}) }

// Subtract is a − b.
type Subtract struct{}

func (Subtract) of(a, b float32) float32                { return a - b }
func (Subtract) all(dst, a, b []float32)                { rows.Subtract(dst, a, b) }
func (Subtract) bound(a, b geom.Interval) geom.Interval { return a.Sub(b) }
func (Subtract) choice(a, b geom.Interval) int          { return pick(b == geom.Interval{}, false) }

// Multiply is a·b.
type Multiply struct{}

func (Multiply) of(a, b float32) float32                { return scalar.Multiply(a, b) }
func (Multiply) all(dst, a, b []float32)                { rows.Multiply(dst, a, b) }
func (Multiply) bound(a, b geom.Interval) geom.Interval { return a.Mul(b) }
func (Multiply) choice(a, b geom.Interval) int {
	return pick(b == geom.Interval{Lo: 1, Hi: 1}, a == geom.Interval{Lo: 1, Hi: 1})
}

// Scale is factor·a + term.
type Scale struct{ Factor, Term float32 }

func (s Scale) of(a float32) float32 { return scalar.Scale(a, s.Factor, s.Term) }
func (s Scale) all(dst, a []float32) { rows.Scale(dst, a, s.Factor, s.Term) }
func (s Scale) bound(a geom.Interval) geom.Interval {
	return a.Mul(geom.Single(s.Factor)).Add(geom.Single(s.Term)).Add(geom.Single(0))
}

// Abs is |a|.
type Abs struct{}

func (Abs) of(a float32) float32                { return scalar.Abs(a) }
func (Abs) all(dst, a []float32)                { rows.Abs(dst, a) }
func (Abs) bound(a geom.Interval) geom.Interval { return a.Abs() }

// Hypot is √(a² + b²).
type Hypot struct{}

func (Hypot) of(a, b float32) float32 { return scalar.Hypot(a, b) }
func (Hypot) all(dst, a, b []float32) { rows.Hypot(dst, a, b) }
func (Hypot) bound(a, b geom.Interval) geom.Interval {
	i := a.Square().Add(b.Square())
	return geom.Interval{Lo: geom.Sqrt(i.Lo), Hi: geom.Sqrt(i.Hi)}
}
func (Hypot) choice(a, b geom.Interval) int { return -1 }

// Clamp holds a between lo and hi.
type Clamp struct{ Lo, Hi float32 }

func (c Clamp) of(a float32) float32 { return scalar.Clamp(a, c.Lo, c.Hi) }
func (c Clamp) all(dst, a []float32) { rows.Clamp(dst, a, c.Lo, c.Hi) }
func (c Clamp) bound(a geom.Interval) geom.Interval {
	return geom.Interval{Lo: c.of(a.Lo), Hi: c.of(a.Hi)}
}

// Smoothstep is t²(3−2t) of t = (a − low)/(high − low), held within [0, 1].
type Smoothstep struct{ Low, Inverse float32 }

func (s Smoothstep) of(a float32) float32 { return scalar.Smoothstep(a, s.Low, s.Inverse) }
func (s Smoothstep) all(dst, a []float32) { rows.Smoothstep(dst, a, s.Low, s.Inverse) }

// bound is widened by what the four roundings of numbers up to 3 may do to a function that exactly rises.
func (s Smoothstep) bound(a geom.Interval) geom.Interval {
	i := geom.Interval{Lo: s.of(a.Lo), Hi: s.of(a.Hi)}
	if i.IsSingle() && (i.Lo == 0 || i.Lo == 1) {
		return i // t is held at an end: every value is this one
	}
	return i.Widen(1.0 / (1 << 21)).Intersect(geom.Interval{Lo: 0, Hi: 1 + 1.0/(1<<21)})
}

// Bump is (1 − t²)², t = a/width, within ±1.
type Bump struct{ Inverse float32 }

func (b Bump) of(a float32) float32 { return scalar.Bump(a, b.Inverse) }
func (b Bump) all(dst, a []float32) { rows.Bump(dst, a, b.Inverse) }

func (b Bump) bound(a geom.Interval) geom.Interval {
	m := a.Abs()
	return geom.Interval{Lo: b.of(m.Hi), Hi: b.of(m.Lo)} // every step falls with |a|
}

// Saw is scalar.Saw.
type Saw struct{ Period float32 }

func (s Saw) of(a float32) float32 { return scalar.Saw(a, s.Period) }
func (s Saw) all(dst, a []float32) { rows.Saw(dst, a, s.Period) }

// bound is exact within a tooth, where every step rises with a.
func (s Saw) bound(a geom.Interval) geom.Interval {
	lo, ok := scalar.Tooth(a.Lo, s.Period)
	hi, ok2 := scalar.Tooth(a.Hi, s.Period)
	if ok && ok2 && lo == hi {
		return geom.Interval{Lo: s.of(a.Lo), Hi: s.of(a.Hi)}
	}
	return geom.Interval{Lo: 0, Hi: s.Period}
}
