package mesher

import (
	"errors"
	"fmt"
	"math"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/solve"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// ErrTooLarge reports a volume or a mesh too large for 32-bit indices.
var ErrTooLarge = errors.New("mesher: too large")

// maxSamples is the largest number of samples of a volume.
const maxSamples = 1 << 31

// An Extractor makes meshes, of chunks (Mesh) and of whole volumes (Extract), by the algorithm of its Kind. Its zero
// value makes marching cubes at density 0. It keeps scratch memory, so that a second chunk or volume of the same size
// allocates nothing if the mesh has room: one per goroutine. All settings but Kind are for volumes.
type Extractor struct {
	Kind Kind
	// Iso is the density of the surface: what is above it is solid, what is at or below it, air.
	Iso float32
	// Caps closes the surface where solid reaches the volume's border. Without it the surface ends there
	// in open edges.
	Caps bool
	// Run, if not nil, is called to run f(0) … f(n−1) at the same time and must return when all have:
	// marching cubes is then done by Threads workers, with the same result bit for bit.
	Run     func(n int, f func(i int))
	Threads int
	// NoNormals leaves the mesh without normals, which takes about half the time.
	NoNormals bool
	// Memory, if not nil, makes the slices of meshes that have no room yet: of huge pages, say. The first touch
	// of fresh memory in small pages takes longer than making the surface that goes there.
	Memory mesh.Memory

	made [kindCount]surface
}

// Stats holds what an extraction counts in a volume.
type Stats struct {
	NaNs int // samples that are NaN; they count as air
}

// Extract appends the surface of v to m, positions relative to the sample 0, 0, 0. Samples equal to Iso are
// air, as everywhere; where that puts several vertices in one place they are made one, and no triangle
// without area is left (by surface nets one may be, with its corners on a line; squares of the blocks view
// never share vertices). The order of vertices and triangles depends on the volume alone.
//
// A mesh without any capacity gets what it needs exactly, which takes a count of the surface first; one
// that has some grows by halves.
func (x *Extractor) Extract(m *mesh.Mesh, v *grid.Volume) (Stats, error) {
	if err := x.check(m, v); err != nil {
		return Stats{}, err
	}
	c := v.CellSize()
	view := view{
		samples: v.Samples,
		n:       [3]int{v.NX, v.NY, v.NZ},
		hi:      [3]int{v.NX - 1, v.NY - 1, v.NZ - 1},
		iso:     x.Iso,
		scale:   [3]float32{c.X, c.Y, c.Z},
		weight:  weights(c.X, c.Y, c.Z),
	}
	return x.surface().volume(x, m, view)
}

// Mesh implements Mesher. The surface of a chunk lies at density 0, has normals, and is made by one worker whatever the
// settings for volumes are.
func (x *Extractor) Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces) {
	x.surface().Mesh(m, g, finer)
}

// ClosesSeams implements Mesher.
func (x *Extractor) ClosesSeams() bool { return x.surface().ClosesSeams() }

// surface returns the algorithm, made when it is first needed.
func (x *Extractor) surface() surface {
	if !x.Kind.Valid() {
		panic(fmt.Sprintf("mesher: %v is not a mesher", x.Kind))
	}
	if x.made[x.Kind] == nil {
		x.made[x.Kind] = kinds[x.Kind].new()
	}
	return x.made[x.Kind]
}

// check returns an error if the request cannot be met.
func (x *Extractor) check(m *mesh.Mesh, v *grid.Volume) error {
	if v.NX < 0 || v.NY < 0 || v.NZ < 0 || len(v.Samples) != v.NX*v.NY*v.NZ {
		panic(fmt.Sprintf("mesher: a volume of %d×%d×%d has %d samples", v.NX, v.NY, v.NZ, len(v.Samples)))
	}
	if v.NX < 2 || v.NY < 2 || v.NZ < 2 {
		return fmt.Errorf("mesher: a volume of %d×%d×%d samples has no cells: want at least 2 along each axis", v.NX, v.NY, v.NZ)
	}
	if len(v.Samples) > maxSamples {
		return fmt.Errorf("%w: %d samples, want at most %d", ErrTooLarge, len(v.Samples), maxSamples)
	}
	if solve.IsInf(x.Iso) || x.Iso != x.Iso {
		return fmt.Errorf("mesher: the iso level %v is not finite", x.Iso)
	}
	for _, c := range []float32{v.CellSize().X, v.CellSize().Y, v.CellSize().Z} {
		if !(c > 0) || solve.IsInf(c) {
			return fmt.Errorf("mesher: the cell size %v is not a positive number", v.CellSize())
		}
	}
	if !x.NoNormals && len(m.Normals) != len(m.Positions) {
		return errors.New("mesher: the mesh holds vertices without normals: Reset it or set NoNormals")
	}
	return nil
}

// weights returns what a difference along each axis counts in a gradient.
func weights(x, y, z float32) [3]float32 {
	least := x
	for _, c := range [2]float32{y, z} {
		if c < least {
			least = c
		}
	}
	return [3]float32{least / x, least / y, least / z}
}

// allocate gives m room for so many vertices and indices in all, and keeps what it holds.
func (x *Extractor) allocate(m *mesh.Mesh, vertices, indices int) error {
	if vertices > math.MaxUint32 {
		return fmt.Errorf("%w: the surface has %d vertices, want at most %d", ErrTooLarge, vertices, math.MaxUint32)
	}
	var has mesh.Attributes
	if !x.NoNormals {
		has = mesh.Normals
	}
	m.Reserve(vertices, indices, has, x.Memory)
	return nil
}
