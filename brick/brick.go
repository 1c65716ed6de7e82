package brick

import (
	"math"
	"math/bits"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

const (
	side = lattice.BrickSamples // samples along a brick's side, and bits in a row
	rows = side * side          // rows along x, numbered z·side + y

	// MaxLen is the number of samples of a brick, all edited.
	MaxLen = side * side * side
)

// A Brick holds the edited densities and the painted materials of one cube of 32³ samples. It is never empty and
// never changes.
type Brick struct {
	id        lattice.Brick
	hash      uint64
	bounds    geom.Interval // of densities, empty without any
	density   *plane[float32]
	materials *plane[uint8]
}

// ID returns the number of the brick.
func (b *Brick) ID() lattice.Brick { return b.id }

// Len returns the number of samples with an edited density.
func (b *Brick) Len() int { return b.density.len() }

// Painted returns the number of samples with a painted material.
func (b *Brick) Painted() int { return b.materials.len() }

// Hash returns the xor over the edited densities and painted materials of mix(sample number, level, value bits).
func (b *Brick) Hash() uint64 { return b.hash }

// Bounds returns the smallest and the greatest edited density, an empty interval if there is none.
func (b *Brick) Bounds() geom.Interval { return b.bounds }

// SizeBytes returns about how much memory the brick takes.
func (b *Brick) SizeBytes() int { return 64 + b.density.sizeBytes(4) + b.materials.sizeBytes(1) }

// At returns the density of the sample s if s lies in the brick, belongs to its level and is edited.
func (b *Brick) At(s lattice.Sample) (float32, bool) {
	if !b.holds(s) {
		return 0, false
	}
	return b.density.at(inBrick(s, b.id.Level))
}

// Material returns the painted material of the sample s if s lies in the brick, belongs to its level and is painted.
func (b *Brick) Material(s lattice.Sample) (uint8, bool) {
	if !b.holds(s) {
		return 0, false
	}
	return b.materials.at(inBrick(s, b.id.Level))
}

// holds reports whether s lies in b and belongs to its level.
func (b *Brick) holds(s lattice.Sample) bool {
	level := b.id.Level
	return lattice.BrickOf(s, level) == b.id && (s.X|s.Y|s.Z)&(1<<level-1) == 0
}

// inBrick returns the place of s in its brick.
func inBrick(s lattice.Sample, level uint8) (x, y, z int32) {
	return s.X >> level & (side - 1), s.Y >> level & (side - 1), s.Z >> level & (side - 1)
}

// withDensities returns the brick with densities changed, in ascending order and at least one; b is nil for a brick
// without edited samples yet.
func (b *Brick) withDensities(id lattice.Brick, changes []change) *Brick {
	n := b.copied(id)
	for _, c := range changes {
		s := n.sample(c.at)
		if old, ok := n.density.at(inBrick(s, id.Level)); ok {
			n.hash ^= mix(s, id.Level, math.Float32bits(old))
		}
		n.hash ^= mix(s, id.Level, math.Float32bits(c.value))
	}
	n.density = n.density.with(changes)
	n.bound()
	return n
}

// withMaterials is withDensities for materials.
func (b *Brick) withMaterials(id lattice.Brick, changes []change) *Brick {
	n := b.copied(id)
	for _, c := range changes {
		s := n.sample(c.at)
		if old, ok := n.materials.at(inBrick(s, id.Level)); ok {
			n.hash ^= mix(s, id.Level, materialBits(old))
		}
		n.hash ^= mix(s, id.Level, materialBits(uint8(c.value)))
	}
	n.materials = n.materials.with(changes)
	return n
}

// copied returns a brick that shares b's planes, which never change, or an empty one for nil.
func (b *Brick) copied(id lattice.Brick) *Brick {
	if b == nil {
		return &Brick{id: id, bounds: noDensities}
	}
	n := *b
	return &n
}

// noDensities are the bounds of a brick whose samples are painted and nothing else: empty, so that it adds nothing to
// another interval.
var noDensities = geom.Interval{Lo: float32(math.Inf(1)), Hi: float32(math.Inf(-1))}

// sample returns the number of a sample by its place in the brick.
func (b *Brick) sample(at uint16) lattice.Sample {
	o, level := b.id.Origin(), b.id.Level
	i := int32(at)
	return o.Add(i%side<<level, i/side%side<<level, i/rows<<level)
}

// bound works out the bounds of the densities.
func (b *Brick) bound() {
	iv := noDensities
	for _, v := range b.density.values {
		if v < iv.Lo {
			iv.Lo = v
		}
		if v > iv.Hi {
			iv.Hi = v
		}
	}
	b.bounds = iv
}

// hashAll works out the hash from all values.
func (b *Brick) hashAll() {
	b.hash = 0
	if p := b.density; p != nil {
		i := 0
		for row, m := range p.mask {
			for ; m != 0; m &= m - 1 {
				b.hash ^= mix(b.sample(uint16(row*side+bits.TrailingZeros32(m))), b.id.Level, math.Float32bits(p.values[i]))
				i++
			}
		}
	}
	if p := b.materials; p != nil {
		i := 0
		for row, m := range p.mask {
			for ; m != 0; m &= m - 1 {
				b.hash ^= mix(b.sample(uint16(row*side+bits.TrailingZeros32(m))), b.id.Level, materialBits(p.values[i]))
				i++
			}
		}
	}
}
