package ingest

import (
	"math"
	"testing"

	"github.com/terrane/terrane/grid"
)

func TestThreshold(t *testing.T) {
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
		v := Volume{Volume: grid.Volume{NX: len(c.values), NY: 1, NZ: 1, Samples: c.values}}
		low, high, _, _ := v.Range()
		if got := v.Threshold(low, high); !(got > c.above && got <= c.below) {
			t.Errorf("%s: %v, want %v … %v", c.name, got, c.above, c.below)
		}
	}
}
