package mesh

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// tetrahedron returns a closed mesh of volume 1/6 with unshared vertices if split.
func tetrahedron(split bool) *Mesh {
	m := &Mesh{
		Positions: []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
		Indices:   []uint32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3},
	}
	if split {
		var s Mesh
		for i, v := range m.Indices {
			s.Positions = append(s.Positions, m.Positions[3*v:3*v+3]...)
			s.Indices = append(s.Indices, uint32(i))
		}
		return &s
	}
	return m
}

func TestCheck(t *testing.T) {
	flip := func(m *Mesh, tri int) *Mesh {
		m.Indices[3*tri], m.Indices[3*tri+1] = m.Indices[3*tri+1], m.Indices[3*tri]
		return m
	}
	open := tetrahedron(false)
	open.Indices = open.Indices[:9]
	nonManifold := tetrahedron(false)
	nonManifold.Positions = append(nonManifold.Positions, -1, -1, -1)
	nonManifold.Indices = append(nonManifold.Indices, 0, 1, 4)
	line := tetrahedron(false)
	line.Positions = append(line.Positions, 2, 0, 0, 5, 5, 5)
	line.Indices = append(line.Indices, 0, 1, 4)
	for _, c := range []struct {
		name string
		m    *Mesh
		want Stats
	}{
		{"empty", &Mesh{}, Stats{}},
		{"closed", tetrahedron(false), Stats{Vertices: 4, Edges: 6, Triangles: 4, Volume: 1. / 6}},
		{"soup", tetrahedron(true), Stats{Vertices: 12, Edges: 12, Triangles: 4, Open: 12, Inconsistent: 12, Volume: 1. / 6}},
		{"open", open, Stats{Vertices: 4, Edges: 6, Triangles: 3, Open: 3, Inconsistent: 3}},
		{"one flipped", flip(tetrahedron(false), 3), Stats{Vertices: 4, Edges: 6, Triangles: 4, Inconsistent: 3, Volume: -1. / 6}},
		{"non-manifold", nonManifold, Stats{Vertices: 5, Edges: 8, Triangles: 5, Open: 2, NonManifold: 1, Inconsistent: 3, Volume: 1. / 6}},
		{"line", line, Stats{Vertices: 5, Orphans: 1, Edges: 8, Triangles: 5, Open: 2, NonManifold: 1, Inconsistent: 3, Degenerate: 1, Volume: 1. / 6}},
	} {
		got, err := c.m.Check()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if math.Abs(got.Volume-c.want.Volume) > 1e-12 {
			t.Errorf("%s: volume %v, want %v", c.name, got.Volume, c.want.Volume)
		}
		got.Volume, got.Area, c.want.Volume = 0, 0, 0
		if got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
	f, _ := tetrahedron(false).Check()
	if want := 1.5 + math.Sqrt(3)/2; math.Abs(f.Area-want) > 1e-12 || f.Euler() != 2 || !f.Closed() || !f.Manifold() || !f.Balanced() {
		t.Errorf("area %v, want %v; Euler number %d", f.Area, want, f.Euler())
	}
}

func TestCheckMalformed(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		m    Mesh
		want string
	}{
		{Mesh{Positions: make([]float32, 4)}, "multiples of 3"},
		{Mesh{Positions: make([]float32, 3), Indices: []uint32{0, 0}}, "multiples of 3"},
		{Mesh{Positions: make([]float32, 3), Indices: []uint32{0, 0, 1}}, "past the last"},
		{Mesh{Positions: make([]float32, 3), Normals: make([]float32, 6)}, "normal numbers"},
		{Mesh{Positions: make([]float32, 3), Depths: make([]float32, 2)}, "depth numbers"},
		{Mesh{Positions: []float32{0, nan, 0}}, "position of vertex 0 is NaN"},
		{Mesh{Positions: make([]float32, 3), Depths: []float32{float32(math.Inf(1))}}, "depth of vertex 0 is +Inf"},
	} {
		if _, err := c.m.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one about %q", err, c.want)
		}
	}
}

func TestWeld(t *testing.T) {
	m := tetrahedron(true)
	for i, p := range m.Positions { // −0 and +0 are one place
		if p == 0 && i%2 == 0 {
			m.Positions[i] = float32(math.Copysign(0, -1))
		}
	}
	for i := range 12 {
		m.Depths = append(m.Depths, float32(i))
		m.Normals = append(m.Normals, float32(i), 0, 0)
	}
	m.Indices = append(m.Indices, 0, 3, 1) // a sliver: corners 0 and 3 are in one place
	m.Weld()
	f, err := m.Check()
	if err != nil || !f.Closed() || f.Vertices != 4 || f.Orphans != 0 || f.Triangles != 4 {
		t.Errorf("%+v, %v", f, err)
	}
	if want := []float32{0, 1, 2, 5}; !slices.Equal(m.Depths, want) || m.Normals[9] != 5 {
		t.Errorf("depths %v, want %v", m.Depths, want)
	}
}
