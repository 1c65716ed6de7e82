package fdlibm

import (
	"math"
	"testing"
)

// TestSine holds the sine and cosine to Go's, which are as close to the true ones, from tiny to huge.
func TestSine(t *testing.T) {
	for x := 1e-10; x < 1e15; x *= 1.00037 {
		for _, v := range []float64{x, -x, math.Round(x) * math.Pi / 2, math.Round(x)} {
			if math.Abs(v) > 1<<49 {
				continue
			}
			if got, want := Sin(v), math.Sin(v); math.Abs(got-want) > 1e-15 {
				t.Fatalf("Sin(%v) is %v, want %v", v, got, want)
			}
			if got, want := Cos(v), math.Cos(v); math.Abs(got-want) > 1e-15 {
				t.Fatalf("Cos(%v) is %v, want %v", v, got, want)
			}
		}
	}
}
