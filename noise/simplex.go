package noise

import "math"

// Simplex noise: every lattice point spreads a slope over a round neighborhood, so that no direction is
// favored. The lattice is the densest: triangles in two dimensions, a body-centered cubic one in three. Both
// are two plain grids, one moved by half a cell, and plain grids run on phases.

const (
	// In two dimensions a cell is √3 times as long along z as along x: the grids together make triangles of
	// side 1, and the neighborhood reaches as far as their height.
	simplexReach2 = 0.75 // the square of it
	simplexAspect = 0x93cd3a2d
	// In three dimensions cells are cubes of side 1. No neighborhood may reach past 1, where points that are
	// no corner of a sample's cell begin.
	simplexReach3 = 0.75
	// The scales bring the noise into [−1, 1]; the slopes are the most that it changes per cell, times the
	// scale. Both were found by search in TestSimplexScale, and are rounded to the safe side.
	simplexScale2 = 15
	simplexScale3 = 8.95
	simplexSlope2 = 10.8
	simplexSlope3 = 12.4
	otherGrid     = 0x9e3779b9 // what the second grid adds to the seed
)

// moved returns the place in the grid that is moved by half a cell, exactly.
func (p place) moved() place {
	if p.fraction >= 0.5 {
		return place{p.cell + 1, p.fraction - 0.5}
	}
	return place{p.cell, p.fraction + 0.5}
}

// simplex2 returns simplex noise in two dimensions.
func (o *octave) simplex2(x, z place) float32 {
	sum := o.spread2(o.seed, x, z)
	return sum + o.spread2(o.seed+otherGrid, x.moved(), z.moved())
}

// spread2 sums what the corners of a cell of one grid spread.
func (o *octave) spread2(seed uint32, x, z place) float32 {
	sum := float32(0)
	for k := range uint32(2) {
		row := rowHash(seed, 0, z.cell+k)
		dz := float32((z.fraction - float32(k)) * sqrt3)
		for i := range uint32(2) {
			dx := x.fraction - float32(i)
			gx, gz := gradient2(hash(row, x.cell+i), o.weight)
			t := simplexReach2 - (float32(dx*dx) + float32(dz*dz))
			sum += spread(t, float32(gx*dx)+float32(gz*dz))
		}
	}
	return sum
}

const sqrt3 = float32(1.7320508)

// spread returns t⁴·slope where t is over 0.
func spread(t, slope float32) float32 {
	if !(t > 0) {
		t = 0
	}
	t = float32(t * t)
	return float32(float32(t*t) * slope)
}

// simplex3 returns simplex noise in three dimensions.
func (o *octave) simplex3(x, y, z place) float32 {
	sum := o.spread3(o.seed, x, y, z)
	return sum + o.spread3(o.seed+otherGrid, x.moved(), y.moved(), z.moved())
}

func (o *octave) spread3(seed uint32, x, y, z place) float32 {
	sum := float32(0)
	for k := range uint32(2) {
		dz := z.fraction - float32(k)
		for j := range uint32(2) {
			dy := y.fraction - float32(j)
			row := rowHash(seed, y.cell+j, z.cell+k)
			for i := range uint32(2) {
				dx := x.fraction - float32(i)
				gx, gy, gz := gradient3(hash(row, x.cell+i), o.weight)
				t := simplexReach3 - (float32(dx*dx) + (float32(dy*dy) + float32(dz*dz)))
				sum += spread(t, float32(gx*dx)+(float32(gy*dy)+float32(gz*dz)))
			}
		}
	}
	return sum
}

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
