package mesher

import "math/bits"

// A plane holds one z-plane of samples as bits, and the edges in it and above it that are crossed. Rows have
// one word to 64 samples; bit x of a row's crossings along x stands for the edge from x to x+1, along y for
// the edge from this row to the next, along z for the edge from this plane to the next.
type plane struct {
	solid []uint64    // one row after another
	cross [3][]uint64 // likewise
	// base holds, for each row and axis, the number of crossings of that axis in the plane's earlier rows
	// and, past the last row, in all of them, added to the number of the axis' first vertex.
	base [3][]uint32
}

// planes walks through a view's planes of samples, two at a time: lower is plane z and upper plane z+1.
type planes struct {
	words        int // to a row
	rows         int // in a plane
	lower, upper *plane
	both         [2]plane
	// The crossings along an axis that count start in the rows from[axis] to to[axis], both included, at
	// the samples whose bits mask[axis] has.
	from, to [3]int
	mask     [3][]uint64
}

// reset makes the planes fit v and says which crossings along each axis count.
func (p *planes) reset(v *view, starts [3]starts) {
	p.words, p.rows = (v.n[0]+63)/64, v.n[1]
	p.lower, p.upper = &p.both[0], &p.both[1]
	for axis, s := range starts {
		p.from[axis], p.to[axis] = s.y0, s.y1
		p.mask[axis] = resize(p.mask[axis], p.words)
		fillBits(p.mask[axis], s.x0, s.x1+1)
	}
	for i := range p.both {
		q := &p.both[i]
		q.solid = resize(q.solid, p.words*p.rows)
		for axis := range q.cross {
			q.cross[axis] = resize(q.cross[axis], p.words*p.rows)
			clear(q.cross[axis])
			q.base[axis] = resize(q.base[axis], p.rows+1)
		}
	}
}

// starts is a range of samples in a plane, both ends included.
type starts struct{ x0, x1, y0, y1 int }

// resize returns s with length n and undefined contents, in its own memory if that is large enough.
func resize[T uint64 | uint32 | uint8](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// fillBits sets the bits from lo to hi of a row of words, hi excluded, and clears the others.
func fillBits(row []uint64, lo, hi int) {
	for w := range row {
		row[w] = 0
		for i := range 64 {
			if x := w*64 + i; x >= lo && x < hi {
				row[w] |= 1 << i
			}
		}
	}
}

// pack reads the signs of plane z of v into q.
func (p *planes) pack(q *plane, v *view, z int) {
	nx, w := v.n[0], p.words
	for y := v.lo[1]; y <= v.hi[1]; y++ {
		i := v.index(0, y, z)
		pack(q.solid[y*w:y*w+w], v.samples[i:i+nx], v.iso)
	}
}

// crossInPlane finds the crossings along x and y of q and numbers them on from first; it returns the number
// of the next vertex.
func (p *planes) crossInPlane(q *plane, first uint32) uint32 {
	w := p.words
	for y := p.from[0]; y <= p.to[0]; y++ {
		q.base[0][y] = first
		solid, cross := q.solid[y*w:y*w+w], q.cross[0][y*w:y*w+w]
		for i, s := range solid {
			_, next := word(solid, i)
			c := (s ^ next) & p.mask[0][i]
			cross[i] = c
			first += uint32(bits.OnesCount64(c))
		}
	}
	q.base[0][p.to[0]+1] = first
	for y := p.from[1]; y <= p.to[1]; y++ {
		q.base[1][y] = first
		first += xorRows(q.cross[1][y*w:y*w+w], q.solid[y*w:y*w+w], q.solid[y*w+w:y*w+2*w], p.mask[1])
	}
	q.base[1][p.to[1]+1] = first
	return first
}

// crossBetween finds the crossings along z between lower and upper and numbers them on from first; it
// returns the number of the next vertex.
func (p *planes) crossBetween(first uint32) uint32 {
	w, q := p.words, p.lower
	for y := p.from[2]; y <= p.to[2]; y++ {
		q.base[2][y] = first
		first += xorRows(q.cross[2][y*w:y*w+w], q.solid[y*w:y*w+w], p.upper.solid[y*w:y*w+w], p.mask[2])
	}
	q.base[2][p.to[2]+1] = first
	return first
}

// noCrossings makes q a plane in which no crossing along the axis counts.
func (p *planes) noCrossings(q *plane, axis int) {
	clear(q.cross[axis])
	clear(q.base[axis])
}

// xorRows sets dst to the bits in which a and b differ, within mask, and returns their number.
func xorRows(dst, a, b, mask []uint64) uint32 {
	a, b, mask = a[:len(dst)], b[:len(dst)], mask[:len(dst)]
	n := 0
	for i := range dst {
		c := (a[i] ^ b[i]) & mask[i]
		dst[i] = c
		n += bits.OnesCount64(c)
	}
	return uint32(n)
}

// word returns the 64 bits of a row that start at bit 64·i and the 64 that follow one bit later.
func word(row []uint64, i int) (w, next uint64) {
	w = row[i]
	next = w >> 1
	if i+1 < len(row) {
		next |= row[i+1] << 63
	}
	return w, next
}
