package edit

import (
	"fmt"
	"iter"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// A Checked is a valid edit. It is made by Edit.Check, Must and Parse only; the zero value is none, changes nothing
// and is not to be encoded. Two that are equal are the same edit.
type Checked struct {
	edit Edit
	box  lattice.Box // of level 0
}

// Edit returns the edit that was checked.
func (c Checked) Edit() Edit { return c.edit }

// Place returns where the edit is.
func (c Checked) Place() lattice.Place { return c.edit.Place }

// Plane returns what c changes.
func (c Checked) Plane() Plane {
	if c.edit.Op == 0 {
		return Densities
	}
	return c.edit.Op.kind().plane
}

// CheckPalette returns an error that wraps ErrInvalid if c paints with a material that a palette of n materials lacks.
// It is the one check that needs to know the world.
func (c Checked) CheckPalette(n int) error {
	switch m := int(c.edit.Material); {
	case c.Plane() != Materials || m < n:
		return nil
	case n == 0:
		return fmt.Errorf("%w: this world has no materials to paint with", ErrInvalid)
	default:
		return fmt.Errorf("%w: material %d is not in the world's palette of 0 … %d", ErrInvalid, m, n-1)
	}
}

// Box returns the samples that c can change at the level; samples of finer levels between them are included.
func (c Checked) Box(level uint8) lattice.Box {
	if level == 0 || c.edit.Op == 0 {
		return c.box
	}
	return c.edit.boxAt(level)
}

// boxAt is Box of a valid edit.
func (e *Edit) boxAt(level uint8) lattice.Box {
	lo, hi := e.Shape.kind().extent(e.Brush, e.margin(level))
	lo, hi = lo.Add(e.Place.Offset), hi.Add(e.Place.Offset)
	low := func(s int32, v float32) int32 { return s + int32(math.Floor(float64(v))) }
	high := func(s int32, v float32) int32 { return s + int32(math.Ceil(float64(v))) + 1 }
	s := e.Place.Sample
	return lattice.Box{
		Min: lattice.Sample{X: low(s.X, lo.X), Y: low(s.Y, lo.Y), Z: low(s.Z, lo.Z)},
		Max: lattice.Sample{X: high(s.X, hi.X), Y: high(s.Y, hi.Y), Z: high(s.Z, hi.Z)},
	}
}

// Regions yields the regions of the level that hold a brick or a chunk of which c can change a sample: those that an
// entry of the log names.
func (c Checked) Regions(level uint8) iter.Seq[lattice.Region] { return c.Box(level).Regions(level) }

// Chunks yields the chunks of the level whose grids read a sample that c can change.
func (c Checked) Chunks(level uint8) iter.Seq[lattice.Chunk] { return c.Box(level).Chunks(level) }

// Bricks yields the bricks of the level that hold a sample that c can change.
func (c Checked) Bricks(level uint8) iter.Seq[lattice.Brick] { return c.Box(level).Bricks(level) }

// Footprint returns the samples of all of those bricks: what is evaluated when c is applied at the level.
func (c Checked) Footprint(level uint8) lattice.Box {
	var b lattice.Box
	for id := range c.Bricks(level) {
		b = b.Union(id.Box())
	}
	return b
}

// Cost returns about how many samples of level 0 c reaches, at least 1: what applying it costs.
func (c Checked) Cost() int {
	if c.edit.Op == 0 {
		return 0
	}
	e := &c.edit
	return max(1, int(e.Shape.kind().volume(e.Brush, float64(e.Smooth+e.margin(0)))))
}

// Rows yields the rows of samples of the level within b that c can change: the first sample of each and their
// number. Samples that c leaves as they are may be among them.
func (c Checked) Rows(b lattice.Box, level uint8) iter.Seq2[lattice.Sample, int] {
	return func(yield func(lattice.Sample, int) bool) {
		b = b.Intersect(c.Box(level))
		up := func(v int32) int32 { return -(-v >> level) << level } // to the next sample of the level
		for z := up(b.Min.Z); z < b.Max.Z; z += 1 << level {
			for y := up(b.Min.Y); y < b.Max.Y; y += 1 << level {
				lo, hi := c.edit.rowReach(y, z, level)
				lo, hi = up(max(lo, b.Min.X)), min(hi, b.Max.X)
				if lo < hi && !yield(lattice.Sample{X: lo, Y: y, Z: z}, int((hi-1-lo)>>level)+1) {
					return
				}
			}
		}
	}
}

// rowReach returns the half-open range of x outside which e changes no sample of the level in the row y, z.
func (e *Edit) rowReach(y, z int32, level uint8) (lo, hi int32) {
	p := &e.Place
	dy := float64(y) - float64(p.Sample.Y) - float64(p.Offset.Y)
	dz := float64(z) - float64(p.Sample.Z) - float64(p.Offset.Z)
	low, high := e.Shape.kind().row(e.Brush, dy, dz, float64(e.Smooth+e.margin(level)))
	if low > high {
		return p.Sample.X, p.Sample.X
	}
	x := float64(p.Offset.X)
	return p.Sample.X + int32(math.Ceil(x+low)), p.Sample.X + int32(math.Floor(x+high)) + 1
}

// rowBlock is how many distances Row keeps on its stack: as many as a brick has samples in a row, so that a brick's
// rows are one block, while a longer one would be cleared in vain for most edits.
const rowBlock = lattice.BrickSamples

// Row applies c to a row of samples: row[i] is the density, or the material, as Plane says, of the sample i steps of
// 1<<level along x from s. A density may be NaN afterwards only if it was before; it is never −0.
func (c Checked) Row(row []float32, s lattice.Sample, level uint8) { c.edit.row(row, s, level) }

func (e *Edit) row(row []float32, s lattice.Sample, level uint8) {
	if e.Op == 0 {
		return
	}
	var distances [rowBlock]float32
	m := e.margin(level)
	for len(row) > 0 {
		n := min(len(row), rowBlock)
		e.distances(distances[:n], s, level, m)
		e.blend(row[:n], distances[:n])
		row, s.X = row[n:], s.X+int32(n)<<level
	}
}

// Value returns the density, or the material, of s at the level after c, where before is that without it, as Row does.
func (c Checked) Value(before float32, s lattice.Sample, level uint8) float32 {
	row := [1]float32{before}
	c.edit.row(row[:], s, level)
	return row[0]
}

// distanceError is more than what a computed distance may be off, in meters: distances are at most 2·MaxReach, and
// float32 has 24 bits. With less, a bound could exclude a density that Row computes; much more, and chunks beside an
// edit would be built in vain.
const distanceError = 0.01

// Bound returns an interval that holds the densities after c of the samples of b whose densities before lie in iv.
func (c Checked) Bound(iv geom.Interval, b lattice.Box) geom.Interval {
	// blend rises with the density before: what is lowest before is lowest afterwards where the shape is closest.
	e := &c.edit
	op := e.Op.kind()
	switch {
	case op == nil || op.blend == nil:
	case op.lowers:
		if v := op.blend(iv.Lo, e.least(b), e.Smooth); v < iv.Lo {
			iv.Lo = v
		}
	default:
		if v := op.blend(iv.Hi, e.least(b), e.Smooth); v > iv.Hi {
			iv.Hi = v
		}
	}
	return iv
}

// CannotChange reports whether c surely changes no sample of b, when the densities before lie in iv; false is not
// certain. A hole in the air changes nothing, nor does a ball built in solid ground.
func (c Checked) CannotChange(iv geom.Interval, b lattice.Box) bool {
	// What is highest before is the last that digging would leave: if it stays, so does all that is lower.
	e := &c.edit
	op := e.Op.kind()
	switch {
	case op == nil:
		return true
	case op.blend == nil:
		return false
	case op.lowers:
		return op.blend(iv.Hi, e.least(b), e.Smooth) == iv.Hi
	}
	return op.blend(iv.Lo, e.least(b), e.Smooth) == iv.Lo
}

// least returns a distance that no sample of b is below.
func (e *Edit) least(b lattice.Box) float32 {
	p := &e.Place
	axis := func(s, place int32, offset float32) float32 {
		return float32(float64(s) - float64(place) - float64(offset))
	}
	lo := geom.Vec3{X: axis(b.Min.X, p.Sample.X, p.Offset.X), Y: axis(b.Min.Y, p.Sample.Y, p.Offset.Y), Z: axis(b.Min.Z, p.Sample.Z, p.Offset.Z)}
	hi := geom.Vec3{
		X: axis(b.Max.X-1, p.Sample.X, p.Offset.X), Y: axis(b.Max.Y-1, p.Sample.Y, p.Offset.Y), Z: axis(b.Max.Z-1, p.Sample.Z, p.Offset.Z),
	}
	return e.Shape.kind().least(e.Brush, lo, hi) - distanceError
}
