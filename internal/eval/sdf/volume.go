package sdf

import (
	"fmt"
	"sync"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/raster"
)

// volume is a solid: the numbers of a volume, mixed between neighbors along each axis, in the box that they
// fill. Beyond its faces is air: the density is no more than the depth below the nearest face.
type volume struct {
	view         raster.VolumeView
	factor, term float32
	inverse      [3]float32 // of the meters between samples
	middle       [3]float32 // in samples
	box          box
	blocks       func() *raster.Blocks // of the view, made when first asked for, once for all readers
}

// NewVolume makes the volume whose constants are the meters between samples, factor and term.
func NewVolume(s *graph.Step, open func(hash asset.Hash) ([]byte, error)) (Solid, error) {
	data, err := raster.Open(open, s.Asset)
	if err != nil {
		return nil, err
	}
	view, err := raster.ParseVolumeView(data)
	if err != nil {
		return nil, fmt.Errorf("asset %x: %w", s.Asset[:8], err)
	}
	v := &volume{view: view, factor: s.Constants[3], term: s.Constants[4]}
	v.blocks = sync.OnceValue(func() *raster.Blocks { return raster.NewBlocks(&v.view) })
	var half [3]float32
	for axis, d := range view.Dims {
		v.inverse[axis], v.middle[axis] = 1/s.Constants[axis], float32(d-1)/2
		half[axis] = float32(v.middle[axis] * s.Constants[axis])
	}
	v.box = box{x: half[0], y: half[1], z: half[2]}
	return v, nil
}

// cell returns the sample at or before a place on an axis, of whose cells it is in one, and how far the place
// is to the next.
func (v *volume) cell(axis int, meters float32) (first int, t float32) {
	p := v.place(axis, meters)
	first = min(int(p), v.view.Dims[axis]-2)
	return first, p - float32(first)
}

// place returns a place on an axis in samples from the first, held where samples are.
func (v *volume) place(axis int, meters float32) float32 {
	p := float32(meters*v.inverse[axis]) + v.middle[axis]
	return scalar.Smaller(scalar.Larger(p, 0), float32(v.view.Dims[axis]-1))
}

// column returns the mix of the samples at x round a place on y and z, where i is the number of the first.
func (v *volume) column(i int, ty, tz float32) float32 {
	dy, dz := v.view.Dims[0], v.view.Dims[0]*v.view.Dims[1]
	s := &v.view.Samples
	return scalar.Lerp(scalar.Lerp(s.Meters(i), s.Meters(i+dy), ty), scalar.Lerp(s.Meters(i+dz), s.Meters(i+dz+dy), ty), tz)
}

// density returns the density of a mix of samples at a place.
func (v *volume) density(mix, x, y, z float32) float32 {
	return scalar.Smaller(float32(mix*v.factor)+v.term+0, v.box.At(x, y, z))
}

func (v *volume) At(x, y, z float32) float32 {
	var d [1]float32
	v.Row(d[:], []float32{x}, y, z)
	return d[0]
}

func (v *volume) Row(dst, x []float32, y, z float32) {
	cy, ty := v.cell(1, y)
	cz, tz := v.cell(2, z)
	i := (cz*v.view.Dims[1] + cy) * v.view.Dims[0]
	last, low, high := -1, float32(0), float32(0) // the cell along x that low and high are the ends of
	for k, x := range x {
		c, t := v.cell(0, x)
		if c != last {
			if c != last+1 || last < 0 {
				high = v.column(i+c, ty, tz)
			}
			last, low, high = c, high, v.column(i+c+1, ty, tz)
		}
		dst[k] = v.density(scalar.Lerp(low, high, t), x, y, z)
	}
}

// Bounds widens the extremes of the samples round a box by what rounding a mix of them does.
func (v *volume) Bounds(x, y, z geom.Interval) geom.Interval {
	var low, high [3]int
	for axis, i := range [3]geom.Interval{x, y, z} {
		last := v.view.Dims[axis] - 1
		low[axis], high[axis] = int(v.place(axis, i.Lo)), min(int(v.place(axis, i.Hi))+1, last)
		low[axis] = min(low[axis], last-1)
	}
	i := v.blocks().Bounds(low, high)
	i = i.Widen(float32(i.Magnitude() * (1.0 / (1 << 20))))
	i = i.Mul(geom.Single(v.factor)).Add(geom.Single(v.term)).Add(geom.Single(0))
	return i.Smaller(v.box.Bounds(x, y, z))
}
