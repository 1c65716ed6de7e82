package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/lattice"
)

// Tube is a tunnel: radius − hypot(line, height − y).
type Tube struct{}

func (Tube) Point(in *Values, s lattice.Sample) float32 {
	return in[0] - Hypot{}.of(in[1], in[2]-float32(s.Y))
}

func (Tube) Block(dst []float32, in *Operands, b *Block) {
	rows.Tube(dst, in[0].rows(b), in[1].rows(b), in[2].rows(b), b.Count, b.Y, b.Dy)
}

func (Tube) Bounds(in *Intervals, b *lattice.Box) geom.Interval {
	h := in[2].Sub(geom.Interval{Lo: float32(b.Min.Y), Hi: float32(b.Max.Y - 1)})
	return in[0].Sub(Hypot{}.bound(in[1], h))
}

// Displaced moves a surface by a noise in space, where it is near: a + bump(a)·scale(noise), or with a factor before
// the bump that does not depend on y. Its inputs are a, the noise and the factor if there is one. The noise is a pulled
// step: its rows are computed here, from the first to the last where the bump is not 0 throughout.
type Displaced struct {
	Bump     Bump
	Scale    Scale
	Noise    *NoiseOp3
	Factored bool

	// Scratch: the weights and the noise over a block, ones for a factor, and by row whether it has weight.
	weights, noises, ones []float32
	some                  [][16]uint32
}

func (o *Displaced) Fork() Op {
	return &Displaced{Bump: o.Bump, Scale: o.Scale, Noise: &NoiseOp3{o.Noise.forked()}, Factored: o.Factored}
}

func (o *Displaced) Point(in *Values, _ lattice.Sample) float32 {
	w := o.Bump.of(in[0])
	if o.Factored {
		w = Multiply{}.of(in[2], w)
	}
	return in[0] + Multiply{}.of(w, o.Scale.of(in[1]))
}

func (o *Displaced) Bounds(in *Intervals, _ *lattice.Box) geom.Interval {
	return in[0].Add(o.shift(in))
}

func (o *Displaced) Choose(in *Intervals) int { return Add{}.choice(in[0], o.shift(in)) }

// shift bounds what is added to the first input.
func (o *Displaced) shift(in *Intervals) geom.Interval {
	w := o.Bump.bound(in[0])
	if o.Factored {
		w = in[2].Mul(w)
	}
	return w.Mul(o.Scale.bound(in[1]))
}

func (o *Displaced) Block(dst []float32, in *Operands, b *Block) {
	a, n := in[0].all(b, 0), b.Count
	factor := in[2].V
	if !o.Factored {
		o.ones = Resize(o.ones, n)
		FillRow(o.ones, 1)
		factor = o.ones
	}
	o.weights, o.some = Resize(o.weights, len(dst)), Resize(o.some, b.Rows)
	w := o.weights
	rows.Weight(w, o.some, a, factor[:n], n, o.Bump.Inverse)
	first, end := 0, b.Rows
	for first < end && o.some[first] == [16]uint32{} {
		first++
	}
	for first < end && o.some[end-1] == [16]uint32{} {
		end--
	}
	copy(dst[:first*n], a)
	copy(dst[end*n:], a[end*n:])
	if first == end {
		return
	}
	o.noises = Resize(o.noises, len(dst))
	v := o.noises[first*n : end*n]
	o.Noise.along(b).Fill3(v, b.Y+int32(first)*b.Dy, b.Dy, end-first, b.Z)
	rows.Displace(dst[first*n:end*n], a[first*n:], w[first*n:], v, o.Scale.Factor, o.Scale.Term)
}
