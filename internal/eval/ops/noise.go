package ops

import (
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// A noiseOp is a sum of octaves of noise.
type noiseOp struct {
	n    *noise.Noise
	rows *noise.Rows // made when first asked for: 16 slopes of 2,000 noises would have 300 MB of them
	all  geom.Interval
}

// NewNoiseOp makes the noise of a step.
func NewNoiseOp(s *graph.Step, _ Files) (Op, error) {
	o := noiseOp{n: s.Noise}
	o.all.Lo, o.all.Hi = s.Noise.Range()
	switch {
	case s.Warped:
		return &warpedOp{o, s.Dims}, nil
	case s.Dims == 2:
		return &noiseOp2{o}, nil
	}
	return &NoiseOp3{o}, nil
}

func (o *noiseOp) costlyBounds() {}

// forked returns o with rows of its own: they keep the place of a row along x. The noise itself is shared.
func (o *noiseOp) forked() noiseOp { return noiseOp{n: o.n, all: o.all} }

// along returns the rows that start as those of b do.
func (o *noiseOp) along(b *Block) *noise.Rows {
	if o.rows == nil {
		o.rows = o.n.NewRows()
	}
	o.rows.Reset(b.X, b.Dx, b.Count)
	return o.rows
}

func (o *noiseOp2) Fork() Op { return &noiseOp2{o.forked()} }
func (o *NoiseOp3) Fork() Op { return &NoiseOp3{o.forked()} }
func (o *warpedOp) Fork() Op { return &warpedOp{o.forked(), o.dims} }

func (o *noiseOp) Point(_ *Values, s lattice.Sample) float32 { return o.n.At(s.X, s.Y, s.Z) }

func (o *noiseOp) Bounds(_ *Intervals, b *lattice.Box) geom.Interval {
	lo, hi := o.n.Bounds(*b)
	return geom.Interval{Lo: lo, Hi: hi}
}

// A noiseOp2 is noise over x and z.
type noiseOp2 struct{ noiseOp }

func (o *noiseOp2) Block(dst []float32, _ *Operands, b *Block) {
	o.along(b).Fill2(dst, b.Z, b.Dz, b.Rows)
}

// A NoiseOp3 is noise in space.
type NoiseOp3 struct{ noiseOp }

func (o *NoiseOp3) Block(dst []float32, _ *Operands, b *Block) {
	o.along(b).Fill3(dst, b.Y, b.Dy, b.Rows, b.Z)
}

// A warpedOp is noise looked up at places shifted by its inputs, in meters along x and z or along x, y and z.
type warpedOp struct {
	noiseOp
	dims int
}

// at returns the noise at s shifted by in.
func (o *warpedOp) at(in *Values, s lattice.Sample) float32 {
	dx, dy, dz := noise.ShiftOf(in[0]), noise.ShiftOf(in[1]), noise.ShiftOf(in[o.dims-1])
	return o.n.AtShifted(s.X, s.Y, s.Z, dx, dy, dz)
}

func (o *warpedOp) Point(in *Values, s lattice.Sample) float32 { return o.at(in, s) }

func (o *warpedOp) Block(dst []float32, in *Operands, b *Block) {
	rows := o.along(b)
	for r := range b.Rows {
		dx, dy, dz := in[0].row(r, b.Count), in[1].row(r, b.Count), in[o.dims-1].row(r, b.Count)
		rows.FillShifted(dst[r*b.Count:][:b.Count], b.Y+int32(r)*b.Dy, b.Z+int32(r)*b.Dz, dx, dy, dz)
	}
}

// Bounds are those of the unwarped noise in a box made larger by the shifts.
func (o *warpedOp) Bounds(in *Intervals, b *lattice.Box) geom.Interval {
	grow := func(lo, hi int32, d geom.Interval) (int32, int32) {
		held := Clamp{-noise.MaxShift, noise.MaxShift}.bound(d)
		l, h := int64(lo)+int64(held.Lo)-1, int64(hi)+int64(held.Hi)+1
		return int32(max(l, math.MinInt32)), int32(min(h, math.MaxInt32))
	}
	w := *b
	w.Min.X, w.Max.X = grow(b.Min.X, b.Max.X, in[0])
	w.Min.Z, w.Max.Z = grow(b.Min.Z, b.Max.Z, in[o.dims-1])
	if o.dims == 3 {
		w.Min.Y, w.Max.Y = grow(b.Min.Y, b.Max.Y, in[1])
	}
	return o.noiseOp.Bounds(in, &w)
}
