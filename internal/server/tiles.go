package server

import (
	"context"
	"fmt"
	"sync"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/lru"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/raster"
)

// tileBytes bounds the tiles that a server keeps in memory: some sixty of the usual size, so that people who dig in
// as many places do not read the disk in turns.
const tileBytes = 32 << 20

// Tiles are the parts of a world's assets that are read when they are needed: those of rasters in tiles.
type tiles struct {
	store   worldlog.Store
	terrain field.Tiler // nil if the world has none
	rasters []*raster.Tiled
	parts   map[asset.Hash]struct{}

	mu   sync.Mutex            // guards the rest
	held map[asset.Hash][]byte // what the entry that is being applied needs, however much
	kept *lru.Cache[asset.Hash, []byte]
}

// newTiles finds the tiles that the assets of a world name.
func newTiles(store worldlog.Store, assets map[asset.Hash][]byte) (*tiles, error) {
	t := &tiles{store: store, parts: make(map[asset.Hash]struct{}), kept: lru.New[asset.Hash, []byte](tileBytes)}
	for hash, data := range assets {
		parts, err := raster.Parts(data)
		if err != nil {
			return nil, fmt.Errorf("asset %v: %w", hash, err)
		}
		if parts == nil {
			continue
		}
		r, err := raster.ParseTiled(data)
		if err != nil {
			return nil, fmt.Errorf("asset %v: %w", hash, err)
		}
		t.rasters = append(t.rasters, r)
		for _, h := range parts {
			t.parts[h] = struct{}{}
		}
	}
	return t, nil
}

// read returns a tile, checked, from memory or from the store.
func (t *tiles) read(ctx context.Context, hash asset.Hash) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if data, ok := t.held[hash]; ok {
		return data, nil
	}
	if data, ok := t.kept.Get(hash); ok {
		return data, nil
	}
	data, err := t.store.Content(ctx, hash)
	if err != nil {
		return nil, err
	}
	for _, r := range t.rasters {
		if err := r.CheckTile(hash, data); err != nil {
			return nil, err
		}
	}
	t.kept.Put(hash, data, len(data))
	return data, nil
}

// need reads the tiles that an edit's bricks need.
func (t *tiles) need(ctx context.Context, e edit.Checked) (map[asset.Hash][]byte, error) {
	if t.terrain == nil || len(t.parts) == 0 {
		return nil, nil
	}
	box := e.Footprint(0)
	const margin = 2 // of the grids that bricks are filled with
	box.Min, box.Max = box.Min.Add(-margin, -margin, -margin), box.Max.Add(margin, margin, margin)
	all := make(map[asset.Hash][]byte)
	for _, hash := range t.terrain.Tiles(nil, box) {
		data, err := t.read(ctx, hash)
		if err != nil {
			return nil, fmt.Errorf("tile %x: %w", hash[:8], err)
		}
		all[hash] = data
	}
	return all, nil
}

// hold reads the tiles that an edit's bricks need and holds them until the next call: without an error the edit can be
// applied, whatever becomes of the disk.
func (t *tiles) hold(e edit.Checked) error {
	held, err := t.need(context.Background(), e)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = held
	return nil
}
