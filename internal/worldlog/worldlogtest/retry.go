package worldlogtest

import (
	"bytes"
	"errors"
	"math"
	"strings"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
)

func testDuplicates(w *world) {
	w.wantHighWater(1, 0)
	first := w.mustAppend(Entry(1, 3), Entry(2, 1), Entry(1, 7))
	for range 2 {
		w.wantHighWater(1, 7)
		w.wantHighWater(2, 1)
		w.wantHighWater(3, 0)
		for _, c := range []struct {
			session, counter uint64
			want             worldlog.Appended
		}{
			{1, 7, first[2]}, // the session's latest: the answer is repeated
			{2, 1, first[1]},
			{1, 3, worldlog.Appended{}},
			{1, 5, worldlog.Appended{}}, // never seen, but its successor was: it stays out for ever
		} {
			c.want.Duplicate = true
			got := w.mustAppend(Entry(c.session, c.counter, Region(5, 5)))[0]
			if got.Seq != c.want.Seq || !got.Time.Equal(c.want.Time) || !got.Duplicate {
				w.Errorf("session %d, counter %d again: %+v, want %+v", c.session, c.counter, got, c.want)
			}
		}
		w.wantHead(3)
		w.reopen()
	}
	if a := w.mustAppend(Entry(1, 8))[0]; a.Seq != 4 || a.Duplicate {
		w.Fatalf("after all that: %+v", a)
	}
}

func testDuplicatesInBatch(w *world) {
	w.mustAppend(Entry(1, 1), Entry(1, 2))
	batch := []worldlog.Entry{
		Entry(1, 2), Entry(1, 3), Entry(2, 5), Entry(1, 3), Entry(2, 4), Entry(1, 1), Entry(1, 4), Entry(2, 5),
	}
	want := []worldlog.Appended{
		{Seq: 2, Duplicate: true}, {Seq: 3}, {Seq: 4}, {Seq: 3, Duplicate: true}, {Duplicate: true}, {Duplicate: true},
		{Seq: 5}, {Seq: 4, Duplicate: true},
	}
	out, err := w.Append(w.ctx, batch)
	if err != nil || len(out) != len(want) {
		w.Fatalf("%v, %v", out, err)
	}
	for i := range out {
		if out[i].Seq != want[i].Seq || out[i].Duplicate != want[i].Duplicate {
			w.Errorf("entry %d: %+v, want %+v", i, out[i], want[i])
		}
	}
	for range 2 {
		for range 3 { // a retry is harmless for ever
			out, err := w.Append(w.ctx, batch)
			if err != nil {
				w.Fatal(err)
			}
			for i, a := range out {
				if !a.Duplicate {
					w.Fatalf("entry %d of a retry was written: %+v", i, a)
				}
			}
		}
		w.wantHead(5)
		w.wantHighWater(1, 4)
		w.wantHighWater(2, 5)
		w.reopen()
	}
}

// testLargeNumbers uses sessions and counters that a signed number does not hold.
func testLargeNumbers(w *world) {
	for range 2 {
		w.mustAppend(
			Entry(math.MaxUint64, math.MaxInt64),
			Entry(math.MaxUint64, math.MaxInt64+1),
			Entry(math.MaxUint64, math.MaxUint64),
			Entry(1<<63, 1),
			Entry(0, 1),
		)
		w.wantHead(5)
		w.wantHighWater(math.MaxUint64, math.MaxUint64)
		w.wantHighWater(1<<63, 1)
		w.wantHighWater(0, 1)
		w.reopen()
	}
}

func testLimits(w *world) {
	w.mustAppend(Entry(1, 1))
	with := func(f func(*worldlog.Entry)) []worldlog.Entry {
		e := Entry(1, 100)
		f(&e)
		return []worldlog.Entry{Entry(1, 2), e, Entry(1, 101)}
	}
	many := make([]lattice.Region, worldlog.MaxRegions+1)
	for i := range many {
		many[i] = Region(int32(i), 0)
	}
	batch := make([]worldlog.Entry, worldlog.MaxBatch+1)
	for i := range batch {
		batch[i] = Entry(1, uint64(i+2))
	}
	heavy := make([]worldlog.Entry, worldlog.MaxBatchSize/worldlog.MaxPayload+1)
	for i := range heavy {
		heavy[i] = Entry(1, uint64(i+2))
		heavy[i].Payload = make([]byte, worldlog.MaxPayload)
	}
	for _, c := range []struct {
		name    string
		entries []worldlog.Entry
		want    error
	}{
		{"payload", with(func(e *worldlog.Entry) { e.Payload = make([]byte, worldlog.MaxPayload+1) }), worldlog.ErrTooLarge},
		{"author", with(func(e *worldlog.Entry) { e.Author = strings.Repeat("x", worldlog.MaxAuthor+1) }), worldlog.ErrTooLarge},
		{"author not UTF-8", with(func(e *worldlog.Entry) { e.Author = "\xff" }), worldlog.ErrInvalid},
		{"kind 0", with(func(e *worldlog.Entry) { e.Kind = 0 }), worldlog.ErrInvalid},
		{"kind 255", with(func(e *worldlog.Entry) { e.Kind = 255 }), worldlog.ErrInvalid},
		{"counter 0", with(func(e *worldlog.Entry) { e.ID.Counter = 0 }), worldlog.ErrInvalid},
		{"no region", with(func(e *worldlog.Entry) { e.Regions = nil }), worldlog.ErrInvalid},
		{"many regions", with(func(e *worldlog.Entry) { e.Regions = many }), worldlog.ErrTooLarge},
		{"region twice", with(func(e *worldlog.Entry) { e.Regions = []lattice.Region{{X: 1}, {}, {X: 1}} }), worldlog.ErrInvalid},
		{"region's level", with(func(e *worldlog.Entry) { e.Regions = []lattice.Region{{Level: 1}} }), worldlog.ErrInvalid},
		{"many contents", with(func(e *worldlog.Entry) { e.Contents = make([]asset.Hash, worldlog.MaxContents+1) }), worldlog.ErrTooLarge},
		{"unknown content", with(func(e *worldlog.Entry) { e.Contents = []asset.Hash{{1}} }), worldlog.ErrNotFound},
		{"many entries", batch, worldlog.ErrTooLarge},
		{"much in all", heavy, worldlog.ErrTooLarge},
	} {
		out, err := w.Append(w.ctx, c.entries)
		if !errors.Is(err, c.want) || out != nil {
			w.Errorf("%s: %v, %v, want %v", c.name, out, err, c.want)
		}
	}
	w.wantHead(1)
	w.wantHighWater(1, 1)
	if _, err := w.PutContent(w.ctx, make([]byte, worldlog.MaxContent+1)); !errors.Is(err, worldlog.ErrTooLarge) {
		w.Errorf("content: %v, want ErrTooLarge", err)
	}
}

// testLargest appends the largest entry there may be, and the smallest.
func testLargest(w *world) {
	large := Entry(1, 1)
	large.Author = strings.Repeat("é", worldlog.MaxAuthor/2)
	large.Payload = bytes.Repeat([]byte{0, 1, 2, 255}, worldlog.MaxPayload/4)
	large.Regions = nil
	for i := range worldlog.MaxRegions {
		large.Regions = append(large.Regions, Region(int32(i), int32(-i)))
	}
	h := asset.Of(document)
	for range worldlog.MaxContents {
		large.Contents = append(large.Contents, h)
	}
	small := worldlog.Entry{ID: worldlog.EditID{Counter: 1}, Kind: worldlog.KindEdit, Regions: []lattice.Region{{}}}
	w.mustAppend(large, small)
	for range 2 {
		all := w.checkChain()
		for i, want := range []worldlog.Entry{large, small} {
			if err := same(all[i], want); err != nil {
				w.Fatal(err)
			}
		}
		w.reopen()
	}
}
