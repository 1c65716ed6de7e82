package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/worldlog"
)

// loaded is the world as of the last entry of its log.
type loaded struct {
	layer *brick.Layer
	head  worldlog.Seq
	snap  worldlog.Seq             // the entry of the snapshot that was loaded, 0 for none
	saved names                    // the pieces of that snapshot
	fixed map[worldlog.Hash][]byte // the document and the assets, for as long as the server runs
}

// checkSemantics says which node kind this engine computes otherwise than when the world was made.
func checkSemantics(world []worldlog.Semantics) error {
	engine := make(map[uint16]uint16)
	for _, s := range field.Semantics() {
		engine[uint16(s.Kind)] = s.Version
	}
	for _, s := range world {
		switch v, ok := engine[s.Kind]; {
		case !ok:
			return fmt.Errorf("server: the world uses node kind %d, which this version does not know", s.Kind)
		case v != s.Version:
			return fmt.Errorf("server: the world was made with version %d of node kind %d, this engine computes version %d",
				s.Version, s.Kind, v)
		}
	}
	return nil
}

// load reads the world from its store.
func load(ctx context.Context, store worldlog.Store, log *slog.Logger) (*loaded, error) {
	meta := store.Meta()
	document, err := store.Content(ctx, meta.Document)
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	graph, err := field.ParseGraph(document)
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	// Assets stay in memory: the terrain reads them, and every new client fetches them.
	fixed := map[worldlog.Hash][]byte{meta.Document: document}
	asset := func(h [32]byte) (data []byte, err error) {
		data, ok := fixed[h]
		if !ok {
			if data, err = store.Content(ctx, h); err == nil {
				fixed[h] = data
			}
		}
		return data, err
	}
	terrain, err := field.Compile(graph, asset)
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	// Tiles are read as the terrain is asked for heights, by the owner, who must not fail; and fixed is for others
	// to read then. So all of them are opened now.
	for _, data := range slices.Collect(maps.Values(fixed)) {
		if err := field.CheckParts(data, asset); err != nil {
			return nil, fmt.Errorf("document: %w", err)
		}
	}
	l := &loaded{layer: brick.NewLayer(terrain, 0), fixed: fixed}
	if err := l.readSnapshot(ctx, store); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		log.Warn("the newest snapshot cannot be read; replaying the whole log", "err", err)
		*l = loaded{layer: brick.NewLayer(terrain, 0), fixed: fixed}
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
		id, b, err := brick.Parse(data)
		if err != nil {
			return fmt.Errorf("%v: %w", p.Brick, err)
		}
		if id != p.Brick {
			return fmt.Errorf("%w: %v stored as %v", worldlog.ErrCorrupt, id, p.Brick)
		}
		l.layer.Put(id, b)
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
		l.layer.Apply(ed)
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
func parseEdit(e worldlog.Entry) (edit.Edit, error) {
	if e.Kind != worldlog.KindEdit {
		return edit.Edit{}, fmt.Errorf("%w: entry %d is of kind %d, this version knows edits (%d)",
			worldlog.ErrVersion, e.Seq, e.Kind, worldlog.KindEdit)
	}
	ed, rest, err := edit.Parse(e.Payload)
	if err != nil {
		return edit.Edit{}, fmt.Errorf("%w: entry %d: %w", worldlog.ErrCorrupt, e.Seq, err)
	}
	if len(rest) > 0 {
		return edit.Edit{}, fmt.Errorf("%w: entry %d has %d bytes after its edit", worldlog.ErrCorrupt, e.Seq, len(rest))
	}
	return ed, nil
}
