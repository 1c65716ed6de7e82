//go:build !goexperiment.simd || !(amd64 || arm64 || wasm)

package noise

// latticeLanes returns how many lattice points are hashed at once.
func latticeLanes() int { return 1 }

func latticeValues(dst []float32, columns []uint32, row uint32, w float32) {
	latticeValuesGeneric(dst, columns, row, w)
}

func latticeGradients2(gx, gz []float32, columns []uint32, row uint32, w float32) {
	latticeGradients2Generic(gx, gz, columns, row, w)
}

func latticeGradients3(gx, gy, gz []float32, columns []uint32, row uint32, w float32) {
	latticeGradients3Generic(gx, gy, gz, columns, row, w)
}

func mixAlong(dst []float32, index []int32, s, values []float32) {
	mixAlongGeneric(dst, index, s, values)
}

func mixGradients(dst []float32, index []int32, f, s, slopes []float32) {
	mixGradientsGeneric(dst, index, f, s, slopes)
}

func mixRows(dst, a, b []float32, t float32) { mixRowsGeneric(dst, a, b, t) }

func mixSlopes(dst []float32, r0, r1 *latticeRow, f, t float32) { mixSlopesGeneric(dst, r0, r1, f, t) }

func addValue(dst, e0, e1, s []float32, fo fold) { addValueGeneric(dst, e0, e1, s, fo) }

func addGradient(dst []float32, e0, e1 *edge, f, s []float32, fo fold) {
	addGradientGeneric(dst, e0, e1, f, s, fo)
}

func addPlaces(dst []float32, o *octave, kind Kind, dims int, p *[3]places) {
	addPlacesGeneric(dst, o, kind, dims, p)
}

func addSimplexRow([]float32, *octave, *places, place, place) bool { return false }

func fillCracks(dst []float32, c *Cracks, x *places, z place) { fillCracksPlain(dst, c, x, z) }
