package field

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
	rows *noise.Rows
	all  geom.Interval
}

func newNoiseOp(s *graph.Step, _ *compiler) (op, error) {
	o := noiseOp{n: s.Noise, rows: s.Noise.NewRows()}
	o.all.Lo, o.all.Hi = s.Noise.Range()
	switch {
	case s.Warped:
		return &warpedOp{o, s.Dims}, nil
	case s.Dims == 2:
		return &noiseOp2{o}, nil
	}
	return &noiseOp3{o}, nil
}

func (o *noiseOp) costlyBounds() {}

// forked returns o with rows of its own: they keep the place of a row along x. The noise itself is shared.
func (o *noiseOp) forked() noiseOp { return noiseOp{n: o.n, rows: o.n.NewRows(), all: o.all} }

func (o *noiseOp2) fork() op { return &noiseOp2{o.forked()} }
func (o *noiseOp3) fork() op { return &noiseOp3{o.forked()} }
func (o *warpedOp) fork() op { return &warpedOp{o.forked(), o.dims} }

func (o *noiseOp) point(_ *values, s lattice.Sample) float32 { return o.n.At(s.X, s.Y, s.Z) }

func (o *noiseOp) bounds(_ *intervals, b *lattice.Box) geom.Interval {
	lo, hi := o.n.Bounds(*b)
	return geom.Interval{Lo: lo, Hi: hi}
}

// A noiseOp2 is noise over x and z.
type noiseOp2 struct{ noiseOp }

func (o *noiseOp2) block(dst []float32, _ *operands, b *block) {
	o.rows.Reset(b.x, b.dx, b.count)
	o.rows.Fill2(dst, b.z, b.dz, b.rows)
}

// A noiseOp3 is noise in space.
type noiseOp3 struct{ noiseOp }

func (o *noiseOp3) block(dst []float32, _ *operands, b *block) {
	o.rows.Reset(b.x, b.dx, b.count)
	o.rows.Fill3(dst, b.y, b.dy, b.rows, b.z)
}

// A warpedOp is noise looked up at places shifted by its inputs, in meters along x and z or along x, y and z.
type warpedOp struct {
	noiseOp
	dims int
}

// at returns the noise at s shifted by in.
func (o *warpedOp) at(in *values, s lattice.Sample) float32 {
	dx, dy, dz := noise.ShiftOf(in[0]), noise.ShiftOf(in[1]), noise.ShiftOf(in[o.dims-1])
	return o.n.AtShifted(s.X, s.Y, s.Z, dx, dy, dz)
}

func (o *warpedOp) point(in *values, s lattice.Sample) float32 { return o.at(in, s) }

func (o *warpedOp) block(dst []float32, in *operands, b *block) {
	o.rows.Reset(b.x, b.dx, b.count)
	for r := range b.rows {
		dx, dy, dz := in[0].row(r, b.count), in[1].row(r, b.count), in[o.dims-1].row(r, b.count)
		o.rows.FillShifted(dst[r*b.count:][:b.count], b.y+int32(r)*b.dy, b.z+int32(r)*b.dz, dx, dy, dz)
	}
}

// bounds are those of the unwarped noise in a box made larger by the shifts.
func (o *warpedOp) bounds(in *intervals, b *lattice.Box) geom.Interval {
	grow := func(lo, hi int32, d geom.Interval) (int32, int32) {
		held := clamp{-noise.MaxShift, noise.MaxShift}.bound(d)
		l, h := int64(lo)+int64(held.Lo)-1, int64(hi)+int64(held.Hi)+1
		return int32(max(l, math.MinInt32)), int32(min(h, math.MaxInt32))
	}
	w := *b
	w.Min.X, w.Max.X = grow(b.Min.X, b.Max.X, in[0])
	w.Min.Z, w.Max.Z = grow(b.Min.Z, b.Max.Z, in[o.dims-1])
	if o.dims == 3 {
		w.Min.Y, w.Max.Y = grow(b.Min.Y, b.Max.Y, in[1])
	}
	return o.noiseOp.bounds(in, &w)
}
