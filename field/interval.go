package field

import (
	"github.com/terrane/terrane/internal/kernel/scalar"
)

// Interval arithmetic. Rounding is monotone, so an interval's ends computed by the very operation that
// computes the values hold these without being widened; what is not monotone step by step is widened, and
// says by how much. The conversions keep products from being fused into sums, as everywhere.

func single(v float32) Interval { return Interval{v, v} }

// isSingle reports whether i holds one number only.
func (i Interval) isSingle() bool { return i.Lo == i.Hi }

// union returns the smallest interval that holds both.
func (i Interval) union(j Interval) Interval {
	return Interval{scalar.Smaller(i.Lo, j.Lo), scalar.Larger(i.Hi, j.Hi)}
}

func (i Interval) add(j Interval) Interval { return Interval{i.Lo + j.Lo, i.Hi + j.Hi} }

func (i Interval) sub(j Interval) Interval { return Interval{i.Lo - j.Hi, i.Hi - j.Lo} }

// neg returns 0 − i.
func (i Interval) neg() Interval { return Interval{0 - i.Hi, 0 - i.Lo} }

func (i Interval) mul(j Interval) Interval {
	a, b, c, d := float32(i.Lo*j.Lo), float32(i.Lo*j.Hi), float32(i.Hi*j.Lo), float32(i.Hi*j.Hi)
	return Interval{scalar.Smaller(scalar.Smaller(a, b), scalar.Smaller(c, d)) + 0, scalar.Larger(scalar.Larger(a, b), scalar.Larger(c, d)) + 0}
}

func (i Interval) abs() Interval {
	if i.Lo >= 0 {
		return i
	}
	if i.Hi <= 0 {
		return i.neg()
	}
	return Interval{0, scalar.Larger(0-i.Lo, i.Hi)}
}

// square returns i·i.
func (i Interval) square() Interval {
	a := i.abs()
	return Interval{float32(a.Lo * a.Lo), float32(a.Hi * a.Hi)}
}

// widen returns i made wider by w at both ends.
func (i Interval) widen(w float32) Interval { return Interval{i.Lo - w, i.Hi + w} }

// magnitude returns the largest absolute value in i.
func (i Interval) magnitude() float32 { return scalar.Larger(0-i.Lo, i.Hi) }

// within returns the part of i that lies in j.
func (i Interval) within(j Interval) Interval {
	return Interval{scalar.Larger(i.Lo, j.Lo), scalar.Smaller(i.Hi, j.Hi)}
}
