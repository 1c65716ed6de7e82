package mesher

import (
	"math"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// fill sets the samples of a grid from f, given lattice points in meters.
func fill(g *grid.Grid, f func(x, y, z float64) float64) {
	n, o := g.Side(), g.Corner()
	i := 0
	for z := range n {
		for y := range n {
			for x := range n {
				h := int(g.Step())
				g.Samples[i] = float32(f(float64(int(o.X)+x*h), float64(int(o.Y)+y*h), float64(int(o.Z)+z*h)))
				i++
			}
		}
	}
}

func ball(r, cx, cy, cz float64) func(x, y, z float64) float64 {
	return func(x, y, z float64) float64 {
		return r - math.Sqrt((x-cx)*(x-cx)+(y-cy)*(y-cy)+(z-cz)*(z-cz))
	}
}

func TestMarchingGolden(t *testing.T) {
	ground := func(x, y, z float64) float64 { return 16.5 - y }
	for _, c := range []struct {
		name                string
		f                   func(x, y, z float64) float64
		vertices, triangles int
		open                int
		area, volume        float64
	}{
		{"ball", ball(10, 16, 16, 16), 1830, 3656, 0, 1252.66, 4163.47},
		{"ball between samples", ball(10, 16.5, 16.5, 16.5), 1896, 3788, 0, 0, 0},
		{"ground", ground, 1089, 2048, 128, 1024, 0},
		{"dug", func(x, y, z float64) float64 { return math.Min(ground(x, y, z), -ball(3, 16, 16.5, 16)(x, y, z)) }, 1141, 2152, 128, 1045.916, 0},
		{"built", func(x, y, z float64) float64 { return math.Max(ground(x, y, z), ball(3, 16, 16.5, 16)(x, y, z)) }, 1141, 2152, 128, 1045.916, 0},
	} {
		g := grid.New(lattice.ChunkCells)
		fill(g, c.f)
		var m mesh.Mesh
		New(Marching).Mesh(&m, g, 0)
		f, err := m.Check()
		if err != nil {
			t.Fatal(c.name, err)
		}
		if m.Vertices() != c.vertices || f.Triangles != c.triangles || f.Open != c.open || !f.Manifold() || f.Orphans != 0 {
			t.Errorf("%s: %d vertices, %+v; want %d, %d triangles, %d open edges", c.name, m.Vertices(), f, c.vertices, c.triangles, c.open)
		}
		if c.area != 0 && math.Abs(f.Area-c.area) > 0.006 {
			t.Errorf("%s: area %v, want %v", c.name, f.Area, c.area)
		}
		if c.volume != 0 && math.Abs(f.Volume-c.volume) > 0.006 {
			t.Errorf("%s: volume %v, want %v", c.name, f.Volume, c.volume)
		}
	}
}
