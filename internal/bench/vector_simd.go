//go:build goexperiment.simd && (amd64 || arm64)

package bench

import "simd"

// vectorBits returns the width of the vectors that the engine computes on, 0 if it does without.
func vectorBits() int {
	if simd.Emulated() {
		return 0
	}
	return simd.VectorBitSize()
}
