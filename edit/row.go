package edit

import (
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// Row applies e to a row of samples, bit for bit as Value would: row[i] is the density of the sample i steps
// of 1<<level along x from s.
func (e Edit) Row(row []float32, s lattice.Sample, level uint8) {
	p, reach := e.Place, e.Reach(level)
	y := float32(s.Y-p.Sample.Y) - p.Offset.Y
	z := float32(s.Z-p.Sample.Z) - p.Offset.Z
	yy, zz := float32(y*y), float32(z*z)
	for i, before := range row {
		x := float32(s.X+int32(i)<<level-p.Sample.X) - p.Offset.X
		d := geom.Sqrt(float32(x*x) + yy + zz)
		if !(d <= reach) {
			continue
		}
		outside := d - e.Radius
		if e.Op == Dig {
			row[i] = digSmooth(before, outside, e.Smooth) + 0
		} else {
			row[i] = -digSmooth(-before, outside, e.Smooth) + 0
		}
	}
}

// RowReach returns the half-open range of x outside which e changes no sample of the level in the row y, z.
// The range may be a sample wider than need be.
func (e Edit) RowReach(y, z int32, level uint8) (lo, hi int32) {
	p := e.Place
	// float64 with a margin far above the rounding of the float32 distances that decide.
	r := float64(e.Reach(level)) * (1 + 1e-5)
	dy := float64(y) - float64(p.Sample.Y) - float64(p.Offset.Y)
	dz := float64(z) - float64(p.Sample.Z) - float64(p.Offset.Z)
	rest := r*r - float64(dy*dy) - float64(dz*dz)
	if !(rest >= 0) {
		return p.Sample.X, p.Sample.X
	}
	half := math.Sqrt(rest)
	x := float64(p.Offset.X)
	return p.Sample.X + int32(math.Ceil(x-half)), p.Sample.X + int32(math.Floor(x+half)) + 1
}
