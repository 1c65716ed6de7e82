package preview

import (
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/lattice"
)

// Names and descriptions stay on the picture.
func TestShortenTo(t *testing.T) {
	ts := newType(nil)
	for _, text := range []string{"", "short", "two\nlines", strings.Repeat("word ", 100), strings.Repeat("x", 400), strings.Repeat("山", 400)} {
		got := shortenTo(text, ts, 13, 200)
		if ts.width(got, 13) > 200 || strings.Contains(got, "\n") || len(text) > 100 && len(got) < 10 {
			t.Errorf("%.20q: %q", text, got)
		}
	}
}

// A field with surface at all heights has millions of layers; some are looked at, from the top, each once.
func TestLayers(t *testing.T) {
	s := &scene{}
	for name, c := range map[string]struct {
		spans []lattice.Span
		want  int
	}{
		"endless":  {[]lattice.Span{{Lo: -lattice.Limit, Hi: lattice.Limit}}, maxLayers},
		"none":     {nil, 0},
		"adjacent": {[]lattice.Span{{Lo: -40, Hi: 10}, {Lo: 12, Hi: 20}}, 4}, // 0, −1, −2 and one below
	} {
		got := slices.Collect(s.layers(c.spans))
		if len(got) != c.want || !slices.IsSortedFunc(got, func(a, b int32) int { return int(b) - int(a) }) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
