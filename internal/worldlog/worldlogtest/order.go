package worldlogtest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
)

func testOrder(w *world) {
	w.wantHead(0)
	var want []worldlog.Entry
	before := time.Now().Truncate(time.Millisecond)
	for i := range 30 {
		e := Entry(uint64(i%3+1), uint64(i/3+1), Region(int32(i), -int32(i)))
		want = append(want, e)
		a := w.mustAppend(e)[0]
		if a.Seq != worldlog.Seq(i+1) || a.Duplicate {
			w.Fatalf("entry %d: %+v", i, a)
		}
		if a.Time.Before(before) || a.Time.After(time.Now()) || a.Time.Nanosecond()%1e6 != 0 || a.Time.Location() != time.UTC {
			w.Fatalf("entry %d was ordered at %v, appended after %v", i, a.Time, before)
		}
		w.wantHead(a.Seq)
	}
	for range 2 { // again after opening
		got := w.checkChain()
		if len(got) != len(want) {
			w.Fatalf("%d entries, want %d", len(got), len(want))
		}
		for i := range got {
			if err := same(got[i], want[i]); err != nil {
				w.Fatalf("entry %d: %v", i, err)
			}
		}
		w.reopen()
	}
}

func testBatch(w *world) {
	w.mustAppend(Entry(9, 1))
	var batch []worldlog.Entry
	for i := range worldlog.MaxBatch {
		batch = append(batch, Entry(1, uint64(2*i+1), Region(int32(i%5), 0))) // counters may leave gaps
	}
	out, err := w.Append(w.ctx, batch)
	if err != nil || len(out) != len(batch) {
		w.Fatalf("%d results, %v", len(out), err)
	}
	for i, a := range out {
		if a.Seq != worldlog.Seq(i+2) || a.Duplicate {
			w.Fatalf("entry %d: %+v", i, a)
		}
	}
	for i, e := range w.checkChain()[1:] {
		if err := same(e, batch[i]); err != nil {
			w.Fatalf("entry %d: %v", i, err)
		}
		if !e.Time.Equal(out[i].Time) {
			w.Fatalf("entry %d: time %v, was told %v", i, e.Time, out[i].Time)
		}
	}
	if out, err := w.Append(w.ctx, nil); err != nil || len(out) != 0 {
		w.Fatalf("append of nothing: %v, %v", out, err)
	}
	w.wantHead(worldlog.MaxBatch + 1)
}

func testMeta(w *world) {
	m := w.Meta()
	for range 2 {
		if got := w.Meta(); !reflect.DeepEqual(got, m) {
			w.Fatalf("meta %+v, want %+v", got, m)
		}
		w.reopen()
	}
	want := Meta(document)
	want.World = m.World
	if !reflect.DeepEqual(m, want) {
		w.Fatalf("meta %+v, want %+v", m, want)
	}
	m.Settings[0], m.Semantics[0].Kind = 'X', 99
	if !reflect.DeepEqual(w.Meta(), want) {
		w.Fatal("writing into a meta changed the store's")
	}
}

// testRegions checks that entries keep the regions that they name.
func testRegions(w *world) {
	a, b, c := Region(0, 0), Region(-1, math.MaxInt32), Region(math.MinInt32, 7)
	want := [][]lattice.Region{{a}, {a, b}, {b}, {c, a, b}, {c}}
	for i, regions := range want {
		w.mustAppend(Entry(1, uint64(i+1), regions...))
	}
	for range 2 {
		for i, e := range w.checkChain() {
			if !slices.Equal(e.Regions, want[i]) {
				w.Errorf("entry %d: %v, want %v", e.Seq, e.Regions, want[i])
			}
		}
		w.reopen()
	}
}

// testRead reads from every place, at once and in parts, and while the log grows.
func testRead(w *world) {
	const n = 1500 // more than a store reads at a time
	for i := 0; i < n; i += 500 {
		var batch []worldlog.Entry
		for j := range 500 {
			batch = append(batch, Entry(1, uint64(i+j+1), Region(int32(j%2), 0)))
		}
		if _, err := w.Append(w.ctx, batch); err != nil {
			w.Fatal(err)
		}
	}
	for _, after := range []worldlog.Seq{0, 1, 511, 512, 513, n - 1, n, n + 1, math.MaxUint64} {
		next := after + 1
		for e, err := range w.Read(w.ctx, after) {
			if err != nil || e.Seq != next {
				w.Fatalf("after %d: entry %d, %v, want %d", after, e.Seq, err, next)
			}
			next++
		}
		if after < n && next != n+1 {
			w.Fatalf("after %d: ended before entry %d", after, next)
		}
	}
	// A sequence ends at the head of the time of the call and may be walked twice.
	seq := w.Read(w.ctx, n-3)
	w.mustAppend(Entry(2, 1, Region(1, 0)))
	for range 2 {
		var got []worldlog.Seq
		for e, err := range seq {
			if err != nil {
				w.Fatal(err)
			}
			got = append(got, e.Seq)
		}
		if !slices.Equal(got, []worldlog.Seq{n - 2, n - 1, n}) {
			w.Fatalf("read %v", got)
		}
	}
}

// testReadEnds leaves sequences early and writes from within one.
func testReadEnds(w *world) {
	for i := range 20 {
		w.mustAppend(Entry(1, uint64(i+1)))
	}
	for range w.Read(w.ctx, 0) {
		break
	}
	counter := uint64(1)
	for e, err := range w.Read(w.ctx, 0) {
		if err != nil {
			w.Fatal(err)
		}
		w.mustAppend(Entry(2, counter, e.Regions...)) // no lock is held while a caller has an entry
		counter++
	}
	w.wantHead(40)

	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	var last error
	for _, err := range w.Read(ctx, 0) {
		cancel()
		last = err
	}
	if last != nil && !errors.Is(last, context.Canceled) {
		w.Fatalf("canceled read: %v", last)
	}
	for _, last = range w.Read(ctx, 0) {
	}
	if !errors.Is(last, context.Canceled) {
		w.Fatalf("read with a canceled context: %v", last)
	}
}

// testOwnership writes into what was handed over and what was handed out.
func testOwnership(w *world) {
	data := []byte("content")
	h, err := w.PutContent(w.ctx, data)
	if err != nil {
		w.Fatal(err)
	}
	data[0] = 'X'
	e := Entry(1, 1, Region(1, 2))
	e.Contents = []asset.Hash{h}
	want := Entry(1, 1, Region(1, 2))
	want.Contents = []asset.Hash{h}
	w.mustAppend(e)
	e.Payload[0], e.Regions[0].X, e.Contents[0][0] = 'X', 99, e.Contents[0][0]+1
	for range 3 {
		for got, err := range w.Read(w.ctx, 0) {
			if err != nil {
				w.Fatal(err)
			}
			if err := same(got, want); err != nil {
				w.Fatal(err)
			}
			got.Payload[0], got.Regions[0].X, got.Contents[0][0] = 'X', 99, got.Contents[0][0]+1
		}
		got, err := w.Content(w.ctx, h)
		if err != nil || string(got) != "content" {
			w.Fatalf("content %q, %v", got, err)
		}
		got[0] = 'X'
	}
}

func testChain(w *world) {
	w.mustAppend(Entry(1, 1), Entry(1, 2), Entry(2, 1))
	all := w.checkChain()
	m := w.Meta()
	link := m.Link()
	for _, e := range all {
		if e.Prev != link {
			w.Fatalf("entry %d follows %x, want %x", e.Seq, e.Prev, link)
		}
		record := worldlog.AppendRecord(nil, &e)
		back, err := worldlog.ParseRecord(record)
		if err != nil || !reflect.DeepEqual(back, e) {
			w.Fatalf("record of %+v reads %+v, %v", e, back, err)
		}
		link = worldlog.LinkOf(record)
	}
}
