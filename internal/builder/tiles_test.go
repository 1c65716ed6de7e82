package builder

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
)

// tiled returns a graph of a heightmap in 4×4 tiles, and its files.
func tiled(t testing.TB) (graph []byte, whole []byte, tiles map[asset.Hash][]byte) {
	t.Helper()
	tiles = map[asset.Hash][]byte{}
	read := func(x, z, width, height int) (*raster.Raster, error) {
		r := &raster.Raster{Width: width, Height: height, MetersX: 1, MetersZ: 1, Scale: 1}
		for i := range width * height {
			r.Values = append(r.Values, float32((x+i%width)%7+(z+i/width)%5+x/64))
		}
		return r, nil
	}
	r, err := raster.Cut(256, 256, 64, 1, 1, read, func(asset []byte) error {
		tiles[sha256.Sum256(asset)] = asset
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	whole = r.AppendBinary(nil)
	return template.Heightmap(sha256.Sum256(whole), template.HeightmapParams{MetersX: 1, MetersZ: 1}).AppendBinary(nil), whole, tiles
}

// Tiles come with jobs: with their content at first, then by name; a job that names one that is not there is sent
// again, and one that names too few fails.
func TestTiles(t *testing.T) {
	graph, file, tiles := tiled(t)
	newBuilder := func(files map[asset.Hash][]byte) *Builder {
		b, err := New(graph, func(hash asset.Hash) ([]byte, error) {
			if data, ok := files[hash]; ok {
				return data, nil
			}
			if hash == sha256.Sum256(file) {
				return file, nil
			}
			return nil, errors.New("no such file")
		})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b, whole := newBuilder(nil), newBuilder(tiles)
	g := &Job{Chunk: lattice.Chunk{X: 1, Z: -1}}
	box := g.Chunk.Box()
	box.Min, box.Max = box.Min.Add(-2, 0, -2), box.Max.Add(2, 0, 2)
	hashes := b.base.(field.Tiler).Tiles(nil, box)
	build := func(b *Builder, with bool, hashes []asset.Hash) (header ResultHeader, body []byte, err error) {
		j := *g
		for _, h := range hashes {
			jt := JobTile{Hash: h}
			if with {
				jt.Data = tiles[h]
			}
			j.Tiles = append(j.Tiles, jt)
		}
		result, err := b.Build(j.AppendBinary(nil))
		if err != nil {
			return header, nil, err
		}
		if header, err = ParseHeader(result); err != nil {
			t.Fatal(err)
		}
		return header, slices.Clone(result[HeaderSize:]), nil
	}
	_, want, err := build(whole, false, nil)
	if err != nil || len(want) == 0 {
		t.Fatal(err)
	}
	if h, _, err := build(b, false, hashes); err != nil || !h.Missing {
		t.Errorf("without tiles: %+v, %v", h, err)
	}
	if _, _, err := build(b, false, nil); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a job that names no tiles: %v", err)
	}
	for _, with := range []bool{true, false} {
		if h, got, err := build(b, with, hashes); err != nil || h.Missing || !slices.Equal(got, want) {
			t.Errorf("with tiles %v: %+v, %v, equal %v", with, h, err, slices.Equal(got, want))
		}
	}
	j := *g
	j.Tiles = []JobTile{{Hash: asset.Hash{1}, Data: []byte("another")}}
	if _, err := b.Build(j.AppendBinary(nil)); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "other content") {
		t.Errorf("a tile with another hash: %v", err)
	}
}

// The cache keeps the tiles of a job in hand however large they are, and of others what there is room for.
func TestTileCache(t *testing.T) {
	c := newTileCache()
	big := func(v byte) JobTile {
		data := make([]byte, TileBytes*2/5)
		data[0] = v
		return JobTile{sha256.Sum256(data), data}
	}
	a, b, d, e := big(1), big(2), big(3), big(4)
	if lacks, err := c.begin([]JobTile{a, b, d}); lacks || err != nil {
		t.Fatal(lacks, err)
	}
	for _, k := range []JobTile{a, b, d} {
		if c.get(k.Hash) == nil {
			t.Error("a tile of the job is gone")
		}
	}
	if lacks, err := c.begin([]JobTile{e}); lacks || err != nil {
		t.Fatal(lacks, err)
	}
	if c.get(a.Hash) != nil || c.get(b.Hash) != nil || c.get(d.Hash) == nil || c.kept.Cost() > TileBytes {
		t.Errorf("%d bytes are kept", c.kept.Cost())
	}
	if lacks, _ := c.begin([]JobTile{{Hash: a.Hash}, {Hash: d.Hash}}); !lacks {
		t.Error("a tile that is gone is not missed")
	}
}
