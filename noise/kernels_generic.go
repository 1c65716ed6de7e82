package noise

import "github.com/terrane/terrane/internal/kernel/scalar"

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

// mixAlongGeneric sets dst to the mixes along x of the lattice values round each sample.
func mixAlongGeneric(dst []float32, index []int32, s, values []float32) {
	index, s = index[:len(dst)], s[:len(dst)]
	for i, k := range index {
		v := values[k : k+2]
		dst[i] = scalar.Lerp(v[0], v[1], s[i])
	}
}

// mixGradientsGeneric sets dst to the mixes along x of the slopes along x round each sample, seen from its
// place f.
func mixGradientsGeneric(dst []float32, index []int32, f, s, slopes []float32) {
	index, f, s = index[:len(dst)], f[:len(dst)], s[:len(dst)]
	for i, k := range index {
		v := slopes[k : k+2]
		dst[i] = scalar.Lerp(float32(v[0]*f[i]), float32(v[1]*(f[i]-1)), s[i])
	}
}

// mixRowsGeneric sets dst to the mix of two rows.
func mixRowsGeneric(dst, a, b []float32, t float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = scalar.Lerp(a[i], b[i], t)
	}
}

// mixSlopesGeneric sets dst to the mix of two lattice rows' values, seen from the place f between them along z.
func mixSlopesGeneric(dst []float32, r0, r1 *latticeRow, f, t float32) {
	mixSlopesRow(dst, r0.value, r1.value, r0.z, r1.z, f, t)
}

func mixSlopesRow(dst, v0, v1, z0, z1 []float32, f, t float32) {
	n := len(dst)
	v0, v1, z0, z1 = v0[:n], v1[:n], z0[:n], z1[:n]
	a, b := f, f-1
	for i := range dst {
		dst[i] = scalar.Lerp(v0[i]+float32(z0[i]*a), v1[i]+float32(z1[i]*b), t)
	}
}

// addValueGeneric adds to each row of dst the mix by its s of the values on two edges.
func addValueGeneric(dst, e0, e1, s []float32, fo fold) {
	n := len(e0)
	for r, t := range s {
		addValueRow(dst[r*n:][:n], e0, e1, t, fo)
	}
}

func addValueRow(row, e0, e1 []float32, t float32, fo fold) {
	e0, e1 = e0[:len(row)], e1[:len(row)]
	if !fo.on {
		for i := range row {
			row[i] += scalar.Lerp(e0[i], e1[i], t)
		}
		return
	}
	for i := range row {
		row[i] += fo.of(scalar.Lerp(e0[i], e1[i], t))
	}
}

// addGradientGeneric adds to each row of dst the mix by its s of two edges seen from its f between them.
func addGradientGeneric(dst []float32, e0, e1 *edge, f, s []float32, fo fold) {
	n := len(e0.value)
	for r, t := range s {
		addGradientRow(dst[r*n:][:n], e0.value, e1.value, e0.slope, e1.slope, f[r], t, fo)
	}
}

func addGradientRow(row, v0, v1, g0, g1 []float32, f, t float32, fo fold) {
	n := len(row)
	v0, v1, g0, g1 = v0[:n], v1[:n], g0[:n], g1[:n]
	a, b := f, f-1
	if !fo.on {
		for i, v := range v0 {
			row[i] += scalar.Lerp(v+float32(g0[i]*a), v1[i]+float32(g1[i]*b), t)
		}
		return
	}
	for i, v := range v0 {
		row[i] += fo.of(scalar.Lerp(v+float32(g0[i]*a), v1[i]+float32(g1[i]*b), t))
	}
}

func (f fold) of(v float32) float32 {
	if v < 0 {
		v = -v
	}
	return f.base + float32(f.slope*v)
}

// addPlacesGeneric adds to dst the octave's share at each of some places.
func addPlacesGeneric(dst []float32, o *octave, kind Kind, dims int, p *[3]places) {
	for i := range dst {
		dst[i] += o.fold(o.at(kind, dims, p[0].at(i), p[1].at(i), p[2].at(i)))
	}
}
