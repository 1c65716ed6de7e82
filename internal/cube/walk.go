package cube

// A polyhedron is a cell for the walk over its faces.
type polyhedron struct {
	faces [][]uint8              // corners in order, all faces going round the same way seen from outside
	edge  func(a, b uint8) uint8 // the edge between two neighboring corners of a face
}

const none = 0xff

// A line runs over a face from the edge where a run of solid corners ends to the edge where it began.
type line struct{ from, to, face uint8 }

// lines returns the lines of a case in the order of the faces, and on a face in the order of its corners.
func (p *polyhedron) lines(solid func(corner uint8) bool) []line {
	var out []line
	for f, corners := range p.faces {
		n := len(corners)
		for i, c := range corners {
			next := corners[(i+1)%n]
			if !solid(c) || solid(next) {
				continue
			}
			j := i // walk back to the run's first corner
			for solid(corners[(j+n-1)%n]) {
				j = (j + n - 1) % n
			}
			began := p.edge(corners[(j+n-1)%n], corners[j])
			out = append(out, line{p.edge(c, next), began, uint8(f)})
		}
	}
	return out
}

// loops joins the lines of a case into loops.
func (p *polyhedron) loops(solid func(corner uint8) bool) []Loop {
	lines := p.lines(solid)
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
func (p *polyhedron) shareFace(a, b uint8) bool {
	for _, corners := range p.faces {
		var hasA, hasB bool
		for i, c := range corners {
			e := p.edge(c, corners[(i+1)%len(corners)])
			hasA = hasA || e == a
			hasB = hasB || e == b
		}
		if hasA && hasB {
			return true
		}
	}
	return false
}
