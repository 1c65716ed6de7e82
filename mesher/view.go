package mesher

import (
	"math/bits"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/solve"
	"github.com/terrane/terrane/mesh"
)

// A view is what the meshers read: a block of samples and the cells within it to be meshed.
type view struct {
	samples []float32 // x fastest, then y, then z, from plane base on
	base    int
	n       [3]int // samples along each axis
	lo, hi  [3]int // the first and the last sample that bound a cell, along each axis
	iso     float32
	scale   [3]float32 // size of a cell
	weight  [3]float32 // what a difference counts in a gradient: the smallest cell size over the axis' own
	shift   int        // positions are relative to the sample lo + shift on each axis

	// snap added to a number from 0 to 1 and taken away again rounds it so that twice the chunk's cells and
	// it fit into a float32: the same place is then the same number in the chunk, in its neighbors and in a
	// neighbor twice as coarse. For volumes it is 0 and rounds nothing.
	snap float32

	// rim is 1 where the outermost samples are not the caller's but air put round them to close the surface
	// there, and else 0.
	rim int

	// materials holds the material of each sample, or nothing.
	materials []uint8
	// ground holds n[0]·n[2] heights, x fastest, or nothing if no depths are wanted.
	ground []float32
	// height and rise give the height of the samples y: height + y·rise, both whole numbers.
	height, rise int32
}

// chunkView returns the view of a chunk's samples whose cells lie between the samples lo and hi on each axis.
func chunkView(g *grid.Grid, lo, hi int) view {
	n := g.Side()
	step := float32(g.Step())
	return view{
		samples:   g.Samples[:n*n*n],
		materials: g.Materials,
		n:         [3]int{n, n, n},
		lo:        [3]int{lo, lo, lo},
		hi:        [3]int{hi, hi, hi},
		scale:     [3]float32{step, step, step},
		weight:    [3]float32{1, 1, 1},
		snap:      float32(int(1) << (bits.Len(uint(2*g.Cells)) - 1)),
		ground:    g.Ground[:n*n],
		height:    g.Corner().Y,
		rise:      g.Step(),
	}
}

// attributes returns what the view's vertices have, with normals unless they are to be flat.
func (v *view) attributes(flat bool) (has mesh.Attributes) {
	if !flat {
		has |= mesh.Normals
	}
	if len(v.ground) != 0 {
		has |= mesh.Depths
	}
	if len(v.materials) != 0 {
		has |= mesh.Materials
	}
	return has
}

// stride returns the distance in samples between neighbors along an axis.
func (v *view) stride(axis int) int {
	switch axis {
	case 0:
		return 1
	case 1:
		return v.n[0]
	}
	return v.n[0] * v.n[1]
}

// index returns the place of a sample.
func (v *view) index(x, y, z int) int { return ((z-v.base)*v.n[1]+y)*v.n[0] + x }

// A reach says where a sample's neighbors along an axis lie: how far below and above it, and how many times
// their difference is that over two cells. At the edge of the samples one is the sample itself.
type reach struct {
	below, above int
	times        float32
}

// reach returns the reach of the samples whose number on an axis is i.
func (v *view) reach(axis, i int) reach {
	d := v.stride(axis)
	switch low, high := i > v.rim, i < v.n[axis]-1-v.rim; {
	case low && high:
		return reach{d, d, 1}
	case high:
		return reach{0, d, 2}
	case low:
		return reach{d, 0, 2}
	}
	return reach{}
}

// slope returns the difference over two cells at sample i: the central one, or twice the one-sided one.
func (r reach) slope(s []float32, i int) float32 { return (s[i+r.above] - s[i-r.below]) * r.times }

// slope returns the difference over two cells along an axis at a sample, 0 in the rim.
func (v *view) slope(at [3]int, axis int) float32 {
	if v.inRim(at) {
		return 0
	}
	return v.reach(axis, at[axis]).slope(v.samples, v.index(at[0], at[1], at[2]))
}

// rimRow reports whether edges along an axis that start in a row, or all their ends, lie in the rim.
func (v *view) rimRow(axis, y, z int) bool {
	if v.rim == 0 {
		return false
	}
	y1, z1 := y, z
	switch axis {
	case 1:
		y1++
	case 2:
		z1++
	}
	return y < 1 || z < 1 || y1 > v.n[1]-2 || z1 > v.n[2]-2
}

// inRim reports whether a sample belongs to the rim.
func (v *view) inRim(at [3]int) bool {
	if v.rim == 0 {
		return false
	}
	for axis, i := range at {
		if i < v.rim || i > v.n[axis]-1-v.rim {
			return true
		}
	}
	return false
}

// heightOf returns the height of the samples of row y in meters.
func (v *view) heightOf(y int) float32 { return float32(v.height + int32(y)*v.rise) }

// careful solves the crossing of the edge that starts at a sample and runs along an axis, for any densities.
func (v *view) careful(at [3]int, axis int) (t float32, n [3]float32) {
	end := at
	end[axis]++
	// The rim closes the surface at the samples beside it.
	if v.inRim(at) {
		n[axis] = -1
		return 1, n
	}
	if v.inRim(end) {
		n[axis] = 1
		return 0, n
	}
	i := v.index(at[0], at[1], at[2])
	a, b := v.samples[i]-v.iso, v.samples[i+v.stride(axis)]-v.iso
	t = solve.Crossing(a, b)
	var g [3]float64
	for k := range g {
		from, to := v.carefulSlope(at, k), v.carefulSlope(end, k)
		g[k] = (from + float64((to-from)*float64(t))) * float64(v.weight[k])
	}
	return t, solve.Direction(g, axis, a > 0)
}

// carefulSlope returns the gradient along an axis at a sample as slope does, from finite numbers only: an
// infinite density counts as a very large one, and a neighbor that is NaN as the sample itself.
func (v *view) carefulSlope(at [3]int, axis int) float64 {
	i := v.index(at[0], at[1], at[2])
	value := func(j int, other float64) float64 {
		if s := solve.Tame(v.samples[j]); s == s {
			return s
		}
		return other
	}
	mid := value(i, float64(v.iso))
	r := v.reach(axis, at[axis])
	return (value(i+r.above, mid) - value(i-r.below, mid)) * float64(r.times)
}
