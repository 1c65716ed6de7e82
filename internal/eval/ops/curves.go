package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// curve is piecewise linear.
type curve struct{ x, y, slope []float32 }

// NewCurve makes a curve of the constants of a step: of each point x, y and the slope to the next.
func NewCurve(c []float32) curve {
	n := len(c) / 3
	k := curve{make([]float32, n), make([]float32, n), make([]float32, n)}
	for i := range n {
		k.x[i], k.y[i], k.slope[i] = c[3*i], c[3*i+1], c[3*i+2]
	}
	return k
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

// hold clamps v to the ends of segment i, which rounding must not leave: bounds are made
// of the ends.
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

// cubic is a smooth curve through the same points: in each segment the polynomial of degree 3 that has the points'
// values and tangents at its ends. The tangents (graph's deriveSpline) are such that it turns nowhere between two points.
type cubic struct{ curve }

// NewSpline makes a spline of the constants of a step: of each point x, y and the tangent.
func NewSpline(c []float32) cubic { return cubic{NewCurve(c)} }

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
	m0, m1 := float32(s.slope[i]*h), float32(s.slope[i+1]*h)
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

// Selector is one of two inputs, by a third.
type Selector struct{ Threshold float32 }

func (s Selector) Point(in *Values, _ lattice.Sample) float32 {
	if in[2] < s.Threshold {
		return in[0]
	}
	return in[1]
}

func (s Selector) Block(dst []float32, in *Operands, b *Block) {
	rows.Select(dst, in[0].rows(b), in[1].rows(b), in[2].rows(b), b.Count, s.Threshold)
}

func (s Selector) Bounds(in *Intervals, _ *lattice.Box) geom.Interval {
	if c := s.Choose(in); c >= 0 {
		return in[c]
	}
	return in[0].Union(in[1])
}

func (s Selector) Choose(in *Intervals) int {
	return pick(in[2].Hi < s.Threshold, in[2].Lo >= s.Threshold)
}

// Terrace makes steps: within each the input first rests, then rises to the next by smoothstep.
type Terrace struct{ Height, Inverse, Rise float32 }

func (t Terrace) of(a float32) float32 {
	u := float32(a * t.Inverse)
	if !(u > -1<<22 && u < 1<<22) {
		return a // so far out a float32 has no steps
	}
	step := float32(int32(u))
	if step > u {
		step--
	}
	rest := u - step // of the step, in [0, 1)
	if t.Rise > 0 {
		rest = scalar.Larger(rest-(1-t.Rise), 0) / t.Rise
		rest = scalar.Smaller(rest, 1)
	} else {
		rest = 0
	}
	return float32((step+rest)*t.Height) + 0
}

func (t Terrace) all(dst, a []float32) {
	for i, v := range a {
		dst[i] = t.of(v)
	}
}

// bound is widened by the rounding of a function that exactly rises, and whose steps are met a little early
// or late.
func (t Terrace) bound(a geom.Interval) geom.Interval {
	i := geom.Interval{Lo: t.of(a.Lo), Hi: t.of(a.Hi)}
	return i.Widen(float32((i.Magnitude() + t.Height) * (1.0 / (1 << 20))))
}
