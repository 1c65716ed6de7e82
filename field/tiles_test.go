package field_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/field/fieldtest"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
)

// tile cuts a raster into tiles and hands their assets to put.
func tile(r *raster.Raster, side int, put func([]byte) asset.Hash) *raster.Tiled {
	read := func(x, z, width, height int) (*raster.Raster, error) {
		part := *r
		part.Width, part.Height, part.Values = width, height, nil
		for i := range height {
			part.Values = append(part.Values, r.Values[(z+i)*r.Width+x:][:width]...)
		}
		return &part, nil
	}
	t, err := raster.Cut(r.Width, r.Height, side, r.MetersX, r.MetersZ, read, func(asset []byte) error {
		put(asset)
		return nil
	})
	if err != nil {
		panic(err)
	}
	return t
}

// A tiledWorld is the same raster whole and in tiles.
type tiledWorld struct {
	whole, tiled field.Terrain
	assets       map[asset.Hash][]byte
	hash         asset.Hash // of the tiled raster
	read         []asset.Hash
}

func newTiledWorld(t testing.TB, width, height int) *tiledWorld {
	t.Helper()
	w := &tiledWorld{assets: map[asset.Hash][]byte{}}
	put := func(data []byte) asset.Hash {
		h := sha256.Sum256(data)
		w.assets[h] = data
		return h
	}
	raster := randomRaster(rand.New(rand.NewPCG(3, 1)), width, height)
	w.hash = put(tile(raster, 64, put).AppendBinary(nil))
	whole := put(raster.AppendBinary(nil))
	compile := func(hash asset.Hash) field.Terrain {
		f, err := field.Compile(template.Heightmap(hash, template.HeightmapParams{MetersX: 3, MetersZ: 5}), func(h asset.Hash) ([]byte, error) {
			w.read = append(w.read, h)
			return from(w.assets)(h)
		})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	w.whole, w.tiled = compile(whole), compile(w.hash)
	w.read = nil
	return w
}

// TestTilesAreTheRaster compares every height of a raster in tiles with the raster's: at the tiles' borders, where
// the last ones are a single sample wide, and coarse.
func TestTilesAreTheRaster(t *testing.T) {
	w := newTiledWorld(t, 257, 193)
	fieldtest.Test(t, w.tiled, 1)
	a, b := grid.New(lattice.ChunkCells), grid.New(lattice.ChunkCells)
	for _, level := range []uint8{0, 3} {
		reach := int32(14) >> level
		for x := -reach; x <= reach; x++ {
			for z := -reach - 2; z <= reach+2; z++ {
				a.Chunk = lattice.Chunk{X: x, Z: z, Level: level}
				b.Chunk = a.Chunk
				w.whole.Fill(a)
				w.tiled.Fill(b)
				if !slices.Equal(a.Samples, b.Samples) || !slices.Equal(a.Ground, b.Ground) {
					t.Fatalf("%v differs", a.Chunk)
				}
			}
		}
	}
}

// TestTilesAreReadWhenNeeded checks that compiling reads no tile, that the heights of a wide box need none and
// those of a chunk only what is there, and that a tile that is unavailable stops the terrain.
func TestTilesAreReadWhenNeeded(t *testing.T) {
	w := newTiledWorld(t, 640, 640)
	wide := lattice.Box{Min: lattice.Sample{X: -700, Z: -700}, Max: lattice.Sample{X: 700, Z: 700}}
	spans := w.tiled.Spans(nil, wide)
	if len(w.read) != 0 || len(spans) == 0 {
		t.Errorf("%d tiles read for the heights %v of %v, want none", len(w.read), spans, wide)
	}
	g := grid.New(lattice.ChunkCells)
	g.Chunk = lattice.Chunk{X: 2, Z: 2}
	w.tiled.Fill(g)
	w.tiled.Spans(nil, g.Box())
	if n := len(w.read); n < 1 || n > 4 {
		t.Errorf("%d tiles read for a chunk, want 1 … 4", n)
	}
	for _, h := range w.read {
		delete(w.assets, h)
	}
	w.tiled.Fill(g) // they are kept
	clear(w.assets)
	defer func() {
		err, ok := recover().(*raster.AssetError)
		if !ok || !strings.Contains(err.Error(), "not there") || errors.Unwrap(err) == nil {
			t.Errorf("a missing tile: %v", err)
		}
	}()
	w.tiled.At(lattice.Sample{X: 900, Z: -1500})
	t.Error("a missing tile was answered")
}

// TestCheckParts finds tiles that are missing, damaged, of another size or outside the heights they are said to have.
func TestCheckParts(t *testing.T) {
	w := newTiledWorld(t, 150, 100)
	whole := w.assets[w.hash]
	if err := raster.CheckParts(whole, from(w.assets)); err != nil {
		t.Fatal(err)
	}
	if err := raster.CheckParts([]byte("no raster in tiles"), nil); err != nil {
		t.Errorf("an asset without parts: %v", err)
	}
	for name, change := range map[string]func(r *raster.Tiled){
		"missing":      func(r *raster.Tiled) { r.Tiles[4].Hash[0] ^= 1 },
		"too high":     func(r *raster.Tiled) { r.Tiles[4].High = r.Tiles[4].Low },
		"another size": func(r *raster.Tiled) { r.Tiles[4].Hash = r.Tiles[5].Hash },
		"no raster":    func(r *raster.Tiled) { r.Tiles[4].Hash = w.hash },
	} {
		r, err := raster.ParseTiled(whole)
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		err = raster.CheckParts(r.AppendBinary(nil), from(w.assets))
		if broken, ok := errors.AsType[*raster.AssetError](err); !ok || broken.Hash != r.Tiles[4].Hash {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A raster of few tiles is not read to be compiled either.
	small := newTiledWorld(t, 100, 100)
	graph := template.Heightmap(small.hash, template.HeightmapParams{MetersX: 3, MetersZ: 5})
	only := map[asset.Hash][]byte{small.hash: small.assets[small.hash]}
	if _, err := field.Compile(graph, from(only)); err != nil {
		t.Errorf("compiled without tiles: %v", err)
	}
	if err := raster.CheckParts(whole[:len(whole)-1], from(w.assets)); !errors.Is(err, raster.ErrCorrupt) {
		t.Errorf("cut: %v", err)
	}
}

// TestTilesNames checks that whoever has the tiles that Tiles names meets no other, whatever is asked for; and that a
// terrain that met a missing tile is as good as new once it is there.
func TestTilesNames(t *testing.T) {
	var b graph.Builder
	w := newTiledWorld(t, 200, 150)
	h := b.Heightmap(w.hash, 0.7, 1.3, 1, 0)
	b.PaintedWorld(b.Height(h), h, b.Clamp(b.Slope(h), 0, 1), []graph.Material{{Name: "a"}, {Name: "b"}})
	have := map[asset.Hash][]byte{w.hash: w.assets[w.hash]}
	compile := func(assets map[asset.Hash][]byte) field.Terrain {
		f, err := field.Compile(b.Graph(), from(assets))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f, full := compile(have), compile(w.assets)
	r := rand.New(rand.NewPCG(7, 7))
	use := func(f field.Terrain, g *grid.Grid) (spans []lattice.Span, at geom.Interval) {
		f.Fill(g)
		f.(field.MaterialSource).FillMaterials(g)
		o := g.Corner()
		f.At(o)
		f.(field.MaterialSource).Material(o)
		f.Ground(o.X, o.Z)
		return f.Spans(nil, g.Box()), f.Bounds(g.Box())
	}
	missed := 0
	for range 300 {
		g, want := grid.New(lattice.ChunkCells), grid.New(lattice.ChunkCells)
		g.Chunk = lattice.Chunk{X: r.Int32N(8) - 4, Y: 0, Z: r.Int32N(8) - 4, Level: uint8(r.IntN(2))}
		want.Chunk = g.Chunk
		clear(have)
		have[w.hash] = w.assets[w.hash]
		func() {
			defer func() {
				if e := recover(); e != nil {
					missed++
					if _, ok := e.(*raster.AssetError); !ok {
						panic(e)
					}
				}
			}()
			use(f, g)
		}()
		for _, h := range f.(field.Tiler).Tiles(nil, g.Box()) {
			have[h] = w.assets[h]
		}
		spans, bounds := use(f, g)
		spans2, bounds2 := use(full, want)
		if !slices.Equal(g.Samples, want.Samples) || !slices.Equal(g.Materials, want.Materials) || !slices.Equal(g.Ground, want.Ground) ||
			!slices.Equal(spans, spans2) || bounds != bounds2 {
			t.Fatalf("%v differs after tiles were missing", g.Chunk)
		}
	}
	if missed < 5 {
		t.Errorf("tiles were missing %d times only", missed)
	}
	if hashes := f.(field.Tiler).Tiles(nil, lattice.Box{}); hashes != nil {
		t.Errorf("tiles of no columns: %x", hashes)
	}
}

func TestCheckTile(t *testing.T) {
	w := newTiledWorld(t, 130, 300)
	r, err := raster.ParseTiled(w.assets[w.hash])
	if err != nil {
		t.Fatal(err)
	}
	first, last := r.Tiles[0].Hash, r.Tiles[14].Hash
	if err := r.CheckTile(first, w.assets[first]); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"another size", w.assets[last], "raster tile 0,0: raster: corrupt: tile of 2×44 samples, want 64×64"},
		{"no raster", []byte("none"), "raster of 4 bytes"},
	} {
		if err := r.CheckTile(first, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	r.Tiles[0].High = r.Tiles[0].Low
	if err := r.CheckTile(first, w.assets[first]); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("heights out of range: %v", err)
	}
}

func TestTiledRasterRoundTrip(t *testing.T) {
	w := newTiledWorld(t, 130, 300)
	data := w.assets[w.hash]
	r, err := raster.ParseTiled(data)
	if err != nil {
		t.Fatal(err)
	}
	if again := r.AppendBinary([]byte("x"))[1:]; !bytes.Equal(again, data) || r.Across() != 3 || r.Down() != 5 {
		t.Errorf("%d×%d tiles, the same bytes %v", r.Across(), r.Down(), bytes.Equal(again, data))
	}
	parts, err := raster.Parts(data)
	if err != nil || len(parts) != 15 || parts[7] != r.Tiles[7].Hash {
		t.Errorf("parts %x, %v", parts, err)
	}
	if parts, err := raster.Parts(w.assets[parts[0]]); parts != nil || err != nil {
		t.Errorf("parts of a tile: %x, %v", parts, err)
	}
	for i := range data {
		if _, err := raster.ParseTiled(data[:i]); err == nil {
			t.Fatalf("the first %d of %d bytes parse", i, len(data))
		}
	}
	for _, c := range []struct {
		name   string
		change func(r *raster.Tiled)
		want   string
	}{
		{"side", func(r *raster.Tiled) { r.Side = 65 }, "power of two from 64 to 4096"},
		{"tiles", func(r *raster.Tiled) { r.Tiles = r.Tiles[1:] }, "of 3×5 tiles names 14"},
		{"many", func(r *raster.Tiled) { r.Width, r.Height = 1<<18, 1<<18 }, "at most 4000"},
		{"order", func(r *raster.Tiled) { r.Tiles[4].Low, r.Tiles[4].High = 2, 1 }, "raster tile 1,1 runs from 2 to 1 m"},
		{"spacing", func(r *raster.Tiled) { r.MetersZ = 0 }, "apart"},
		{"size", func(r *raster.Tiled) { r.Width = 1 }, "1×300 samples"},
	} {
		bad := *r
		bad.Tiles = slices.Clone(r.Tiles)
		c.change(&bad)
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzParseTiledRaster(f *testing.F) {
	r := &raster.Tiled{Width: 100, Height: 64, Side: 64, MetersX: 1, MetersZ: 2,
		Tiles: []raster.Tile{{Low: 1, High: 2}, {Hash: asset.Hash{1}, Low: -3, High: 3}}}
	f.Add(r.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = seal(slices.Clone(data), 0)
		r, err := raster.ParseTiled(data)
		if err != nil {
			return
		}
		if again := r.AppendBinary(nil); !bytes.Equal(again, data) {
			t.Fatalf("%x parses and comes back as %x", data, again)
		}
	})
}
