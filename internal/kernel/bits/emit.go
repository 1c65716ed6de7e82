package bits

import (
	"math/bits"

	"github.com/terrane/terrane/internal/kernel/cube"
)

// EdgeCounters holds, for each edge of a cell, the number of the next vertex on the edge's line: for the
// edges on the cell's low sides the vertex that the edge has if it is crossed. Edges 5, 7, 9 and 11 lie on
// the lines of 4, 6, 8 and 10. The last four are padding.
type EdgeCounters [16]uint32

// Corners holds for 64 cells of a row whether each corner is solid: bit x of word c is corner c of cell x.
type Corners [8]uint64

// Of returns the case of cell x.
func (c *Corners) Of(x int) uint8 {
	x &= 63
	return uint8(c[0]>>x&1 | c[1]>>x&1<<1 | c[2]>>x&1<<2 | c[3]>>x&1<<3 |
		c[4]>>x&1<<4 | c[5]>>x&1<<5 | c[6]>>x&1<<6 | c[7]>>x&1<<7)
}

// A CellRow is a row of cells.
type CellRow struct {
	// Solid holds the rows of samples at the cells' edges along x: the one at y and z, that at y+1, that at z+1
	// and that at both.
	Solid [4][]uint64
	Mask  []uint64 // the cells that count; the last sample of a row begins none
}

// Corners sets c to the corners of the 64 cells from number 64·i on and returns those of the cells that the
// surface passes.
func (r *CellRow) Corners(i int, c *Corners) (active uint64) {
	c[0], c[1] = Word(r.Solid[0], i)
	c[2], c[3] = Word(r.Solid[1], i)
	c[4], c[5] = Word(r.Solid[2], i)
	c[6], c[7] = Word(r.Solid[3], i)
	some := c[0] | c[1] | c[2] | c[3] | c[4] | c[5] | c[6] | c[7]
	every := c[0] & c[1] & c[2] & c[3] & c[4] & c[5] & c[6] & c[7]
	return some &^ every & r.Mask[i]
}

// Word returns the 64 bits of a row that start at bit 64·i and the 64 that start one bit later.
func Word(row []uint64, i int) (w, after uint64) {
	w = row[i]
	after = w >> 1
	if i+1 < len(row) {
		after |= row[i+1] << 63
	}
	return w, after
}

// A caseRow holds the data of a case that the emission reads, in one cache line.
type caseRow struct {
	// table holds three lists of 16 numbers and room to read 16 from the middle of each. The first has the
	// triangles as triples of edges, counter-clockwise seen from the air; the second, from aheadOf on, 1 for
	// the edges whose vertex is one past its line's counter: 5, 7, 9 and 11 where the edge before is crossed;
	// the third, from stepOf on, how far each counter moves from this cell to the next.
	table   [56]uint8
	n       uint8 // indices
	_       uint8
	crossed uint16 // edges as bits
	_       uint32
}

const (
	aheadOf = 16
	stepOf  = 32
)

var caseRows = makeCaseRows()

func makeCaseRows() (rows [cube.Cases]caseRow) {
	for c := range rows {
		r := &rows[c]
		t := cube.Triangles(uint8(c))
		for i := 0; i < len(t); i += 3 {
			r.table[i], r.table[i+1], r.table[i+2] = t[i], t[i+2], t[i+1]
		}
		r.n = uint8(len(t))
		crossed := cube.Crossed(uint8(c))
		r.crossed = crossed
		for e := range cube.Edges {
			line := e
			if e >= 4 {
				line = e &^ 1
			}
			step := uint8(crossed >> line & 1)
			r.table[stepOf+e] = step
			if line != e {
				r.table[aheadOf+e] = step
			}
		}
	}
	return rows
}

// EmitRoom is how many indices the emission of a word may write, those past the last that it overwrites
// included.
const EmitRoom = 15*64 + 16

// emitGeneric appends the triangles of a row of cells from word i on and moves the counters on. It returns the
// number of indices written and that of the first word it did not do, for want of EmitRoom. It is what every
// other version must equal.
func emitGeneric(dst []uint32, next *EdgeCounters, r *CellRow, i int) (used, word int) {
	var c Corners
	for ; i < len(r.Mask); i++ {
		active := r.Corners(i, &c)
		if active == 0 {
			continue
		}
		if len(dst)-used < EmitRoom {
			return used, i
		}
		used += emitWord(dst[used:], next, active, &c)
	}
	return used, i
}

// emitWord appends the triangles of the cells of a word whose bits are set in active.
func emitWord(dst []uint32, next *EdgeCounters, active uint64, c *Corners) int {
	used := 0
	x0, x1, x2, x3, y0, y1, z0, z1 := next[0], next[1], next[2], next[3], next[4], next[6], next[8], next[10]
	var id [16]uint32
	for ; active != 0; active &= active - 1 {
		row := &caseRows[c.Of(bits.TrailingZeros64(active))]
		cross := uint32(row.crossed)
		id[0], id[1], id[2], id[3] = x0, x1, x2, x3
		id[4], id[6], id[8], id[10] = y0, y1, z0, z1
		x0 += cross & 1
		x1 += cross >> 1 & 1
		x2 += cross >> 2 & 1
		x3 += cross >> 3 & 1
		y0 += cross >> 4 & 1
		y1 += cross >> 6 & 1
		z0 += cross >> 8 & 1
		z1 += cross >> 10 & 1
		id[5], id[7], id[9], id[11] = y0, y1, z0, z1
		out := (*[15]uint32)(dst[used:])
		out[0], out[1], out[2] = id[row.table[0]&15], id[row.table[1]&15], id[row.table[2]&15]
		out[3], out[4], out[5] = id[row.table[3]&15], id[row.table[4]&15], id[row.table[5]&15]
		if row.n > 6 {
			out[6], out[7], out[8] = id[row.table[6]&15], id[row.table[7]&15], id[row.table[8]&15]
			out[9], out[10], out[11] = id[row.table[9]&15], id[row.table[10]&15], id[row.table[11]&15]
			out[12], out[13], out[14] = id[row.table[12]&15], id[row.table[13]&15], id[row.table[14]&15]
		}
		used += int(row.n)
	}
	*next = EdgeCounters{x0, x1, x2, x3, y0, y0, y1, y1, z0, z0, z1, z1}
	return used
}
