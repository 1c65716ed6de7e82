package world

import (
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/meshtest"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/template"
)

// paintedGround is rough ground of grass on soil on rock in layers.
func paintedGround(t testing.TB) field.MaterialSource {
	t.Helper()
	var b graph.Builder
	m := func(i float32) graph.Ref { return b.Constant(i) }
	h := b.Scale(b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 2, Period: 40, Octaves: 3}), 16, 1)
	depth := b.Height(h)
	rock := b.Select(m(2), m(3), b.Saw(depth, 3), 1.5)
	material := b.Select(b.Select(m(0), m(1), depth, 0.6), rock, b.Scale(b.Slope(h), 2, 1), 2)
	material = b.Select(material, rock, depth, 2)
	f, err := field.Compile(b.PaintedWorld(depth, h, material, []graph.Material{
		{Name: "grass"}, {Name: "soil"}, {Name: "rock"}, {Name: "ore"}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f.(field.MaterialSource)
}

// TestPaintedChunks builds chunks that meet, with ground dug and built where they do: what two of them share
// must be equal bit for bit, the materials too, and these must be the field's at the samples.
func TestPaintedChunks(t *testing.T) {
	for kind := range mesher.Kind(3) {
		for _, level := range []uint8{0, 1} {
			f := paintedGround(t)
			w := NewLevel(f, level)
			w.Apply(testground.Ball(edit.Dig, 9, 0, testground.Place(2, -3, 1, 0.31, 0.17, 0.43)))
			w.Pend(1, testground.Ball(edit.Build, 8, 3, testground.Place(-6, 12, -3, 0.41, 0.23, 0.37)))
			j, g, mr := meshtest.NewJoin(t), grid.New(lattice.ChunkCells), mesher.New(kind)
			seen := map[uint8]bool{}
			for i := range int32(8) {
				var m mesh.Mesh
				if !w.Build(&m, g, lattice.Chunk{X: -(i & 1), Y: -(i >> 1 & 1), Z: -(i >> 2), Level: level}, mr, 0) {
					continue
				}
				meshtest.Stats(t, &m)
				if len(m.Materials) != 4*m.Vertices() {
					t.Fatalf("%v: %d bytes of materials for %d vertices", kind, len(m.Materials), m.Vertices())
				}
				if kind != mesher.Blocks { // squares share places and not normals
					j.Add(g, &m)
				}
				checkPaint(t, f, g)
				for v := range m.Vertices() {
					seen[m.Materials[4*v]] = true
				}
			}
			if kind != mesher.Blocks && j.Shared < 200 || len(seen) != 4 {
				t.Errorf("%v, level %d: %d shared vertices, materials %v, want all 4", kind, level, j.Shared, seen)
			}
		}
	}
}

// checkPaint checks the materials of a grid at the ends of crossed edges along y.
func checkPaint(t *testing.T, f field.MaterialSource, g *grid.Grid) {
	t.Helper()
	n := g.Side()
	for i := range g.Samples[:len(g.Samples)-n] {
		if y := i / n % n; y == n-1 || grid.Solid(g.Samples[i]) == grid.Solid(g.Samples[i+n]) {
			continue
		}
		for _, k := range []int{i, i + n} {
			s := g.Corner().Add(int32(k%n)*g.Step(), int32(k/n%n)*g.Step(), int32(k/(n*n))*g.Step())
			if got, want := g.Materials[k], f.Material(s); got != want {
				t.Fatalf("%v at %v: material %d, want %d", g.Chunk, s, got, want)
			}
		}
	}
}

// TestUnpainted checks that a grid used before for painted ground carries nothing over.
func TestUnpainted(t *testing.T) {
	g, mr := grid.New(lattice.ChunkCells), mesher.New(mesher.Marching)
	var m mesh.Mesh
	if !New(paintedGround(t)).Build(&m, g, lattice.Chunk{}, mr, 0) || len(m.Materials) == 0 {
		t.Fatal("painted ground without materials")
	}
	flat, err := field.Compile(template.Flat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !New(flat).Build(&m, g, lattice.Chunk{}, mr, 0) || len(m.Materials) != 0 {
		t.Errorf("flat ground with %d bytes of materials", len(m.Materials))
	}
}
