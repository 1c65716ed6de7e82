package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// cracks is the distance to the borders between the cells of strewn points.
type cracks struct {
	c    *noise.Cracks
	rows *noise.CracksRows
}

// NewCracks makes the cracks of a step.
func NewCracks(s *graph.Step, _ Files) (Op, error) {
	return &cracks{c: s.Cracks}, nil
}

func (o *cracks) costlyBounds() {}

// Fork returns o with rows of its own: they keep the places of a row along x.
func (o *cracks) Fork() Op { return &cracks{c: o.c} }

func (o *cracks) Point(_ *Values, s lattice.Sample) float32 { return o.c.At(s.X, s.Z) }

func (o *cracks) Block(dst []float32, _ *Operands, b *Block) {
	if o.rows == nil {
		o.rows = o.c.NewRows()
	}
	o.rows.Reset(b.X, b.Dx, b.Count)
	o.rows.Fill(dst, b.Z, b.Dz, b.Rows)
}

func (o *cracks) Bounds(_ *Intervals, b *lattice.Box) geom.Interval { return o.c.Bounds(*b) }
