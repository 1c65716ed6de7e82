package worldlogtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
)

// A Maker makes a new world, closed, in a store of its kind and returns how to open it, again and again, each time
// after the last store has been closed.
type Maker func(t testing.TB, m worldlog.Meta, contents ...[]byte) (open func() (worldlog.Store, error))

// Test runs the suite.
func Test(t *testing.T, mk Maker) {
	for _, c := range []struct {
		name string
		run  func(*world)
	}{
		{"Order", testOrder},
		{"Batch", testBatch},
		{"Meta", testMeta},
		{"Regions", testRegions},
		{"Read", testRead},
		{"ReadEnds", testReadEnds},
		{"Ownership", testOwnership},
		{"Chain", testChain},
		{"Duplicates", testDuplicates},
		{"DuplicatesInBatch", testDuplicatesInBatch},
		{"LargeNumbers", testLargeNumbers},
		{"Limits", testLimits},
		{"Largest", testLargest},
		{"Content", testContent},
		{"ContentOfEntries", testContentOfEntries},
		{"Snapshots", testSnapshots},
		{"SnapshotCollects", testSnapshotCollects},
		{"SnapshotRefused", testSnapshotRefused},
		{"Canceled", testCanceled},
		{"CancelUnderLoad", testCancelUnderLoad},
		{"Closed", testClosed},
		{"CloseUnderLoad", testCloseUnderLoad},
		{"Concurrent", testConcurrent},
		{"History", testHistory},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, mk)
			c.run(w)
			w.reopen() // whatever a test left must open again, with the chain whole
			w.checkChain()
		})
	}
}

// document is the document of every world of the suite.
var document = []byte("the document of a test's world")

// Meta returns the meta of a world with the given document and assets, named at random.
func Meta(document []byte, assets ...[]byte) worldlog.Meta {
	m := worldlog.Meta{
		Name:      "test",
		Created:   time.Date(2024, 2, 29, 12, 30, 15, 123_000_000, time.UTC),
		Document:  asset.Of(document),
		Semantics: []graph.Semantics{{Kind: 1, Version: 1}, {Kind: 7, Version: 3}},
		Settings:  []byte(`{"template":"test"}`),
	}
	binary.LittleEndian.PutUint64(m.World[:], rand.Uint64())
	m.World[15] = 1
	for _, a := range assets {
		m.Assets = append(m.Assets, asset.Of(a))
	}
	return m
}

// Entry returns a valid entry. Its payload tells its session and counter.
func Entry(session, counter uint64, regions ...lattice.Region) worldlog.Entry {
	if len(regions) == 0 {
		regions = []lattice.Region{{}}
	}
	return worldlog.Entry{
		ID:      worldlog.EditID{Session: session, Counter: counter},
		Author:  fmt.Sprintf("author %d", session%100),
		Kind:    worldlog.KindEdit,
		Payload: fmt.Appendf(nil, "edit %d of %d", counter, session),
		Regions: regions,
	}
}

// Region returns a region of level 0.
func Region(x, z int32) lattice.Region { return lattice.Region{X: x, Z: z} }

// Check reads all of a log and returns its entries. Their numbers, times and chain must be right.
func Check(s worldlog.Store) ([]worldlog.Entry, error) {
	m := s.Meta()
	index := worldlog.NewIndex(&m)
	var all []worldlog.Entry
	for e, err := range s.Read(context.Background(), 0) {
		if err != nil {
			return all, err
		}
		if n := len(all); n > 0 && e.Time.Before(all[n-1].Time) {
			return all, fmt.Errorf("entry %d is of %v, before its predecessor's %v", e.Seq, e.Time, all[n-1].Time)
		}
		if err := index.Add(&e, worldlog.AppendRecord(nil, &e)); err != nil {
			return all, err
		}
		all = append(all, e)
	}
	if index.Head() != s.Head() {
		return all, fmt.Errorf("read to entry %d, but the head is %d", index.Head(), s.Head())
	}
	return all, nil
}

// world is a store under test.
type world struct {
	*testing.T
	worldlog.Store
	open func() (worldlog.Store, error)
	ctx  context.Context
}

func newWorld(t *testing.T, mk Maker) *world {
	w := &world{T: t, ctx: t.Context()}
	w.open = mk(t, Meta(document), document)
	w.mustOpen()
	t.Cleanup(func() { w.Store.Close() })
	return w
}

func (w *world) mustOpen() {
	w.Helper()
	s, err := w.open()
	if err != nil {
		w.Fatalf("open: %v", err)
	}
	w.Store = s
}

func (w *world) reopen() {
	w.Helper()
	if err := w.Store.Close(); err != nil {
		w.Fatalf("close: %v", err)
	}
	w.mustOpen()
}

// mustAppend appends entries one by one and returns what became of each.
func (w *world) mustAppend(entries ...worldlog.Entry) []worldlog.Appended {
	w.Helper()
	var out []worldlog.Appended
	for _, e := range entries {
		one, err := w.Append(w.ctx, []worldlog.Entry{e})
		if err != nil || len(one) != 1 {
			w.Fatalf("append of %v: %v, %v", e.ID, one, err)
		}
		out = append(out, one...)
	}
	return out
}

func (w *world) checkChain() []worldlog.Entry {
	w.Helper()
	all, err := Check(w.Store)
	if err != nil {
		w.Fatal(err)
	}
	return all
}

// wantHead checks the head of the world.
func (w *world) wantHead(want worldlog.Seq) {
	w.Helper()
	if got := w.Head(); got != want {
		w.Fatalf("head %d, want %d", got, want)
	}
}

func (w *world) wantHighWater(session, want uint64) {
	w.Helper()
	got, err := w.HighWater(w.ctx, session)
	if err != nil || got != want {
		w.Fatalf("high-water mark of session %d: %d, %v, want %d", session, got, err, want)
	}
}

// same says how an entry that was read differs from one that was appended, in what the caller sets.
func same(read, appended worldlog.Entry) error {
	switch {
	case read.ID != appended.ID:
		return fmt.Errorf("id %v, want %v", read.ID, appended.ID)
	case read.Author != appended.Author:
		return fmt.Errorf("author %q, want %q", read.Author, appended.Author)
	case read.Kind != appended.Kind:
		return fmt.Errorf("kind %d, want %d", read.Kind, appended.Kind)
	case !bytes.Equal(read.Payload, appended.Payload):
		return fmt.Errorf("payload of %d bytes, want %d, or other bytes", len(read.Payload), len(appended.Payload))
	case !slices.Equal(read.Regions, appended.Regions):
		return fmt.Errorf("regions %v, want %v", read.Regions, appended.Regions)
	case !slices.Equal(read.Contents, appended.Contents):
		return fmt.Errorf("contents %v, want %v", read.Contents, appended.Contents)
	}
	return nil
}
