package noise

import (
	"math"

	"github.com/terrane/terrane/internal/kernel/scalar"
)

// Gradient noise (Perlin 1985, 2002): a slope at each lattice point, mixed by the fades within the cell.

// Scales that bring gradient noise into [−1, 1]: the reciprocals, rounded down, of the largest value that any
// choice of gradients reaches (1.03635 and 0.75015, found by search in TestGradientScale).
const (
	gradientScale3 = 0.9649
	gradientScale2 = 1.333
)

// gradient2 returns gradient noise in two dimensions.
func (o *octave) gradient2(x, z place) float32 {
	fx, sx := x.fraction, fade(x.fraction)
	var v [2]float32
	for k := range uint32(2) {
		row := rowHash(o.seed, 0, z.cell+k)
		x0, z0 := gradient2(hash(row, x.cell), o.weight)
		x1, z1 := gradient2(hash(row, x.cell+1), o.weight)
		// Along x the row is e, and off it e + g·(its distance).
		e := scalar.Lerp(float32(x0*fx), float32(x1*(fx-1)), sx)
		g := scalar.Lerp(z0, z1, sx)
		v[k] = e + float32(g*(z.fraction-float32(k)))
	}
	return scalar.Lerp(v[0], v[1], fade(z.fraction))
}

// gradient3 returns gradient noise in three dimensions.
func (o *octave) gradient3(x, y, z place) float32 {
	fx, sx, sz := x.fraction, fade(x.fraction), fade(z.fraction)
	var v [2]float32
	for j := range uint32(2) {
		var e, g [2]float32 // of two rows along x: the value on the row, and the slope off it along y
		for k := range uint32(2) {
			row := rowHash(o.seed, y.cell+j, z.cell+k)
			x0, y0, z0 := gradient3(hash(row, x.cell), o.weight)
			x1, y1, z1 := gradient3(hash(row, x.cell+1), o.weight)
			e[k] = scalar.Lerp(float32(x0*fx), float32(x1*(fx-1)), sx) + float32(scalar.Lerp(z0, z1, sx)*(z.fraction-float32(k)))
			g[k] = scalar.Lerp(y0, y1, sx)
		}
		v[j] = scalar.Lerp(e[0], e[1], sz) + float32(scalar.Lerp(g[0], g[1], sz)*(y.fraction-float32(j)))
	}
	return scalar.Lerp(v[0], v[1], fade(y.fraction))
}

// gradient2 returns the lattice point's gradient in two dimensions, scaled by w.
func gradient2(h uint32, w float32) (x, z float32) {
	u := signed(h)
	v := u + 0.5
	if v >= 1 {
		v -= 2
	}
	return float32(parabola(v) * w), float32(parabola(u) * w)
}

// parabola is a sine with half period 1, near enough: 4u(1−|u|) for u in [−1, 1).
func parabola(u float32) float32 {
	a := u
	if a < 0 {
		a = -a
	}
	return float32(float32(4*u) * (1 - a))
}

// gradient3 returns the lattice point's gradient in three dimensions: one component 0, the others ±w. w is
// positive.
func gradient3(h uint32, w float32) (x, y, z float32) {
	const sign = 1 << 31
	b := math.Float32bits(w)
	x = math.Float32frombits(b + h&sign)
	y = math.Float32frombits(b + h<<1&sign)
	z = math.Float32frombits(b + h<<2&sign)
	switch zero := (h & 0xffff) * 3 >> 16; zero {
	case 0:
		x = 0
	case 1:
		y = 0
	default:
		z = 0
	}
	return x, y, z
}

// mix2 returns the mixes of a and b by the fades s, within [0, 1].
func mix2(a, b, s interval) interval {
	return interval{
		scalar.Smaller(scalar.Lerp(a.lo, b.lo, s.lo), scalar.Lerp(a.lo, b.lo, s.hi)),
		scalar.Larger(scalar.Lerp(a.hi, b.hi, s.lo), scalar.Lerp(a.hi, b.hi, s.hi)),
	}
}

// boundGradient2 returns bounds of gradient noise over a box, cut into pieces of at most a quarter cell: the
// bounds of a piece close in on its extremes as it shrinks.
func (o *octave) boundGradient2(x, z span) (lo, hi float32) {
	e := newExtremes()
	parts := partsFor(x.last*z.last, 2)
	for k := range z.last {
		cz := z.first + uint32(k)
		h0, h1 := rowHash(o.seed, 0, cz), rowHash(o.seed, 0, cz+1)
		for i := range x.last {
			cx := x.first + uint32(i)
			var g cell2
			g.x[0], g.z[0] = gradient2(hash(h0, cx), o.weight)
			g.x[1], g.z[1] = gradient2(hash(h0, cx+1), o.weight)
			g.x[2], g.z[2] = gradient2(hash(h1, cx), o.weight)
			g.x[3], g.z[3] = gradient2(hash(h1, cx+1), o.weight)
			for p := range parts * parts {
				px, okX := x.piece(i, p/parts, parts)
				pz, okZ := z.piece(k, p%parts, parts)
				if okX && okZ {
					e.addInterval(g.bounds(px, pz))
				}
			}
		}
	}
	return e.lo, e.hi
}

// A cell2 holds the slopes at the corners of a lattice cell; corner bit 0 is x, bit 1 z.
type cell2 struct{ x, z [4]float32 }

func (g *cell2) bounds(x, z interval) interval {
	sx, sz := fadeInterval(x), fadeInterval(z)
	x1, z1 := interval{x.lo - 1, x.hi - 1}, interval{z.lo - 1, z.hi - 1}
	corner := func(i int, x, z interval) interval { return x.scale(g.x[i]).add(z.scale(g.z[i])) }
	return mix2(
		mix2(corner(0, x, z), corner(1, x1, z), sx),
		mix2(corner(2, x, z1), corner(3, x1, z1), sx), sz)
}

// boundGradient3 is boundGradient2 in three dimensions.
func (o *octave) boundGradient3(s [3]span, cells int) (lo, hi float32) {
	e := newExtremes()
	parts := partsFor(cells, 3)
	for k := range s[2].last {
		for j := range s[1].last {
			for i := range s[0].last {
				g := o.cell3(s[0].first+uint32(i), s[1].first+uint32(j), s[2].first+uint32(k))
				for p := range parts * parts * parts {
					x, okX := s[0].piece(i, p/(parts*parts), parts)
					y, okY := s[1].piece(j, p/parts%parts, parts)
					z, okZ := s[2].piece(k, p%parts, parts)
					if okX && okY && okZ {
						e.addInterval(g.bounds(x, y, z))
					}
				}
			}
		}
	}
	return e.lo, e.hi
}

// A cell3 holds the slopes at the corners of a lattice cell; corner bit 0 is x, bit 1 y, bit 2 z.
type cell3 struct{ x, y, z [8]float32 }

func (o *octave) cell3(x, y, z uint32) (g cell3) {
	for i := range uint32(8) {
		h := hash(rowHash(o.seed, y+i>>1&1, z+i>>2), x+i&1)
		g.x[i], g.y[i], g.z[i] = gradient3(h, o.weight)
	}
	return g
}

func (g *cell3) bounds(x, y, z interval) interval {
	var v [8]interval
	for i := range v {
		cx, cy, cz := x, y, z
		if i&1 != 0 {
			cx = interval{x.lo - 1, x.hi - 1}
		}
		if i&2 != 0 {
			cy = interval{y.lo - 1, y.hi - 1}
		}
		if i&4 != 0 {
			cz = interval{z.lo - 1, z.hi - 1}
		}
		v[i] = cx.scale(g.x[i]).add(cy.scale(g.y[i])).add(cz.scale(g.z[i]))
	}
	sx, sy, sz := fadeInterval(x), fadeInterval(y), fadeInterval(z)
	for i := range 4 {
		v[i] = mix2(v[i], v[i+4], sz)
	}
	return mix2(mix2(v[0], v[1], sx), mix2(v[2], v[3], sx), sy)
}
