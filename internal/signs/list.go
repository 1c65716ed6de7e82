package signs

import "math/bits"

const (
	// BatchSize is how many crossings are solved at once. Smaller batches leave vectors half empty; larger
	// ones push each other and the samples out of the first-level cache.
	BatchSize = 256
	BatchMask = BatchSize - 1
	// BatchFull is the number of crossings from which on a batch may not have room for those of a word.
	BatchFull = BatchSize - 64
	// BatchRoom is the length of arrays that are written and read some vectors past the end.
	BatchRoom = BatchSize + 64
	// BatchLanes is the longest vector that solves a batch, in float32.
	BatchLanes = 16
)

// Places are samples of a plane in the order in which they were listed. Past their end the arrays hold
// anything.
type Places struct {
	N    int
	At   [BatchRoom]uint32  // number of the sample
	X, Y [BatchRoom]float32 // its place in cells
}

// A Listing is a row of bits whose samples are to be listed.
type Listing struct {
	Row  []uint64
	Edge []uint64 // bits that are not to be listed
	At   uint32   // the row's first sample
	X, Y float32  // and its place in cells
}

// listGeneric appends the samples of a row's words to the places from word i on. It returns the number of
// the first word that it did not list: it stops where a bit is not to be listed, and where the places are
// nearly full. It is what every other version must equal.
func (p *Places) listGeneric(l *Listing, i int) int {
	row := l.Row
	edge := l.Edge[:len(row)]
	for ; i < len(row); i++ {
		set := row[i]
		if p.N > BatchFull || set&edge[i] != 0 {
			return i
		}
		n := p.N
		for ; set != 0; set &= set - 1 {
			k := i*64 + bits.TrailingZeros64(set)
			m := n & BatchMask
			p.At[m], p.X[m], p.Y[m] = l.At+uint32(k), l.X+float32(int32(k)), l.Y
			n++
		}
		p.N = n
	}
	return i
}

// listCasesGeneric writes the cases of the cells of a row whose bits are set in active, and returns their
// number. It is what every other version must equal.
func listCasesGeneric(dst []uint8, active uint64, c *Corners) int {
	n := 0
	for ; active != 0; active &= active - 1 {
		dst[n] = c.Of(bits.TrailingZeros64(active))
		n++
	}
	return n
}
