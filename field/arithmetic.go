package field

import (
	"fmt"

	"github.com/terrane/terrane/geom"
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
func (add) all(dst, a, b []float32)      { addRows(dst, a, b) }
func (add) bound(a, b Interval) Interval { return a.add(b) }
func (add) choice(a, b Interval) int     { return pick(b == Interval{}, a == Interval{}) }

// subtract is a − b.
type subtract struct{}

func (subtract) of(a, b float32) float32      { return a - b }
func (subtract) all(dst, a, b []float32)      { subtractRows(dst, a, b) }
func (subtract) bound(a, b Interval) Interval { return a.sub(b) }
func (subtract) choice(a, b Interval) int     { return pick(b == Interval{}, false) }

// multiply is a·b. The 0 added makes −0 +0.
type multiply struct{}

func (multiply) of(a, b float32) float32      { return float32(a*b) + 0 }
func (multiply) all(dst, a, b []float32)      { multiplyRows(dst, a, b) }
func (multiply) bound(a, b Interval) Interval { return a.mul(b) }
func (multiply) choice(a, b Interval) int     { return pick(b == Interval{1, 1}, a == Interval{1, 1}) }

// scale is factor·a + term.
type scale struct{ factor, term float32 }

func (s scale) of(a float32) float32 { return float32(a*s.factor) + s.term + 0 }
func (s scale) all(dst, a []float32) { scaleRows(dst, a, s.factor, s.term) }
func (s scale) bound(a Interval) Interval {
	return a.mul(single(s.factor)).add(single(s.term)).add(single(0))
}

// abs is |a|.
type abs struct{}

func (abs) of(a float32) float32 {
	if a < 0 {
		return -a
	}
	return a
}
func (abs) all(dst, a []float32)      { absRows(dst, a) }
func (abs) bound(a Interval) Interval { return a.abs() }

// hypot is √(a² + b²).
type hypot struct{}

func (hypot) of(a, b float32) float32 { return geom.Sqrt(float32(a*a) + float32(b*b)) }
func (hypot) all(dst, a, b []float32) { hypotRows(dst, a, b) }
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

func (c clamp) of(a float32) float32      { return smaller(larger(a, c.lo), c.hi) }
func (c clamp) all(dst, a []float32)      { clampRows(dst, a, c.lo, c.hi) }
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

func (s smoothstep) of(a float32) float32 {
	t := float32((a - s.low) * s.inverse)
	t = smaller(larger(t, 0), 1)
	return float32(float32(t*t) * (3 - float32(2*t)))
}

func (s smoothstep) all(dst, a []float32) { smoothstepRows(dst, a, s.low, s.inverse) }

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

func (b bump) of(a float32) float32 {
	t := float32(a * b.inverse)
	v := 1 - float32(t*t)
	v = larger(v, 0)
	return float32(v * v)
}

func (b bump) all(dst, a []float32) { bumpRows(dst, a, b.inverse) }

func (b bump) bound(a Interval) Interval {
	m := a.abs()
	return Interval{b.of(m.Hi), b.of(m.Lo)} // every step falls with |a|
}

// curve is piecewise linear.
type curve struct{ x, y, slope []float32 }

func newCurve(n *Node, _ *compiler) (op, error) {
	var c curve
	for i := 0; i < len(n.Floats); i += 2 {
		c.x, c.y = append(c.x, n.Floats[i]+0), append(c.y, n.Floats[i+1]+0)
	}
	for i := 1; i < len(c.x); i++ {
		if !(c.x[i]-c.x[i-1] >= minMeters) {
			return nil, fmt.Errorf("x %g follows %g, want at least %g over it", c.x[i], c.x[i-1], minMeters)
		}
		c.slope = append(c.slope, (c.y[i]-c.y[i-1])/(c.x[i]-c.x[i-1]))
	}
	return monadicOp{c}, nil
}

// segment returns the number of the last point at or below a, −1 if there is none.
func (c curve) segment(a float32) int {
	lo, hi := -1, len(c.x)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; c.x[mid] <= a {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (c curve) of(a float32) float32 {
	i := c.segment(a)
	switch {
	case i < 0:
		return c.y[0]
	case i == len(c.x)-1:
		return c.y[i]
	}
	v := c.y[i] + float32((a-c.x[i])*c.slope[i])
	// Rounding must not leave the segment, or bounds would not hold.
	lo, hi := c.y[i], c.y[i+1]
	if lo > hi {
		lo, hi = hi, lo
	}
	return smaller(larger(v, lo), hi) + 0
}

func (c curve) all(dst, a []float32) {
	for i, v := range a {
		dst[i] = c.of(v)
	}
}

// bound holds because a segment rises or falls, rounded too, between its two points.
func (c curve) bound(a Interval) Interval {
	i := single(c.of(a.Lo)).union(single(c.of(a.Hi)))
	for k := c.segment(a.Lo) + 1; k < len(c.x) && c.x[k] <= a.Hi; k++ {
		i = i.union(single(c.y[k]))
	}
	return i
}

// terrace makes steps: within each the input first rests, then rises to the next by smoothstep.
type terrace struct{ height, inverse, rise float32 }

func newTerrace(n *Node, _ *compiler) (op, error) {
	t := terrace{n.Floats[0], 1 / n.Floats[0], n.Floats[1]}
	return monadicOp{t}, nil
}

func (t terrace) of(a float32) float32 {
	u := float32(a * t.inverse)
	if !(u > -1<<22 && u < 1<<22) {
		return a // so far out a float32 has no steps
	}
	step := float32(int32(u))
	if step > u {
		step--
	}
	rest := u - step // of the step, in [0, 1)
	if t.rise > 0 {
		rest = larger(rest-(1-t.rise), 0) / t.rise
		rest = smaller(rest, 1)
	} else {
		rest = 0
	}
	return float32((step+rest)*t.height) + 0
}

func (t terrace) all(dst, a []float32) {
	for i, v := range a {
		dst[i] = t.of(v)
	}
}

// bound is widened by the rounding of a function that exactly rises, and whose steps are met a little early
// or late.
func (t terrace) bound(a Interval) Interval {
	i := Interval{t.of(a.Lo), t.of(a.Hi)}
	return i.widen(float32((i.magnitude() + t.height) * (1.0 / (1 << 20))))
}
