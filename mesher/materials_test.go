package mesher

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/meshtest"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// materialGrid returns a grid of random densities with materials.
func materialGrid(cells int, seed uint64) *grid.Grid {
	g := grid.New(cells)
	g.Chunk = lattice.Chunk{X: -1, Y: 2, Z: 3, Level: 1}
	n := meshtest.NewNoise(rand.New(rand.NewPCG(seed, 0)), g.Box(), 0.5)
	meshtest.Fill(g, n.At)
	return g
}

// TestMarchingMaterials checks each vertex against the samples that it lies between.
func TestMarchingMaterials(t *testing.T) {
	g := materialGrid(9, 1)
	var m mesh.Mesh
	New(Marching).Mesh(&m, g, 0)
	if m.Vertices() < 100 || len(m.Materials) != 4*m.Vertices() {
		t.Fatalf("%d bytes of materials for %d vertices", len(m.Materials), m.Vertices())
	}
	for v := range m.Vertices() {
		var at [3]int
		axis, along := -1, 0.0
		for i := range 3 {
			p := float64(m.Positions[3*v+i]) / 2
			at[i] = int(math.Floor(p))
			if rest := p - math.Floor(p); rest != 0 {
				axis, along = i, rest
			}
		}
		end := at
		end[axis]++
		i, j := g.Index(at[0], at[1], at[2]), g.Index(end[0], end[1], end[2])
		if !grid.Solid(g.Samples[i]) {
			i, j, along = j, i, 1-along
		}
		got := [4]uint8(m.Materials[4*v:])
		if got[0] != g.Materials[i] || got[1] != g.Materials[j] || math.Abs(float64(got[2])-255*along) > 0.51 || got[3] != 0 {
			t.Fatalf("vertex %d: materials %v, want %d, %d, %v, 0", v, got, g.Materials[i], g.Materials[j], 255*along)
		}
	}
}

// TestNetMaterials checks that a vertex has the materials of a solid and an air corner of its cell.
func TestNetMaterials(t *testing.T) {
	g := materialGrid(9, 2)
	for i := range g.Materials {
		g.Materials[i] = uint8(i) &^ 1
		if grid.Solid(g.Samples[i]) {
			g.Materials[i] |= 1
		}
	}
	for _, kind := range []Kind{Nets, Blocks} {
		var m mesh.Mesh
		New(kind).Mesh(&m, g, 0)
		if m.Vertices() < 100 || len(m.Materials) != 4*m.Vertices() {
			t.Fatalf("%v: %d bytes of materials for %d vertices", kind, len(m.Materials), m.Vertices())
		}
		for v := range m.Vertices() {
			if got := m.Materials[4*v : 4*v+4]; got[0]&1 != 1 || got[1]&1 != 0 || got[3] != 0 || kind == Blocks && got[2] != 0 {
				t.Fatalf("%v: vertex %d has materials %v, want those of a solid and an air sample", kind, v, got)
			}
		}
	}
}

func TestWeights(t *testing.T) {
	for _, c := range []struct {
		t    float32
		want uint8
	}{{0, 0}, {1, 255}, {0.5, 128}, {0.001, 0}, {0.999, 255}, {-1, 0}, {2, 255}, {float32(math.NaN()), 0}} {
		if got := weightOf(c.t); got != c.want {
			t.Errorf("weight of %v: %d, want %d", c.t, got, c.want)
		}
	}
}

// TestMaterialsAllocations checks that meshes of ground without materials have none, and that with them nothing
// is allocated either.
func TestMaterialsAllocations(t *testing.T) {
	for kind := range Kind(3) {
		var m mesh.Mesh
		k, g := New(kind), materialGrid(lattice.ChunkCells, 3)
		use := func() { m.Reset(); k.Mesh(&m, g, 0) }
		use()
		if n := testing.AllocsPerRun(5, use); n != 0 {
			t.Errorf("%v: %v allocations", kind, n)
		}
		g.Materials = nil
		use()
		if len(m.Materials) != 0 {
			t.Errorf("%v: %d bytes of materials from ground without", kind, len(m.Materials))
		}
	}
}
