//go:build !goexperiment.simd || !amd64

package mesher

// emit is the plain version where there is no other.
func emit(dst []uint32, next *edgeCounters, active uint64, c *corners) int {
	return emitGeneric(dst, next, active, c)
}

// list is the plain version where there is no other.
func (p *places) list(l *listing, i int) int { return p.listGeneric(l, i) }

// writeRun is the plain version where there is no other.
func (b *batch) writeRun(pos, nrm []float32, r run, scale [3]float32) {
	b.writeGeneric(pos, nrm, r, scale)
}

// listCases is the plain version where there is no other.
func listCases(dst []uint8, active uint64, c *corners) int { return listCasesGeneric(dst, active, c) }

// writePositions is the plain version where there is no other.
func (b *netBatch) writePositions(dst []float32, z float32, scale [3]float32) {
	b.writePositionsGeneric(dst, z, scale)
}

// writeNormals is the plain version where there is no other.
func (b *netBatch) writeNormals(dst []float32) { b.writeNormalsGeneric(dst) }

// furtherLoops is the plain version where there is no other.
func furtherLoops(active uint64, c *corners) int { return furtherLoopsGeneric(active, c) }
