package field

import (
	"fmt"

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

func newCoordinate(s *graph.Step, _ *compiler) (op, error) {
	return coordinate{s.Axis, axisPlace(s.Place[s.Axis])}, nil
}

func (c coordinate) of(s lattice.Sample) float32 {
	return c.from.relative([3]int32{s.X, s.Y, s.Z}[c.axis])
}

func (c coordinate) point(_ *values, s lattice.Sample) float32 { return c.of(s) }

func (c coordinate) block(dst []float32, _ *operands, b *block) {
	for r := range b.rows {
		row := dst[r*b.count:][:b.count]
		if c.axis != 0 {
			fillRow(row, c.of(lattice.Sample{Y: b.y + int32(r)*b.dy, Z: b.z + int32(r)*b.dz}))
			continue
		}
		for i := range row {
			row[i] = c.of(lattice.Sample{X: b.x + int32(i)*b.dx, Y: b.y + int32(r)*b.dy, Z: b.z + int32(r)*b.dz})
		}
	}
}

func (c coordinate) bounds(_ *intervals, b *lattice.Box) geom.Interval {
	return geom.Interval{Lo: c.of(b.Min), Hi: c.of(b.Max.Add(-1, -1, -1))}
}

// height is an op: a height less y.
type height struct{}

func (height) point(in *values, s lattice.Sample) float32 { return in[0] - float32(s.Y) }

func (height) block(dst []float32, in *operands, b *block) {
	rows.Height(dst, in[0].rows(b), b.count, b.y, b.dy)
}

func (height) bounds(in *intervals, b *lattice.Box) geom.Interval {
	return in[0].Sub(geom.Interval{Lo: float32(b.Min.Y), Hi: float32(b.Max.Y - 1)})
}

// worldOp is a density; its second input matters to Compile only.
type worldOp struct{}

func newPaintedWorld(s *graph.Step, c *compiler) (op, error) {
	last := float32(len(c.program.Materials) - 1)
	if m := c.steps[s.Inputs[2]].all; !(m.Lo >= 0 && m.Hi <= last) {
		return nil, fmt.Errorf("its material can reach %g … %g, want 0 … %g, the numbers of the palette", m.Lo, m.Hi, last)
	}
	return worldOp{}, nil
}

func (worldOp) point(in *values, _ lattice.Sample) float32 { return in[0] }

func (worldOp) block(dst []float32, in *operands, b *block) {
	for r := range b.rows {
		copy(dst[r*b.count:][:b.count], in[0].row(r, b.count))
	}
}

func (worldOp) bounds(in *intervals, _ *lattice.Box) geom.Interval { return in[0] }

func (worldOp) choose(*intervals) int { return 0 }
