package noise

import "math"

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
