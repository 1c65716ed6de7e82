package field

import (
	"fmt"
	"sync"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/scalar"
)

// volume is a solid: the numbers of a volume, mixed between neighbors along each axis, in the box that they
// fill. Beyond its faces is air: the density is no more than the depth below the nearest face.
type volume struct {
	view         volumeView
	factor, term float32
	inverse      [3]float32 // of the meters between samples
	middle       [3]float32 // in samples
	box          box
	blocks       func() *blocks // of the view, made when first asked for, once for all readers
}

func newVolumeOp(s *graph.Step, c *compiler) (op, error) {
	v, err := newVolume(s, c)
	if err != nil {
		return nil, err
	}
	return newShape(s, v, false), nil
}

// newVolume makes the volume whose constants are the meters between samples, factor and term.
func newVolume(s *graph.Step, c *compiler) (solid, error) {
	data, err := c.open(s.Asset)
	if err != nil {
		return nil, err
	}
	view, err := parseVolumeView(data)
	if err != nil {
		return nil, fmt.Errorf("asset %x: %w", s.Asset[:8], err)
	}
	v := &volume{view: view, factor: s.Constants[3], term: s.Constants[4]}
	v.blocks = sync.OnceValue(func() *blocks { return newBlocks(&v.view) })
	var half [3]float32
	for axis, d := range view.dims {
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
	first = min(int(p), v.view.dims[axis]-2)
	return first, p - float32(first)
}

// place returns a place on an axis in samples from the first, held where samples are.
func (v *volume) place(axis int, meters float32) float32 {
	p := float32(meters*v.inverse[axis]) + v.middle[axis]
	return scalar.Smaller(scalar.Larger(p, 0), float32(v.view.dims[axis]-1))
}

// column returns the mix of the samples at x round a place on y and z, where i is the number of the first.
func (v *volume) column(i int, ty, tz float32) float32 {
	dy, dz := v.view.dims[0], v.view.dims[0]*v.view.dims[1]
	s := &v.view.samples
	return scalar.Lerp(scalar.Lerp(s.meters(i), s.meters(i+dy), ty), scalar.Lerp(s.meters(i+dz), s.meters(i+dz+dy), ty), tz)
}

// density returns the density of a mix of samples at a place.
func (v *volume) density(mix, x, y, z float32) float32 {
	return scalar.Smaller(float32(mix*v.factor)+v.term+0, v.box.at(x, y, z))
}

func (v *volume) at(x, y, z float32) float32 {
	var d [1]float32
	v.row(d[:], []float32{x}, y, z)
	return d[0]
}

func (v *volume) row(dst, x []float32, y, z float32) {
	cy, ty := v.cell(1, y)
	cz, tz := v.cell(2, z)
	i := (cz*v.view.dims[1] + cy) * v.view.dims[0]
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

// bounds widens the extremes of the samples round a box by what rounding a mix of them does.
func (v *volume) bounds(x, y, z geom.Interval) geom.Interval {
	var low, high [3]int
	for axis, i := range [3]geom.Interval{x, y, z} {
		last := v.view.dims[axis] - 1
		low[axis], high[axis] = int(v.place(axis, i.Lo)), min(int(v.place(axis, i.Hi))+1, last)
		low[axis] = min(low[axis], last-1)
	}
	i := v.blocks().bounds(low, high)
	i = i.Widen(float32(i.Magnitude() * (1.0 / (1 << 20))))
	i = i.Mul(geom.Single(v.factor)).Add(geom.Single(v.term)).Add(geom.Single(0))
	return intersection{}.bound(i, v.box.bounds(x, y, z))
}

// blocks holds the extremes of a volume's blocks: of blockSide samples a side, then of 2×2×2 blocks, and so on.
type blocks struct{ levels []blockLevel }

type blockLevel struct {
	dims [3]int
	v    []geom.Interval
}

const (
	blockShift = 3
	// fewBlocks is how many blocks a query reads along an axis at most: with more it would be slower than the
	// samples it spares, with fewer its bounds would reach farther beyond the box.
	fewBlocks = 4
)

func newBlocks(v *volumeView) *blocks {
	l := newBlockLevel(v.dims, blockShift)
	for z := range v.dims[2] {
		for y := range v.dims[1] {
			row := (z*v.dims[1] + y) * v.dims[0]
			for x := range v.dims[0] {
				l.add(x>>blockShift, y>>blockShift, z>>blockShift, geom.Single(v.samples.meters(row+x)))
			}
		}
	}
	b := &blocks{levels: []blockLevel{l}}
	for max(l.dims[0], l.dims[1], l.dims[2]) > 1 {
		up := newBlockLevel(l.dims, 1)
		for i, e := range l.v {
			up.add(i%l.dims[0]/2, i/l.dims[0]%l.dims[1]/2, i/(l.dims[0]*l.dims[1])/2, e)
		}
		b.levels = append(b.levels, up)
		l = up
	}
	return b
}

func newBlockLevel(dims [3]int, shift int) blockLevel {
	var l blockLevel
	for axis, n := range dims {
		l.dims[axis] = (n-1)>>shift + 1
	}
	l.v = make([]geom.Interval, l.dims[0]*l.dims[1]*l.dims[2])
	for i := range l.v {
		l.v[i] = geom.Interval{Lo: MaxHeight, Hi: -MaxHeight}
	}
	return l
}

func (l *blockLevel) add(x, y, z int, e geom.Interval) {
	v := &l.v[(z*l.dims[1]+y)*l.dims[0]+x]
	*v = v.Union(e)
}

// bounds returns the extremes of the blocks that hold the samples from low to high, at the finest level where
// they are few.
func (b *blocks) bounds(low, high [3]int) geom.Interval {
	shift, level := blockShift, 0
	many := func() bool {
		for axis := range low {
			if high[axis]>>shift-low[axis]>>shift >= fewBlocks {
				return true
			}
		}
		return false
	}
	for many() && level < len(b.levels)-1 {
		shift, level = shift+1, level+1
	}
	l := &b.levels[level]
	i := geom.Interval{Lo: MaxHeight, Hi: -MaxHeight}
	for z := low[2] >> shift; z <= high[2]>>shift; z++ {
		for y := low[1] >> shift; y <= high[1]>>shift; y++ {
			for x := low[0] >> shift; x <= high[0]>>shift; x++ {
				i = i.Union(l.v[(z*l.dims[1]+y)*l.dims[0]+x])
			}
		}
	}
	return i
}
