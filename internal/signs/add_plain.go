//go:build !goexperiment.simd

package signs

// Add is the plain version where there is no other.
func Add(dst, src []uint32, n uint32) { addGeneric(dst, src, n) }
