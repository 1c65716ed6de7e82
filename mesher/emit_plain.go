//go:build !goexperiment.simd || !amd64

package mesher

// emit is the plain version where there is no other.
func emit(dst []uint32, next *edgeCounters, active uint64, c *corners) int {
	return emitGeneric(dst, next, active, c)
}
