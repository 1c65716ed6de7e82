package field_test

import (
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

// surfaceChunks returns chunks of the hills round the origin that bounds do not rule out.
func surfaceChunks(f field.Terrain, level uint8, radius int32) (chunks []lattice.Chunk) {
	for z := -radius; z <= radius; z++ {
		for x := -radius; x <= radius; x++ {
			for y := int32(-3); y <= 3; y++ {
				g := grid.Grid{Cells: lattice.ChunkCells, Chunk: lattice.Chunk{X: x, Y: y, Z: z, Level: level}}
				if i := f.Bounds(g.Box()); i.Lo <= 0 && i.Hi > 0 {
					chunks = append(chunks, g.Chunk)
				}
			}
		}
	}
	return chunks
}

func BenchmarkHillsFill(b *testing.B) {
	f := compile(b, template.Hills(1))
	chunks, g := surfaceChunks(f, 0, 4), grid.New(lattice.ChunkCells)
	i := 0
	for b.Loop() {
		g.Chunk = chunks[i*7%len(chunks)]
		f.Fill(g)
		i++
	}
	b.ReportMetric(float64(len(g.Samples))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
}

func BenchmarkHillsBounds(b *testing.B) {
	f := compile(b, template.Hills(1))
	i := int32(0)
	for b.Loop() {
		o := lattice.Sample{X: i / 4 % 1000 * 32, Y: i%4*32 - 32, Z: i / 4 / 1000 * 32}
		f.Bounds(lattice.Box{Min: o.Add(-1, -1, -1), Max: o.Add(34, 34, 34)})
		i++
	}
}

func BenchmarkHillsHeights(b *testing.B) {
	f := compile(b, template.Hills(1))
	i := int32(0)
	var spans []lattice.Span
	for b.Loop() {
		o := lattice.Sample{X: i % 1000 * 32, Z: i / 1000 * 32}
		spans = f.Spans(spans[:0], lattice.Box{Min: o.Add(-1, -1, -1), Max: o.Add(34, 34, 34)})
		i++
	}
}

func BenchmarkHillsAt(b *testing.B) {
	f := compile(b, template.Hills(1))
	i := int32(0)
	for b.Loop() {
		f.At(lattice.Sample{X: i, Y: 10, Z: 100})
		i++
	}
}

// TestSurfaceShare measures how many of the chunks that bounds do not rule out hold surface.
func TestSurfaceShare(t *testing.T) {
	f := compile(t, template.Hills(1))
	chunks := surfaceChunks(f, 0, 8)
	holding := 0
	for _, c := range chunks {
		if holdsSurface(f, c) {
			holding++
		}
	}
	share := float64(holding) / float64(len(chunks))
	t.Logf("of %d chunks that bounds leave, %d hold surface: %.1f %%", len(chunks), holding, 100*share)
	if share < 0.9 {
		t.Errorf("share %.3f, want at least 0.9", share)
	}
}

// holdsSurface reports whether the samples of a chunk are both air and solid.
func holdsSurface(f field.Terrain, c lattice.Chunk) bool {
	g := grid.New(lattice.ChunkCells)
	g.Chunk = c
	f.Fill(g)
	air, solid := false, false
	for _, d := range g.Samples {
		solid = solid || grid.Solid(d)
		air = air || !grid.Solid(d)
	}
	return air && solid
}
