package field

import (
	"math"

	"github.com/terrane/terrane/geom"
)

// The kernels that run over rows, in plain Go: the truth that every other form must equal bit for bit. Each
// does to every element what the function of the same name without Rows does to one.

func addRowsGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func subtractRowsGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func multiplyRowsGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = float32(a[i]*b[i]) + 0
	}
}

func largerRowsGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = larger(a[i], b[i])
	}
}

func smallerRowsGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = smaller(a[i], b[i])
	}
}

func differenceRowsGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = smaller(a[i], 0-b[i])
	}
}

func smoothMaxRowsGeneric(dst, a, b []float32, k float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = smoothMax(a[i], b[i], k)
	}
}

func smoothMinRowsGeneric(dst, a, b []float32, k float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = smoothMin(a[i], b[i], k)
	}
}

func smoothDifferenceRowsGeneric(dst, a, b []float32, k float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = smoothMin(a[i], 0-b[i], k)
	}
}

func hypotRowsGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = geom.Sqrt(float32(a[i]*a[i]) + float32(b[i]*b[i]))
	}
}

func mixRowsGeneric(dst, a, b, t []float32) {
	a, b, t = a[:len(dst)], b[:len(dst)], t[:len(dst)]
	for i := range dst {
		dst[i] = lerp(a[i], b[i], t[i]) + 0
	}
}

func scaleRowsGeneric(dst, a []float32, factor, term float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = float32(a[i]*factor) + term + 0
	}
}

func absRowsGeneric(dst, a []float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = abs{}.of(a[i])
	}
}

func clampRowsGeneric(dst, a []float32, lo, hi float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = smaller(larger(a[i], lo), hi)
	}
}

func smoothstepRowsGeneric(dst, a []float32, low, inverse float32) {
	a = a[:len(dst)]
	s := smoothstep{low, inverse}
	for i := range dst {
		dst[i] = s.of(a[i])
	}
}

func bumpRowsGeneric(dst, a []float32, inverse float32) {
	a = a[:len(dst)]
	b := bump{inverse}
	for i := range dst {
		dst[i] = b.of(a[i])
	}
}

// rowFrom returns the row of count that begins at i, or the one row that stands for all of them.
func rowFrom(rows []float32, i, count int) []float32 {
	if len(rows) == count {
		return rows
	}
	return rows[i:][:count]
}

// heightRowsGeneric sets dst to height − y, which is dy more in each row of count.
func heightRowsGeneric(dst, height []float32, count int, y, dy int32) {
	for r := 0; r < len(dst); r += count {
		v := float32(y)
		row, h := dst[r:][:count], rowFrom(height, r, count)
		for i := range row {
			row[i] = h[i] - v
		}
		y += dy
	}
}

// tubeRowsGeneric sets dst to radius − hypot(line, height − y), y being dy more in each row of count.
func tubeRowsGeneric(dst, radius, line, height []float32, count int, y, dy int32) {
	for r := 0; r < len(dst); r += count {
		v := float32(y)
		row, a, l, h := dst[r:][:count], rowFrom(radius, r, count), rowFrom(line, r, count), rowFrom(height, r, count)
		for i := range row {
			row[i] = a[i] - hypot{}.of(l[i], h[i]-v)
		}
		y += dy
	}
}

// weightRowsGeneric sets dst to factor·bump(a), and some, by row, to bits that are 0 if the row's numbers are.
func weightRowsGeneric(dst []float32, some [][16]uint32, a, factor []float32, count int, inverse float32) {
	b := bump{inverse}
	for r := 0; r < len(dst); r += count {
		row, from, f := dst[r:][:count], a[r:][:count], rowFrom(factor, r, count)
		bits := uint32(0)
		for i := range row {
			row[i] = multiply{}.of(f[i], b.of(from[i]))
			bits |= math.Float32bits(row[i])
		}
		some[r/count] = [16]uint32{bits}
	}
}

// displaceRowsGeneric sets dst to a + weight·(factor·noise + term).
func displaceRowsGeneric(dst, a, weight, noise []float32, factor, term float32) {
	a, weight, noise = a[:len(dst)], weight[:len(dst)], noise[:len(dst)]
	s := scale{factor, term}
	for i := range dst {
		dst[i] = a[i] + multiply{}.of(weight[i], s.of(noise[i]))
	}
}

func selectRowsGeneric(dst, x, y, t []float32, count int, threshold float32) {
	for r := 0; r < len(dst); r += count {
		row, xs, ys, ts := dst[r:][:count], rowFrom(x, r, count), rowFrom(y, r, count), rowFrom(t, r, count)
		for i := range row {
			v := ys[i]
			if ts[i] < threshold {
				v = xs[i]
			}
			row[i] = v
		}
	}
}

func sawRowsGeneric(dst, a []float32, period float32) {
	s := saw{period}
	for i, v := range a[:len(dst)] {
		dst[i] = s.of(v)
	}
}
