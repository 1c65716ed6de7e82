package grid

import "github.com/terrane/terrane/geom"

// A Volume is a block of densities of any size, x fastest, then y, then z: a scan, a simulation, a field
// sampled once. The sample x, y, z is Samples[v.Index(x, y, z)] and lies at x·Cell.X, y·Cell.Y, z·Cell.Z.
type Volume struct {
	NX, NY, NZ int       // samples along each axis
	Samples    []float32 // NX·NY·NZ densities; NaN is allowed and counts as air
	Cell       geom.Vec3 // size of a cell in meters; the zero value means 1 by 1 by 1
}

// NewVolume returns a volume of zeros with cells of 1 m; it panics if a side has no samples.
func NewVolume(nx, ny, nz int) *Volume {
	if nx < 1 || ny < 1 || nz < 1 {
		panic("grid: a volume needs at least one sample along each axis")
	}
	return &Volume{NX: nx, NY: ny, NZ: nz, Samples: make([]float32, nx*ny*nz), Cell: geom.Vec3{X: 1, Y: 1, Z: 1}}
}

// Index returns the place in Samples of the sample x, y, z.
func (v *Volume) Index(x, y, z int) int { return (z*v.NY+y)*v.NX + x }

// At returns the sample x, y, z.
func (v *Volume) At(x, y, z int) float32 { return v.Samples[v.Index(x, y, z)] }

// Dims returns the number of samples along each axis.
func (v *Volume) Dims() [3]int { return [3]int{v.NX, v.NY, v.NZ} }

// Fill sets every sample to f at its place in meters.
func (v *Volume) Fill(f func(p geom.Vec3) float32) {
	c, i := v.CellSize(), 0
	for z := range v.NZ {
		for y := range v.NY {
			for x := range v.NX {
				v.Samples[i] = f(geom.Vec3{X: float32(x) * c.X, Y: float32(y) * c.Y, Z: float32(z) * c.Z})
				i++
			}
		}
	}
}

// CellSize returns the size of a cell, 1 by 1 by 1 if Cell is zero.
func (v *Volume) CellSize() geom.Vec3 {
	if v.Cell == (geom.Vec3{}) {
		return geom.Vec3{X: 1, Y: 1, Z: 1}
	}
	return v.Cell
}
