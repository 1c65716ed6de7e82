//go:build !goexperiment.simd

package mesher

// pack is the plain version where there is no other.
func pack(dst []uint64, row []float32, iso float32) (nans int) { return packGeneric(dst, row, iso) }
