package raster

import "github.com/terrane/terrane/geom"

// Blocks holds the extremes of a volume's blocks: of blockSide samples a side, then of 2×2×2 blocks, and so on.
type Blocks struct{ levels []blockLevel }

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

// NewBlocks returns the blocks of the samples of v.
func NewBlocks(v *VolumeView) *Blocks {
	l := newBlockLevel(v.Dims, blockShift)
	for z := range v.Dims[2] {
		for y := range v.Dims[1] {
			row := (z*v.Dims[1] + y) * v.Dims[0]
			for x := range v.Dims[0] {
				l.add(x>>blockShift, y>>blockShift, z>>blockShift, geom.Single(v.Samples.Meters(row+x)))
			}
		}
	}
	b := &Blocks{levels: []blockLevel{l}}
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

// Bounds returns the extremes of the blocks that hold the samples from low to high, at the finest level where
// they are few.
func (b *Blocks) Bounds(low, high [3]int) geom.Interval {
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
