package replica_test

import (
	"context"
	"errors"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/memlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

func hole(i int32) edit.Checked {
	return edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 4, Place: lattice.Place{Sample: lattice.Sample{X: 5 * i, Y: 20, Z: -3 * i}}})
}

// log returns a log of n holes on flat ground.
func log(t *testing.T, n int32) *memlog.Store {
	t.Helper()
	document := template.Hills(1).AppendBinary(nil)
	s, err := memlog.New(worldlog.Meta{World: [16]byte{1}, Name: "a", Document: asset.Of(document)}, document)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		add(t, s, worldlog.Entry{Kind: worldlog.KindEdit, Payload: hole(i).AppendBinary(nil)})
	}
	return s
}

func add(t *testing.T, s worldlog.Store, e worldlog.Entry) {
	t.Helper()
	e.ID, e.Regions = worldlog.EditID{Session: 1, Counter: uint64(s.Head()) + 1}, []lattice.Region{{}}
	if _, err := s.Append(t.Context(), []worldlog.Entry{e}); err != nil {
		t.Fatal(err)
	}
}

// load returns the replica of a store and what was said of its snapshot.
func load(t *testing.T, s worldlog.Store) (r replica.Replica, unread, err error) {
	t.Helper()
	terrain, err := replica.Terrain(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	r.Layer = brick.NewLayer(terrain, 0)
	err = r.Load(t.Context(), s, func(err error) { unread = err })
	return r, unread, err
}

// snapshot stores the bricks of a layer as of an entry.
func snapshot(t *testing.T, s worldlog.Store, l *brick.Layer, q worldlog.Seq) {
	t.Helper()
	snap := worldlog.Snapshot{Seq: q}
	for id, b := range l.All() {
		h, err := s.PutContent(t.Context(), b.AppendBinary(nil))
		if err != nil {
			t.Fatal(err)
		}
		snap.Pieces = append(snap.Pieces, worldlog.SnapshotPiece{Brick: id, Content: h})
	}
	if err := s.PutSnapshot(t.Context(), snap); err != nil {
		t.Fatal(err)
	}
}

// A replica is the same from the log alone, from a snapshot and the entries after it, and from a snapshot that cannot be
// read.
func TestLoad(t *testing.T) {
	s := log(t, 20)
	whole, unread, err := load(t, s)
	if err != nil || unread != nil || whole.Head != 20 || whole.Snapshot != 0 || whole.Layer.Len() == 0 {
		t.Fatalf("%v, %v, %+v", err, unread, whole)
	}
	snapshot(t, s, whole.Layer, 20)
	for i := range int32(5) {
		add(t, s, worldlog.Entry{Kind: worldlog.KindEdit, Payload: hole(40 + i).AppendBinary(nil)})
		whole.Layer.Apply(hole(40 + i))
	}
	var pieces, entries int
	r := replica.Replica{Layer: brick.NewLayer(terrain(t, s), 0), Piece: func(*brick.Brick, asset.Hash) { pieces++ }, Entry: func(head, of worldlog.Seq) {
		if entries++; of != 25 || head != worldlog.Seq(20+entries) {
			t.Errorf("entry %d of %d after %d", head, of, entries)
		}
	}}
	if err := r.Load(t.Context(), s, func(err error) { t.Error(err) }); err != nil {
		t.Fatal(err)
	}
	if r.Layer.Hash() != whole.Layer.Hash() || r.Snapshot != 20 || r.Head != 25 || entries != 5 || pieces == 0 {
		t.Errorf("hash %016x, want %016x; %+v, %d pieces, %d entries", r.Layer.Hash(), whole.Layer.Hash(), r, pieces, entries)
	}
	s.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		if op == memlog.LatestSnapshot {
			return worldlog.ErrCorrupt
		}
		return nil
	}})
	again, unread, err := load(t, s)
	if err != nil || !errors.Is(unread, worldlog.ErrCorrupt) || again.Layer.Hash() != whole.Layer.Hash() || again.Snapshot != 0 {
		t.Errorf("%v, %v, %+v", err, unread, again)
	}
}

func terrain(t *testing.T, s worldlog.Store) field.Terrain {
	t.Helper()
	f, err := replica.Terrain(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What is no edit ends a replay: what comes after would be applied to another world than its authors saw.
func TestUnknownEntries(t *testing.T) {
	s := log(t, 3)
	add(t, s, worldlog.Entry{Kind: worldlog.KindEdit, Payload: []byte("no edit")})
	if r, _, err := load(t, s); !errors.Is(err, worldlog.ErrCorrupt) || r.Head != 3 {
		t.Errorf("%v at %d", err, r.Head)
	}
	if _, err := replica.Edit(worldlog.Entry{Seq: 4, Kind: 77}); !errors.Is(err, worldlog.ErrVersion) {
		t.Error(err)
	}
}
