package noise

import "math/bits"

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
		px, pz := o.shifted(0, x, dx), o.shifted(2, z, dz)
		py := Phase(0)
		if n.dims == 3 {
			py = o.shifted(1, y, dy)
		}
		sum += o.fold(o.at(n.kind, n.dims, px, py, pz))
	}
	return sum
}
