// Package scalar holds functions of single float32 numbers that come out the same on every machine. What noise,
// the evaluator and their kernels do to one number is written here once; internal/kernel/rows does it to rows.
//
// Every product is converted to float32 before it is added to something, which forbids a fused multiply-add, and
// nothing uses the builtins min and max, which treat zeros and NaN differently on different machines.
package scalar

import "math"

// Larger returns the larger one of a and b, b on ties.
func Larger(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// Smaller returns the smaller one of a and b, b on ties.
func Smaller(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

// Abs returns |a|; it leaves zeros as they are.
func Abs(a float32) float32 {
	if a < 0 {
		return -a
	}
	return a
}

// Lerp returns a + (b−a)t.
func Lerp(a, b, t float32) float32 { return a + float32((b-a)*t) }

// Multiply returns a·b. The 0 added makes −0 +0.
func Multiply(a, b float32) float32 { return float32(a*b) + 0 }

// Scale returns factor·a + term.
func Scale(a, factor, term float32) float32 { return float32(a*factor) + term + 0 }

// Sqrt returns the correctly rounded square root.
func Sqrt(a float32) float32 { return float32(math.Sqrt(float64(a))) }

// Hypot returns √(a² + b²).
func Hypot(a, b float32) float32 { return Sqrt(float32(a*a) + float32(b*b)) }

// Clamp returns a held within [lo, hi].
func Clamp(a, lo, hi float32) float32 { return Smaller(Larger(a, lo), hi) }

// Smoothstep returns t²(3−2t) of t = (a − low)·inverse, clamped to [0, 1].
func Smoothstep(a, low, inverse float32) float32 {
	t := float32((a - low) * inverse)
	t = Smaller(Larger(t, 0), 1)
	return float32(float32(t*t) * (3 - float32(2*t)))
}

// Bump returns (1 − t²)², t = a·inverse, and 0 outside ±1.
func Bump(a, inverse float32) float32 {
	t := float32(a * inverse)
	v := 1 - float32(t*t)
	v = Larger(v, 0)
	return float32(v * v)
}

// SmoothMax returns max(a, b) + h²/(4k), h = max(k − |a−b|, 0); k = 0 is the plain maximum.
func SmoothMax(a, b, k float32) float32 {
	m, d := b, b-a
	if a > b {
		m, d = a, a-b
	}
	if h := k - d; h > 0 {
		m += float32(h*h) / float32(4*k)
	}
	return m + 0
}

// SmoothMin returns min(a, b) − h²/(4k), h = max(k − |a−b|, 0); k = 0 is the plain minimum.
func SmoothMin(a, b, k float32) float32 {
	m, d := b, a-b
	if a < b {
		m, d = a, b-a
	}
	if h := k - d; h > 0 {
		m -= float32(h*h) / float32(4*k)
	}
	return m + 0
}

// Select returns x where t is below the threshold, else y.
func Select(x, y, t, threshold float32) float32 {
	if t < threshold {
		return x
	}
	return y
}

// FarTeeth is how many periods away from 0 a sawtooth ends. At 2²² periods a float32 has still a quarter of a period
// between its neighbors; beyond, Saw would return little but multiples of that, and at 2³¹ the conversion to an integer
// would differ between machines.
const FarTeeth = 1 << 22

// Tooth returns ⌊a/period⌋ and whether a sawtooth of that period reaches a.
func Tooth(a, period float32) (float32, bool) {
	u := a / period
	if !(u > -FarTeeth && u < FarTeeth) {
		return 0, false
	}
	k := float32(int32(u))
	if k > u {
		k--
	}
	return k, true
}

// Saw returns a − period·⌊a/period⌋, from 0 to period, both included: near the end of a tooth rounding may reach it.
// It is 0 where Tooth finds none.
func Saw(a, period float32) float32 {
	k, ok := Tooth(a, period)
	if !ok {
		return 0
	}
	return Clamp(a-float32(period*k), 0, period)
}
