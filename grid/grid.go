package grid

import "github.com/terrane/terrane/lattice"

// A Grid holds the density samples of one chunk and the margin around it, x fastest. The sample x, y, z
// cells from the chunk's low corner (each in −1 … Cells+1) is Samples[g.Index(x, y, z)].
type Grid struct {
	Chunk   lattice.Chunk
	Cells   int       // per side, without the margin
	Samples []float32 // Side()³ densities, positive inside the ground, never NaN
	// Ground holds Side()² heights of the generated ground in meters, x fastest, then z: the height at the
	// column x, z is Ground[(z+1)*Side()+x+1]. A vertex's depth is this height minus its own.
	Ground []float32
	// Materials holds, for ground that has materials, Side()³ numbers of a palette, as Samples, and is else
	// empty. Only those of samples that end an edge between solid and air are defined.
	Materials []uint8
	// Slabs holds, for each face with a finer neighbor, 3×(2·Cells+3)² fine samples round that face (layers
	// −1, 0, 1 across it, from low to high, outermost; the two other axes in ascending order, the lower one
	// fastest). A face without a finer neighbor has none.
	Slabs [6][]float32
	// SlabMaterials holds the materials of the samples of each slab, if the ground has materials.
	SlabMaterials [6][]uint8
}

// New returns a grid of the given number of cells a side with its samples and ground heights allocated.
func New(cells int) *Grid {
	if cells < 1 || cells > 1024 {
		panic("grid: cells out of range 1 … 1024")
	}
	n := cells + 3
	return &Grid{Cells: cells, Samples: make([]float32, n*n*n), Ground: make([]float32, n*n)}
}

// Side returns the number of samples along a side, the margin included.
func (g *Grid) Side() int { return g.Cells + 3 }

// Index returns the place in Samples of the sample x, y, z cells from the chunk's low corner.
func (g *Grid) Index(x, y, z int) int {
	n := g.Cells + 3
	return ((z+1)*n+y+1)*n + x + 1
}

// Step returns the distance between two samples: 1<<level.
func (g *Grid) Step() int32 { return 1 << g.Chunk.Level }

// Corner returns the lattice number of the first sample, the low corner of the margin.
func (g *Grid) Corner() lattice.Sample {
	n, h := int32(g.Cells), g.Step()
	c := g.Chunk
	return lattice.Sample{X: (c.X*n - 1) * h, Y: (c.Y*n - 1) * h, Z: (c.Z*n - 1) * h}
}

// Box returns the samples from the first to the last, margin included.
func (g *Grid) Box() lattice.Box {
	o, n := g.Corner(), int32(g.Side()-1)*g.Step()+1
	return lattice.Box{Min: o, Max: o.Add(n, n, n)}
}

// Solid reports whether d is inside the ground. Exactly 0 is air, so chunks that share a sample agree.
func Solid(d float32) bool { return d > 0 }
