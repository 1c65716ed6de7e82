package cube

const (
	// FullSamples is the number of samples on a transition cell's full face: sample u + 3v.
	FullSamples = 9
	// TransitionEdges is the number of edges of a transition cell that can be crossed.
	TransitionEdges = 16
	// TransitionCases is the number of cases of a transition cell.
	TransitionCases = 512
)

// HalfSample holds the sample of the full face whose value each corner of the half face shares.
var HalfSample = [4]uint8{0, 2, 6, 8}

// transition is a transition cell as the walk sees it. Seen with u to the right and v up, the full face
// is behind the half face: its faces go clockwise here, the half face counter-clockwise.
var transition = newPolyhedron([][]uint8{
	{0, 3, 4, 1}, {1, 4, 5, 2}, {3, 6, 7, 4}, {4, 7, 8, 5}, // the quarters of the full face
	{9, 10, 12, 11},                                                          // the half face
	{0, 1, 2, 10, 9}, {8, 7, 6, 11, 12}, {6, 3, 0, 9, 11}, {2, 5, 8, 12, 10}, // the sides
}, transitionEdge)

// TransitionEdge returns the two corners that edge e joins, the lower first: 0–8 are samples of the full
// face, 9–12 corners of the half face.
func TransitionEdge(e int) (a, b int) {
	switch {
	case e < 6:
		a = e>>1*3 + e&1
		return a, a + 1
	case e < 12:
		a = e - 6
		return a, a + 3
	case e < 14:
		a = 9 + (e-12)*2
		return a, a + 1
	}
	a = 9 + e - 14
	return a, a + 2
}

// transitionEdge returns the edge that joins two corners. The edges between the two faces, which are never
// crossed, share one number past the others.
func transitionEdge(a, b uint8) uint8 {
	if a > b {
		a, b = b, a
	}
	for e := range TransitionEdges {
		if c, d := TransitionEdge(e); uint8(c) == a && uint8(d) == b {
			return uint8(e)
		}
	}
	return TransitionEdges
}

// TransitionLoops returns the loops of a transition case, in the order in which the walk meets them.
func TransitionLoops(c uint16) []Loop {
	solid := uint32(c)
	for i, sample := range HalfSample {
		solid |= uint32(c) >> sample & 1 << (FullSamples + i)
	}
	return transition.loops(solid)
}

// TransitionTriangles returns the triangles of a transition case as triples of edges. With u, v and the
// direction from the full face to the half face right-handed they face into the solid.
func TransitionTriangles(c uint16) []uint8 {
	var t []uint8
	for _, l := range TransitionLoops(c) {
		t = l.appendTriangles(t)
	}
	return t
}
