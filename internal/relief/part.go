package relief

import "math"

// Where voids meet across a sample, two or more pieces of ground touch in that sample alone. As the top of a block
// they would share the upright edge below it, which then borders four walls: programs that slice for printers call
// that not manifold. So each piece but one gets a vertex of its own there, drawn back into it a little.

// drawBack is how far such a vertex is drawn back, in cells: enough to stay apart in float32 and on a printer's bed,
// too little to be seen.
const drawBack = 1. / 16

// A sample has eight wedges of 45° round it, counted like its corners' cells, counter-clockwise seen from above and
// beginning east: two for each cell. cellWedges holds, for each cell, where it lies from the sample, its first wedge
// and which of its corners the sample is (see relief.corners).
var cellWedges = [4]struct{ dx, dz, first, corner int }{
	{0, -1, 0, 1},  // northeast of the sample, which is its southwest corner
	{-1, -1, 2, 2}, // northwest
	{-1, 0, 4, 3},  // southwest
	{0, 0, 6, 0},   // southeast
}

// part gives samples in which several pieces of ground touch a vertex for each piece.
func (r *relief) part() {
	copies := map[int32][4]int32{}
	for z := range r.h.Height {
		for x := range r.h.Width {
			v := r.vertex[z*r.h.Width+x]
			if v < 0 {
				continue
			}
			covered := r.wedges(x, z)
			if covered == 0 || covered == 0xff {
				continue
			}
			own, first := [4]int32{v, v, v, v}, true
			for start := range 8 { // of each run of wedges
				if covered>>start&1 == 0 || covered>>((start+7)%8)&1 == 1 {
					continue
				}
				n := 1
				for covered>>((start+n)%8)&1 == 1 {
					n++
				}
				if !first {
					r.pull(v, start, n, &own)
				}
				first = false
			}
			if own != [4]int32{v, v, v, v} {
				copies[v] = own
			}
		}
	}
	r.copies = copies
}

// wedges returns the wedges round a sample that are covered by ground, a bit for each.
func (r *relief) wedges(x, z int) (covered uint8) {
	for _, c := range cellWedges {
		cx, cz := x+c.dx, z+c.dz
		if cx < 0 || cz < 0 || cx >= r.h.Width-1 || cz >= r.h.Height-1 {
			continue
		}
		// Seen from the sample, the corners counter-clockwise after it are the ends of its first wedge's outer side,
		// the middle, and the end of its second's.
		switch missing := kind(r.corners(cx, cz)); {
		case missing == 4 || missing == (c.corner+2)%4:
			covered |= 3 << c.first
		case missing == (c.corner+1)%4:
			covered |= 2 << c.first
		case missing == (c.corner+3)%4:
			covered |= 1 << c.first
		}
	}
	return covered
}

// pull adds a vertex for the n wedges from start on round vertex v and enters it into own, by the corners that it
// is of the cells there.
func (r *relief) pull(v int32, start, n int, own *[4]int32) {
	m := r.m
	added := int32(m.Vertices())
	angle := (float64(start) + float64(n)/2) * math.Pi / 4
	x := float64(m.Positions[3*v]) + drawBack*r.h.MetersX*math.Cos(angle)
	z := float64(m.Positions[3*v+2]) - drawBack*r.h.MetersZ*math.Sin(angle)
	m.Positions = append(m.Positions, float32(x), m.Positions[3*v+1], float32(z))
	for k := range n {
		own[cellWedges[(start+k)%8/2].corner] = added
	}
}
