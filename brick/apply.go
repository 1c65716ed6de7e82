package brick

import (
	"iter"
	"math"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// A Change says which samples of a level got other bits.
type Change struct {
	Box     lattice.Box // the smallest box that holds them, empty for none
	Samples int         // how many they are
}

// Add counts a sample of the level in.
func (c *Change) Add(s lattice.Sample) {
	one := lattice.Box{Min: s, Max: s.Add(1, 1, 1)}
	c.Box = c.Box.Union(one)
	c.Samples++
}

// Chunks yields the chunks of the level whose grids read a sample of the change's box.
func (c Change) Chunks(level uint8) iter.Seq[lattice.Chunk] { return c.Box.Chunks(level) }

// Apply changes the samples of the layer as e says and returns those that changed. Bricks of changed samples
// are replaced, others stay.
func (l *Layer) Apply(e edit.Checked) Change { return l.ApplyIn(e, nil) }

// ApplyIn is Apply for the bricks of the regions for which in answers true; nil stands for all.
func (l *Layer) ApplyIn(e edit.Checked, in func(lattice.Region) bool) Change {
	var c Change
	box := e.Box(l.level)
	for id := range box.Bricks(l.level) {
		if in != nil && !in(id.Region()) {
			continue
		}
		b, part := l.Brick(id), box.Intersect(id.Box())
		if e.Plane() == edit.Materials {
			if l.collectMaterials(e, part, id, b, &c); len(l.changes) > 0 {
				l.Put(b.withMaterials(id, l.changes))
			}
			continue
		}
		if l.cannotChange(e, part, id, b) {
			continue
		}
		if l.collect(e, part, id, b, &c); len(l.changes) > 0 {
			l.Put(b.withDensities(id, l.changes))
		}
	}
	return c
}

// cannotChange reports whether e surely changes no sample of part, which lies in the brick b (nil for none) with the
// number id: most bricks in the box of a great brush lie in air that it digs, or in ground that it builds.
func (l *Layer) cannotChange(e edit.Checked, part lattice.Box, id lattice.Brick, b *Brick) bool {
	var iv geom.Interval
	if k := l.block(id); k.bounded {
		iv = k.bounds
	} else {
		iv = l.base.Bounds(part)
	}
	if b != nil {
		iv = iv.Union(b.bounds)
	}
	return e.CannotChange(iv, part)
}

// collect sets l.changes to what e does to the samples of part, which lies in the brick b (nil for none) with
// the number id, and counts it in c.
func (l *Layer) collect(e edit.Checked, part lattice.Box, id lattice.Brick, b *Brick, c *Change) {
	l.changes = l.changes[:0]
	level := l.level
	size := func(lo, hi int32) int { return int((hi-lo)>>level) + 1 }
	dense := l.dense(id, size(part.Min.X, part.Max.X)*size(part.Min.Y, part.Max.Y)*size(part.Min.Z, part.Max.Z)/2)
	var before, after [side]float32
	for s, n := range e.Rows(part, level) {
		l.row(before[:n], s, dense, b)
		after = before
		e.Row(after[:n], s, level)
		l.note(s, before[:n], after[:n], c)
	}
}

// collectMaterials is collect for an edit of materials.
func (l *Layer) collectMaterials(e edit.Checked, part lattice.Box, id lattice.Brick, b *Brick, c *Change) {
	l.changes = l.changes[:0]
	var before, after [side]float32
	for s, n := range e.Rows(part, l.level) {
		l.materialRow(before[:n], s, b)
		after = before
		e.Row(after[:n], s, l.level)
		l.note(s, before[:n], after[:n], c)
	}
}

// note adds to l.changes and to c the samples of a row from s, within one brick, whose bits differ.
func (l *Layer) note(s lattice.Sample, before, after []float32, c *Change) {
	x, y, z := inBrick(s, l.level)
	at := (z*side+y)*side + x
	for i, v := range after {
		if math.Float32bits(v) != math.Float32bits(before[i]) {
			l.changes = append(l.changes, change{uint16(at + int32(i)), v})
			c.Add(s.Add(int32(i)<<l.level, 0, 0))
		}
	}
}
