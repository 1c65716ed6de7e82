package builder

import (
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/world"
)

// BenchmarkChunk tells where the time of a job goes: filling the samples, meshing them, writing the result.
func BenchmarkChunk(b *testing.B) {
	graph := template.Hills(1)
	bld, err := New(graph.AppendBinary(nil), nil)
	if err != nil {
		b.Fatal(err)
	}
	w, g, m := world.New(bld.base), grid.New(lattice.ChunkCells), new(mesh.Mesh)
	c := lattice.ChunkOf(lattice.Sample{X: 16, Y: int32(w.Ground(16, 16)), Z: 16}, 0)
	g.Chunk = c
	mr := mesher.New(mesher.Marching)
	w.Build(m, g, c, mr, 0)
	var result []uint32
	job := (&Job{Chunk: c}).AppendBinary(nil)
	for _, k := range []struct {
		name string
		do   func()
	}{
		{"whole", func() { bld.Build(job) }},
		{"bounds", func() { w.HasSurface(c) }},
		{"fill", func() { w.Fill(g) }},
		{"mesh", func() { m.Reset(); mr.Mesh(m, g, 0) }},
		{"result", func() { result = appendResult(result[:0], ResultHeader{}, m) }},
	} {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.do()
			}
			b.ReportMetric(float64(m.Triangles()), "triangles")
		})
	}
}
