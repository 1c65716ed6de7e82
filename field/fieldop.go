package field

import (
	"fmt"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// fieldOp is a field of the program's own, its values held between low and high. It shares nothing between
// samples and is bounded only where the field bounds itself.
type fieldOp struct {
	field   Field
	bounder Bounder // the field, or nil
	all     geom.Interval
}

func newFieldOp(n *Node, _ *compiler) (op, error) {
	low, high := n.Floats[0]+0, n.Floats[1]+0
	if low > high {
		return nil, fmt.Errorf("low %g is over high %g", low, high)
	}
	o := &fieldOp{field: n.Field, all: geom.Interval{Lo: low, Hi: high}}
	o.bounder, _ = n.Field.(Bounder)
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
