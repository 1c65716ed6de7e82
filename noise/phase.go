package noise

import (
	"math"
	"math/bits"
)

// A Step is a number of lattice cells per sample, as 32.32 fixed point.
type Step uint64

const (
	// OneCell is a step of one lattice cell per sample.
	OneCell Step = 1 << 32
	// MaxStep is the largest step of a first octave. Above half a cell per sample noise is only static; the
	// room above that is for coarse levels of detail and higher octaves.
	MaxStep = 4 * OneCell
)

// StepOf returns the step of a frequency in cells per sample. ok is false if it is not in (0, 4] or so small
// that it rounds to 0.
func StepOf(frequency float64) (s Step, ok bool) {
	if !(frequency > 0 && frequency <= float64(MaxStep/OneCell)) { // false for NaN
		return 0, false
	}
	s = Step(math.RoundToEven(frequency * float64(OneCell)))
	return s, s > 0
}

// Frequency returns the step in cells per sample.
func (s Step) Frequency() float64 { return float64(s) / float64(OneCell) }

// A Phase is a place on one axis of a noise lattice. It wraps, and so does the lattice.
type Phase uint64

// At returns the phase of a sample number.
func (s Step) At(sample int32) Phase { return Phase(uint64(int64(sample)) * uint64(s)) }

// Cell returns the number of the lattice cell.
func (p Phase) Cell() uint32 { return uint32(p >> 32) }

// Fraction returns the place within the cell, in [0, 1).
func (p Phase) Fraction() float32 { return float32(float32(uint32(p)>>8) * (1.0 / (1 << 24))) }

// A Shift is a distance along an axis in samples, as 48.16 fixed point. Noise looked up at shifted places is
// warped noise.
type Shift int64

const (
	shiftBits = 16
	// MaxShift is the largest distance in samples on either side; beyond it shifts are held.
	MaxShift = 1 << 20
)

// ShiftOf returns the shift of a distance in samples, rounded toward 0; NaN counts as 0.
func ShiftOf(d float32) Shift {
	switch {
	case d >= MaxShift:
		return MaxShift << shiftBits
	case d <= -MaxShift:
		return -MaxShift << shiftBits
	case d != d:
		return 0
	}
	return Shift(int64(float32(d * (1 << shiftBits))))
}

// shifted returns o's phase of a sample number on an axis, shifted.
func (o *octave) shifted(axis int, sample int32, s Shift) Phase {
	step := uint64(o.step[axis])
	hi, lo := bits.Mul64(uint64(s)&(1<<shiftBits-1), step)
	return o.phase(axis, sample) + Phase(uint64(s>>shiftBits)*step+(hi<<(64-shiftBits)|lo>>shiftBits))
}

// AtShifted returns the noise at a place that lies off a sample. It equals At where the shifts are 0.
func (n *Noise) AtShifted(x, y, z int32, dx, dy, dz Shift) float32 {
	sum := float32(0)
	for i := range n.octaves {
		o := &n.octaves[i]
		var py place
		if n.dims == 3 {
			py = o.shifted(1, y, dy).place()
		}
		sum += o.fold(o.at(n.kind, n.dims, o.shifted(0, x, dx).place(), py, o.shifted(2, z, dz).place()))
	}
	return sum
}

// places holds the places of a row of samples on one axis.
type places struct {
	cell     []uint32
	fraction []float32
}

func (p *places) resize(n int) {
	p.cell, p.fraction = resize(p.cell, n), resize(p.fraction, n)
}

func (p *places) at(i int) place { return place{p.cell[i], p.fraction[i]} }

func (p *places) set(i int, q place) { p.cell[i], p.fraction[i] = q.cell, q.fraction }

// fill makes all of p one place.
func (p *places) fill(q place) {
	for i := range p.cell {
		p.set(i, q)
	}
}
