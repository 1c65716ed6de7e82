package lattice

import (
	"slices"
	"testing"
)

// spans returns the spans with the given ends, two by two.
func spans(ends ...int32) []Span {
	var s []Span
	for i := 0; i < len(ends); i += 2 {
		s = append(s, Span{Lo: ends[i], Hi: ends[i+1]})
	}
	return s
}

func TestJoinSpans(t *testing.T) {
	for _, c := range []struct {
		name     string
		in, want []Span
		n        int
	}{
		{"none", nil, nil, 8},
		{"apart", spans(5, 6, 1, 2), spans(1, 2, 5, 6), 8},
		{"touching", spans(1, 3, 3, 4, 2, 3), spans(1, 4), 8},
		{"within", spans(1, 9, 3, 4, 10, 11), spans(1, 9, 10, 11), 8},
		{"too many", spans(0, 1, 10, 11, 12, 13, 30, 31), spans(0, 1, 10, 13, 30, 31), 3},
		{"far apart", spans(-1<<31, -1<<30, 1<<30, 1<<31-1, 0, 1), spans(-1<<31, -1<<30, 0, 1<<31-1), 2},
	} {
		if got := JoinSpans(slices.Clone(c.in), c.n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
