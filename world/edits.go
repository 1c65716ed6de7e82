package world

import (
	"iter"
	"math"
	"slices"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
)

// Touched yields the chunks whose grids hold a sample that e can change.
func (w *World) Touched(e edit.Checked) iter.Seq[lattice.Chunk] { return e.Chunks(w.level) }

// Apply applies a confirmed edit to the bricks and returns the samples of the bricks that changed. Confirmed
// edits come in the server's order.
func (w *World) Apply(e edit.Checked) brick.Change { return w.layer.Apply(e) }

// Pend lays e over the world until it is confirmed or refused under id.
func (w *World) Pend(id uint64, e edit.Checked) {
	w.pending = append(w.pending, pending{id, e, e.Box(w.level)})
}

// Predict is Pend, and returns the samples that look different now. For that it reads every sample in e's reach.
func (w *World) Predict(id uint64, e edit.Checked) brick.Change {
	var c brick.Change
	var before, after [rowLen]float32
	for s, n := range e.Rows(e.Box(w.level), w.level) {
		w.row(e.Plane(), before[:n], s)
		copy(after[:n], before[:n])
		e.Row(after[:n], s, w.level)
		w.count(&c, s, before[:n], after[:n])
	}
	w.Pend(id, e)
	return c
}

// find returns the place of the pending edit id, or −1.
func (w *World) find(id uint64) int {
	return slices.IndexFunc(w.pending, func(p pending) bool { return p.id == id })
}

// Confirm applies an edit of the log to the bricks of the regions for which in answers true (nil: all), as
// brick.Layer.ApplyIn does, and drops the pending edit id that predicted it, if there is one. applied holds the
// samples of bricks that changed, shown those that look different now: none when the prediction was right,
// and those of applied when nothing was pending there.
func (w *World) Confirm(id uint64, e edit.Checked, in func(lattice.Region) bool) (applied, shown brick.Change) {
	own := w.find(id)
	if own >= 0 && w.pending[own].edit != e {
		own = -1 // not what was predicted: two changes of the view
		shown = w.Refuse(id)
	}
	box, overlaps := e.Box(w.level), false
	for i := range w.pending {
		p := &w.pending[i]
		overlaps = overlaps || i != own && p.edit.Plane() == e.Plane() && !p.box.Intersect(box).Empty()
	}
	confirm := func() {
		applied = w.layer.ApplyIn(e, in)
		if own >= 0 {
			w.pending = slices.Delete(w.pending, own, own+1)
		}
	}
	switch {
	case overlaps || own >= 0 && !w.within(box, in):
		shown = join(shown, w.differ(e, confirm))
	case own >= 0:
		confirm() // the very samples that were shown
	default:
		confirm()
		shown = join(shown, applied)
	}
	return applied, shown
}

// within reports whether in, nil for all, answers true for every region that holds a sample of b.
func (w *World) within(b lattice.Box, in func(lattice.Region) bool) bool {
	if in == nil {
		return true
	}
	for id := range b.Bricks(w.level) {
		if !in(id.Region()) {
			return false
		}
	}
	return true
}

// Refuse drops the pending edit id and returns the samples that look different now.
func (w *World) Refuse(id uint64) brick.Change {
	i := w.find(id)
	if i < 0 {
		return brick.Change{}
	}
	return w.differ(w.pending[i].edit, func() { w.pending = slices.Delete(w.pending, i, i+1) })
}

// join returns the changes of both; a sample that changed twice counts twice.
func join(a, b brick.Change) brick.Change {
	return brick.Change{Box: a.Box.Union(b.Box), Samples: a.Samples + b.Samples}
}

// differ calls change, which alters no sample out of e's reach, and returns the samples that look different
// after it.
func (w *World) differ(e edit.Checked, change func()) brick.Change {
	w.view = w.view[:0]
	for s, n := range e.Rows(e.Box(w.level), w.level) {
		at := len(w.view)
		w.view = slices.Grow(w.view, n)[:at+n]
		w.row(e.Plane(), w.view[at:], s)
	}
	change()
	var c brick.Change
	before := w.view
	var after [rowLen]float32
	for s, n := range e.Rows(e.Box(w.level), w.level) {
		w.row(e.Plane(), after[:n], s)
		w.count(&c, s, before[:n], after[:n])
		before = before[n:]
	}
	return c
}

// count adds to c the samples of a row from s whose bits differ.
func (w *World) count(c *brick.Change, s lattice.Sample, before, after []float32) {
	for i, v := range after {
		if math.Float32bits(v) != math.Float32bits(before[i]) {
			c.Add(s.Add(int32(i)<<w.level, 0, 0))
		}
	}
}

// rowLen bounds the samples of a row that an edit reaches: 2·(MaxReach + 2·2ⁿ) meters, 2ⁿ apart.
const rowLen = 2*edit.MaxReach + 8

// row sets dst[i] to what a plane holds, pending edits included, at the sample i steps of the level along x from s.
func (w *World) row(plane edit.Plane, dst []float32, s lattice.Sample) {
	if plane == edit.Materials {
		w.layer.MaterialRow(dst, s)
	} else {
		w.layer.Row(dst, s)
	}
	for i := range w.pending {
		p := &w.pending[i]
		if p.edit.Plane() == plane && s.Y >= p.box.Min.Y && s.Y < p.box.Max.Y && s.Z >= p.box.Min.Z && s.Z < p.box.Max.Z {
			p.edit.Row(dst, s, w.level)
		}
	}
}
