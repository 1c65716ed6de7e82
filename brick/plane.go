package brick

import "math/bits"

// A plane holds a value for some of a brick's samples: densities of the edited ones, or materials of the painted ones.
// One that holds none is nil.
type plane[T float32 | uint8] struct {
	mask   [rows]uint32 // bit x of mask[z*side+y] is set when that sample has a value
	start  [rows]uint16 // number of values in the rows before
	values []T          // in order
}

// len returns the number of values.
func (p *plane[T]) len() int {
	if p == nil {
		return 0
	}
	return len(p.values)
}

// sizeBytes returns about how much memory p takes; unit is that of a value.
func (p *plane[T]) sizeBytes(unit int) int {
	if p == nil {
		return 0
	}
	return 6*rows + 24 + unit*cap(p.values)
}

// at returns the value of a sample by its place in the brick, if it has one.
func (p *plane[T]) at(x, y, z int32) (v T, ok bool) {
	if p == nil {
		return v, false
	}
	row := z*side + y
	m := p.mask[row]
	if m>>x&1 == 0 {
		return v, false
	}
	return p.values[int(p.start[row])+bits.OnesCount32(m&(1<<x-1))], true
}

// row returns the bits of the samples of a row from x on that have a value, bit 0 being x, and the values.
func (p *plane[T]) row(x, y, z int32) (mask uint32, values []T) {
	if p == nil {
		return 0, nil
	}
	row := z*side + y
	m := p.mask[row]
	return m >> x, p.values[int(p.start[row])+bits.OnesCount32(m&(1<<x-1)):]
}

// overlay writes the values of the samples x … x+len(dst)−1 of a row over dst.
func (p *plane[T]) overlay(dst []T, x, y, z int32) {
	m, values := p.row(x, y, z)
	if len(dst) < side {
		m &= 1<<len(dst) - 1
	}
	at := 0
	for m != 0 { // run by run
		skip := bits.TrailingZeros32(m)
		run := bits.TrailingZeros32(^(m >> skip))
		at += skip
		copy(dst[at:at+run], values)
		at, values = at+run, values[run:]
		m = m >> skip >> run
	}
}

// heights returns the half-open range of y, counted in the brick, that holds values; empty for none.
func (p *plane[T]) heights() (lo, hi int32) {
	if p == nil {
		return 0, 0
	}
	lo, hi = side, 0
	for row, m := range p.mask {
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

// with returns p, which may be nil, with changes made, which are in ascending order and at least one.
func (p *plane[T]) with(changes []change) *plane[T] {
	n := new(plane[T])
	var old []T
	if p != nil {
		n.mask, old = p.mask, p.values
	}
	added := 0
	for _, c := range changes {
		row, bit := c.at/side, uint32(1)<<(c.at%side)
		if n.mask[row]&bit == 0 {
			n.mask[row] |= bit
			added++
		}
	}
	n.values = make([]T, 0, len(old)+added)
	from := 0 // the first old value that is not yet taken over
	for _, c := range changes {
		if p != nil {
			row, x := c.at/side, c.at%side
			m := p.mask[row]
			i := int(p.start[row]) + bits.OnesCount32(m&(1<<x-1))
			n.values = append(n.values, old[from:i]...)
			if from = i; m>>x&1 != 0 {
				from++
			}
		}
		n.values = append(n.values, T(c.value))
	}
	n.values = append(n.values, old[from:]...)
	n.index()
	return n
}

// index works out start from mask and returns the number of values that mask asks for.
func (p *plane[T]) index() int {
	count := 0
	for row, m := range p.mask {
		p.start[row] = uint16(count) // at most 32768 − 32
		count += bits.OnesCount32(m)
	}
	return count
}
