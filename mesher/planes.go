package mesher

import (
	mathbits "math/bits"

	"github.com/terrane/terrane/internal/kernel/bits"
)

// A plane holds one z-plane of samples as bits, and the edges in it and above it that are crossed. Rows have
// one word to 64 samples; bit x of a row's crossings along x stands for the edge from x to x+1, along y for
// the edge from this row to the next, along z for the edge from this plane to the next.
type plane struct {
	solid []uint64    // one row after another
	cross [3][]uint64 // likewise
	state []uint8     // of each row: hasAir, hasSolid
	nans  int         // samples that are NaN
	// first holds for each row and axis the number of the first vertex on it, count how many there are. Where
	// there are none the row's crossings are 0.
	first, count [3][]uint32
}

// What a row of samples holds.
const (
	hasAir = 1 << iota
	hasSolid
	mixed = hasAir | hasSolid
)

// planes holds some planes of a view, one after another. Those that walk through the view two at a time have
// plane z in lower, z+1 in upper and the one after in ahead, of which they need the signs only: it is read
// early because the gradients in upper reach into it, and reading it in order is ten times as fast as
// fetching it from memory a sample at a time.
type planes struct {
	words               int // to a row
	all                 []plane
	lower, upper, ahead *plane
	x0, x1, y0, y1      int      // the samples and rows to look at, both ends included
	nans                int      // NaN samples in the planes walked through
	stream              []uint64 // scratch of pack
	samples             []uint64 // the bits of a row between the view's lo and hi
	// The crossings along an axis that count start in the rows from[axis] to to[axis], both included, at
	// the samples whose bits mask[axis] has.
	from, to [3]int
	mask     [3][]uint64
}

// starts is a range of samples in a plane, both ends included.
type starts struct{ x0, x1, y0, y1 int }

// reset makes n planes fit v and says which crossings along each axis count.
func (p *planes) reset(v *view, counted [3]starts, n int) {
	p.words = (v.n[0] + 63) / 64
	p.x0, p.x1, p.y0, p.y1 = v.lo[0], v.hi[0], v.lo[1], v.hi[1]
	p.nans = 0
	p.samples = resize(p.samples, p.words)
	fillBits(p.samples, v.lo[0], v.hi[0]+1)
	for axis, s := range counted {
		p.from[axis], p.to[axis] = s.y0, s.y1
		p.mask[axis] = resize(p.mask[axis], p.words)
		fillBits(p.mask[axis], s.x0, s.x1+1)
	}
	p.all = p.all[:cap(p.all)]
	if len(p.all) < n {
		p.all = append(p.all, make([]plane, n-len(p.all))...)
	}
	p.all = p.all[:n]
	for i := range p.all {
		p.all[i].reset(p.words, v.n[1])
	}
	p.lower, p.upper, p.ahead = &p.all[0], &p.all[1], &p.all[2]
}

// reset makes q an empty plane of so many rows.
func (q *plane) reset(words, rows int) {
	q.solid = resize(q.solid, words*rows)
	q.state = resize(q.state, rows)
	for axis := range q.cross {
		q.cross[axis] = resize(q.cross[axis], words*rows)
		q.first[axis] = resize(q.first[axis], rows)
		q.count[axis] = resize(q.count[axis], rows)
		clear(q.cross[axis])
		clear(q.count[axis])
	}
}

// resize returns s with length n and undefined contents, in its own memory if that is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// fillBits sets the bits from lo to hi of a row of words, hi excluded, and clears the others.
func fillBits(row []uint64, lo, hi int) {
	clear(row)
	for x := lo; x < hi; x++ {
		row[x>>6] |= 1 << (x & 63)
	}
}

// row returns the words of row y.
func (p *planes) row(words []uint64, y int) []uint64 { return words[y*p.words : (y+1)*p.words] }

// start makes plane z0 the upper one; z1 is the last that will be read.
func (p *planes) start(v *view, z0, z1 int) {
	p.pack(p.upper, v, z0)
	p.nans = p.upper.nans
	if z0 < z1 {
		p.pack(p.ahead, v, z0+1)
		p.nans += p.ahead.nans
	}
}

// advance makes plane z the lower one.
func (p *planes) advance(v *view, z, z1 int) {
	p.lower, p.upper, p.ahead = p.upper, p.ahead, p.lower
	if z+2 <= z1 {
		p.pack(p.ahead, v, z+2)
		p.nans += p.ahead.nans
	}
}

// pack reads the signs of plane z of v into q: all rows at once, and moves them to word boundaries after.
func (p *planes) pack(q *plane, v *view, z int) {
	nx, rows := v.n[0], p.y1-p.y0+1
	from := v.index(0, p.y0, z)
	samples := v.samples[from : from+rows*nx]
	if nx&63 == 0 {
		q.nans = bits.Pack(q.solid[p.y0*p.words:(p.y1+1)*p.words], samples, v.iso)
	} else {
		p.stream = resize(p.stream, rows*nx>>6+2)
		q.nans = bits.Pack(p.stream, samples, v.iso)
		for y := range rows {
			align(p.row(q.solid, p.y0+y), p.stream, y*nx, nx)
		}
	}
	for y := p.y0; y <= p.y1; y++ {
		var air, ground uint64
		for i, s := range p.row(q.solid, y) {
			air |= p.samples[i] &^ s
			ground |= p.samples[i] & s
		}
		var state uint8
		if air != 0 {
			state = hasAir
		}
		if ground != 0 {
			state |= hasSolid
		}
		q.state[y] = state
	}
}

// align sets dst to the n bits of stream from bit at on, and the rest of its last word to 0. The stream is
// at least a word longer than that.
func align(dst, stream []uint64, at, n int) {
	shift := uint(at & 63)
	for i := range dst {
		w := stream[at>>6:]
		dst[i] = w[0]>>shift | w[1]<<1<<(63-shift)
		at += 64
	}
	dst[len(dst)-1] &= 1<<(n&63) - 1
}

// crossInPlane finds the crossings along x and y of q and numbers them on from first; it returns the number
// of the vertex after them.
func (p *planes) crossInPlane(q *plane, first uint32) uint32 {
	next := first
	for y := p.from[0]; y <= p.to[0]; y++ {
		cross, n := p.row(q.cross[0], y), 0
		if q.state[y] == mixed {
			solid := p.row(q.solid, y)
			for i := range solid {
				s, after := bits.Word(solid, i)
				c := (s ^ after) & p.mask[0][i]
				cross[i] = c
				n += mathbits.OnesCount64(c)
			}
		} else if q.count[0][y] != 0 {
			clear(cross)
		}
		q.first[0][y], q.count[0][y] = next, uint32(n)
		next += uint32(n)
	}
	for y := p.from[1]; y <= p.to[1]; y++ {
		next = p.differ(q, 1, y, next, q.state[y]|q.state[y+1], p.row(q.solid, y+1))
	}
	return next
}

// crossBetween finds the crossings along z between lower and upper and numbers them on from next; it
// returns the number of the vertex after them.
func (p *planes) crossBetween(next uint32) uint32 {
	for y := p.from[2]; y <= p.to[2]; y++ {
		next = p.differ(p.lower, 2, y, next, p.lower.state[y]|p.upper.state[y], p.row(p.upper.solid, y))
	}
	return next
}

// differ finds the crossings along an axis from row y of q to the row other and numbers them on from next.
func (p *planes) differ(q *plane, axis, y int, next uint32, state uint8, other []uint64) uint32 {
	cross, n := p.row(q.cross[axis], y), 0
	if state == mixed {
		solid, mask := p.row(q.solid, y), p.mask[axis]
		solid, mask, other = solid[:len(cross)], mask[:len(cross)], other[:len(cross)]
		for i := range cross {
			c := (solid[i] ^ other[i]) & mask[i]
			cross[i] = c
			n += mathbits.OnesCount64(c)
		}
	} else if q.count[axis][y] != 0 {
		clear(cross)
	}
	q.first[axis][y], q.count[axis][y] = next, uint32(n)
	return next + uint32(n)
}

// noCrossings makes q a plane in which no crossing along the axis counts.
func (p *planes) noCrossings(q *plane, axis int) {
	clear(q.cross[axis])
	clear(q.count[axis])
}
