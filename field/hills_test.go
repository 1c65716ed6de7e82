package field_test

import (
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// TestHills checks what the default world promises: solid below −64, ground at the heights of a landscape,
// and caves, openings and overhangs.
func TestHills(t *testing.T) {
	const reach = 512
	for _, seed := range []int64{1, -5, 1 << 40} {
		f := compile(t, field.Hills(seed))
		for x := int32(-reach); x < reach; x += 64 {
			for z := int32(-reach); z < reach; z += 64 {
				b := lattice.Box{Min: lattice.Sample{X: x, Y: -5000, Z: z}, Max: lattice.Sample{X: x + 64, Y: -64, Z: z + 64}}
				if i := f.Bounds(b); i.Lo <= 0 {
					t.Errorf("seed %d: bounds %v of %v, want all solid", seed, i, b)
				}
			}
		}
		low, high := float32(1e9), float32(-1e9)
		caves, overhangs, openings, columns := 0, 0, 0, 0
		for x := int32(-reach); x < reach; x += 32 {
			for z := int32(-reach); z < reach; z += 32 {
				h := f.Ground(x, z)
				low, high = min(low, h), max(high, h)
				air, above := 0, false
				for y := int32(h) + 24; y > -64; y-- {
					solid := grid.Solid(f.At(lattice.Sample{X: x, Y: y, Z: z}))
					if above && !solid {
						air++
						if float32(y) > h-3 {
							overhangs++
						}
					}
					above = above || solid
				}
				if air > 0 {
					caves++
				}
				if !grid.Solid(f.At(lattice.Sample{X: x, Y: int32(h) - 4, Z: z})) && !grid.Solid(f.At(lattice.Sample{X: x, Y: int32(h) - 1, Z: z})) {
					openings++
				}
				columns++
			}
		}
		t.Logf("seed %d: ground from %v to %v m; of %d columns %d have caves, %d open ground; %d samples under overhangs",
			seed, low, high, columns, caves, openings, overhangs)
		if low < -25 || high > 80 || high-low < 40 {
			t.Errorf("seed %d: ground from %v to %v m", seed, low, high)
		}
		if caves < columns/50 || caves > columns/2 || openings < columns/500 || openings > columns/10 || overhangs == 0 {
			t.Errorf("seed %d: caves %d, openings %d, overhangs %d of %d", seed, caves, openings, overhangs, columns)
		}
	}
}
