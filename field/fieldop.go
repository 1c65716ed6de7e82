package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// fieldOp is a field of the program's own, its values held between low and high. It shares nothing between
// samples and is bounded only where the field bounds itself.
type fieldOp struct {
	field   graph.Sampler
	bounder Bounder // the field, or nil
	all     geom.Interval
}

func newFieldOp(s *graph.Step, _ *compiler) (op, error) {
	o := &fieldOp{field: s.Sampler, all: geom.Interval{Lo: s.Constants[0], Hi: s.Constants[1]}}
	o.bounder, _ = s.Sampler.(Bounder)
	return o, nil
}

// hold returns v between low and high; what is no number is low.
func (o *fieldOp) hold(v float32) float32 {
	if !(v > o.all.Lo) {
		return o.all.Lo
	}
	return scalar.Smaller(v, o.all.Hi) + 0
}

func (o *fieldOp) point(_ *values, s lattice.Sample) float32 { return o.hold(o.field.At(s)) }

func (o *fieldOp) block(dst []float32, _ *operands, b *block) {
	for r := range b.rows {
		s := lattice.Sample{X: b.x, Y: b.y + int32(r)*b.dy, Z: b.z + int32(r)*b.dz}
		row := dst[r*b.count:][:b.count]
		for i := range row {
			row[i] = o.hold(o.field.At(s))
			s.X += b.dx
		}
	}
}

func (o *fieldOp) bounds(_ *intervals, b *lattice.Box) geom.Interval {
	if o.bounder == nil {
		return o.all
	}
	i := o.bounder.Bounds(*b)
	return geom.Interval{Lo: o.hold(i.Lo), Hi: o.hold(i.Hi)}
}
