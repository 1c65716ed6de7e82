package brick

import (
	"cmp"
	"slices"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/lattice"
)

// maxSpans is the greatest number of spans that Heights appends, by the contract of field.Terrain.
const maxSpans = 8

// Heights appends the spans of the field and those of the edited samples, joined.
func (l *Layer) Heights(dst []field.Span, b lattice.Box) []field.Span {
	first := len(dst)
	dst = l.base.Heights(dst, b)
	if l.bricks == 0 || b.Min.X >= b.Max.X || b.Min.Z >= b.Max.Z {
		return dst
	}
	for stack := range l.stacks(b) {
		for _, k := range stack {
			lo, hi := k.heights()
			o := k.id.Origin().Y
			// A sign may change from the sample below the lowest edited one to that above the highest.
			dst = append(dst, field.Span{Lo: o + (lo-1)<<l.level, Hi: o + hi<<l.level + 1})
		}
	}
	return dst[:first+len(Join(dst[first:], maxSpans))]
}

// Join sorts spans, unites those that touch and then the closest ones until at most n are left. The result
// shares the memory of spans.
func Join(spans []field.Span, n int) []field.Span {
	if len(spans) == 0 {
		return spans
	}
	slices.SortFunc(spans, func(a, b field.Span) int {
		return cmp.Or(cmp.Compare(a.Lo, b.Lo), cmp.Compare(a.Hi, b.Hi))
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.Lo <= last.Hi {
			last.Hi = max(last.Hi, s.Hi)
		} else {
			out = append(out, s)
		}
	}
	for len(out) > n {
		closest := 1
		for i := range out[1:] {
			if gap(out, i+1) < gap(out, closest) {
				closest = i + 1
			}
		}
		out[closest-1].Hi = out[closest].Hi
		out = slices.Delete(out, closest, closest+1)
	}
	return out
}

// gap returns the distance between span i and the one below it.
func gap(spans []field.Span, i int) int64 { return int64(spans[i].Lo) - int64(spans[i-1].Hi) }
