package noise

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
