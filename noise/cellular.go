package noise

import "math"

// Cellular noise (Worley 1996): every cell of a grid holds a point somewhere; the noise is the distance to the
// nearest, or how much farther the second nearest is, each at most 1 cell: the points of the 3×3 or 3×3×3
// cells round a sample are all that can be so near.

// pointBits is the number of bits of a hash that place a cell's point along x and along y; z has the rest.
const pointBits = 11

// nearest returns the squares of the distances from a place to the nearest and the second nearest point.
func (o *octave) nearest(dims int, x, y, z place) (first, second float32) {
	first, second = 4, 4
	low := uint32(1)
	if dims == 2 {
		low, y = 0, place{}
	}
	for k := range uint32(3) {
		for j := range 2*low + 1 {
			row := rowHash(o.seed, y.cell+j-low, z.cell+k-1)
			for i := range uint32(3) {
				h := hash(row, x.cell+i-1)
				dx := float32(int32(i)-1) + (pointX(h) - x.fraction)
				dz := float32(int32(k)-1) + (pointZ(h) - z.fraction)
				q := float32(dz * dz)
				if dims == 3 {
					dy := float32(int32(j)-1) + (pointY(h) - y.fraction)
					q = float32(dy*dy) + q
				}
				q = float32(dx*dx) + q
				if q < first {
					first, second = q, first
				} else if q < second {
					second = q
				}
			}
		}
	}
	return first, second
}

// pointX, pointY and pointZ return where in its cell a point is.
func pointX(h uint32) float32 { return float32(float32(h&(1<<pointBits-1)) * (1.0 / (1 << pointBits))) }
func pointY(h uint32) float32 {
	return float32(float32(h>>pointBits&(1<<pointBits-1)) * (1.0 / (1 << pointBits)))
}
func pointZ(h uint32) float32 {
	return float32(float32(h>>(2*pointBits)) * (1.0 / (1 << (32 - 2*pointBits))))
}

// cellular returns the distance to the nearest point, from −1 on it to 1 where it is a cell or more away.
func (o *octave) cellular(dims int, x, y, z place) float32 {
	first, _ := o.nearest(dims, x, y, z)
	return float32((float32(2*capped(first)) - 1) * o.weight)
}

// edges returns how much farther the second nearest point is than the nearest: −1 where they are equally far,
// between their cells.
func (o *octave) edges(dims int, x, y, z place) float32 {
	first, second := o.nearest(dims, x, y, z)
	return float32((float32(2*(capped(second)-capped(first))) - 1) * o.weight)
}

// capped returns the root of a square, at most 1.
func capped(square float32) float32 {
	if !(square < 1) {
		square = 1
	}
	return float32(math.Sqrt(float64(square)))
}
