package lattice

import (
	"cmp"
	"slices"
)

// A Span is a half-open run of samples above each other: their heights y with Lo ≤ y < Hi.
type Span struct{ Lo, Hi int32 }

// JoinSpans sorts spans, unites those that overlap or touch, and then the closest ones until at most n are left.
// The result shares the memory of spans.
func JoinSpans(spans []Span, n int) []Span {
	if len(spans) == 0 {
		return spans
	}
	slices.SortFunc(spans, func(a, b Span) int {
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

// gap returns the number of heights between span i and the one below it.
func gap(spans []Span, i int) int64 { return int64(spans[i].Lo) - int64(spans[i-1].Hi) }
