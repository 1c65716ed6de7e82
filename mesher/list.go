package mesher

import "math/bits"

// A listing is a row of bits whose samples are to be listed.
type listing struct {
	row  []uint64
	edge []uint64 // bits that are not to be listed
	at   uint32   // the row's first sample
	x, y float32  // and its place in cells
}

// listGeneric appends the samples of a row's words to the places from word i on. It returns the number of
// the first word that it did not list: it stops where a bit is not to be listed, and where the places are
// nearly full. It is what every other version must equal.
func (p *places) listGeneric(l *listing, i int) int {
	row := l.row
	edge := l.edge[:len(row)]
	for ; i < len(row); i++ {
		set := row[i]
		if p.n > batchFull || set&edge[i] != 0 {
			return i
		}
		n := p.n
		for ; set != 0; set &= set - 1 {
			k := i*64 + bits.TrailingZeros64(set)
			m := n & batchMask
			p.at[m], p.x[m], p.y[m] = l.at+uint32(k), l.x+float32(int32(k)), l.y
			n++
		}
		p.n = n
	}
	return i
}

// listCasesGeneric writes the cases of the cells of a row whose bits are set in active, and returns their
// number. It is what every other version must equal.
func listCasesGeneric(dst []uint8, active uint64, c *corners) int {
	n := 0
	for ; active != 0; active &= active - 1 {
		dst[n] = c.of(bits.TrailingZeros64(active))
		n++
	}
	return n
}
