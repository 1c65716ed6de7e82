package noise

func latticeValues(dst []float32, columns []uint32, row uint32, w float32) {
	latticeValuesGeneric(dst, columns, row, w)
}

func latticeGradients2(gx, gz []float32, columns []uint32, row uint32, w float32) {
	latticeGradients2Generic(gx, gz, columns, row, w)
}

func latticeGradients3(gx, gy, gz []float32, columns []uint32, row uint32, w float32) {
	latticeGradients3Generic(gx, gy, gz, columns, row, w)
}

func mixRows(dst, a, b []float32, t float32) { mixRowsGeneric(dst, a, b, t) }

func mixSlopes(dst, a, b []float32, f, t float32) { mixSlopesGeneric(dst, a, b, f, t) }

func expandValues(dst []float32, index []int32, s, values []float32) {
	expandValuesGeneric(dst, index, s, values)
}

func expandGradients2(e *edge, index []int32, f, s, gx, gz []float32) {
	expandGradients2Generic(e, index, f, s, gx, gz)
}

func expandGradients3(e *edge, index []int32, f, s, gx, gy, ez []float32) {
	expandGradients3Generic(e, index, f, s, gx, gy, ez)
}

func addValue(dst, e0, e1, s []float32, fo fold) { addValueGeneric(dst, e0, e1, s, fo) }

func addGradient(dst []float32, e0, e1 *edge, f, s []float32, fo fold) {
	addGradientGeneric(dst, e0, e1, f, s, fo)
}
