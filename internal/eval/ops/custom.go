package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// fieldOp is a field of the program's own, its values clamped to low … high. It shares nothing between
// samples and is bounded only where the field bounds itself.
type fieldOp struct {
	field   graph.Sampler
	bounder bounder // the field, or nil
	all     geom.Interval
}

// A bounder bounds its densities in a box, as field.Bounder does.
type bounder interface {
	Bounds(b lattice.Box) geom.Interval
}

// NewFieldOp makes an op of a step's sampler.
func NewFieldOp(s *graph.Step, _ Files) (Op, error) {
	o := &fieldOp{field: s.Sampler, all: geom.Interval{Lo: s.Constants[0], Hi: s.Constants[1]}}
	o.bounder, _ = s.Sampler.(bounder)
	return o, nil
}

// hold returns v between low and high; what is no number is low.
func (o *fieldOp) hold(v float32) float32 {
	if !(v > o.all.Lo) {
		return o.all.Lo
	}
	return scalar.Smaller(v, o.all.Hi) + 0
}

func (o *fieldOp) Point(_ *Values, s lattice.Sample) float32 { return o.hold(o.field.At(s)) }

func (o *fieldOp) Block(dst []float32, _ *Operands, b *Block) {
	for r := range b.Rows {
		s := lattice.Sample{X: b.X, Y: b.Y + int32(r)*b.Dy, Z: b.Z + int32(r)*b.Dz}
		row := dst[r*b.Count:][:b.Count]
		for i := range row {
			row[i] = o.hold(o.field.At(s))
			s.X += b.Dx
		}
	}
}

func (o *fieldOp) Bounds(_ *Intervals, b *lattice.Box) geom.Interval {
	if o.bounder == nil {
		return o.all
	}
	i := o.bounder.Bounds(*b)
	return geom.Interval{Lo: o.hold(i.Lo), Hi: o.hold(i.Hi)}
}
