package mesher

import "github.com/terrane/terrane/grid"

// A view is what the meshers read: a block of samples and the cells within it to be meshed.
type view struct {
	samples []float32 // x fastest, then y, then z
	n       [3]int    // samples along each axis
	lo, hi  [3]int    // the first and the last sample that bound a cell, along each axis
	iso     float32
	scale   [3]float32 // size of a cell
	shift   int        // positions are relative to the sample lo + shift on each axis

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
		samples: g.Samples[:n*n*n],
		n:       [3]int{n, n, n},
		lo:      [3]int{lo, lo, lo},
		hi:      [3]int{hi, hi, hi},
		scale:   [3]float32{step, step, step},
		ground:  g.Ground[:n*n],
		height:  g.Corner().Y,
		rise:    g.Step(),
	}
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
func (v *view) index(x, y, z int) int { return (z*v.n[1]+y)*v.n[0] + x }

// slope returns the difference along an axis at the sample x, y, z, over two cells: the central one, or
// twice the one-sided one at the edge of the samples, or 0 where there is only one sample.
func (v *view) slope(at [3]int, axis int) float32 {
	i, d := v.index(at[0], at[1], at[2]), v.stride(axis)
	low, high := at[axis] > 0, at[axis] < v.n[axis]-1
	switch {
	case low && high:
		return v.samples[i+d] - v.samples[i-d]
	case high:
		return 2 * (v.samples[i+d] - v.samples[i])
	case low:
		return 2 * (v.samples[i] - v.samples[i-d])
	}
	return 0
}

// heightOf returns the height of the samples of row y in meters.
func (v *view) heightOf(y int) float32 { return float32(v.height + int32(y)*v.rise) }
