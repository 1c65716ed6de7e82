//go:build !goexperiment.simd || !amd64

package mesher

// emit is the plain version where there is no other.
func emit(dst []uint32, next *edgeCounters, active uint64, c *corners) int {
	return emitGeneric(dst, next, active, c)
}

// list is the plain version where there is no other.
func (b *batch) list(l *listing, i int) int { return b.listGeneric(l, i) }

// writeRun is the plain version where there is no other.
func (b *batch) writeRun(pos, nrm []float32, r run, scale [3]float32) {
	b.writeGeneric(pos, nrm, r, scale)
}
