package mesher

import (
	"sync"

	"github.com/terrane/terrane/internal/cube"
)

// A netCase is how the parts of a case lie.
type netCase struct {
	n     int
	edges [4]uint16 // of each part
	fans  [cube.Edges]netFan
}

// A netFan holds the parts that meet at a crossed edge, in order across the cell from the face from on.
type netFan struct {
	n     int
	parts [3]uint8
	from  uint8
}

// netCases returns the cases' parts, which are not worked out before a surface net is asked for.
var netCases = sync.OnceValue(func() *[cube.Cases]netCase {
	var cases [cube.Cases]netCase
	for c := range cases {
		cases[c] = makeNetCase(cube.Parts(uint8(c)))
	}
	return &cases
})

var (
	edgeCorners [cube.Edges][2]uint8
	// ringEdges holds for each axis the edge that the four cells round an edge along it have there, and
	// ringFaces the face that each of the four shares with the one before. The four go round
	// counter-clockwise seen from the axis' high end.
	ringEdges [3][4]uint8
	ringFaces [3][4]uint8
)

func init() {
	for e := range cube.Edges {
		a, b := cube.EdgeCorners(e)
		edgeCorners[e] = [2]uint8{uint8(a), uint8(b)}
	}
	// Round x, from y to z; round y, from z to x; round z, from x to y. The cell on the low side of both
	// comes first; its edge is the one on its own high sides.
	for axis := range 3 {
		u, v := lowerOther[axis], upperOther[axis]
		if axis == 1 {
			u, v = v, u
		}
		for k, high := range [4][2]int{{1, 1}, {0, 1}, {0, 0}, {1, 0}} {
			place := 0
			for i, other := range [2]int{u, v} {
				if other == upperOther[axis] {
					place |= high[i] << 1
				} else {
					place |= high[i]
				}
			}
			ringEdges[axis][k] = uint8(axis*4 + place)
			ringFaces[axis][k] = uint8([4]int{2*v + 1, 2 * u, 2 * v, 2*u + 1}[k])
		}
	}
}

// makeNetCase turns the parts of a case into tables.
func makeNetCase(parts []cube.Part) netCase {
	k := netCase{n: len(parts)}
	for i, p := range parts {
		k.edges[i] = p.Mask()
	}
	for e := range cube.Edges {
		k.fans[e] = fanOf(parts, uint8(e))
	}
	return k
}

// fanOf orders the parts round an edge: the first has the line that comes in, and each next one lies across
// the chord that the one before leaves the edge by.
func fanOf(parts []cube.Part, e uint8) (f netFan) {
	find := func(match func(p *cube.Part, in, out int) bool) int {
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
	next := find(func(p *cube.Part, in, out int) bool {
		if p.Faces[in] == cube.Chord {
			return false
		}
		f.from = p.Faces[in]
		return true
	})
	for next >= 0 {
		f.parts[f.n] = uint8(next)
		f.n++
		p, crossed := &parts[next], false
		for out, edge := range p.Edges {
			if edge == e && p.Faces[out] == cube.Chord {
				other, crossed = p.Edges[(out+1)%len(p.Edges)], true
			}
		}
		if !crossed {
			break
		}
		next = find(func(p *cube.Part, in, out int) bool {
			return p.Faces[in] == cube.Chord && p.Edges[in] == other
		})
	}
	return f
}
