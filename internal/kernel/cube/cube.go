package cube

const (
	// Corners is the number of corners of a cell.
	Corners = 8
	// Edges is the number of edges of a cell.
	Edges = 12
	// Cases is the number of ways the corners can be solid or air.
	Cases = 256
)

// FaceCorners holds the corners of each face, in the order of lattice.Face, all going round the same way
// seen from outside.
var FaceCorners = [6][4]uint8{
	{0, 4, 6, 2}, {1, 3, 7, 5},
	{0, 1, 5, 4}, {2, 6, 7, 3},
	{0, 2, 3, 1}, {4, 5, 7, 6},
}

// EdgeCorners returns the corners that edge e joins, the lower first.
func EdgeCorners(e int) (a, b int) {
	axis, i := e>>2, e&3
	low := 1<<axis - 1      // the bits below the axis keep their place
	a = i&low | (i&^low)<<1 // the others move up by one to leave the axis' own bit at 0
	return a, a | 1<<axis
}

// edgeBetween returns the edge that joins two corners.
func edgeBetween(a, b uint8) uint8 {
	if a > b {
		a, b = b, a
	}
	var axis uint8
	for a^b != 1<<axis {
		axis++
	}
	low := uint8(1)<<axis - 1
	return axis<<2 | a&low | a>>1&^low
}

// A Loop is a closed line on the faces of a cell: edges it crosses, in order.
type Loop struct {
	Edges []uint8
	// Faces holds the face that each line runs over; line i runs from Edges[i] to the next.
	Faces []uint8
	// Apex is the place in Edges of the corner that the fan of triangles starts from.
	Apex int
}

// regular is a regular cell as the walk sees it.
var regular = newPolyhedron([][]uint8{
	FaceCorners[0][:], FaceCorners[1][:], FaceCorners[2][:],
	FaceCorners[3][:], FaceCorners[4][:], FaceCorners[5][:],
}, edgeBetween)

// Loops returns the loops of a case, in the order in which the walk over the faces meets them.
func Loops(c uint8) []Loop {
	return regular.loops(uint32(c))
}

// Triangles returns the triangles of a case as triples of edges. They face into the solid.
func Triangles(c uint8) []uint8 {
	var t []uint8
	for _, l := range Loops(c) {
		t = l.appendTriangles(t)
	}
	return t
}

// Crossed returns the edges that a case crosses as a set of bits.
func Crossed(c uint8) uint16 {
	var set uint16
	for e := range Edges {
		a, b := EdgeCorners(e)
		if (c>>a^c>>b)&1 != 0 {
			set |= 1 << e
		}
	}
	return set
}

// appendTriangles appends the fan from the loop's apex.
func (l *Loop) appendTriangles(dst []uint8) []uint8 {
	n := len(l.Edges)
	at := func(i int) uint8 { return l.Edges[(l.Apex+i)%n] }
	for i := 2; i < n; i++ {
		dst = append(dst, at(0), at(i-1), at(i))
	}
	return dst
}
