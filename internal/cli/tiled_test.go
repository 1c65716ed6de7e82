package cli

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/worldlog/sqlite"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
)

// large writes a raw heightmap of side² samples, hills of 100 m and level sea in the east, and returns its path.
func large(t testing.TB, side int) string {
	t.Helper()
	data := make([]byte, 0, 2*side*side)
	waves := make([]float64, side)
	for i := range waves {
		waves[i] = math.Sin(float64(i) / 37)
	}
	for z := range side {
		for x := range side {
			h := 200 + 50*waves[x] + 50*waves[z]
			if x > side*3/4 {
				h = 20
			}
			data = binary.LittleEndian.AppendUint16(data, uint16(h))
		}
	}
	path := filepath.Join(t.TempDir(), "large.r16")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A large heightmap becomes tiles, which the world holds; its ground is that of the file, and little of it is read for
// what one looks at.
func TestLargeHeightmap(t *testing.T) {
	const side = 6000
	if testing.Short() {
		t.Skip("it makes a heightmap of 72 MB")
	}
	file := large(t, side)
	world := filepath.Join(filepath.Dir(file), "large.terrane")
	run(t, "new", world, "--heightmap", file)
	s := serve(t, world)
	get(t, s.url+"/healthz")
	if status := s.stop(); status != statusOK {
		t.Fatalf("stopped with %d: %s", status, s.stderr)
	}

	store, err := sqlite.Open(world, sqlite.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	meta := store.Meta()
	if n := len(meta.Assets); n < 100 || n > 12*12+1 { // tiles of the sea are one
		t.Errorf("the world has %d assets", n)
	}
	data, err := store.Content(t.Context(), meta.Document)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := graph.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	reads, bytes := 0, 0
	ground, err := field.Compile(graph, func(hash asset.Hash) ([]byte, error) {
		reads++
		data, err := store.Content(t.Context(), hash)
		bytes += len(data)
		return data, err
	})
	if err != nil {
		t.Fatal(err)
	}
	var b lattice.Box
	b.Min, b.Max = lattice.Sample{X: -3000, Z: -3000}, lattice.Sample{X: 3000, Z: 3000}
	spans := ground.Spans(nil, b)
	if reads != 1 || len(spans) != 1 || spans[0].Lo > 20 || spans[0].Hi < 299 {
		t.Errorf("making the terrain and bounding all of it reads %d contents and gives %v", reads, spans)
	}
	g := grid.New(lattice.ChunkCells)
	for x := int32(-8); x < 8; x++ {
		for z := int32(-8); z < 8; z++ {
			g.Chunk = lattice.Chunk{X: x, Y: 6, Z: z}
			ground.Spans(nil, g.Box())
			ground.Fill(g)
		}
	}
	if reads > 40 || bytes > 16<<20 {
		t.Errorf("a view of radius 8 reads %d contents, %d bytes", reads, bytes)
	}
	// The middle of 6000 samples lies between two: at spacing 1 the sample x, z is at x−2999.5.
	for _, c := range [][2]int32{{-2000, 1500}, {10, -10}, {2500, 2500}} {
		wave := func(v float64) float64 { return 50 * math.Sin((v+2999.5)/37) }
		want := 200 + wave(float64(c[0])) + wave(float64(c[1]))
		if c[0] > side/4 {
			want = 20
		}
		if h := ground.Ground(c[0], c[1]); math.Abs(float64(h)-want) > 1 {
			t.Errorf("the ground at %v is at %v m, want %v", c, h, want)
		}
	}
}

// Commands that read a world's ground go on reading its tiles, documents may have large heightmaps, and a tile that
// is gone is an error like others.
func TestTiledCommands(t *testing.T) {
	file := large(t, 2100)
	dir := filepath.Dir(file)
	doc := writeText(t, dir, "large.yaml", "terrane: 1\nassets: {land: large.r16}\nnodes: {height: {heightmap: land, scale: 0.5}}\ndensity: {below: height}\nground: height\n")
	world := filepath.Join(dir, "large.terrane")
	run(t, "new", world, "--document", doc)
	for _, input := range []string{doc, world} {
		run(t, "mesh", input, "--box", "0:64,0:64", "-o", filepath.Join(dir, "a.stl"))
		run(t, "preview", input, "--size", "64x64", "-o", filepath.Join(dir, "a.png"))
	}
	has(t, run(t, "inspect", world), "assets       2")
	has(t, run(t, "check", doc, "--no-cost"), "asset      land, a heightmap: large.r16")

	err := runCommand(func(...any) error { panic(&raster.AssetError{Hash: asset.Hash{0xab}, Err: errors.New("it is gone")}) }, nil)
	if err == nil || !strings.Contains(err.Error(), "a file that the ground is made of") || !strings.Contains(err.Error(), hex.EncodeToString([]byte{0xab})) {
		t.Error(err)
	}
}
