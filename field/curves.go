package field

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// curve is piecewise linear.
type curve struct{ x, y, slope []float32 }

func newCurve(n *Node, _ *compiler) (op, error) {
	c, err := curveOf(n)
	return monadicOp{c}, err
}

// curveOf returns the curve through a node's points.
func curveOf(n *Node) (c curve, err error) {
	for i := 0; i < len(n.Floats); i += 2 {
		c.x, c.y = append(c.x, n.Floats[i]+0), append(c.y, n.Floats[i+1]+0)
	}
	for i := 1; i < len(c.x); i++ {
		if !(c.x[i]-c.x[i-1] >= minMeters) {
			return c, fmt.Errorf("x %g follows %g, want at least %g over it", c.x[i], c.x[i-1], minMeters)
		}
		c.slope = append(c.slope, (c.y[i]-c.y[i-1])/(c.x[i]-c.x[i-1]))
	}
	return c, nil
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
	return c.hold(i, c.y[i]+float32((a-c.x[i])*c.slope[i]))
}

// hold returns v held between the ends of segment i, which rounding must not leave or bounds would not hold.
func (c curve) hold(i int, v float32) float32 {
	lo, hi := c.y[i], c.y[i+1]
	if lo > hi {
		lo, hi = hi, lo
	}
	return scalar.Smaller(scalar.Larger(v, lo), hi) + 0
}

func (c curve) all(dst, a []float32) {
	for i, v := range a {
		dst[i] = c.of(v)
	}
}

// bound holds because a segment rises or falls, rounded too, between its two points.
func (c curve) bound(a geom.Interval) geom.Interval {
	i := geom.Single(c.of(a.Lo)).Union(geom.Single(c.of(a.Hi)))
	for k := c.segment(a.Lo) + 1; k < len(c.x) && c.x[k] <= a.Hi; k++ {
		i = i.Union(geom.Single(c.y[k]))
	}
	return i
}

// cubic is a smooth curve through the same points. Its slope at a point is the harmonic mean of those of the segments
// beside it, weighted by their lengths (Fritsch, Butland 1984), and 0 where these differ in sign and at the
// ends: so it turns nowhere between two points, and nothing jumps where it levels off.
type cubic struct {
	curve
	tangent []float32
}

func newSpline(n *Node, _ *compiler) (op, error) {
	c, err := curveOf(n)
	if err != nil {
		return nil, err
	}
	s := cubic{c, make([]float32, len(c.x))}
	for i := 1; i < len(c.x)-1; i++ {
		a, b := c.slope[i-1], c.slope[i]
		if float32(a*b) <= 0 {
			continue
		}
		before, after := c.x[i]-c.x[i-1], c.x[i+1]-c.x[i]
		wa, wb := before+float32(2*after), float32(2*before)+after
		s.tangent[i] = (wa + wb) / (wa/a + wb/b)
	}
	return monadicOp{s}, nil
}

func (s cubic) of(a float32) float32 {
	i := s.segment(a)
	switch {
	case i < 0:
		return s.y[0]
	case i == len(s.x)-1:
		return s.y[i]
	}
	h := s.x[i+1] - s.x[i]
	t := (a - s.x[i]) / h
	rise := s.y[i+1] - s.y[i]
	m0, m1 := float32(s.tangent[i]*h), float32(s.tangent[i+1]*h)
	// y₀ + t·(m₀ + t·(3·rise − 2m₀ − m₁ + t·(m₀ + m₁ − 2·rise)))
	c3 := m0 + m1 - float32(2*rise)
	c2 := float32(3*rise) - float32(2*m0) - m1
	return s.hold(i, s.y[i]+float32(t*(m0+float32(t*(c2+float32(t*c3))))))
}

func (s cubic) all(dst, a []float32) {
	for i, v := range a {
		dst[i] = s.of(v)
	}
}

// bound is the curve's, whose points are the spline's turns, widened by what some ten roundings of numbers up
// to three times the segments' rises do to a function that exactly rises or falls between them.
func (s cubic) bound(a geom.Interval) geom.Interval {
	i := geom.Single(s.of(a.Lo)).Union(geom.Single(s.of(a.Hi)))
	first, last := s.segment(a.Lo), s.segment(a.Hi)
	if first == last && (first < 0 || first == len(s.x)-1) {
		return i
	}
	rise := float32(0)
	for k := max(first, 0); k <= last && k < len(s.x)-1; k++ {
		rise = scalar.Larger(rise, scalar.Abs(s.y[k+1]-s.y[k]))
		i = i.Union(geom.Single(s.y[k+1]))
		if k > first || first < 0 {
			i = i.Union(geom.Single(s.y[k]))
		}
	}
	return i.Widen(float32((rise + i.Magnitude()) * (1.0 / (1 << 19))))
}

// selector is one of two inputs, by a third.
type selector struct{ threshold float32 }

func (s selector) point(in *values, _ lattice.Sample) float32 {
	if in[2] < s.threshold {
		return in[0]
	}
	return in[1]
}

func (s selector) block(dst []float32, in *operands, b *block) {
	rows.Select(dst, in[0].rows(b), in[1].rows(b), in[2].rows(b), b.count, s.threshold)
}

func (s selector) bounds(in *intervals, _ *lattice.Box) geom.Interval {
	if c := s.choose(in); c >= 0 {
		return in[c]
	}
	return in[0].Union(in[1])
}

func (s selector) choose(in *intervals) int {
	return pick(in[2].Hi < s.threshold, in[2].Lo >= s.threshold)
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
		rest = scalar.Larger(rest-(1-t.rise), 0) / t.rise
		rest = scalar.Smaller(rest, 1)
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
func (t terrace) bound(a geom.Interval) geom.Interval {
	i := geom.Interval{Lo: t.of(a.Lo), Hi: t.of(a.Hi)}
	return i.Widen(float32((i.Magnitude() + t.height) * (1.0 / (1 << 20))))
}
