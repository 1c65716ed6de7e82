package cube

import "sync"

// A Net lists the separate surface parts of a case.
type Net struct {
	N     int
	Edges [4]uint16 // of each part
	Fans  [Edges]Fan
}

// A Fan holds the parts that meet at a crossed edge, in order across the cell from the face from on.
type Fan struct {
	N     int
	Parts [3]uint8
	From  uint8
}

// Nets returns the cases' parts, which are not worked out before a surface net is asked for.
var Nets = sync.OnceValue(func() *[Cases]Net {
	var cases [Cases]Net
	for c := range cases {
		cases[c] = makeNet(Parts(uint8(c)))
	}
	return &cases
})

// LowerOther and UpperOther are the two axes beside an axis, in ascending order.
var (
	LowerOther = [3]int{1, 0, 0}
	UpperOther = [3]int{2, 2, 1}
)

var (
	// EdgeEnds holds the corners that each edge joins, the lower first.
	EdgeEnds [Edges][2]uint8
	// RingEdges holds for each axis the edge that the four cells round an edge along it have there, and
	// RingFaces the face that each of the four shares with the one before. The four go round
	// counter-clockwise seen from the axis' high end.
	RingEdges [3][4]uint8
	RingFaces [3][4]uint8
)

func init() {
	for e := range Edges {
		a, b := EdgeCorners(e)
		EdgeEnds[e] = [2]uint8{uint8(a), uint8(b)}
	}
	// Round x, from y to z; round y, from z to x; round z, from x to y. The cell on the low side of both
	// comes first; its edge is the one on its own high sides.
	for axis := range 3 {
		u, v := LowerOther[axis], UpperOther[axis]
		if axis == 1 {
			u, v = v, u
		}
		for k, high := range [4][2]int{{1, 1}, {0, 1}, {0, 0}, {1, 0}} {
			place := 0
			for i, other := range [2]int{u, v} {
				if other == UpperOther[axis] {
					place |= high[i] << 1
				} else {
					place |= high[i]
				}
			}
			RingEdges[axis][k] = uint8(axis*4 + place)
			RingFaces[axis][k] = uint8([4]int{2*v + 1, 2 * u, 2 * v, 2*u + 1}[k])
		}
	}
}

// makeNet turns the parts of a case into tables.
func makeNet(parts []Part) Net {
	k := Net{N: len(parts)}
	for i, p := range parts {
		k.Edges[i] = p.Mask()
	}
	for e := range Edges {
		k.Fans[e] = fanOf(parts, uint8(e))
	}
	return k
}

// fanOf orders the parts round an edge: the first has the line that comes in, and each next one lies across
// the chord that the one before leaves the edge by.
func fanOf(parts []Part, e uint8) (f Fan) {
	find := func(match func(p *Part, in, out int) bool) int {
		for i := range parts {
			p := &parts[i]
			for out, edge := range p.Edges {
				in := (out + len(p.Edges) - 1) % len(p.Edges)
				if edge == e && match(p, in, out) {
					return i
				}
			}
		}
		return -1
	}
	var other uint8 // the far end of the chord last crossed
	next := find(func(p *Part, in, out int) bool {
		if p.Faces[in] == Chord {
			return false
		}
		f.From = p.Faces[in]
		return true
	})
	for next >= 0 {
		f.Parts[f.N] = uint8(next)
		f.N++
		p, crossed := &parts[next], false
		for out, edge := range p.Edges {
			if edge == e && p.Faces[out] == Chord {
				other, crossed = p.Edges[(out+1)%len(p.Edges)], true
			}
		}
		if !crossed {
			break
		}
		next = find(func(p *Part, in, out int) bool {
			return p.Faces[in] == Chord && p.Edges[in] == other
		})
	}
	return f
}
