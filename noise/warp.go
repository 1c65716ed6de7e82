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

// FillShifted fills dst with a row of samples looked up at places that lie off them: a row at y, z, shifted
// by the distances dx, dy, dz of [ShiftOf]. In two dimensions y and dy are ignored. Nothing is shared between
// rows or samples.
func (r *Rows) FillShifted(dst []float32, y, z int32, dx, dy, dz []float32) {
	n := r.count
	dst, dx, dz = dst[:n], dx[:n], dz[:n]
	clear(dst)
	for axis := range r.shifts {
		r.shifts[axis] = resize(r.shifts[axis], n)
		if r.n.kind > Gradient && axis == 0 {
			r.shifted[0] = places{} // it may be an octave's own
		}
		r.shifted[axis].resize(n)
	}
	for i := range dst {
		r.shifts[0][i], r.shifts[2][i] = ShiftOf(dx[i]), ShiftOf(dz[i])
	}
	if r.n.dims == 3 {
		for i, d := range dy[:n] {
			r.shifts[1][i] = ShiftOf(d)
		}
	}
	for i := range r.octaves {
		o := &r.octaves[i]
		o.shiftedPlaces(&r.shifted[0], 0, r.x, r.dx, r.shifts[0])
		o.shiftedPlaces(&r.shifted[2], 2, z, 0, r.shifts[2])
		if r.n.dims == 3 {
			o.shiftedPlaces(&r.shifted[1], 1, y, 0, r.shifts[1])
		}
		addPlaces(dst, o.octave, o.kind, r.n.dims, &r.shifted)
	}
}

// shiftedPlaces sets p to the places of samples that start at first, each step from the last.
func (o *octave) shiftedPlaces(p *places, axis int, first, step int32, shifts []Shift) {
	cell, fraction := p.cell[:len(shifts)], p.fraction[:len(shifts)]
	for i, s := range shifts {
		q := o.shifted(axis, first+int32(i)*step, s)
		cell[i], fraction[i] = q.Cell(), q.Fraction()
	}
}
