package cube

// A Part is a polygon cut from a loop: it passes over every face at most once. A part of an uncut loop is
// the loop itself.
type Part struct {
	Edges []uint8
	// Faces holds the face that side i, from Edges[i] to the next, runs over, or Chord for a cut.
	Faces []uint8
}

// Chord stands for the face of a part's side that lies within the cell.
const Chord = none

// Parts returns the parts of a case's loops, in the order of the loops: as few as there can be.
func Parts(c uint8) []Part {
	var out []Part
	for _, l := range Loops(c) {
		out = append(out, cut(Part{l.Edges, l.Faces})...)
	}
	return out
}

// Has reports whether e is one of the part's edges.
func (p *Part) Has(e uint8) bool { return p.Mask()>>e&1 != 0 }

// Mask returns the part's edges as a set of bits.
func (p *Part) Mask() uint16 {
	var set uint16
	for _, e := range p.Edges {
		set |= 1 << e
	}
	return set
}

// cut cuts p into the fewest parts that pass over no face twice; of equal ways it takes the first.
func cut(p Part) []Part {
	if !p.repeats() {
		return []Part{p}
	}
	var best []Part
	n := len(p.Edges)
	for i := range n {
		for j := i + 2; j < n && j-i < n-1; j++ {
			if regular.shareFace(p.Edges[i], p.Edges[j]) {
				continue
			}
			a, b := p.split(i, j)
			if parts := append(cut(a), cut(b)...); len(parts) > 0 && (best == nil || len(parts) < len(best)) {
				best = parts
			}
		}
	}
	return best
}

// split cuts p by the chord between its corners i and j, i < j.
func (p *Part) split(i, j int) (a, b Part) {
	for k := i; k < j; k++ {
		a.Edges, a.Faces = append(a.Edges, p.Edges[k]), append(a.Faces, p.Faces[k])
	}
	a.Edges, a.Faces = append(a.Edges, p.Edges[j]), append(a.Faces, Chord)
	n := len(p.Edges)
	for k := j; k < i+n; k++ {
		b.Edges, b.Faces = append(b.Edges, p.Edges[k%n]), append(b.Faces, p.Faces[k%n])
	}
	b.Edges, b.Faces = append(b.Edges, p.Edges[i]), append(b.Faces, Chord)
	return a, b
}

// repeats reports whether p passes over a face twice.
func (p *Part) repeats() bool {
	var seen uint32
	for _, f := range p.Faces {
		if f != Chord && seen>>f&1 != 0 {
			return true
		}
		seen |= 1 << (f & 31)
	}
	return false
}
