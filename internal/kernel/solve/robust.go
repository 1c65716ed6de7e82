package solve

import "math"

// Crossing returns where the iso level is crossed between densities a and b less iso, of which exactly one
// is above 0, in float64 and for any value: a NaN says nothing, so the crossing is in the middle, and an
// infinite density pushes the crossing away to the other end.
func Crossing(a, b float32) float32 {
	switch ia, ib := IsInf(a), IsInf(b); {
	case a != a || b != b, ia && ib:
		return 0.5
	case ia:
		return 1
	case ib:
		return 0
	}
	return float32(float64(a) / (float64(a) - float64(b)))
}

// IsInf reports whether f is infinite.
func IsInf(f float32) bool { return f > math.MaxFloat32 || f < -math.MaxFloat32 }

// Tame returns f, or twice the largest float32 for infinity. NaN stays NaN.
func Tame(f float32) float64 {
	switch {
	case f > math.MaxFloat32:
		return 2 * math.MaxFloat32
	case f < -math.MaxFloat32:
		return -2 * math.MaxFloat32
	}
	return float64(f)
}

// Direction returns the unit vector against the gradient g, or along the axis toward the air if there is no
// gradient to speak of.
func Direction(g [3]float64, axis int, solidFirst bool) (n [3]float32) {
	largest := 0.0
	for _, c := range g {
		if a := math.Abs(c); a > largest {
			largest = a
		}
	}
	if largest == 0 {
		n[axis] = -1
		if solidFirst {
			n[axis] = 1
		}
		return n
	}
	sum := 0.0
	for i := range g {
		g[i] /= largest
		sum += float64(g[i] * g[i])
	}
	inv := -1 / math.Sqrt(sum)
	for i := range g {
		n[i] = float32(g[i] * inv)
	}
	return n
}
