package brick

import "github.com/terrane/terrane/lattice"

// maxSpans is the greatest number of spans that Spans appends, by the contract of field.Terrain.
const maxSpans = 8

// Spans appends the spans of the field and those of the edited samples, joined.
func (l *Layer) Spans(dst []lattice.Span, b lattice.Box) []lattice.Span {
	first := len(dst)
	dst = l.base.Spans(dst, b)
	if l.bricks == 0 || b.Min.X >= b.Max.X || b.Min.Z >= b.Max.Z {
		return dst
	}
	for stack := range l.stacks(b) {
		for _, k := range stack {
			lo, hi := k.density.heights()
			if lo == hi {
				continue // painted only
			}
			o := k.id.Origin().Y
			// A sign may change from the sample below the lowest edited one to that above the highest.
			dst = append(dst, lattice.Span{Lo: o + (lo-1)<<l.level, Hi: o + hi<<l.level + 1})
		}
	}
	return dst[:first+len(lattice.JoinSpans(dst[first:], maxSpans))]
}
