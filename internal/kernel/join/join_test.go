package join

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/mesh"
)

// TestJoin compares a Joiner with one that looks at everything, on sheets in which a few vertices, many or whole
// patches lie in one place.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name    string
		patches int // patches of vertices in one place
		size    int // vertices along a side of each
		orphans int // vertices that no triangle has
	}{
		{"nothing", 0, 0, 0},
		{"a pair", 1, 2, 0},
		{"a few patches", 3, 2, 0},
		{"a patch with a vertex amid", 1, 5, 0},
		{"many patches", 400, 3, 0},
		{"orphans", 0, 0, 3},
		{"a patch and orphans", 1, 4, 3},
		{"many patches and orphans", 300, 4, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			var j Joiner
			for seed := range uint64(20) {
				r := rand.New(rand.NewPCG(8, seed))
				m, before := sheet(90), sheet(3)
				for range c.patches {
					x0, y0 := r.IntN(90-c.size), r.IntN(90-c.size)
					for y := range c.size {
						for x := range c.size {
							to := m.Positions[3*(90*(y0+y)+x0+x):]
							copy(to[:3], m.Positions[3*(90*y0+x0):])
						}
					}
				}
				for range c.orphans {
					m.Positions = append(m.Positions, r.Float32(), 5, 5)
				}
				vertex, index := before.Vertices(), len(before.Indices)
				got := appended(before, m)
				j.Join(got, everyVertex(vertex, got.Vertices()), vertex, index, c.orphans > 0)
				if want := appended(before, joinedPlainly(m, c.patches+c.orphans > 0)); !slices.Equal(got.Positions, want.Positions) || !slices.Equal(got.Indices, want.Indices) {
					t.Fatalf("seed %d: %d vertices and %d triangles, want %d and %d, or others", seed, got.Vertices(), got.Triangles(), want.Vertices(), want.Triangles())
				}
			}
		})
	}
}

// sheet returns a sheet of n by n vertices.
func sheet(n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range n * n {
		x, y := i%n, i/n
		m.Positions = append(m.Positions, float32(x), float32(y), 0)
		if x+1 < n && y+1 < n {
			a := uint32(i)
			b, c, d := a+1, a+uint32(n), a+uint32(n)+1
			m.Indices = append(m.Indices, a, b, c, c, b, d)
		}
	}
	return m
}

// appended returns a mesh of both, one after the other.
func appended(a, b *mesh.Mesh) *mesh.Mesh {
	m := &mesh.Mesh{Positions: slices.Concat(a.Positions, b.Positions), Indices: slices.Clone(a.Indices)}
	for _, i := range b.Indices {
		m.Indices = append(m.Indices, i+uint32(a.Vertices()))
	}
	return m
}

// everyVertex returns the numbers from first to before end.
func everyVertex(first, end int) (all []uint32) {
	for v := first; v < end; v++ {
		all = append(all, uint32(v))
	}
	return all
}

// joinedPlainly returns m with vertices in one place made one, collapsed triangles dropped and, if asked, unused
// vertices removed.
func joinedPlainly(m *mesh.Mesh, removeUnused bool) *mesh.Mesh {
	first := map[[3]float32]int{}
	stands := make([]int, m.Vertices())
	for v := range stands {
		key := [3]float32(m.Positions[3*v:])
		if _, ok := first[key]; !ok {
			first[key] = v
		}
		stands[v] = first[key]
	}
	used := map[int]bool{}
	var corners []int
	for i := 0; i < len(m.Indices); i += 3 {
		a, b, c := stands[m.Indices[i]], stands[m.Indices[i+1]], stands[m.Indices[i+2]]
		if a != b && b != c && c != a {
			corners = append(corners, a, b, c)
			used[a], used[b], used[c] = true, true, true
		}
	}
	out, now := &mesh.Mesh{}, make([]uint32, m.Vertices())
	for v := range stands {
		if stands[v] == v && (used[v] || !removeUnused) {
			now[v] = uint32(out.Vertices())
			out.Positions = append(out.Positions, m.Positions[3*v:3*v+3]...)
		}
	}
	for _, v := range corners {
		out.Indices = append(out.Indices, now[v])
	}
	return out
}
