package server

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/worldlog"
)

// loaded is the world as of the last entry of its log.
type loaded struct {
	layer   *brick.Layer
	head    worldlog.Seq
	snap    worldlog.Seq          // the entry of the snapshot that was loaded, 0 for none
	saved   names                 // the pieces of that snapshot
	fixed   map[asset.Hash][]byte // the document and its assets without their tiles, for as long as the server runs
	tiles   *tiles
	palette int          // the number of materials
	named   []asset.Hash // the assets that the document names, which clients fetch first
}

// checkSemantics returns an error if this engine computes a node kind otherwise than when the world was made.
func checkSemantics(world []graph.Semantics) error {
	switch d, ok := graph.SemanticsDiff(world, graph.EngineSemantics()); {
	case ok:
		return nil
	case d.Unknown:
		return fmt.Errorf("server: the world uses node kind %d, which this version does not know", uint16(d.Kind))
	default:
		return fmt.Errorf("server: the world was made with version %d of node kind %d, this engine computes version %d",
			d.Want, uint16(d.Kind), d.Have)
	}
}

// load reads the world from its store.
func load(ctx context.Context, store worldlog.Store, log *slog.Logger) (*loaded, error) {
	graph, document, err := replica.Graph(ctx, store)
	if err != nil {
		return nil, err
	}
	// Assets stay in memory: the terrain reads them, and every new client fetches them. Tiles are read as they are needed.
	fixed := map[asset.Hash][]byte{store.Meta().Document: document}
	var named []asset.Hash
	for _, h := range graph.Assets() {
		data, err := store.Content(ctx, h)
		if err != nil {
			return nil, fmt.Errorf("asset %v: %w", asset.Hash(h), err)
		}
		fixed[h] = data
		named = append(named, h)
	}
	tiles, err := newTiles(store, fixed)
	if err != nil {
		return nil, err
	}
	terrain, err := field.Compile(graph, func(h asset.Hash) ([]byte, error) {
		if data, ok := fixed[h]; ok {
			return data, nil
		}
		return tiles.read(context.Background(), h) // for as long as the server runs
	})
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	tiles.terrain, _ = terrain.(field.Tiler)
	palette := 0
	if p, ok := terrain.(field.MaterialSource); ok {
		palette = len(p.Palette())
	}
	l := &loaded{fixed: fixed, tiles: tiles, named: named, palette: palette}
	return l, l.read(ctx, store, terrain, log)
}

// replayReport is the time between two lines about a replay.
const replayReport = 3 * time.Second

// read reads the newest snapshot and the entries after it.
func (l *loaded) read(ctx context.Context, store worldlog.Store, terrain field.Terrain, log *slog.Logger) error {
	l.layer, l.saved = brick.NewLayer(terrain, 0), names{}
	report := time.Now().Add(replayReport)
	r := replica.Replica{Layer: l.layer, Piece: l.saved.set, Entry: func(head, of worldlog.Seq) {
		if now := time.Now(); now.After(report) {
			report = now.Add(replayReport)
			log.Info("replaying the log", "entry", head, "of", of)
		}
	}}
	err := r.Load(ctx, store, func(err error) {
		log.Warn("the newest snapshot cannot be read; replaying the whole log", "err", err)
		clear(l.saved)
	})
	l.head, l.snap = r.Head, r.Snapshot
	return err
}
