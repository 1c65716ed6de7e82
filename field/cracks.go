package field

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

func newCracks(s *graph.Step, _ *compiler) (op, error) {
	return &cracks{s.Cracks, s.Cracks.NewRows()}, nil
}

func (o *cracks) costlyBounds() {}

// fork returns o with rows of its own: they keep the places of a row along x.
func (o *cracks) fork() op { return &cracks{o.c, o.c.NewRows()} }

func (o *cracks) point(_ *values, s lattice.Sample) float32 { return o.c.At(s.X, s.Z) }

func (o *cracks) block(dst []float32, _ *operands, b *block) {
	o.rows.Reset(b.x, b.dx, b.count)
	o.rows.Fill(dst, b.z, b.dz, b.rows)
}

func (o *cracks) bounds(_ *intervals, b *lattice.Box) geom.Interval { return o.c.Bounds(*b) }
