package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Set operations on densities: the union of solids is the larger density. Their smooth forms are reference
// §1's.

// Union is max(a, b).
type Union struct{}

func (Union) of(a, b float32) float32                { return scalar.Larger(a, b) }
func (Union) all(dst, a, b []float32)                { rows.Larger(dst, a, b) }
func (Union) bound(a, b geom.Interval) geom.Interval { return a.Larger(b) }
func (Union) choice(a, b geom.Interval) int          { return pick(a.Lo >= b.Hi, b.Lo >= a.Hi) }

// pick returns 0 if the first of two inputs is certain, 1 if the second is, else −1.
func pick(first, second bool) int {
	switch {
	case first:
		return 0
	case second:
		return 1
	}
	return -1
}

// Intersection is min(a, b).
type Intersection struct{}

func (Intersection) of(a, b float32) float32                { return scalar.Smaller(a, b) }
func (Intersection) all(dst, a, b []float32)                { rows.Smaller(dst, a, b) }
func (Intersection) bound(a, b geom.Interval) geom.Interval { return a.Smaller(b) }
func (Intersection) choice(a, b geom.Interval) int          { return pick(a.Hi <= b.Lo, b.Hi <= a.Lo) }

// Difference is min(a, −b).
type Difference struct{}

func (Difference) of(a, b float32) float32 { return scalar.Smaller(a, 0-b) }
func (Difference) all(dst, a, b []float32) { rows.Difference(dst, a, b) }
func (Difference) bound(a, b geom.Interval) geom.Interval {
	return Intersection{}.bound(a, b.Neg())
}
func (Difference) choice(a, b geom.Interval) int { return pick(a.Hi <= b.Neg().Lo, false) }

// SmoothUnion is max(a, b) + h²/(4k), h = max(k − |a−b|, 0).
type SmoothUnion struct{ K float32 }

func (s SmoothUnion) of(a, b float32) float32 { return scalar.SmoothMax(a, b, s.K) }
func (s SmoothUnion) all(dst, a, b []float32) { rows.SmoothMax(dst, a, b, s.K) }
func (s SmoothUnion) bound(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: scalar.SmoothMax(a.Lo, b.Lo, s.K), Hi: scalar.SmoothMax(a.Hi, b.Hi, s.K)}.Widen(smoothSlack(a, b, s.K))
}
func (s SmoothUnion) choice(a, b geom.Interval) int { return pick(a.Lo-b.Hi >= s.K, b.Lo-a.Hi >= s.K) }

// smoothSlack returns how far rounding may take a smooth maximum outside that of its inputs' ends. The exact
// function rises with both inputs. Of what is added to the larger input, at most k/4, six roundings, three
// of them of numbers up to the inputs' magnitude where these are over k, make an error below 2⁻²⁰ of these.
func smoothSlack(a, b geom.Interval, k float32) float32 {
	return float32((scalar.Larger(a.Magnitude(), b.Magnitude()) + k) * (1.0 / (1 << 20)))
}

// SmoothIntersection is min(a, b) − h²/(4k).
type SmoothIntersection struct{ K float32 }

func (s SmoothIntersection) of(a, b float32) float32 { return scalar.SmoothMin(a, b, s.K) }
func (s SmoothIntersection) all(dst, a, b []float32) { rows.SmoothMin(dst, a, b, s.K) }
func (s SmoothIntersection) bound(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: scalar.SmoothMin(a.Lo, b.Lo, s.K), Hi: scalar.SmoothMin(a.Hi, b.Hi, s.K)}.Widen(smoothSlack(a, b, s.K))
}
func (s SmoothIntersection) choice(a, b geom.Interval) int {
	return pick(b.Lo-a.Hi >= s.K, a.Lo-b.Hi >= s.K)
}

// SmoothDifference is the smooth minimum of a and −b.
type SmoothDifference struct{ K float32 }

func (s SmoothDifference) of(a, b float32) float32 { return scalar.SmoothMin(a, 0-b, s.K) }
func (s SmoothDifference) all(dst, a, b []float32) { rows.SmoothDifference(dst, a, b, s.K) }
func (s SmoothDifference) bound(a, b geom.Interval) geom.Interval {
	return SmoothIntersection(s).bound(a, b.Neg())
}
func (s SmoothDifference) choice(a, b geom.Interval) int {
	return pick(SmoothIntersection(s).choice(a, b.Neg()) == 0, false)
}

// Mix is a + (b − a)·t.
type Mix struct{}

func (Mix) Point(in *Values, _ lattice.Sample) float32 { return scalar.Lerp(in[0], in[1], in[2]) + 0 }

func (Mix) Block(dst []float32, in *Operands, b *Block) {
	rows.Mix(dst, in[0].all(b, 0), in[1].all(b, 1), in[2].all(b, 2))
}

func (Mix) Bounds(in *Intervals, _ *lattice.Box) geom.Interval {
	a, b, t := in[0], in[1], in[2]
	i := a.Add(b.Sub(a).Mul(t))
	if t.Lo < 0 || t.Hi > 1 {
		return i
	}
	// Within [0, 1] the exact value lies between a and b, and its four roundings are of numbers up to twice
	// their magnitude.
	return i.Intersect(a.Union(b).Widen(float32((a.Magnitude() + b.Magnitude()) * (1.0 / (1 << 21)))))
}

func (Mix) Choose(in *Intervals) int { return pick(in[2].Lo == 0 && in[2].Hi == 0, false) }
