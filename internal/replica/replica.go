// Package replica makes a world of what a log holds: its field from the document, and its bricks from the newest
// snapshot and the entries after it. A server that starts, terrane mesh and terrane preview read worlds by it.
//
// A client's session does not: its pieces and entries come over the network region by region, while it already shows
// some of them, and its bricks are those of the regions around the viewer alone (internal/session/region).
package replica

import (
	"context"
	"errors"
	"fmt"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/raster"
)

// Graph returns the graph of a world and its encoding.
func Graph(ctx context.Context, store worldlog.Store) (*graph.Graph, []byte, error) {
	data, err := store.Content(ctx, store.Meta().Document)
	if err != nil {
		return nil, nil, fmt.Errorf("document: %w", err)
	}
	g, err := graph.Parse(data)
	if err != nil {
		return nil, nil, fmt.Errorf("document: %w", err)
	}
	return g, data, nil
}

// Terrain compiles the graph of a world. Tiles are read from the store as the terrain is, so that the store must stay
// open for as long.
func Terrain(ctx context.Context, store worldlog.Store) (field.Terrain, error) {
	g, _, err := Graph(ctx, store)
	if err != nil {
		return nil, err
	}
	return field.Compile(g, func(h asset.Hash) ([]byte, error) { return store.Content(ctx, h) })
}

// A Replica is the bricks of a world as of an entry of its log.
type Replica struct {
	Layer    *brick.Layer
	Head     worldlog.Seq // the last entry that Layer holds
	Snapshot worldlog.Seq // the entry of the snapshot that was read, 0 for none

	Piece func(*brick.Brick, asset.Hash) // if not nil, called for each brick of the snapshot with the hash of its piece
	Entry func(head, of worldlog.Seq)    // if not nil, called after each entry
}

// ReadSnapshot puts the bricks of the newest snapshot into the layer, if there is one. After an error the layer holds a
// part of them.
func (r *Replica) ReadSnapshot(ctx context.Context, store worldlog.Store) error {
	snap, err := store.LatestSnapshot(ctx, r.Layer.Level())
	if errors.Is(err, worldlog.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
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
		r.Layer.Put(b)
		if r.Piece != nil {
			r.Piece(b, p.Content)
		}
	}
	r.Snapshot, r.Head = snap.Seq, snap.Seq
	return nil
}

// Replay applies the entries after Head. It returns an error if the log has a gap, ends before its head, or holds what
// this version does not know: what comes after would be applied to another world than its authors saw.
func (r *Replica) Replay(ctx context.Context, store worldlog.Store) error {
	head := store.Head()
	if r.Head > head {
		return fmt.Errorf("%w: the snapshot is of entry %d, the log ends at %d", worldlog.ErrLost, r.Head, head)
	}
	for e, err := range store.Read(ctx, r.Head) {
		if err != nil {
			return fmt.Errorf("replay after entry %d: %w", r.Head, err)
		}
		if e.Seq != r.Head+1 {
			return fmt.Errorf("%w: entry %d follows entry %d", worldlog.ErrCorrupt, e.Seq, r.Head)
		}
		ed, err := Edit(e)
		if err != nil {
			return err
		}
		if err := Guard(func() { r.Layer.Apply(ed) }); err != nil {
			return fmt.Errorf("entry %d: %w", e.Seq, err)
		}
		r.Head = e.Seq
		if r.Entry != nil {
			r.Entry(r.Head, head)
		}
	}
	if r.Head < head {
		return fmt.Errorf("%w: the log ends at entry %d, its head is %d", worldlog.ErrLost, r.Head, head)
	}
	return nil
}

// Load reads the newest snapshot and the entries after it into the layer, which has no bricks yet. If the snapshot
// cannot be read, unread is called with the reason and the whole log is replayed: the snapshot is derived from it.
func (r *Replica) Load(ctx context.Context, store worldlog.Store, unread func(error)) error {
	if err := r.ReadSnapshot(ctx, store); err != nil {
		if ctx.Err() != nil {
			return err
		}
		unread(err)
		r.Layer.Clear()
		r.Head, r.Snapshot = 0, 0
	}
	return r.Replay(ctx, store)
}

// Edit returns the edit that an entry of the log is.
func Edit(e worldlog.Entry) (edit.Checked, error) {
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

// Guard runs f, which evaluates a terrain, and returns the error that the terrain panics with when a tile of a raster
// is unavailable. What f has begun is left as it is.
func Guard(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if _, missing := errors.AsType[*raster.AssetError](e); !ok || !missing {
				panic(r)
			}
			err = e
		}
	}()
	f()
	return nil
}
