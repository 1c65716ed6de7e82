package noise

// The kernels in plain Go: the truth that every other form must equal bit for bit.

// A fold makes an octave's share of its value v: v, or base + slope·|v|.
type fold struct {
	on          bool
	base, slope float32
}

func foldOf(o *octave) fold { return fold{o.folded, o.base, o.slope} }

func latticeValuesGeneric(dst []float32, columns []uint32, row uint32, w float32) {
	dst = dst[:len(columns)]
	for i, x := range columns {
		dst[i] = float32(signed(hash(row, x)) * w)
	}
}

func latticeGradients2Generic(gx, gz []float32, columns []uint32, row uint32, w float32) {
	gx, gz = gx[:len(columns)], gz[:len(columns)]
	for i, x := range columns {
		gx[i], gz[i] = gradient2(hash(row, x), w)
	}
}

func latticeGradients3Generic(gx, gy, gz []float32, columns []uint32, row uint32, w float32) {
	gx, gy, gz = gx[:len(columns)], gy[:len(columns)], gz[:len(columns)]
	for i, x := range columns {
		gx[i], gy[i], gz[i] = gradient3(hash(row, x), w)
	}
}

// mixRowsGeneric mixes two lattice rows across z.
func mixRowsGeneric(dst, a, b []float32, t float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = lerp(a[i], b[i], t)
	}
}

// mixSlopesGeneric mixes the slopes along z of two lattice rows into a value at the place f between them.
func mixSlopesGeneric(dst, a, b []float32, f, t float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = lerp(float32(a[i]*f), float32(b[i]*(f-1)), t)
	}
}

// expandValuesGeneric mixes a row's lattice values along x.
func expandValuesGeneric(dst []float32, index []int32, s, values []float32) {
	index, s = index[:len(dst)], s[:len(dst)]
	for i, k := range index {
		v := values[k : k+2]
		dst[i] = lerp(v[0], v[1], s[i])
	}
}

// expandGradients2Generic mixes a row's slopes along x: gx into the value on the row, gz into the slope off it.
func expandGradients2Generic(e *edge, index []int32, f, s, gx, gz []float32) {
	value, slope := e.value[:len(index)], e.slope[:len(index)]
	f, s = f[:len(index)], s[:len(index)]
	for i, k := range index {
		x, z := gx[k:k+2], gz[k:k+2]
		value[i] = lerp(float32(x[0]*f[i]), float32(x[1]*(f[i]-1)), s[i])
		slope[i] = lerp(z[0], z[1], s[i])
	}
}

// expandGradients3Generic is expandGradients2Generic with a value ez at every lattice point and the slope off
// the row being gy.
func expandGradients3Generic(e *edge, index []int32, f, s, gx, gy, ez []float32) {
	value, slope := e.value[:len(index)], e.slope[:len(index)]
	f, s = f[:len(index)], s[:len(index)]
	for i, k := range index {
		x, y, z := gx[k:k+2], gy[k:k+2], ez[k:k+2]
		value[i] = lerp(float32(x[0]*f[i])+z[0], float32(x[1]*(f[i]-1))+z[1], s[i])
		slope[i] = lerp(y[0], y[1], s[i])
	}
}

// addValueGeneric adds to each row of dst the mix by its s of the values on two edges.
func addValueGeneric(dst, e0, e1, s []float32, fo fold) {
	n := len(e0)
	e1 = e1[:n]
	for r, t := range s {
		row := dst[r*n:][:n]
		if !fo.on {
			for i, v := range e0 {
				row[i] += lerp(v, e1[i], t)
			}
			continue
		}
		for i, v := range e0 {
			row[i] += fo.of(lerp(v, e1[i], t))
		}
	}
}

// addGradientGeneric adds to each row of dst the mix by its s of two edges seen from its f between them.
func addGradientGeneric(dst []float32, e0, e1 *edge, f, s []float32, fo fold) {
	n := len(e0.value)
	v0, v1, g0, g1 := e0.value, e1.value[:n], e0.slope[:n], e1.slope[:n]
	for r, t := range s {
		row := dst[r*n:][:n]
		a, b := f[r], f[r]-1
		if !fo.on {
			for i, v := range v0 {
				row[i] += lerp(v+float32(g0[i]*a), v1[i]+float32(g1[i]*b), t)
			}
			continue
		}
		for i, v := range v0 {
			row[i] += fo.of(lerp(v+float32(g0[i]*a), v1[i]+float32(g1[i]*b), t))
		}
	}
}

func (f fold) of(v float32) float32 {
	if v < 0 {
		v = -v
	}
	return f.base + float32(f.slope*v)
}
