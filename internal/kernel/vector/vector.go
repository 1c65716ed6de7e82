//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package vector

import "simd"

// Unfit reports whether a row of n numbers is left to plain Go: where vectors are emulated, which is slower, and where
// the row fills none.
func Unfit(n int) bool { return simd.Emulated() || n < simd.VectorBitSize()/32 }
