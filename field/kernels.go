//go:build !goexperiment.simd || !(amd64 || arm64 || wasm)

package field

func addRows(dst, a, b []float32) { addRowsGeneric(dst, a, b) }

func subtractRows(dst, a, b []float32) { subtractRowsGeneric(dst, a, b) }

func multiplyRows(dst, a, b []float32) { multiplyRowsGeneric(dst, a, b) }

func largerRows(dst, a, b []float32) { largerRowsGeneric(dst, a, b) }

func smallerRows(dst, a, b []float32) { smallerRowsGeneric(dst, a, b) }

func differenceRows(dst, a, b []float32) { differenceRowsGeneric(dst, a, b) }

func smoothMaxRows(dst, a, b []float32, k float32) { smoothMaxRowsGeneric(dst, a, b, k) }

func smoothMinRows(dst, a, b []float32, k float32) { smoothMinRowsGeneric(dst, a, b, k) }

func smoothDifferenceRows(dst, a, b []float32, k float32) { smoothDifferenceRowsGeneric(dst, a, b, k) }

func hypotRows(dst, a, b []float32) { hypotRowsGeneric(dst, a, b) }

func mixRows(dst, a, b, t []float32) { mixRowsGeneric(dst, a, b, t) }

func scaleRows(dst, a []float32, factor, term float32) { scaleRowsGeneric(dst, a, factor, term) }

func absRows(dst, a []float32) { absRowsGeneric(dst, a) }

func clampRows(dst, a []float32, lo, hi float32) { clampRowsGeneric(dst, a, lo, hi) }

func smoothstepRows(dst, a []float32, low, inverse float32) {
	smoothstepRowsGeneric(dst, a, low, inverse)
}

func bumpRows(dst, a []float32, inverse float32) { bumpRowsGeneric(dst, a, inverse) }

func heightRows(dst, height []float32, count int, y, dy int32) {
	heightRowsGeneric(dst, height, count, y, dy)
}

func tubeRows(dst, radius, line, height []float32, count int, y, dy int32) {
	tubeRowsGeneric(dst, radius, line, height, count, y, dy)
}

func weightRows(dst []float32, some [][16]uint32, a, factor []float32, count int, inverse float32) {
	weightRowsGeneric(dst, some, a, factor, count, inverse)
}

func displaceRows(dst, a, weight, noise []float32, factor, term float32) {
	displaceRowsGeneric(dst, a, weight, noise, factor, term)
}

func selectRows(dst, x, y, t []float32, count int, threshold float32) {
	selectRowsGeneric(dst, x, y, t, count, threshold)
}

func sawRows(dst, a []float32, period float32) { sawRowsGeneric(dst, a, period) }
