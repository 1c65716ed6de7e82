package geom

import "github.com/terrane/terrane/internal/kernel/scalar"

// An Interval holds the float32 numbers from Lo to Hi, both included. It is empty when Lo > Hi.
//
// Its arithmetic bounds arithmetic on float32 numbers. Rounding is monotone, so ends computed by the very
// operation that computes the values hold these without being widened; a function that is not monotone step by
// step has to be widened by whoever bounds it. Every product is converted, as everywhere, which keeps it from
// being fused into a sum: an end that was fused would be a bound of other bits than the values it stands for.
type Interval struct{ Lo, Hi float32 }

// Single returns the interval that holds v alone.
func Single(v float32) Interval { return Interval{v, v} }

// IsSingle reports whether i holds one number only.
func (i Interval) IsSingle() bool { return i.Lo == i.Hi }

// Union returns the smallest interval that holds both.
func (i Interval) Union(j Interval) Interval {
	return Interval{scalar.Smaller(i.Lo, j.Lo), scalar.Larger(i.Hi, j.Hi)}
}

// Intersect returns the part of i that lies in j, which may be empty.
func (i Interval) Intersect(j Interval) Interval {
	return Interval{scalar.Larger(i.Lo, j.Lo), scalar.Smaller(i.Hi, j.Hi)}
}

// Larger returns the interval of the larger of a number of each.
func (i Interval) Larger(j Interval) Interval {
	return Interval{scalar.Larger(i.Lo, j.Lo), scalar.Larger(i.Hi, j.Hi)}
}

// Smaller returns the interval of the smaller of a number of each.
func (i Interval) Smaller(j Interval) Interval {
	return Interval{scalar.Smaller(i.Lo, j.Lo), scalar.Smaller(i.Hi, j.Hi)}
}

// Add returns an interval that holds every a + b.
func (i Interval) Add(j Interval) Interval { return Interval{i.Lo + j.Lo, i.Hi + j.Hi} }

// Sub returns an interval that holds every a − b.
func (i Interval) Sub(j Interval) Interval { return Interval{i.Lo - j.Hi, i.Hi - j.Lo} }

// Neg returns 0 − i. Subtracting, unlike a change of sign, makes both zeros +0.
func (i Interval) Neg() Interval { return Interval{0 - i.Hi, 0 - i.Lo} }

// Mul returns an interval that holds every a·b. The 0 added makes −0 +0.
func (i Interval) Mul(j Interval) Interval {
	a, b, c, d := float32(i.Lo*j.Lo), float32(i.Lo*j.Hi), float32(i.Hi*j.Lo), float32(i.Hi*j.Hi)
	return Interval{scalar.Smaller(scalar.Smaller(a, b), scalar.Smaller(c, d)) + 0, scalar.Larger(scalar.Larger(a, b), scalar.Larger(c, d)) + 0}
}

// Abs returns the interval of the absolute values.
func (i Interval) Abs() Interval {
	if i.Lo >= 0 {
		return i
	}
	if i.Hi <= 0 {
		return i.Neg()
	}
	return Interval{0, scalar.Larger(0-i.Lo, i.Hi)}
}

// Square returns the interval of the squares.
func (i Interval) Square() Interval {
	a := i.Abs()
	return Interval{float32(a.Lo * a.Lo), float32(a.Hi * a.Hi)}
}

// Widen returns i made wider by w at both ends.
func (i Interval) Widen(w float32) Interval { return Interval{i.Lo - w, i.Hi + w} }

// Magnitude returns the largest absolute value in i.
func (i Interval) Magnitude() float32 { return scalar.Larger(0-i.Lo, i.Hi) }
