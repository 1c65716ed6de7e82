package bits

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

// A Listing is rows of bits of a plane whose samples are to be listed, and how far that is done.
type Listing struct {
	Words []uint64 // of the plane, one row after another
	Count []uint32 // how many bits of each row are set
	Edge  []uint64 // the bits of every row that are not to be listed
	NX    int      // samples to a row
	At    uint32   // the first sample of row 0
	X, Y  float32  // and its place in cells

	Row, End, Word int // the row and word to go on from, and the row to end before
}

// listGeneric appends the samples of the rows to the places. It stops where a bit is not to be listed and where
// the places are nearly full, and reports whether it did. It is what every other version must equal.
func (p *Places) listGeneric(l *Listing) (stopped bool) {
	words := len(l.Edge)
	for ; l.Row < l.End; l.Row, l.Word = l.Row+1, 0 {
		if l.Count[l.Row] == 0 {
			continue
		}
		row := l.Words[l.Row*words:][:words]
		at, y := l.At+uint32(l.Row*l.NX), l.Y+float32(int32(l.Row))
		for i := l.Word; i < words; i++ {
			set := row[i]
			if p.N > BatchFull || set&l.Edge[i] != 0 {
				l.Word = i
				return true
			}
			n := p.N
			p.N += bits.OnesCount64(set)
			for ; set != 0; n += 4 {
				// Four at a time, whether there are so many or not: the end of a word is hard to guess.
				m := n & BatchMask
				a, x := (*[4]uint32)(p.At[m:]), (*[4]float32)(p.X[m:])
				k0 := i*64 + bits.TrailingZeros64(set)
				set &= set - 1
				k1 := i*64 + bits.TrailingZeros64(set)
				set &= set - 1
				k2 := i*64 + bits.TrailingZeros64(set)
				set &= set - 1
				k3 := i*64 + bits.TrailingZeros64(set)
				set &= set - 1
				a[0], a[1], a[2], a[3] = at+uint32(k0), at+uint32(k1), at+uint32(k2), at+uint32(k3)
				x[0], x[1] = l.X+float32(int32(k0)), l.X+float32(int32(k1))
				x[2], x[3] = l.X+float32(int32(k2)), l.X+float32(int32(k3))
				*(*[4]float32)(p.Y[m:]) = [4]float32{y, y, y, y}
			}
		}
	}
	return false
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
