package noise

import "github.com/terrane/terrane/internal/kernel/scalar"

// Value noise: a number at each lattice point, mixed by the fades within the cell.

// value2 returns value noise in two dimensions.
func (o *octave) value2(x, z place) float32 {
	sx := fade(x.fraction)
	h0, h1 := rowHash(o.seed, 0, z.cell), rowHash(o.seed, 0, z.cell+1)
	return scalar.Lerp(o.alongValues(h0, x.cell, sx), o.alongValues(h1, x.cell, sx), fade(z.fraction))
}

// value3 returns value noise in three dimensions.
func (o *octave) value3(x, y, z place) float32 {
	sx, sz := fade(x.fraction), fade(z.fraction)
	var e [2]float32
	for j := range uint32(2) {
		h0, h1 := rowHash(o.seed, y.cell+j, z.cell), rowHash(o.seed, y.cell+j, z.cell+1)
		e[j] = scalar.Lerp(o.alongValues(h0, x.cell, sx), o.alongValues(h1, x.cell, sx), sz)
	}
	return scalar.Lerp(e[0], e[1], fade(y.fraction))
}

// alongValues returns the mix along x of two lattice points of a row, the first at x.
func (o *octave) alongValues(row, x uint32, s float32) float32 {
	return scalar.Lerp(o.lattice(row, x), o.lattice(row, x+1), s)
}

// lattice returns the weighted value of the lattice point x of a row.
func (o *octave) lattice(row, x uint32) float32 { return float32(signed(hash(row, x)) * o.weight) }

// boundValue2 returns the extremes of value noise over a box. Within a cell it is linear in each axis' fade,
// so they lie at the corners of the box's part of some cell.
func (o *octave) boundValue2(x, z span) (lo, hi float32) {
	e := newExtremes()
	for k := range z.last {
		h0, h1 := rowHash(o.seed, 0, z.first+uint32(k)), rowHash(o.seed, 0, z.first+uint32(k)+1)
		za, zb := z.in(k)
		za, zb = fadeBounds(za, zb)
		for i := range x.last {
			c := x.first + uint32(i)
			v00, v10 := o.lattice(h0, c), o.lattice(h0, c+1)
			v01, v11 := o.lattice(h1, c), o.lattice(h1, c+1)
			xa, xb := x.in(i)
			xa, xb = fadeBounds(xa, xb)
			for _, s := range [2]float32{xa, xb} {
				low, high := scalar.Lerp(v00, v10, s), scalar.Lerp(v01, v11, s)
				e.add(scalar.Lerp(low, high, za))
				e.add(scalar.Lerp(low, high, zb))
			}
		}
	}
	return e.lo, e.hi
}

// boundValue3 is boundValue2 in three dimensions.
func (o *octave) boundValue3(s [3]span) (lo, hi float32) {
	e := newExtremes()
	for k := range s[2].last {
		cz := s[2].first + uint32(k)
		za, zb := s[2].in(k)
		za, zb = fadeBounds(za, zb)
		for j := range s[1].last {
			cy := s[1].first + uint32(j)
			h := [4]uint32{rowHash(o.seed, cy, cz), rowHash(o.seed, cy, cz+1),
				rowHash(o.seed, cy+1, cz), rowHash(o.seed, cy+1, cz+1)}
			ya, yb := s[1].in(j)
			ya, yb = fadeBounds(ya, yb)
			for i := range s[0].last {
				cx := s[0].first + uint32(i)
				xa, xb := s[0].in(i)
				xa, xb = fadeBounds(xa, xb)
				var v, w [4]float32
				for q, row := range h {
					v[q], w[q] = o.lattice(row, cx), o.lattice(row, cx+1)
				}
				for _, t := range [2]float32{za, zb} {
					v0, v1 := scalar.Lerp(v[0], v[1], t), scalar.Lerp(v[2], v[3], t)
					w0, w1 := scalar.Lerp(w[0], w[1], t), scalar.Lerp(w[2], w[3], t)
					for _, u := range [2]float32{xa, xb} {
						low, high := scalar.Lerp(v0, w0, u), scalar.Lerp(v1, w1, u)
						e.add(scalar.Lerp(low, high, ya))
						e.add(scalar.Lerp(low, high, yb))
					}
				}
			}
		}
	}
	return e.lo, e.hi
}
