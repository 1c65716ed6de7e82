// Package meshtest helps tests of meshes: random grids, and meshes of many chunks joined into one.
package meshtest

import (
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// Density returns a random density that is never on the surface: an odd multiple of 1/128 between −1 and 1,
// solid with the given probability. Crossings then stay clear of the samples, so that no two vertices of
// one mesh share a place.
func Density(r *rand.Rand, solid float64) float32 {
	d := float32(2*r.IntN(64)+1) / 128
	if r.Float64() < solid {
		return d
	}
	return -d
}

// A Noise is a random field over a box of lattice points, air outside it.
type Noise struct {
	box     lattice.Box
	samples []float32
}

// NewNoise returns a field that is random in b.
func NewNoise(r *rand.Rand, b lattice.Box, solid float64) *Noise {
	n := &Noise{box: b}
	for range int(b.Max.X-b.Min.X) * int(b.Max.Y-b.Min.Y) * int(b.Max.Z-b.Min.Z) {
		n.samples = append(n.samples, Density(r, solid))
	}
	return n
}

// At returns the density at s.
func (n *Noise) At(s lattice.Sample) float32 {
	b := n.box
	if !b.Contains(s) {
		return -0.5
	}
	x, y, z := int(s.X-b.Min.X), int(s.Y-b.Min.Y), int(s.Z-b.Min.Z)
	return n.samples[(z*int(b.Max.Y-b.Min.Y)+y)*int(b.Max.X-b.Min.X)+x]
}

// MaterialOf returns a material for each sample that is seldom its neighbors'.
func MaterialOf(s lattice.Sample) uint8 {
	h := uint32(s.X)*0x9e3779b1 + uint32(s.Y)*0x85ebca77 + uint32(s.Z)*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return uint8(h >> 24)
}

// Fill sets the samples of g from at, its materials to MaterialOf, and its ground to heights that differ from
// column to column.
func Fill(g *grid.Grid, at func(s lattice.Sample) float32) {
	o, n, h := g.Corner(), int32(g.Side()), g.Step()
	g.Materials = make([]uint8, len(g.Samples))
	i := 0
	for z := range n {
		for y := range n {
			for x := range n {
				s := o.Add(x*h, y*h, z*h)
				g.Samples[i], g.Materials[i] = at(s), MaterialOf(s)
				i++
			}
		}
	}
	i = 0
	for z := range n {
		for x := range n {
			s := o.Add(x*h, 0, z*h)
			g.Ground[i] = float32((s.X*7+s.Z*13)%32) / 8
			i++
		}
	}
}

// A Join is the meshes of many chunks as one, vertices told apart by their exact place in the world.
type Join struct {
	t      testing.TB
	Mesh   mesh.Mesh
	Shared int // vertices that two chunks or more have
	// Chances allows chunks of two levels to have different vertices in one place by chance: Differ counts
	// the vertices that differ from the first in their place, and none is an error.
	Chances bool
	Differ  int
	places  map[[3]float64]uint32
	owner   []lattice.Chunk // the first chunk that has a vertex
	shared  []bool
}

// NewJoin returns an empty join whose errors go to t.
func NewJoin(t testing.TB) *Join {
	return &Join{t: t, places: map[[3]float64]uint32{}}
}

// Add adds the mesh of g. It is an error if a vertex that another chunk has as well differs in a bit, unless
// Chances is set.
func (j *Join) Add(g *grid.Grid, m *mesh.Mesh) {
	j.t.Helper()
	o, h := g.Corner(), g.Step() // the margin's corner is one step short of the chunk's
	ids := make([]uint32, m.Vertices())
	for v := range ids {
		p := m.Positions[3*v : 3*v+3]
		at := [3]float64{
			float64(o.X+h) + float64(p[0]), float64(o.Y+h) + float64(p[1]), float64(o.Z+h) + float64(p[2]),
		}
		id, ok := j.places[at]
		if !ok {
			id = uint32(len(j.places))
			j.places[at] = id
			moved := m.Vertex(v)
			moved.Position = [3]float32{float32(at[0]), float32(at[1]), float32(at[2])}
			j.Mesh.Append(moved, m.Attributes())
			j.owner, j.shared = append(j.owner, g.Chunk), append(j.shared, false)
		} else if j.owner[id] != g.Chunk {
			j.compare(g.Chunk, at, id, m, v)
		}
		ids[v] = id
	}
	for _, v := range m.Indices {
		j.Mesh.Indices = append(j.Mesh.Indices, ids[v])
	}
}

// compare checks that vertex v of a mesh has the attributes of vertex id of the join.
func (j *Join) compare(c lattice.Chunk, at [3]float64, id uint32, m *mesh.Mesh, v int) {
	j.t.Helper()
	if !j.shared[id] {
		j.shared[id] = true
		j.Shared++
	}
	want, got := j.Mesh.Vertex(int(id)), m.Vertex(v)
	want.Position, got.Position = [3]float32{}, [3]float32{} // equal: that is how the two were found
	if want == got {
		return
	}
	j.Differ++
	if !j.Chances {
		j.t.Errorf("at %v %v has %+v, %v has %+v", at, j.owner[id], want, c, got)
	}
}

// Stats returns the statistics of the joined mesh.
func (j *Join) Stats() mesh.Stats {
	j.t.Helper()
	return Stats(j.t, &j.Mesh)
}

// Stats checks m and returns its statistics; a malformed mesh ends the test.
func Stats(t testing.TB, m *mesh.Mesh) mesh.Stats {
	t.Helper()
	f, err := m.Check()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// UnitNormals checks that every normal has length 1.
func UnitNormals(t testing.TB, m *mesh.Mesh) {
	t.Helper()
	for v := range m.Vertices() {
		n := m.Normals[3*v : 3*v+3]
		l := float64(n[0])*float64(n[0]) + float64(n[1])*float64(n[1]) + float64(n[2])*float64(n[2])
		if !(l > 0.99999 && l < 1.00001) {
			t.Fatalf("the normal of vertex %d is %v, of squared length %v", v, n, l)
		}
	}
}
