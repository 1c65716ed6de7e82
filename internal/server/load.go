package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
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
func checkSemantics(world []worldlog.Semantics) error {
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
	meta := store.Meta()
	document, err := store.Content(ctx, meta.Document)
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	graph, err := graph.Parse(document)
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	// Assets stay in memory: the terrain reads them, and every new client fetches them. Tiles are read as they are needed.
	fixed := map[asset.Hash][]byte{meta.Document: document}
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
	if p, ok := terrain.(field.Painter); ok {
		palette = len(p.Palette())
	}
	l := &loaded{layer: brick.NewLayer(terrain, 0), fixed: fixed, tiles: tiles, named: named, palette: palette}
	if err := l.readSnapshot(ctx, store); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		log.Warn("the newest snapshot cannot be read; replaying the whole log", "err", err)
		*l = loaded{layer: brick.NewLayer(terrain, 0), fixed: fixed, tiles: tiles, named: named, palette: palette}
	}
	if err := l.replay(ctx, store, log); err != nil {
		return nil, err
	}
	return l, nil
}

// readSnapshot puts the bricks of the newest snapshot, if there is one.
func (l *loaded) readSnapshot(ctx context.Context, store worldlog.Store) error {
	snap, err := store.LatestSnapshot(ctx, 0)
	if errors.Is(err, worldlog.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	l.saved = make(names, len(snap.Pieces))
	for _, p := range snap.Pieces {
		data, err := store.Content(ctx, p.Content)
		if err != nil {
			return fmt.Errorf("%v: %w", p.Brick, err)
		}
		b, err := brick.Parse(data)
		if err != nil {
			return fmt.Errorf("%v: %w", p.Brick, err)
		}
		if b.ID() != p.Brick {
			return fmt.Errorf("%w: %v stored as %v", worldlog.ErrCorrupt, b.ID(), p.Brick)
		}
		l.layer.Put(b)
		l.saved.set(b, p.Content)
	}
	l.snap, l.head = snap.Seq, snap.Seq
	return nil
}

// replayReport is the time between two lines about a replay.
const replayReport = 3 * time.Second

// replay applies the entries after the snapshot.
func (l *loaded) replay(ctx context.Context, store worldlog.Store, log *slog.Logger) error {
	head := store.Head()
	if l.head > head {
		return fmt.Errorf("%w: the snapshot is of entry %d, the log ends at %d", worldlog.ErrLost, l.head, head)
	}
	report := time.Now().Add(replayReport)
	for e, err := range store.Read(ctx, l.head) {
		if err != nil {
			return fmt.Errorf("replay after entry %d: %w", l.head, err)
		}
		if e.Seq != l.head+1 {
			return fmt.Errorf("%w: entry %d follows entry %d", worldlog.ErrCorrupt, e.Seq, l.head)
		}
		ed, err := parseEdit(e)
		if err != nil {
			return err
		}
		if err := guard(func() { l.layer.Apply(ed) }); err != nil {
			return fmt.Errorf("entry %d: %w", e.Seq, err)
		}
		l.head = e.Seq
		if now := time.Now(); now.After(report) {
			report = now.Add(replayReport)
			log.Info("replaying the log", "entry", l.head, "of", head)
		}
	}
	if l.head < head {
		return fmt.Errorf("%w: the log ends at entry %d, its head is %d", worldlog.ErrLost, l.head, head)
	}
	return nil
}

// parseEdit returns the edit that an entry of the log is.
func parseEdit(e worldlog.Entry) (edit.Checked, error) {
	if e.Kind != worldlog.KindEdit {
		return edit.Checked{}, fmt.Errorf("%w: entry %d is of kind %d, this version knows edits (%d)",
			worldlog.ErrVersion, e.Seq, e.Kind, worldlog.KindEdit)
	}
	ed, err := edit.ParseWhole(e.Payload)
	if err != nil {
		return edit.Checked{}, fmt.Errorf("%w: entry %d: %w", worldlog.ErrCorrupt, e.Seq, err)
	}
	return ed, nil
}
