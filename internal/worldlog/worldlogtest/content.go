package worldlogtest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
)

// mustPut stores a content.
func (w *world) mustPut(data []byte) asset.Hash {
	w.Helper()
	h, err := w.PutContent(w.ctx, data)
	if err != nil || h != asset.Of(data) {
		w.Fatalf("put of %d bytes: %v, %v", len(data), h, err)
	}
	return h
}

// wantContent checks what is stored under the hash of data: data, or nothing.
func (w *world) wantContent(data []byte, there bool) {
	w.Helper()
	got, err := w.Content(w.ctx, asset.Of(data))
	switch {
	case there && (err != nil || !bytes.Equal(got, data)):
		w.Fatalf("content %.20q: %.20q, %v", data, got, err)
	case !there && !errors.Is(err, worldlog.ErrNotFound):
		w.Fatalf("content %.20q: %v, want ErrNotFound", data, err)
	}
}

func testContent(w *world) {
	w.wantContent(document, true)
	w.wantContent([]byte("never stored"), false)
	for _, data := range [][]byte{nil, {0}, []byte("abc"), bytes.Repeat([]byte("large"), 1<<20)} {
		for range 2 { // again is harmless
			w.mustPut(data)
			w.wantContent(data, true)
		}
	}
	w.mustPut(document)
	w.reopen()
	w.wantContent(document, true)
}

// testContentOfEntries keeps what an entry names, whatever becomes of the snapshots that named it too.
func testContentOfEntries(w *world) {
	brick, other := []byte("a brick before an undo"), []byte("another brick")
	e := Entry(1, 1)
	e.Contents = []asset.Hash{w.mustPut(brick)}
	w.mustAppend(e)
	w.putSnapshot(1, brick, other)
	w.putSnapshot(1)
	for range 2 {
		w.wantContent(brick, true)
		w.wantContent(other, false)
		w.reopen()
	}
}

// snapshot returns a snapshot of level 0 with the contents as pieces.
func snapshot(seq worldlog.Seq, contents ...[]byte) worldlog.Snapshot {
	s := worldlog.Snapshot{Seq: seq, Pieces: []worldlog.SnapshotPiece{}}
	for i, c := range contents {
		s.Pieces = append(s.Pieces, worldlog.SnapshotPiece{
			Brick:   lattice.Brick{X: int32(i), Y: -int32(i), Z: 7},
			Content: asset.Of(c),
		})
	}
	return s
}

// putSnapshot stores the contents and a snapshot of them.
func (w *world) putSnapshot(seq worldlog.Seq, contents ...[]byte) worldlog.Snapshot {
	w.Helper()
	for _, c := range contents {
		w.mustPut(c)
	}
	s := snapshot(seq, contents...)
	if err := w.PutSnapshot(w.ctx, s); err != nil {
		w.Fatal(err)
	}
	return s
}

func (w *world) wantSnapshot(level uint8, want worldlog.Snapshot) {
	w.Helper()
	got, err := w.LatestSnapshot(w.ctx, level)
	if err != nil || !reflect.DeepEqual(got, want) {
		w.Fatalf("snapshot %+v, %v, want %+v", got, err, want)
	}
}

func testSnapshots(w *world) {
	if _, err := w.LatestSnapshot(w.ctx, 0); !errors.Is(err, worldlog.ErrNotFound) {
		w.Fatalf("before the first: %v", err)
	}
	first := w.putSnapshot(0)
	w.wantSnapshot(0, first)
	for i := range 5 {
		w.mustAppend(Entry(1, uint64(i+1)))
	}
	second := w.putSnapshot(3, []byte("brick 1"), []byte("brick 2"))
	coarse := worldlog.Snapshot{Seq: 5, Level: 2, Pieces: []worldlog.SnapshotPiece{
		{Brick: lattice.Brick{X: -1, Level: 2}, Content: w.mustPut([]byte("coarse"))},
	}}
	if err := w.PutSnapshot(w.ctx, coarse); err != nil {
		w.Fatal(err)
	}
	for range 2 {
		w.wantSnapshot(0, second)
		w.wantSnapshot(2, coarse)
		if _, err := w.LatestSnapshot(w.ctx, 1); !errors.Is(err, worldlog.ErrNotFound) {
			w.Fatalf("of another level: %v", err)
		}
		// An older one does not take the place of a newer, one as of the same entry does.
		w.putSnapshot(2, []byte("brick 1"))
		w.wantSnapshot(0, second)
		second = w.putSnapshot(3, []byte("brick 3"), []byte("brick 2"))
		w.reopen()
	}
	got, err := w.LatestSnapshot(w.ctx, 0)
	if err != nil {
		w.Fatal(err)
	}
	got.Pieces[0].Brick.X = 99
	w.wantSnapshot(0, second)
}

// testSnapshotCollects replaces snapshots and looks which pieces are left.
func testSnapshotCollects(w *world) {
	a, b, c, d := []byte("brick a"), []byte("brick b"), []byte("brick c"), []byte("brick d")
	w.putSnapshot(0, a, b, b)
	coarse := worldlog.Snapshot{Level: 1, Pieces: []worldlog.SnapshotPiece{
		{Brick: lattice.Brick{Level: 1}, Content: w.mustPut(c)},
		{Brick: lattice.Brick{X: 1, Level: 1}, Content: asset.Of(document)},
	}}
	if err := w.PutSnapshot(w.ctx, coarse); err != nil {
		w.Fatal(err)
	}
	w.putSnapshot(0, b, c, document)
	for range 2 {
		w.wantContent(a, false)
		w.wantContent(b, true)
		w.wantContent(c, true)
		w.reopen()
	}
	w.putSnapshot(0, d)
	for range 2 {
		w.wantContent(b, false)
		w.wantContent(c, true) // the coarse snapshot still names it
		w.wantContent(d, true)
		w.wantContent(document, true)
		w.reopen()
	}
	if err := w.PutSnapshot(w.ctx, worldlog.Snapshot{Level: 1, Pieces: []worldlog.SnapshotPiece{}}); err != nil {
		w.Fatal(err)
	}
	w.wantContent(c, false)
	w.wantContent(document, true)
	for i := range 50 { // many replacements leave one snapshot's pieces
		w.putSnapshot(0, fmt.Appendf(nil, "brick %d", i), fmt.Appendf(nil, "brick %d", i+1))
	}
	for i := range 52 {
		w.wantContent(fmt.Appendf(nil, "brick %d", i), i == 49 || i == 50)
	}
}

func testSnapshotRefused(w *world) {
	w.mustAppend(Entry(1, 1))
	kept := w.putSnapshot(1, []byte("kept"))
	there := asset.Of([]byte("kept"))
	for _, c := range []struct {
		name string
		s    worldlog.Snapshot
		want error
	}{
		{"beyond the head", snapshot(2, []byte("kept")), worldlog.ErrInvalid},
		{"piece not stored", snapshot(1, []byte("kept"), []byte("missing")), worldlog.ErrNotFound},
		{"level", worldlog.Snapshot{Level: lattice.MaxLevel + 1}, worldlog.ErrInvalid},
		{"piece of another level", worldlog.Snapshot{Seq: 1, Pieces: []worldlog.SnapshotPiece{{Brick: lattice.Brick{Level: 1}, Content: there}}}, worldlog.ErrInvalid},
		{"brick twice", worldlog.Snapshot{Seq: 1, Pieces: []worldlog.SnapshotPiece{{Content: there}, {Content: there}}}, worldlog.ErrInvalid},
	} {
		if err := w.PutSnapshot(w.ctx, c.s); !errors.Is(err, c.want) {
			w.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	w.wantSnapshot(0, kept)
}
