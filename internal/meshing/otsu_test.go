package meshing

import (
	"math"
	"testing"
)

func TestOtsu(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float32
		above  float32 // the result lies above this …
		below  float32 // … and not above that
	}{
		{"two kinds", []float32{0, 0, 0, 257, 257, float32(math.NaN())}, 100, 157},
		{"noisy", []float32{10, 11, 12, 13, 90, 91, 92, 93, 94}, 20, 85},
		{"one kind", []float32{5, 5, 5}, 4.9, 5},
	} {
		low, high := float32(math.Inf(1)), float32(math.Inf(-1))
		for _, v := range c.values {
			if v == v {
				low, high = min(low, v), max(high, v)
			}
		}
		if got := otsu(c.values, low, high); !(got > c.above && got <= c.below) {
			t.Errorf("%s: %v, want %v … %v", c.name, got, c.above, c.below)
		}
	}
}
