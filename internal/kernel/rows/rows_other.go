//go:build !goexperiment.simd || !(amd64 || arm64 || wasm)

package rows

func Add(dst, a, b []float32) { addGeneric(dst, a, b) }

func Subtract(dst, a, b []float32) { subtractGeneric(dst, a, b) }

func Multiply(dst, a, b []float32) { multiplyGeneric(dst, a, b) }

func Larger(dst, a, b []float32) { largerGeneric(dst, a, b) }

func Smaller(dst, a, b []float32) { smallerGeneric(dst, a, b) }

func Difference(dst, a, b []float32) { differenceGeneric(dst, a, b) }

func SmoothMax(dst, a, b []float32, k float32) { smoothMaxGeneric(dst, a, b, k) }

func SmoothMin(dst, a, b []float32, k float32) { smoothMinGeneric(dst, a, b, k) }

func SmoothDifference(dst, a, b []float32, k float32) { smoothDifferenceGeneric(dst, a, b, k) }

func Hypot(dst, a, b []float32) { hypotGeneric(dst, a, b) }

func Mix(dst, a, b, t []float32) { mixGeneric(dst, a, b, t) }

func Scale(dst, a []float32, factor, term float32) { scaleGeneric(dst, a, factor, term) }

func Abs(dst, a []float32) { absGeneric(dst, a) }

func Clamp(dst, a []float32, lo, hi float32) { clampGeneric(dst, a, lo, hi) }

func Smoothstep(dst, a []float32, low, inverse float32) {
	smoothstepGeneric(dst, a, low, inverse)
}

func Bump(dst, a []float32, inverse float32) { bumpGeneric(dst, a, inverse) }

func Height(dst, height []float32, count int, y, dy int32) {
	heightGeneric(dst, height, count, y, dy)
}

func Tube(dst, radius, line, height []float32, count int, y, dy int32) {
	tubeGeneric(dst, radius, line, height, count, y, dy)
}

func Weight(dst []float32, some [][16]uint32, a, factor []float32, count int, inverse float32) {
	weightGeneric(dst, some, a, factor, count, inverse)
}

func Displace(dst, a, weight, noise []float32, factor, term float32) {
	displaceGeneric(dst, a, weight, noise, factor, term)
}

func Select(dst, x, y, t []float32, count int, threshold float32) {
	selectGeneric(dst, x, y, t, count, threshold)
}

func Saw(dst, a []float32, period float32) { sawGeneric(dst, a, period) }
