//go:build !goexperiment.simd || !amd64

package solve

// Write is the plain version where there is no other.
func (b *Batch) Write(pos, nrm []float32, r Run, scale [3]float32) {
	b.writeGeneric(pos, nrm, r, scale)
}

// WritePositions is the plain version where there is no other.
func (b *NetBatch) WritePositions(dst []float32, z float32, scale [3]float32) {
	b.writePositionsGeneric(dst, z, scale)
}

// WriteNormals is the plain version where there is no other.
func (b *NetBatch) WriteNormals(dst []float32) { b.writeNormalsGeneric(dst) }
