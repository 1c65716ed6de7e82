package bits

import "math"

// packGeneric sets bit i of dst when row[i] is above iso, and the bits past the row to 0. NaN is not above
// anything, so it is air; the number of NaN is returned. It is what every other version must equal.
func packGeneric(dst []uint64, row []float32, iso float32) (nans int) {
	for w := range dst {
		part := row[min(w*64, len(row)):min(w*64+64, len(row))]
		var word uint64
		for i, s := range part {
			word |= Above(s, iso) << (i & 63)
			if s != s {
				nans++
			}
		}
		dst[w] = word
	}
	return nans
}

// countNaN returns the number of NaN in row.
func countNaN(row []float32) (nans int) {
	for _, s := range row {
		if s != s {
			nans++
		}
	}
	return nans
}

// Above returns 1 if s > iso and 0 if not, without a branch: the difference is positive and not NaN exactly
// when its bits, less one, lie below those of infinity.
func Above(s, iso float32) uint64 {
	const infinity = 0x7f800000
	d := math.Float32bits(s - iso)
	return (uint64(d-1) - infinity) >> 63
}
