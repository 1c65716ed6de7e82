//go:build !goexperiment.simd

package bits

// Pack is the plain version where there is no other.
func Pack(dst []uint64, row []float32, iso float32) (nans int) { return packGeneric(dst, row, iso) }
