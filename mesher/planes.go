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
	words        int      // to a row
	rows         int      // in a plane
	inX, inCells []uint64 // the bits of the samples, and of the cells, of a row that count
	lower, upper *plane
	both         [2]plane
}

// reset makes the planes fit v.
func (p *planes) reset(v *view) {
	p.words, p.rows = (v.n[0]+63)/64, v.n[1]
	p.inX, p.inCells = resize(p.inX, p.words), resize(p.inCells, p.words)
	fillBits(p.inX, v.lo[0], v.hi[0]+1)
	fillBits(p.inCells, v.lo[0], v.hi[0])
	p.lower, p.upper = &p.both[0], &p.both[1]
	for i := range p.both {
		q := &p.both[i]
		q.solid = resize(q.solid, p.words*p.rows)
		for axis := range q.cross {
			q.cross[axis] = resize(q.cross[axis], p.words*p.rows)
			q.base[axis] = resize(q.base[axis], p.rows+1)
		}
	}
}

// resize returns s with length n and undefined contents, in its own memory if that is large enough.
func resize[T uint64 | uint32](s []T, n int) []T {
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
func (p *planes) crossInPlane(q *plane, v *view, first uint32) uint32 {
	w := p.words
	for y := v.lo[1]; y <= v.hi[1]; y++ {
		q.base[0][y] = first
		solid, cross := q.solid[y*w:y*w+w], q.cross[0][y*w:y*w+w]
		for i, s := range solid {
			next := s >> 1
			if i+1 < len(solid) {
				next |= solid[i+1] << 63
			}
			c := (s ^ next) & p.inCells[i]
			cross[i] = c
			first += uint32(bits.OnesCount64(c))
		}
	}
	q.base[0][v.hi[1]+1] = first
	for y := v.lo[1]; y < v.hi[1]; y++ {
		q.base[1][y] = first
		first += xorRows(q.cross[1][y*w:y*w+w], q.solid[y*w:y*w+w], q.solid[y*w+w:y*w+2*w], p.inX)
	}
	q.base[1][v.hi[1]] = first
	return first
}

// crossBetween finds the crossings along z between lower and upper and numbers them on from first; it
// returns the number of the next vertex.
func (p *planes) crossBetween(v *view, first uint32) uint32 {
	w, q := p.words, p.lower
	for y := v.lo[1]; y <= v.hi[1]; y++ {
		q.base[2][y] = first
		first += xorRows(q.cross[2][y*w:y*w+w], q.solid[y*w:y*w+w], p.upper.solid[y*w:y*w+w], p.inX)
	}
	q.base[2][v.hi[1]+1] = first
	return first
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
