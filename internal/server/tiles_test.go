package server

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/lru"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/memlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/wire"
)

// tiledWorld makes a store of a world whose ground is a raster in 4×4 tiles of 64 samples, a meter apart.
func tiledWorld(t *testing.T) (*memlog.Store, map[asset.Hash]bool) {
	t.Helper()
	tiles := map[asset.Hash]bool{}
	var contents [][]byte
	read := func(x, z, width, height int) (*raster.Raster, error) {
		r := &raster.Raster{Width: width, Height: height, MetersX: 1, MetersZ: 1, Scale: 1}
		for i := range width * height {
			r.Values = append(r.Values, float32((x+i%width)%7+(z+i/width)%5)+float32(x/64*3+z/64))
		}
		return r, nil
	}
	raster, err := raster.Cut(256, 256, 64, 1, 1, read, func(tile []byte) error {
		if h := asset.Of(tile); !tiles[h] {
			tiles[h] = true
			contents = append(contents, tile)
		}
		return nil
	})
	must(t, err)
	whole := raster.AppendBinary(nil)
	document := template.Heightmap(asset.Of(whole), template.HeightmapParams{MetersX: 1, MetersZ: 1}).AppendBinary(nil)
	contents = append(contents, whole)
	meta := worldlog.Meta{World: [16]byte{7}, Created: time.Unix(1, 0), Document: asset.Of(document), Semantics: graph.EngineSemantics()}
	for _, c := range contents {
		meta.Assets = append(meta.Assets, asset.Of(c))
	}
	store, err := memlog.New(meta, append(contents, document)...)
	must(t, err)
	return store, tiles
}

// A tiled raster's tiles are read when an edit needs them, served by their hashes, and not named in the welcome.
func TestTiles(t *testing.T) {
	store, tiles := tiledWorld(t)
	var reads atomic.Int32
	var broken atomic.Bool
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		if op == memlog.Content {
			reads.Add(1)
			if broken.Load() {
				return errors.New("the disk is gone")
			}
		}
		return nil
	}})
	w := serve(t, store, nil)
	c := w.join()
	if len(c.welcome.Assets) != 1 || tiles[asset.Hash(c.welcome.Assets[0])] {
		t.Errorf("the welcome names %x, want the raster alone", c.welcome.Assets)
	}
	if n := reads.Load(); n != 2 {
		t.Errorf("a start reads %d contents, want the document and the raster", n)
	}
	c.subscribe(home)
	c.subscribe(lattice.Region{X: -1, Z: -1})
	before := reads.Load()
	c.settled(c.edit(ball(edit.Dig, 3, 30, 8, 30)))
	c.settled(c.edit(ball(edit.Dig, 3, 32, 8, 30)))
	if n := reads.Load() - before; n < 1 || n > 9 {
		t.Errorf("two edits beside each other read %d tiles", n)
	}
	for h := range tiles {
		if status, body := w.get("/v1/content/" + h.String()); status != 200 || asset.Of(body) != h {
			t.Errorf("tile %v: %d, %d bytes", h, status, len(body))
		}
	}
	// Where tiles cannot be read edits are refused, elsewhere all goes on; and there as well once they can.
	broken.Store(true)
	far := c.edit(ball(edit.Dig, 3, -100, 8, -100))
	if m := expect[wire.EditRefused](c); m.Counter != far || m.Code != wire.CodeInternal || !strings.Contains(m.Message, "cannot be read") || strings.Contains(m.Message, "disk") {
		t.Errorf("an edit without its ground: %+v", m)
	}
	c.settled(c.edit(ball(edit.Dig, 3, 34, 8, 30)))
	broken.Store(false)
	c.settled(c.edit(ball(edit.Dig, 3, -100, 8, -100)))
}

// An entry whose ground cannot be read, against all odds, waits for it.
func TestEntryWaitsForTiles(t *testing.T) {
	store, _ := tiledWorld(t)
	w := serve(t, store, nil)
	var broken atomic.Bool
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		switch {
		case broken.Load() && op == memlog.Content:
			return errors.New("the disk is gone")
		case op == memlog.Append: // the edit's tiles were there when it came: now they go
			broken.Store(true)
			tiles := w.server.tiles
			tiles.mu.Lock()
			defer tiles.mu.Unlock()
			tiles.kept, tiles.held = lru.New[asset.Hash, []byte](tileBytes), nil
		}
		return nil
	}})
	c := w.join()
	c.subscribe(home)
	n := c.edit(ball(edit.Dig, 3, 30, 8, 30))
	w.until("the entry waits", func(o *owner) bool { return len(o.early) == 1 && o.applied == 0 })
	broken.Store(false)
	if e := c.settled(n); e.Seq != 1 {
		t.Errorf("entry %d", e.Seq)
	}
}

func TestGuard(t *testing.T) {
	missing := &raster.AssetError{Err: errors.New("gone")}
	if err := replica.Guard(func() { panic(missing) }); !errors.Is(err, missing) {
		t.Error(err)
	}
	if err := replica.Guard(func() {}); err != nil {
		t.Error(err)
	}
	defer func() {
		if r := recover(); r != "another" {
			t.Errorf("panicked with %v", r)
		}
	}()
	_ = replica.Guard(func() { panic("another") })
}
