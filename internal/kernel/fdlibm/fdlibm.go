// Package fdlibm holds the sine and cosine of fdlibm (Sun 1993: s_sin.c, k_sin.c, k_cos.c, e_rem_pio2.c), as
// JavaScript engines have them. Go's own differ from the twelfth digit on, and between machines that have an
// instruction for them; the rough heightmap magnifies the last digit, and a rotation is part of a graph's bytes. Each
// product is rounded before it is added.
package fdlibm

import (
	"math"
	"math/bits"
)

// Sin returns the sine of x.
func Sin(x float64) float64 {
	n, hi, lo := reduce(x)
	switch n & 3 {
	case 0:
		return sinNear(hi, lo)
	case 1:
		return cosNear(hi, lo)
	case 2:
		return -sinNear(hi, lo)
	}
	return -cosNear(hi, lo)
}

// Cos returns the cosine of x.
func Cos(x float64) float64 {
	n, hi, lo := reduce(x)
	switch n & 3 {
	case 0:
		return cosNear(hi, lo)
	case 1:
		return -sinNear(hi, lo)
	case 2:
		return -cosNear(hi, lo)
	}
	return sinNear(hi, lo)
}

// highWord returns the upper half of x's bits without the sign.
func highWord(x float64) uint32 { return uint32(math.Float64bits(x)>>32) & 0x7fffffff }

// sinNear returns the sine of x + y, |x| up to a quarter of π, y what x lacks.
func sinNear(x, y float64) float64 {
	const (
		s1 = -1.66666666666666324348e-01
		s2 = 8.33333333332248946124e-03
		s3 = -1.98412698298579493134e-04
		s4 = 2.75573137070700676789e-06
		s5 = -2.50507602534068634195e-08
		s6 = 1.58969099521155010221e-10
	)
	if highWord(x) < 0x3e400000 {
		return x
	}
	z := float64(x * x)
	v := float64(z * x)
	r := s2 + float64(z*(s3+float64(z*(s4+float64(z*(s5+float64(z*s6)))))))
	if y == 0 {
		return x + float64(v*(s1+float64(z*r)))
	}
	return x - ((float64(z*(float64(0.5*y)-float64(v*r))) - y) - float64(v*s1))
}

// cosNear is the cosine in place of sinNear's sine.
func cosNear(x, y float64) float64 {
	const (
		c1 = 4.16666666666666019037e-02
		c2 = -1.38888888888741095749e-03
		c3 = 2.48015872894767294178e-05
		c4 = -2.75573143513906633035e-07
		c5 = 2.08757232129817482790e-09
		c6 = -1.13596475577881948265e-11
	)
	h := highWord(x)
	if h < 0x3e400000 {
		return 1
	}
	z := float64(x * x)
	r := float64(z * (c1 + float64(z*(c2+float64(z*(c3+float64(z*(c4+float64(z*(c5+float64(z*c6)))))))))))
	if h < 0x3fd33333 {
		return 1 - (float64(0.5*z) - (float64(z*r) - float64(x*y)))
	}
	q := 0.28125
	if h <= 0x3fe90000 {
		q = math.Float64frombits(uint64(h-0x00200000) << 32) // a quarter of x, roughly
	}
	return (1 - q) - ((float64(0.5*z) - q) - (float64(z*r) - float64(x*y)))
}

// Parts of half π: the first 33 bits of what the parts before leave, and what those lack.
const (
	halfPi1, halfPi1t = 1.57079632673412561417e+00, 6.07710050650619224932e-11
	halfPi2, halfPi2t = 6.07710050630396597660e-11, 2.02226624879595063154e-21
	halfPi3, halfPi3t = 2.02226624871116645580e-21, 8.47842766036889956997e-32
)

// reduce returns x less n times half π, as a sum, |hi| at most a quarter of π.
func reduce(x float64) (n int, hi, lo float64) {
	h := highWord(x)
	switch {
	case h <= 0x3fe921fb: // a quarter of π
		return 0, x, 0
	case h > 0x413921fb: // 2¹⁹ times half π
		n, hi, lo = reduceFar(math.Abs(x))
	case h < 0x4002d97c: // three quarters of π
		n, hi, lo = reduceOnce(math.Abs(x), h)
	default:
		n, hi, lo = reduceNear(math.Abs(x), h)
	}
	if x < 0 {
		return -n, -hi, -lo
	}
	return n, hi, lo
}

func reduceOnce(x float64, h uint32) (n int, hi, lo float64) {
	z, t := x-halfPi1, halfPi1t
	if h == 0x3ff921fb { // near half π
		z, t = z-halfPi2, halfPi2t
	}
	hi = z - t
	return 1, hi, (z - hi) - t
}

func reduceNear(x float64, h uint32) (n int, hi, lo float64) {
	const perHalfPi = 6.36619772367581382433e-01
	n = int(float64(x*perHalfPi) + 0.5)
	f := float64(n)
	r, w := x-float64(f*halfPi1), float64(f*halfPi1t)
	hi = r - w
	if n >= 32 || h == highWord(float64(f*(math.Pi/2))) { // much may cancel
		exponent := func(v float64) int { return int(math.Float64bits(v) >> 52 & 0x7ff) }
		if exponent(x)-exponent(hi) > 16 {
			t := r
			w = float64(f * halfPi2)
			r = t - w
			w = float64(f*halfPi2t) - ((t - r) - w)
			hi = r - w
			if exponent(x)-exponent(hi) > 49 {
				t = r
				w = float64(f * halfPi3)
				r = t - w
				w = float64(f*halfPi3t) - ((t - r) - w)
				hi = r - w
			}
		}
	}
	return n, hi, (r - hi) - w
}

// reduceFar reduces numbers from 2¹⁹ up to 2⁵⁰ by multiplying their bits with those of 2/π.
func reduceFar(x float64) (n int, hi, lo float64) {
	const p0, p1, p2 = 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041 // 2/π, 192 bits
	b := math.Float64bits(x)
	m := b&(1<<52-1) | 1<<52
	shift := uint(1075 - b>>52) // x = m / 2^shift, shift from 2 to 33
	h2, _ := bits.Mul64(m, p2)
	h1, l1 := bits.Mul64(m, p1)
	h0, l0 := bits.Mul64(m, p0)
	w1, c := bits.Add64(l1, h2, 0)
	w2, c := bits.Add64(l0, h1, c)
	w3 := h0 + c // w3 w2 w1 are the upper words of the product, whose point is 192 + shift bits from its end
	n = int(w3 >> shift & 3)
	f1 := w3<<(64-shift) | w2>>shift // the fraction, 128 bits
	f0 := w2<<(64-shift) | w1>>shift
	negative := f1>>63 != 0
	if negative { // nearer to the next
		n++
		f0, c = bits.Sub64(0, f0, 0)
		f1, _ = bits.Sub64(0, f1, c)
	}
	// The fraction as a sum of two numbers of 53 bits, then times half π likewise.
	zeros := bits.LeadingZeros64(f1)
	top := f1<<zeros | f0>>1>>(63-zeros)
	rest := top<<53 | f0<<zeros>>11
	a := math.Ldexp(float64(top>>11), -53-zeros)
	s := math.Ldexp(float64(rest>>11), -106-zeros)
	const h, t = math.Pi / 2, 6.123233995736766e-17
	y := float64(a * h)
	z := math.FMA(a, h, -y) + (float64(a*t) + float64(s*h)) // what y lacks of the product, exactly
	hi = y + z
	lo = z - (hi - y)
	if negative {
		hi, lo = -hi, -lo
	}
	return n, hi, lo
}
