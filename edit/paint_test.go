package edit

import (
	"testing"

	"github.com/terrane/terrane/lattice"
)

// TestPaint checks that paint covers the samples in its shape, none beside it, whatever was there, and that a palette
// is held to.
func TestPaint(t *testing.T) {
	e := ball(Paint, 3, 0)
	e.Material = 7
	c := Must(e)
	at := e.Place.Sample
	for _, s := range []struct {
		at   lattice.Sample
		want float32
	}{{at, 7}, {at.Add(3, 0, 0), 7}, {at.Add(0, -3, 0), 7}, {at.Add(3, 1, 0), -1}, {at.Add(0, 0, 4), -1}} {
		for _, before := range []float32{-1, 0, 7, 255} {
			want := s.want
			if want < 0 {
				want = before
			}
			if got := c.Value(before, s.at, 0); got != want {
				t.Errorf("material %v at %v becomes %v, want %v", before, s.at, got, want)
			}
		}
	}
	if c.CheckPalette(8) != nil || c.CheckPalette(7) == nil || c.CheckPalette(0) == nil || Must(ball(Dig, 3, 0)).CheckPalette(0) != nil {
		t.Error("the palette's size is checked wrongly")
	}
	e.Smooth = 1
	if refused(t, e) == nil {
		t.Error("smooth paint is accepted")
	}
	dig := ball(Dig, 3, 0)
	if dig.Material = 1; refused(t, dig) == nil {
		t.Error("digging with a material is accepted")
	}
}
