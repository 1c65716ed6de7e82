package rows

import (
	"math"

	"github.com/terrane/terrane/internal/kernel/scalar"
)

// The kernels in plain Go: the truth that the vector kernels must equal bit for bit. Each
// does to every element what the function of the same name in package scalar does to one.

func addGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func subtractGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func multiplyGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Multiply(a[i], b[i])
	}
}

func largerGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Larger(a[i], b[i])
	}
}

func smallerGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Smaller(a[i], b[i])
	}
}

func differenceGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Smaller(a[i], 0-b[i])
	}
}

func smoothMaxGeneric(dst, a, b []float32, k float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.SmoothMax(a[i], b[i], k)
	}
}

func smoothMinGeneric(dst, a, b []float32, k float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.SmoothMin(a[i], b[i], k)
	}
}

func smoothDifferenceGeneric(dst, a, b []float32, k float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.SmoothMin(a[i], 0-b[i], k)
	}
}

func hypotGeneric(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Hypot(a[i], b[i])
	}
}

func mixGeneric(dst, a, b, t []float32) {
	a, b, t = a[:len(dst)], b[:len(dst)], t[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Lerp(a[i], b[i], t[i]) + 0
	}
}

func scaleGeneric(dst, a []float32, factor, term float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Scale(a[i], factor, term)
	}
}

func absGeneric(dst, a []float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Abs(a[i])
	}
}

func clampGeneric(dst, a []float32, lo, hi float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Clamp(a[i], lo, hi)
	}
}

func smoothstepGeneric(dst, a []float32, low, inverse float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Smoothstep(a[i], low, inverse)
	}
}

func bumpGeneric(dst, a []float32, inverse float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Bump(a[i], inverse)
	}
}

// rowFrom returns the row of count that begins at i, or the one row that stands for all of them.
func rowFrom(rows []float32, i, count int) []float32 {
	if len(rows) == count {
		return rows
	}
	return rows[i:][:count]
}

// heightGeneric sets dst to height − y, which is dy more in each row of count.
func heightGeneric(dst, height []float32, count int, y, dy int32) {
	for r := 0; r < len(dst); r += count {
		v := float32(y)
		row, h := dst[r:][:count], rowFrom(height, r, count)
		for i := range row {
			row[i] = h[i] - v
		}
		y += dy
	}
}

// tubeGeneric sets dst to radius − hypot(line, height − y), y being dy more in each row of count.
func tubeGeneric(dst, radius, line, height []float32, count int, y, dy int32) {
	for r := 0; r < len(dst); r += count {
		v := float32(y)
		row, a, l, h := dst[r:][:count], rowFrom(radius, r, count), rowFrom(line, r, count), rowFrom(height, r, count)
		for i := range row {
			row[i] = a[i] - scalar.Hypot(l[i], h[i]-v)
		}
		y += dy
	}
}

// weightGeneric sets dst to factor·bump(a), and some, by row, to bits that are 0 if the row's numbers are.
func weightGeneric(dst []float32, some [][16]uint32, a, factor []float32, count int, inverse float32) {
	for r := 0; r < len(dst); r += count {
		row, from, f := dst[r:][:count], a[r:][:count], rowFrom(factor, r, count)
		bits := uint32(0)
		for i := range row {
			row[i] = scalar.Multiply(f[i], scalar.Bump(from[i], inverse))
			bits |= math.Float32bits(row[i])
		}
		some[r/count] = [16]uint32{bits}
	}
}

// displaceGeneric sets dst to a + weight·(factor·noise + term).
func displaceGeneric(dst, a, weight, noise []float32, factor, term float32) {
	a, weight, noise = a[:len(dst)], weight[:len(dst)], noise[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + scalar.Multiply(weight[i], scalar.Scale(noise[i], factor, term))
	}
}

func selectGeneric(dst, x, y, t []float32, count int, threshold float32) {
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

func sawGeneric(dst, a []float32, period float32) {
	for i, v := range a[:len(dst)] {
		dst[i] = scalar.Saw(v, period)
	}
}
