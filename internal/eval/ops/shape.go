package ops

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/sdf"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// A shapeOp is a solid at a place, or at many.
type shapeOp struct {
	sdf.Solid
	x, y, z axisPlace
	xs      []float32 // scratch: of a row's samples the x relative to the place
}

// An axisPlace is the place of a shape on one axis.
type axisPlace graph.AxisPlace

// NewSolid places the solid of a step.
func NewSolid(s *graph.Step, _ Files) (Op, error) { return newShape(s, sdf.SolidOf(s), true), nil }

// newShape places a solid where a step says, rotated if it is. metric says whether the solid's density changes by at
// most a meter a meter.
func newShape(s *graph.Step, of sdf.Solid, metric bool) Op {
	if s.Rotation != nil {
		of = &sdf.Rotated{Solid: of, Rotation: s.Rotation, Metric: metric}
	}
	return &shapeOp{Solid: of, x: axisPlace(s.Place[0]), y: axisPlace(s.Place[1]), z: axisPlace(s.Place[2])}
}

// relative returns the distance in meters from the place to a sample; if it repeats, from the nearest.
func (p *axisPlace) relative(sample int32) float32 { return float32(p.samples(sample)) - p.Offset }

// samples returns the number of samples from the anchor to a sample.
func (p *axisPlace) samples(sample int32) int64 {
	d := int64(sample) - int64(p.Anchor)
	if period := int64(p.Period); period > 0 {
		d = (d + period/2) % period
		if d < 0 {
			d += period
		}
		d -= period / 2
	}
	return d
}

// relatives returns where relative of the samples from lo to hi, which is excluded, lies.
func (p *axisPlace) relatives(lo, hi int32) geom.Interval {
	a, b := p.samples(lo), p.samples(hi-1)
	if period := int64(p.Period); period > 0 && (a > b || int64(hi)-int64(lo) > period) {
		a, b = -(period / 2), period-1-period/2
	}
	return geom.Interval{Lo: float32(a) - p.Offset, Hi: float32(b) - p.Offset}
}

func (o *shapeOp) Fork() Op { return &shapeOp{Solid: o.Solid, x: o.x, y: o.y, z: o.z} }

func (o *shapeOp) Point(_ *Values, s lattice.Sample) float32 {
	return o.At(o.x.relative(s.X), o.y.relative(s.Y), o.z.relative(s.Z))
}

func (o *shapeOp) Block(dst []float32, _ *Operands, b *Block) {
	o.xs = Resize(o.xs, b.Count)
	for i := range o.xs {
		o.xs[i] = o.x.relative(b.X + int32(i)*b.Dx)
	}
	for r := range b.Rows {
		y, z := o.y.relative(b.Y+int32(r)*b.Dy), o.z.relative(b.Z+int32(r)*b.Dz)
		o.Row(dst[r*b.Count:][:b.Count], o.xs, y, z)
	}
}

func (o *shapeOp) Bounds(_ *Intervals, b *lattice.Box) geom.Interval {
	return o.Solid.Bounds(o.x.relatives(b.Min.X, b.Max.X), o.y.relatives(b.Min.Y, b.Max.Y), o.z.relatives(b.Min.Z, b.Max.Z))
}

// NewVolumeOp opens the volume of a step and places it.
func NewVolumeOp(s *graph.Step, open Files) (Op, error) {
	v, err := sdf.NewVolume(s, open)
	if err != nil {
		return nil, err
	}
	return newShape(s, v, false), nil
}

// slab is an op: the points within half of a level plane.
type slab struct {
	y    axisPlace
	half float32
}

// NewSlab makes the slab of a step.
func NewSlab(s *graph.Step, _ Files) (Op, error) {
	return slab{axisPlace(s.Place[1]), s.Constants[0]}, nil
}

func (s slab) at(y float32) float32 { return sdf.Density(scalar.Abs(y) - s.half) }

func (s slab) Point(_ *Values, p lattice.Sample) float32 { return s.at(s.y.relative(p.Y)) }

func (s slab) Block(dst []float32, _ *Operands, b *Block) {
	for r := range b.Rows {
		FillRow(dst[r*b.Count:][:b.Count], s.at(s.y.relative(b.Y+int32(r)*b.Dy)))
	}
}

func (s slab) Bounds(_ *Intervals, b *lattice.Box) geom.Interval {
	return sdf.Densities(s.y.relatives(b.Min.Y, b.Max.Y).Abs().Sub(geom.Single(s.half)))
}
