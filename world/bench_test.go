package world

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
)

// hills returns the default world with edits round the origin, and the height of the ground there.
func hills(b *testing.B, edits int) (*World, int32) {
	base, err := field.Compile(template.Hills(1), nil)
	if err != nil {
		b.Fatal(err)
	}
	w, r := New(base), rand.New(rand.NewPCG(1, 1))
	y := int32(w.Ground(0, 0))
	for range edits {
		w.Apply(testground.Ball(edit.Op(1+r.IntN(2)), 3, 0, testground.Place(r.Int32N(60)-30, y+r.Int32N(7)-5, r.Int32N(60)-30, r.Float32(), r.Float32(), r.Float32())))
	}
	return w, y
}

func BenchmarkRay(b *testing.B) {
	w, y := hills(b, 20)
	for _, k := range []struct {
		name string
		from int32 // above the ground
		dir  geom.Vec3
	}{
		{"down", 20, geom.Vec3{Y: -1}},
		{"slanted", 20, geom.Vec3{X: 1, Y: -0.3, Z: 0.2}},
		{"along the ground", 3, geom.Vec3{X: 1, Y: -0.02, Z: 0.7}},
		{"into the sky", 3, geom.Vec3{X: 1, Y: 0.3, Z: 0.7}},
		{"in the ground", -30, geom.Vec3{X: 1, Y: 0.2, Z: 0.7}},
	} {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.Ray(testground.Place(0, y+k.from, 0, 0.5, 0.5, 0.5), k.dir, 80)
			}
		})
	}
}

func BenchmarkEdit(b *testing.B) {
	w, y := hills(b, 0)
	r := rand.New(rand.NewPCG(2, 2))
	next := func() edit.Checked {
		return testground.Ball(edit.Op(1+r.IntN(2)), 3, 0, testground.Place(r.Int32N(2000), y+r.Int32N(7)-5, r.Int32N(2000), r.Float32(), r.Float32(), r.Float32()))
	}
	b.Run("apply", func(b *testing.B) {
		for b.Loop() {
			w.Apply(next())
		}
	})
	b.Run("predict and confirm", func(b *testing.B) {
		for b.Loop() {
			e := next()
			w.Predict(1, e)
			w.Confirm(1, e, nil)
		}
	})
}

func BenchmarkColumns(b *testing.B) {
	w, _ := hills(b, 100)
	var spans []lattice.Span
	x := int32(0)
	b.ReportAllocs()
	for b.Loop() {
		spans = w.Columns(spans[:0], x&63, x>>6&63)
		x++
	}
	chunks := 0
	for x := range int32(16) {
		for z := range int32(16) {
			for _, s := range w.Columns(spans[:0], x, z) {
				for y := s.Lo; y < s.Hi; y++ {
					if w.HasSurface(lattice.Chunk{X: x, Y: y, Z: z}) {
						chunks++
					}
				}
			}
		}
	}
	b.ReportMetric(float64(chunks)/256, "chunks/column")
}

// BenchmarkMesh builds the chunks with surface round the origin, with materials and without.
func BenchmarkMesh(b *testing.B) {
	painted := template.Hills(1)
	plain := &graph.Graph{Nodes: slices.Clone(painted.Nodes)}
	last := &plain.Nodes[len(plain.Nodes)-1]
	last.Kind, last.Inputs = graph.KindWorld, last.Inputs[:2]
	for _, c := range []struct {
		name  string
		graph *graph.Graph
	}{{"plain", plain}, {"painted", painted}} {
		b.Run(c.name, func(b *testing.B) {
			base, err := field.Compile(c.graph, nil)
			if err != nil {
				b.Fatal(err)
			}
			w, g, mr := New(base), grid.New(lattice.ChunkCells), mesher.New(mesher.Marching)
			var m mesh.Mesh
			var chunks []lattice.Chunk
			for i := range int32(17 * 17) {
				for y := int32(-2); y < 3; y++ {
					if c := (lattice.Chunk{X: i%17 - 8, Y: y, Z: i/17 - 8}); w.Build(&m, g, c, mr, 0) {
						chunks = append(chunks, c)
					}
				}
			}
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				w.Mesh(&m, g, chunks[i%len(chunks)], mr, 0)
				i++
			}
			b.ReportMetric(float64(len(chunks)), "chunks")
		})
	}
}
