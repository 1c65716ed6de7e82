package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/lattice"
)

// coordinate is an op: the distance along an axis from a sample number.
type coordinate struct {
	axis int
	from axisPlace
}

// NewCoordinate makes the coordinate of a step.
func NewCoordinate(s *graph.Step, _ Files) (Op, error) {
	return coordinate{s.Axis, axisPlace(s.Place[s.Axis])}, nil
}

func (c coordinate) of(s lattice.Sample) float32 {
	return c.from.relative([3]int32{s.X, s.Y, s.Z}[c.axis])
}

func (c coordinate) Point(_ *Values, s lattice.Sample) float32 { return c.of(s) }

func (c coordinate) Block(dst []float32, _ *Operands, b *Block) {
	for r := range b.Rows {
		row := dst[r*b.Count:][:b.Count]
		if c.axis != 0 {
			FillRow(row, c.of(lattice.Sample{Y: b.Y + int32(r)*b.Dy, Z: b.Z + int32(r)*b.Dz}))
			continue
		}
		for i := range row {
			row[i] = c.of(lattice.Sample{X: b.X + int32(i)*b.Dx, Y: b.Y + int32(r)*b.Dy, Z: b.Z + int32(r)*b.Dz})
		}
	}
}

func (c coordinate) Bounds(_ *Intervals, b *lattice.Box) geom.Interval {
	return geom.Interval{Lo: c.of(b.Min), Hi: c.of(b.Max.Add(-1, -1, -1))}
}

// Height is an op: a height less y.
type Height struct{}

func (Height) Point(in *Values, s lattice.Sample) float32 { return in[0] - float32(s.Y) }

func (Height) Block(dst []float32, in *Operands, b *Block) {
	rows.Height(dst, in[0].rows(b), b.Count, b.Y, b.Dy)
}

func (Height) Bounds(in *Intervals, b *lattice.Box) geom.Interval {
	return in[0].Sub(geom.Interval{Lo: float32(b.Min.Y), Hi: float32(b.Max.Y - 1)})
}

// WorldOp is a density; its second input matters to Compile only.
type WorldOp struct{}

func (WorldOp) Point(in *Values, _ lattice.Sample) float32 { return in[0] }

func (WorldOp) Block(dst []float32, in *Operands, b *Block) {
	for r := range b.Rows {
		copy(dst[r*b.Count:][:b.Count], in[0].row(r, b.Count))
	}
}

func (WorldOp) Bounds(in *Intervals, _ *lattice.Box) geom.Interval { return in[0] }

func (WorldOp) Choose(*Intervals) int { return 0 }
