package cube

// A polyhedron is a cell for the walk over its faces.
type polyhedron struct {
	faces [][]uint8  // corners in order, all faces going round the same way seen from outside
	edges [][]uint8  // of each face, the edge from each corner to the next
	share [32]uint32 // for each edge, the edges that lie on a face with it, as bits
}

const none = 0xff

// newPolyhedron returns a polyhedron with the given faces; edge returns the edge between two corners that
// follow each other on a face.
func newPolyhedron(faces [][]uint8, edge func(a, b uint8) uint8) *polyhedron {
	p := &polyhedron{faces: faces}
	for _, corners := range faces {
		var edges []uint8
		var set uint32
		for i, c := range corners {
			e := edge(c, corners[(i+1)%len(corners)])
			edges = append(edges, e)
			set |= 1 << e
		}
		for _, e := range edges {
			p.share[e] |= set
		}
		p.edges = append(p.edges, edges)
	}
	return p
}

// A line runs over a face from the edge where a run of solid corners ends to the edge where it began.
type line struct{ from, to, face uint8 }

// lines appends the lines of a case in the order of the faces, and on a face in the order of its corners.
// Bit i of solid is set when corner i is.
func (p *polyhedron) lines(dst []line, solid uint32) []line {
	for f, corners := range p.faces {
		n := len(corners)
		is := func(i int) bool { return solid>>corners[i%n]&1 != 0 }
		for i := range n {
			if !is(i) || is(i+1) {
				continue
			}
			first := i + n // walk back to the run's first corner
			for is(first - 1) {
				first--
			}
			dst = append(dst, line{p.edges[f][i], p.edges[f][(first-1)%n], uint8(f)})
		}
	}
	return dst
}

// loops joins the lines of a case into loops.
func (p *polyhedron) loops(solid uint32) []Loop {
	var room [32]line
	lines := p.lines(room[:0], solid)
	var next [32]line
	for _, l := range lines {
		next[l.from] = l
	}
	var out []Loop
	var done uint32
	for _, first := range lines {
		if done>>first.from&1 != 0 {
			continue
		}
		var l Loop
		for e := first.from; done>>e&1 == 0; e = next[e].to {
			done |= 1 << e
			l.Edges = append(l.Edges, e)
			l.Faces = append(l.Faces, next[e].face)
		}
		l.Apex = p.apex(&l)
		out = append(out, l)
	}
	return out
}

// apex returns the first place in l from which no inner diagonal joins two edges of one face.
func (p *polyhedron) apex(l *Loop) int {
	n := len(l.Edges)
search:
	for i := range n {
		for j := 2; j <= n-2; j++ {
			if p.shareFace(l.Edges[i], l.Edges[(i+j)%n]) {
				continue search
			}
		}
		return i
	}
	panic("cube: a loop has no fan")
}

// shareFace reports whether edges a and b lie on one face.
func (p *polyhedron) shareFace(a, b uint8) bool { return p.share[a]>>b&1 != 0 }
