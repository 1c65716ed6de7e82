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

// A Brick holds the edited samples of one cube of 32³ samples. It is never empty and never changes.
type Brick struct {
	id     lattice.Brick
	hash   uint64
	bounds geom.Interval // of values
	mask   [rows]uint32  // bit x of mask[z*side+y] is set when that sample is edited
	start  [rows]uint16  // number of edited samples in the rows before
	values []float32     // of the edited samples in order
}

// ID returns the number of the brick.
func (b *Brick) ID() lattice.Brick { return b.id }

// Len returns the number of edited samples.
func (b *Brick) Len() int { return len(b.values) }

// Hash returns the xor over the edited samples of mix(sample number, level, value bits).
func (b *Brick) Hash() uint64 { return b.hash }

// Bounds returns the smallest and the greatest edited value.
func (b *Brick) Bounds() geom.Interval { return b.bounds }

// SizeBytes returns about how much memory the brick takes.
func (b *Brick) SizeBytes() int { return 6*rows + 64 + 4*cap(b.values) }

// At returns the value of the sample s if s lies in the brick, belongs to its level and is edited.
func (b *Brick) At(s lattice.Sample) (float32, bool) {
	level := b.id.Level
	if lattice.BrickOf(s, level) != b.id || (s.X|s.Y|s.Z)&(1<<level-1) != 0 {
		return 0, false
	}
	return b.at(s.X>>level&(side-1), s.Y>>level&(side-1), s.Z>>level&(side-1))
}

// at is At for a sample by its place in the brick.
func (b *Brick) at(x, y, z int32) (float32, bool) {
	row := z*side + y
	m := b.mask[row]
	if m>>x&1 == 0 {
		return 0, false
	}
	return b.values[int(b.start[row])+bits.OnesCount32(m&(1<<x-1))], true
}

// overlay writes the edited samples x … x+len(dst)−1 of a row over dst.
func (b *Brick) overlay(dst []float32, x, y, z int32) {
	row := z*side + y
	m := b.mask[row]
	i := int(b.start[row]) + bits.OnesCount32(m&(1<<x-1))
	m >>= x
	if len(dst) < side {
		m &= 1<<len(dst) - 1
	}
	at := 0
	for m != 0 { // run by run
		skip := bits.TrailingZeros32(m)
		run := bits.TrailingZeros32(^(m >> skip))
		at += skip
		copy(dst[at:at+run], b.values[i:i+run])
		at, i = at+run, i+run
		m = m >> skip >> run
	}
}

// heights returns the half-open range of y, counted in the brick, that holds the edited samples.
func (b *Brick) heights() (lo, hi int32) {
	lo, hi = side, 0
	for row, m := range b.mask {
		if y := int32(row % side); m != 0 {
			lo, hi = min(lo, y), max(hi, y+1)
		}
	}
	return lo, hi
}

// A change is a sample by its place in the brick (z·side+y)·side+x, and the value that it gets.
type change struct {
	at    uint16
	value float32
}

// with returns the brick with changes made, which are in ascending order and at least one; b is nil for a
// brick without edited samples yet.
func (b *Brick) with(id lattice.Brick, changes []change) *Brick {
	n := &Brick{id: id}
	var old []float32
	if b != nil {
		n.hash, n.mask, old = b.hash, b.mask, b.values
	}
	added := 0
	for _, c := range changes {
		row, bit := c.at/side, uint32(1)<<(c.at%side)
		if n.mask[row]&bit == 0 {
			n.mask[row] |= bit
			added++
		}
	}
	n.values = make([]float32, 0, len(old)+added)
	from := 0 // the first old value that is not yet taken over
	for _, c := range changes {
		row, x := c.at/side, c.at%side
		s := n.sample(c.at)
		if b != nil {
			m := b.mask[row]
			i := int(b.start[row]) + bits.OnesCount32(m&(1<<x-1))
			n.values = append(n.values, old[from:i]...)
			if from = i; m>>x&1 != 0 {
				n.hash ^= mix(s, id.Level, math.Float32bits(old[i]))
				from++
			}
		}
		n.values = append(n.values, c.value)
		n.hash ^= mix(s, id.Level, math.Float32bits(c.value))
	}
	n.values = append(n.values, old[from:]...)
	n.index()
	return n
}

// sample returns the number of a sample by its place in the brick.
func (b *Brick) sample(at uint16) lattice.Sample {
	o, level := b.id.Origin(), b.id.Level
	i := int32(at)
	return o.Add(i%side<<level, i/side%side<<level, i/rows<<level)
}

// index works out what follows from mask and values, but for the hash.
func (b *Brick) index() {
	count := 0
	for row, m := range b.mask {
		b.start[row] = uint16(count) // at most 32768 − 32
		count += bits.OnesCount32(m)
	}
	lo, hi := b.values[0], b.values[0]
	for _, v := range b.values {
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	b.bounds = geom.Interval{Lo: lo, Hi: hi}
}
