package field_test

import (
	"sync"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

// reading is what one reader of a program finds at some places.
type reading struct {
	at      []float32
	grids   []*grid.Grid
	bounds  []any
	heights []lattice.Span
}

// read asks a terrain for everything that it answers.
func read(f field.Terrain) (r reading) {
	for i := range int32(60) {
		r.at = append(r.at, f.At(lattice.Sample{X: 3*i - 90, Y: i - 30, Z: 7 * i}), f.Ground(5*i, -i))
	}
	for i := range int32(6) {
		g := grid.New(32)
		g.Chunk = lattice.Chunk{X: i - 3, Y: i%2 - 1, Z: i / 2, Level: uint8(i % 3)}
		f.Fill(g)
		if p, ok := f.(field.MaterialSource); ok {
			p.FillMaterials(g)
			r.at = append(r.at, float32(p.Material(g.Corner())))
		}
		g.Materials = nil // of samples that end no crossed edge they are undefined
		r.grids = append(r.grids, g)
		r.bounds = append(r.bounds, f.Bounds(g.Box()))
		r.heights = f.Spans(r.heights, g.Box())
	}
	return r
}

// equal reports whether two readers found the same.
func (r reading) equal(o reading) bool {
	for i, g := range r.grids {
		for k, v := range g.Samples {
			if v != o.grids[i].Samples[k] {
				return false
			}
		}
		if r.bounds[i] != o.bounds[i] {
			return false
		}
	}
	for i, v := range r.at {
		if v != o.at[i] {
			return false
		}
	}
	for i, v := range r.heights {
		if v != o.heights[i] {
			return false
		}
	}
	return true
}

// Eight readers share each program and find what one alone does. Run with -race it shows that they share nothing that
// changes.
func TestReadersShareAProgram(t *testing.T) {
	assets, raster, tiled, volume := goldenAssets()
	graphs := goldenGraphs(raster, tiled, volume)
	graphs["the hills"] = template.Hills(5)
	if testing.Short() {
		graphs = map[string]*graph.Graph{"the hills": graphs["the hills"], "heightmap": graphs["heightmap"],
			"tiled heightmap": graphs["tiled heightmap"], "volume": graphs["volume"], "slope": graphs["slope"]}
	}
	for name, g := range graphs {
		if g == nil {
			t.Errorf("no graph is called %s", name)
			continue
		}
		p, err := field.Prepare(g, func(hash asset.Hash) ([]byte, error) { return assets[hash], nil })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var found [8]reading
		var wait sync.WaitGroup
		for i := range found {
			wait.Go(func() { found[i] = read(p.Terrain()) })
		}
		wait.Wait()
		alone := read(p.Terrain())
		for i := range found {
			if !found[i].equal(alone) {
				t.Errorf("%s: reader %d found something else than one alone", name, i)
			}
		}
	}
}

// A terrain that is used from within itself, as by a second goroutine, panics instead of giving false values.
func TestTerrainInUse(t *testing.T) {
	var b graph.Builder
	var f field.Terrain
	b.Field(samplerFunc(func(s lattice.Sample) float32 {
		if s.X == 1 {
			return f.At(lattice.Sample{})
		}
		return 0
	}), -1, 1)
	f, err := field.Compile(b.Graph(), nil)
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		f.At(lattice.Sample{X: 1})
	}()
	if v := f.At(lattice.Sample{}); v != 0 { // it may be used again
		t.Errorf("%v, want 0", v)
	}
}

type samplerFunc func(s lattice.Sample) float32

func (f samplerFunc) At(s lattice.Sample) float32 { return f(s) }
