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

// heightRowsGeneric sets dst to height − y, which is dy more in each row of count.
func heightRowsGeneric(dst, height []float32, count int, y, dy int32) {
	height = height[:len(dst)]
	for first := 0; first < len(dst); first += count {
		v := float32(y)
		row, h := dst[first:][:count], height[first:][:count]
		for i := range row {
			row[i] = h[i] - v
		}
		y += dy
	}
}

func selectRowsGeneric(dst, x, y, t []float32, threshold float32) {
	x, y, t = x[:len(dst)], y[:len(dst)], t[:len(dst)]
	for i := range dst {
		v := y[i]
		if t[i] < threshold {
			v = x[i]
		}
		dst[i] = v
	}
}

func sawRowsGeneric(dst, a []float32, period float32) {
	s := saw{period}
	for i, v := range a[:len(dst)] {
		dst[i] = s.of(v)
	}
}

// rowSignsGeneric returns the bitwise or and the bitwise and of the negated bits of some densities.
func rowSignsGeneric(row []float32) (some, every int32) {
	every = -1
	for _, d := range row {
		b := -int32(math.Float32bits(d))
		some |= b
		every &= b
	}
	return some, every
}
