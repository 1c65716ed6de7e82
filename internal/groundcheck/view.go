package groundcheck

import (
	"fmt"
	"math"
	"time"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/lattice"
)

// patience is how long it is looked for surface, and then how long nodes are measured: a document of thousands of
// nodes, or with surface at all heights, would take hours.
const patience = 5 * time.Second

// HeavyChunk is from what cost on, in nanoseconds a chunk, a world is too heavy: a view of radius 8 has hundreds of
// chunks with surface, and each edit has the server compute some.
const HeavyChunk = 30e6

// hopelessChunk is from what cost on there is no looking for surface.
const hopelessChunk = 1e9

// Heavy says what it means if chunks cost so many nanoseconds.
func Heavy(ns float64) string {
	if ns < HeavyChunk {
		return ""
	}
	return fmt.Sprintf(": heavy, %.0f s of work for 500 chunks", 500*ns/1e9)
}

// A view describes the surface round the middle of a world.
type view struct {
	box       lattice.Box
	low, high *int32 // heights of the lowest and the highest surface, nil if there is none
	chunks    int
	cut       bool          // it was late before all was seen
	busy      lattice.Chunk // one that can hold surface, near the middle
}

// viewBox looks round the middle of a world, so many chunks far, until late says so.
func viewBox(ground field.Terrain, radius int, late func() bool) view {
	r := int32(radius)
	v := view{box: importer.BoxAround(radius)}
	var spans []lattice.Span
	nearest := int64(math.MaxInt64)
	for x := -r; x < r; x++ {
		for z := -r; z < r; z++ {
			if v.cut = v.cut || late(); v.cut {
				break
			}
			b := lattice.Box{Min: lattice.Sample{X: 32*x - 1, Z: 32*z - 1}, Max: lattice.Sample{X: 32*x + 34, Z: 32*z + 34}}
			spans = ground.Spans(spans[:0], b)
			for _, s := range spans {
				v.include(s)
				for y := (s.Lo - 33) >> 5; y <= (s.Hi+1)>>5; y++ {
					if v.cut = late(); v.cut {
						break
					}
					b.Min.Y, b.Max.Y = 32*y-1, 32*y+34
					if i := ground.Bounds(b); i.Lo > 0 || i.Hi <= 0 {
						continue
					}
					v.chunks++
					if d := int64(x)*int64(x) + int64(z)*int64(z) + int64(y)*int64(y); d < nearest {
						nearest, v.busy = d, lattice.Chunk{X: x, Y: y, Z: z}
					}
				}
			}
		}
	}
	if v.low != nil {
		v.box.Min.Y, v.box.Max.Y = max(*v.low, -1<<20), min(*v.high+1, 1<<20)
	}
	return v
}

// include makes room for a span of heights.
func (v *view) include(s lattice.Span) {
	if v.low == nil || s.Lo < *v.low {
		v.low = &s.Lo
	}
	if v.high == nil || s.Hi > *v.high {
		v.high = &s.Hi
	}
}
