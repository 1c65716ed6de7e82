package world

import (
	"math"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// Columns appends to dst the spans of chunk numbers y, ascending and disjoint, that can hold surface in the
// column of chunks x, z at the world's level: from the bounds of the field, the bricks and the pending edits.
func (w *World) Columns(dst []lattice.Span, x, z int32) []lattice.Span {
	box := gridBox(lattice.Chunk{X: x, Z: z, Level: w.level})
	w.heights = w.layer.Spans(w.heights[:0], box)
	for i := range w.pending {
		p := w.pending[i].box // painting moves no surface
		if w.pending[i].edit.Plane() != edit.Densities {
			continue
		}
		if p.Min.X < box.Max.X && p.Max.X > box.Min.X && p.Min.Z < box.Max.Z && p.Max.Z > box.Min.Z {
			w.heights = append(w.heights, lattice.Span{Lo: p.Min.Y - 1, Hi: p.Max.Y + 1})
		}
	}
	n, first := lattice.ChunkShift+w.level, len(dst)
	h := int32(1) << w.level
	for _, s := range w.heights {
		// A chunk's grid reads one sample below its cells and one above.
		dst = append(dst, lattice.Span{Lo: (s.Lo - 2*h) >> n, Hi: (s.Hi+h)>>n + 1})
	}
	return w.narrow(dst[:first+len(lattice.JoinSpans(dst[first:], math.MaxInt))], first, x, z)
}

// narrowest is how many chunks above each other are looked at one by one: more than a view is high are not worth it.
const narrowest = 32

// narrow leaves out of the spans from first on the chunks of a column that cannot hold surface. Heights are found over
// all of a column at once; a chunk's own bounds are closer, and cost half of what filling it in vain would.
func (w *World) narrow(dst []lattice.Span, first int, x, z int32) []lattice.Span {
	w.spans = append(w.spans[:0], dst[first:]...)
	dst = dst[:first]
	for _, s := range w.spans {
		if int64(s.Hi)-int64(s.Lo) > narrowest {
			dst = append(dst, s)
			continue
		}
		for y := s.Lo; y < s.Hi; y++ {
			if !w.HasSurface(lattice.Chunk{X: x, Y: y, Z: z, Level: w.level}) {
				continue
			}
			if n := len(dst); n > first && dst[n-1].Hi == y {
				dst[n-1].Hi++
			} else {
				dst = append(dst, lattice.Span{Lo: y, Hi: y + 1})
			}
		}
	}
	return dst
}

// HasSurface reports whether c can hold surface; false is certain. It costs no more than a few bounds.
func (w *World) HasSurface(c lattice.Chunk) bool { return crosses(w.bounds(gridBox(c))) }

// crosses reports whether an interval of densities holds both solid and air.
func crosses(iv geom.Interval) bool { return iv.Hi > 0 && iv.Lo <= 0 }

// bounds returns an interval that holds the density of every sample of the level in b.
func (w *World) bounds(b lattice.Box) geom.Interval {
	return w.boundsWithPending(w.layer.Bounds(b), b)
}

// boundsWithPending returns iv widened by what the pending edits can make of the samples of b.
func (w *World) boundsWithPending(iv geom.Interval, b lattice.Box) geom.Interval {
	for i := range w.pending {
		p := &w.pending[i]
		if box := p.box.Intersect(b); !box.Empty() {
			iv = p.edit.Bound(iv, box)
		}
	}
	return iv
}
