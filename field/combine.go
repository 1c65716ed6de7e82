package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Set operations on densities: the union of solids is the larger density. Their smooth forms are reference
// §1's.

// union is max(a, b).
type union struct{}

func (union) of(a, b float32) float32 { return scalar.Larger(a, b) }
func (union) all(dst, a, b []float32) { rows.Larger(dst, a, b) }
func (union) bound(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: scalar.Larger(a.Lo, b.Lo), Hi: scalar.Larger(a.Hi, b.Hi)}
}
func (union) choice(a, b geom.Interval) int { return pick(a.Lo >= b.Hi, b.Lo >= a.Hi) }

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

// intersection is min(a, b).
type intersection struct{}

func (intersection) of(a, b float32) float32 { return scalar.Smaller(a, b) }
func (intersection) all(dst, a, b []float32) { rows.Smaller(dst, a, b) }
func (intersection) bound(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: scalar.Smaller(a.Lo, b.Lo), Hi: scalar.Smaller(a.Hi, b.Hi)}
}
func (intersection) choice(a, b geom.Interval) int { return pick(a.Hi <= b.Lo, b.Hi <= a.Lo) }

// difference is min(a, −b).
type difference struct{}

func (difference) of(a, b float32) float32 { return scalar.Smaller(a, 0-b) }
func (difference) all(dst, a, b []float32) { rows.Difference(dst, a, b) }
func (difference) bound(a, b geom.Interval) geom.Interval {
	return intersection{}.bound(a, b.Neg())
}
func (difference) choice(a, b geom.Interval) int { return pick(a.Hi <= b.Neg().Lo, false) }

// smoothUnion is max(a, b) + h²/(4k), h = max(k − |a−b|, 0).
type smoothUnion struct{ k float32 }

func (s smoothUnion) of(a, b float32) float32 { return scalar.SmoothMax(a, b, s.k) }
func (s smoothUnion) all(dst, a, b []float32) { rows.SmoothMax(dst, a, b, s.k) }
func (s smoothUnion) bound(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: scalar.SmoothMax(a.Lo, b.Lo, s.k), Hi: scalar.SmoothMax(a.Hi, b.Hi, s.k)}.Widen(smoothSlack(a, b, s.k))
}
func (s smoothUnion) choice(a, b geom.Interval) int { return pick(a.Lo-b.Hi >= s.k, b.Lo-a.Hi >= s.k) }

// smoothSlack returns how far rounding may take a smooth maximum outside that of its inputs' ends. The exact
// function rises with both inputs. Of what is added to the larger input, at most k/4, six roundings, three
// of them of numbers up to the inputs' magnitude where these are over k, make an error below 2⁻²⁰ of these.
func smoothSlack(a, b geom.Interval, k float32) float32 {
	return float32((scalar.Larger(a.Magnitude(), b.Magnitude()) + k) * (1.0 / (1 << 20)))
}

// smoothIntersection is min(a, b) − h²/(4k).
type smoothIntersection struct{ k float32 }

func (s smoothIntersection) of(a, b float32) float32 { return scalar.SmoothMin(a, b, s.k) }
func (s smoothIntersection) all(dst, a, b []float32) { rows.SmoothMin(dst, a, b, s.k) }
func (s smoothIntersection) bound(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: scalar.SmoothMin(a.Lo, b.Lo, s.k), Hi: scalar.SmoothMin(a.Hi, b.Hi, s.k)}.Widen(smoothSlack(a, b, s.k))
}
func (s smoothIntersection) choice(a, b geom.Interval) int {
	return pick(b.Lo-a.Hi >= s.k, a.Lo-b.Hi >= s.k)
}

// smoothDifference is the smooth minimum of a and −b.
type smoothDifference struct{ k float32 }

func (s smoothDifference) of(a, b float32) float32 { return scalar.SmoothMin(a, 0-b, s.k) }
func (s smoothDifference) all(dst, a, b []float32) { rows.SmoothDifference(dst, a, b, s.k) }
func (s smoothDifference) bound(a, b geom.Interval) geom.Interval {
	return smoothIntersection(s).bound(a, b.Neg())
}
func (s smoothDifference) choice(a, b geom.Interval) int {
	return pick(smoothIntersection(s).choice(a, b.Neg()) == 0, false)
}

// mix is a + (b − a)·t.
type mix struct{}

func (mix) point(in *values, _ lattice.Sample) float32 { return scalar.Lerp(in[0], in[1], in[2]) + 0 }

func (mix) block(dst []float32, in *operands, b *block) {
	rows.Mix(dst, in[0].all(b, 0), in[1].all(b, 1), in[2].all(b, 2))
}

func (mix) bounds(in *intervals, _ *lattice.Box) geom.Interval {
	a, b, t := in[0], in[1], in[2]
	i := a.Add(b.Sub(a).Mul(t))
	if t.Lo < 0 || t.Hi > 1 {
		return i
	}
	// Within [0, 1] the exact value lies between a and b, and its four roundings are of numbers up to twice
	// their magnitude.
	return i.Intersect(a.Union(b).Widen(float32((a.Magnitude() + b.Magnitude()) * (1.0 / (1 << 21)))))
}

func (mix) choose(in *intervals) int { return pick(in[2].Lo == 0 && in[2].Hi == 0, false) }
