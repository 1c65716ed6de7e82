package mesher

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/meshtest"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// cube returns the box of samples from lo to hi on each axis, hi excluded.
func cubeOf(lo, hi int32) lattice.Box {
	return lattice.Box{Min: lattice.Sample{X: lo, Y: lo, Z: lo}, Max: lattice.Sample{X: hi, Y: hi, Z: hi}}
}

// TestClosedRandom meshes random grids with air all round: by index every edge must border two triangles
// that turn the same way, and the volume must be positive, which only an outward-facing mesh has.
func TestClosedRandom(t *testing.T) {
	for _, kind := range []Kind{Marching, Nets} {
		t.Run(kind.String(), func(t *testing.T) {
			const seed = 20261
			r := rand.New(rand.NewPCG(seed, uint64(kind)))
			k := New(kind)
			var m mesh.Mesh
			for i := range 3000 {
				g := grid.New(1 + r.IntN(6))
				inside := int32(g.Cells)
				n := meshtest.NewNoise(r, cubeOf(1, inside), r.Float64())
				meshtest.Fill(g, n.At)
				m.Reset()
				k.Mesh(&m, g, 0)
				f := meshtest.Stats(t, &m)
				meshtest.UnitNormals(t, &m)
				if !f.Closed() || f.Degenerate != 0 || f.Orphans != 0 || f.Triangles > 0 && f.Volume <= 0 {
					t.Fatalf("seed %d, grid %d of %d cells: %+v", seed, i, g.Cells, f)
				}
			}
		})
	}
}

// TestBlocksBalanced does the same for the blocks view, whose squares share no vertex and whose cubes may
// touch along an edge: by position every edge must be passed equally often in both directions, and the
// volume must be that of a cube for each solid sample.
func TestBlocksBalanced(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 0))
	k := New(Blocks)
	var m mesh.Mesh
	for i := range 1000 {
		g := grid.New(2 + r.IntN(5))
		n := meshtest.NewNoise(r, cubeOf(1, int32(g.Cells)), r.Float64())
		meshtest.Fill(g, n.At)
		solid := 0
		for _, d := range g.Samples {
			if grid.Solid(d) {
				solid++
			}
		}
		m.Reset()
		k.Mesh(&m, g, 0)
		meshtest.UnitNormals(t, &m)
		m.Weld()
		f := meshtest.Stats(t, &m)
		if !f.Balanced() || f.Degenerate != 0 || math.Abs(f.Volume-float64(solid)) > 1e-6 {
			t.Fatalf("seed %d, grid %d of %d cells: volume for %d solid samples, %+v", seed, i, g.Cells, solid, f)
		}
	}
}

// TestClosedAcrossChunks meshes a random field in 2×2×2 chunks round the origin: joined by exact position
// they must be closed, and what they share must be equal bit for bit. (Squares of the blocks view share
// places but not normals.)
func TestClosedAcrossChunks(t *testing.T) {
	for _, kind := range []Kind{Marching, Nets} {
		t.Run(kind.String(), func(t *testing.T) {
			const seed = 77
			r := rand.New(rand.NewPCG(seed, uint64(kind)))
			k := New(kind)
			for i := range 300 {
				cells := int32(1 + r.IntN(5))
				n := meshtest.NewNoise(r, cubeOf(1-cells, cells), r.Float64())
				j := meshtest.NewJoin(t)
				chunks(cells, func(g *grid.Grid) {
					meshtest.Fill(g, n.At)
					var m mesh.Mesh
					k.Mesh(&m, g, 0)
					if f := meshtest.Stats(t, &m); f.Orphans != 0 || f.NonManifold != 0 || f.Inconsistent != f.Open {
						t.Errorf("%v: %+v", g.Chunk, f)
					}
					j.Add(g, &m)
				})
				if f := j.Stats(); !f.Closed() || f.Orphans != 0 {
					t.Fatalf("seed %d, field %d of 2³ chunks of %d cells: %+v", seed, i, cells, f)
				}
			}
		})
	}
}

// chunks calls f with a grid for each of the eight chunks that meet at the origin.
func chunks(cells int32, f func(g *grid.Grid)) {
	for i := range int32(8) {
		g := grid.New(int(cells))
		g.Chunk = lattice.Chunk{X: -(i & 1), Y: -(i >> 1 & 1), Z: -(i >> 2)}
		f(g)
	}
}

// TestSharedBorder is the reference's ball over two chunks.
func TestSharedBorder(t *testing.T) {
	f := ball(10, 32, 16, 16)
	j := meshtest.NewJoin(t)
	for x := range int32(2) {
		g := grid.New(lattice.ChunkCells)
		g.Chunk.X = x
		fill(g, f)
		for i := range g.Ground {
			g.Ground[i] = 20
		}
		var m mesh.Mesh
		New(Marching).Mesh(&m, g, 0)
		j.Add(g, &m)
	}
	// Samples on the surface put several vertices in one place, so by position the mesh is balanced only.
	if facts := j.Stats(); j.Shared != 68 || !facts.Balanced() || math.Abs(facts.Volume-4163.47) > 0.006 {
		t.Errorf("%d shared vertices, want 68; %+v", j.Shared, facts)
	}
}

// TestChunksEqualWhole meshes a field in 2×2×2 chunks and in one of twice the size: the triangles must be
// the same, each there once.
func TestChunksEqualWhole(t *testing.T) {
	for _, kind := range []Kind{Marching, Nets, Blocks} {
		t.Run(kind.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, uint64(kind)))
			for range 100 {
				const cells = 4
				n := meshtest.NewNoise(r, cubeOf(1, 2*cells), r.Float64())
				parts, whole := map[triangle]int{}, map[triangle]int{}
				for i := range int32(8) {
					g := grid.New(cells)
					g.Chunk = lattice.Chunk{X: i & 1, Y: i >> 1 & 1, Z: i >> 2}
					countTriangles(parts, kind, g, n)
				}
				countTriangles(whole, kind, grid.New(2*cells), n)
				if !maps.Equal(parts, whole) {
					t.Fatalf("chunks have %d triangles, the whole has %d, or they differ", len(parts), len(whole))
				}
			}
		})
	}
}

// A triangle is three places in units of 1/4096 m, the smallest first: marching cubes' vertices are rounded
// to the chunk's coordinates, which differ a little from the whole's.
type triangle [3][3]int

func countTriangles(count map[triangle]int, kind Kind, g *grid.Grid, n *meshtest.Noise) {
	meshtest.Fill(g, n.At)
	var m mesh.Mesh
	New(kind).Mesh(&m, g, 0)
	o := g.Corner()
	for i := 0; i < len(m.Indices); i += 3 {
		var tri triangle
		for k, v := range m.Indices[i : i+3] {
			for axis, low := range [3]int32{o.X, o.Y, o.Z} {
				tri[k][axis] = int(math.Round((float64(low+1) + float64(m.Positions[3*v+uint32(axis)])) * 4096))
			}
		}
		for slices.Compare(tri[0][:], tri[1][:]) > 0 || slices.Compare(tri[0][:], tri[2][:]) > 0 {
			tri[0], tri[1], tri[2] = tri[1], tri[2], tri[0]
		}
		count[tri]++
	}
}

// TestThinWalls is case 8 of the collected faults: small holes dug where four and eight chunks meet. All
// chunks together are open at the world's rim only, and no triangle lies in a plane between chunks.
func TestThinWalls(t *testing.T) {
	const cells = 8
	for _, kind := range []Kind{Marching, Nets} {
		for _, hole := range [][3]float64{{0, 0.3, 3}, {0, 0.3, 0}} {
			dug := ball(1, hole[0], hole[1], hole[2])
			j := meshtest.NewJoin(t)
			k := New(kind)
			chunks(cells, func(g *grid.Grid) {
				meshtest.Fill(g, func(s lattice.Sample) float32 {
					return float32(math.Min(0.3-float64(s.Y), -dug(float64(s.X), float64(s.Y), float64(s.Z))))
				})
				var m mesh.Mesh
				k.Mesh(&m, g, 0)
				j.Add(g, &m)
			})
			f := j.Stats()
			if !f.Manifold() || f.Degenerate != 0 {
				t.Errorf("%v: %+v", kind, f)
			}
			m, sides := &j.Mesh, map[[2]uint32]int{}
			for i := 0; i < len(m.Indices); i += 3 {
				tri := m.Indices[i : i+3]
				for axis := range uint32(3) {
					if m.Positions[3*tri[0]+axis] == 0 && m.Positions[3*tri[1]+axis] == 0 && m.Positions[3*tri[2]+axis] == 0 {
						t.Errorf("%v: triangle %d lies in a plane between chunks", kind, i/3)
					}
				}
				for q, a := range tri {
					b := tri[(q+1)%3]
					sides[[2]uint32{a, b}]++
					sides[[2]uint32{b, a}]--
				}
			}
			for s, n := range sides {
				x, z := math.Abs(float64(m.Positions[3*s[0]])), math.Abs(float64(m.Positions[3*s[0]+2]))
				if n != 0 && x < cells-1 && z < cells-1 {
					t.Errorf("%v: an edge at %v is open", kind, m.Positions[3*s[0]:3*s[0]+3])
				}
			}
		}
	}
}
