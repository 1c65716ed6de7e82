package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/memlog"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/wire"
)

// dig makes n edits in home, one after the other, and returns the world after them.
func dig(w *site, n int) (hash string) {
	c := w.joinAt(home)
	for i := range int32(n) {
		c.settled(c.edit(ball(edit.Dig, 2.5, 3+i*7%250, i%20-10, i*13%250)))
	}
	_ = c.ws.CloseNow()
	return w.world().Hash
}

// TestRestart finds the same world again: after an orderly end, after a crash, and when the snapshot is no
// good.
func TestRestart(t *testing.T) {
	start := func(t *testing.T, store worldlog.Store) *Server {
		s, err := New(t.Context(), Config{Store: store, SnapshotEvery: 10})
		must(t, err)
		return s
	}
	hash := func(s *Server) string { return fmt.Sprintf("%016x", s.owner.layer.Hash()) }
	reopen := func(t *testing.T, store *memlog.Store) *memlog.Store {
		must(t, store.Close())
		again, err := store.Reopen()
		must(t, err)
		t.Cleanup(func() { _ = again.Close() })
		return again
	}

	store := newStore(t)
	w := serve(t, store, func(c *Config) { c.SnapshotEvery = 1 << 30 })
	want := dig(w, 35)
	if _, err := store.LatestSnapshot(t.Context(), 0); !errors.Is(err, worldlog.ErrNotFound) {
		t.Errorf("a snapshot too early: %v", err)
	}
	must(t, w.server.Close())
	if s, err := store.LatestSnapshot(t.Context(), 0); err != nil || s.Seq != 35 || len(s.Pieces) == 0 {
		t.Errorf("snapshot at the end: %d, %d pieces, %v", s.Seq, len(s.Pieces), err)
	}
	t.Run("orderly", func(t *testing.T) {
		store = reopen(t, store)
		s := start(t, store)
		if got := hash(s); got != want {
			t.Errorf("hash %s, want %s", got, want)
		}
		must(t, s.Close())
	})
	t.Run("snapshot unreadable", func(t *testing.T) {
		store = reopen(t, store)
		var reads atomic.Int32
		store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
			if op == memlog.Content && reads.Add(1) > 3 { // the document, two pieces, then no more
				return worldlog.ErrCorrupt
			}
			return nil
		}})
		s := start(t, store)
		if got := hash(s); got != want || reads.Load() != 4 {
			t.Errorf("hash %s after %d reads, want %s", got, reads.Load(), want)
		}
		must(t, s.Close())
	})
	t.Run("crash", func(t *testing.T) {
		store = reopen(t, store)
		w := serve(t, store, nil)
		want = dig(w, 17) // on top of the snapshot
		must(t, store.Close())
		if err := w.server.Close(); !errors.Is(err, worldlog.ErrClosed) {
			t.Errorf("Close without a store: %v", err)
		}
		store = reopen(t, store)
		s := start(t, store)
		if got := hash(s); got != want {
			t.Errorf("hash %s, want %s", got, want)
		}
		must(t, s.Close())
	})
}

// TestBackgroundSnapshots writes snapshots while edits come, some of which fail halfway.
func TestBackgroundSnapshots(t *testing.T) {
	store := newStore(t)
	taken := make(chan struct{}, 100)
	var puts atomic.Int32
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		switch op {
		case memlog.PutContent:
			if n := puts.Add(1); n > 5 && n < 30 {
				return errors.New("disk full")
			}
		case memlog.PutSnapshot:
			taken <- struct{}{}
		}
		return nil
	}})
	w := serve(t, store, func(c *Config) {
		unlimited(c)
		c.SnapshotEvery, c.Limits.CloseTimeout = 10, 50*time.Millisecond
	})
	c := w.joinAt(home)
	var done int
	for i := int32(0); done < 3; i++ {
		c.settled(c.edit(ball(edit.Dig, 2.5, 3+i*7%250, i%20-10, i*13%250)))
		select {
		case <-taken:
			done++
		default:
		}
		if i > 20_000 {
			t.Fatal("no three snapshots in 20,000 edits")
		}
	}
	before := puts.Load()
	must(t, w.server.Close())
	// The last snapshot stores only what changed since the one before.
	s, err := store.LatestSnapshot(t.Context(), 0)
	must(t, err)
	if s.Seq != store.Head() || int(puts.Load()-before) > len(s.Pieces) {
		t.Errorf("snapshot of %d, head %d; %d pieces stored for %d", s.Seq, store.Head(), puts.Load()-before, len(s.Pieces))
	}
	must(t, store.Close())
	again, err := store.Reopen()
	must(t, err)
	l, err := load(t.Context(), again, w.server.log)
	must(t, err)
	if l.layer.Hash() != w.server.owner.layer.Hash() || l.head != l.snap {
		t.Errorf("hash %016x as of %d from a snapshot of %d; want %016x", l.layer.Hash(), l.head, l.snap, w.server.owner.layer.Hash())
	}
	must(t, again.Close())
}

// TestUnloadable starts on worlds that this engine must not serve.
func TestUnloadable(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*worldlog.Meta)
		text   string
	}{
		{"a node kind of the future", func(m *worldlog.Meta) { m.Semantics = []graph.Semantics{{Kind: 60000, Version: 1}} }, "node kind 60000"},
		{"another version of a node kind", func(m *worldlog.Meta) { m.Semantics[0].Version = 99 }, "version 99 of node kind"},
	} {
		meta := newStore(t).Meta()
		c.change(&meta)
		document, err := newStore(t).Content(t.Context(), meta.Document)
		must(t, err)
		store, err := memlog.New(meta, document)
		must(t, err)
		if _, err := New(t.Context(), Config{Store: store}); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
		}
	}
	meta := newStore(t).Meta()
	meta.Document = asset.Of([]byte("no graph"))
	store, err := memlog.New(meta, []byte("no graph"))
	must(t, err)
	if _, err := New(t.Context(), Config{Store: store}); err == nil || !strings.Contains(err.Error(), "document") {
		t.Errorf("a document that is none: %v", err)
	}
	for _, c := range []struct {
		entry worldlog.Entry
		want  error
	}{
		{worldlog.Entry{Kind: 77}, worldlog.ErrVersion},
		{worldlog.Entry{Kind: worldlog.KindEdit}, worldlog.ErrCorrupt},
		{worldlog.Entry{Kind: worldlog.KindEdit, Payload: append(ball(edit.Dig, 3, 0, 0, 0).AppendBinary(nil), 0)}, worldlog.ErrCorrupt},
	} {
		if _, err := replica.Edit(c.entry); !errors.Is(err, c.want) {
			t.Errorf("entry %+v: %v, want %v", c.entry, err, c.want)
		}
	}
}

// TestClose tells everyone, keeps nobody waiting and lets nobody in.
func TestClose(t *testing.T) {
	store := newStore(t)
	entered, release := make(chan struct{}), make(chan struct{})
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		if op == memlog.Append {
			close(entered)
			<-release
		}
		return nil
	}})
	w := serve(t, store, nil)
	c, idle := w.joinAt(home), w.dial()
	c.edit(ball(edit.Dig, 3, 10, 0, 10))
	<-entered
	closed := make(chan error)
	go func() { closed <- w.server.Close() }()
	for _, c := range []*client{c, idle} {
		c.expectRefused(wire.CodeClosing, "come back")
	}
	close(release) // what was under way is in the log when Close returns
	must(t, <-closed)
	if store.Head() != 1 {
		t.Errorf("head %d", store.Head())
	}
	if s, err := store.LatestSnapshot(t.Context(), 0); err != nil || s.Seq != 1 {
		t.Errorf("snapshot of %d, %v", s.Seq, err)
	}
	for _, path := range []string{"/v1/ws", "/v1/world", "/healthz"} {
		if status, _ := w.get(path); status != 503 {
			t.Errorf("%s answers %d after Close", path, status)
		}
	}
}

// TestManyPieces subscribes to a region whose snapshot has several parts.
func TestManyPieces(t *testing.T) {
	w := serve(t, newStore(t), nil)
	bricks := 0
	w.server.owner.ask(func() {
		for y := int32(0); bricks <= wire.MaxPieces; y++ {
			w.server.owner.layer.Apply(ball(edit.Build, 1, 127, 31+64*y, 127)) // at the corner of eight bricks
			bricks = w.server.owner.layer.Len()
		}
	})
	c := w.join()
	c.send(wire.Subscribe{Region: home})
	first := expect[wire.Snapshot](c)
	if len(first.Pieces) != wire.MaxPieces || !first.More {
		t.Errorf("the first part has %d pieces, more: %v", len(first.Pieces), first.More)
	}
	last := expect[wire.Snapshot](c)
	if len(last.Pieces) != bricks-wire.MaxPieces || last.More || last.Hash != first.Hash || last.Seq != first.Seq {
		t.Errorf("the last part has %d pieces of %d, more: %v", len(last.Pieces), bricks, last.More)
	}
	m := newMirror(w, home)
	for _, p := range append(first.Pieces[:3:3], last.Pieces[:3]...) {
		m.fetch(p)
	}
}

// TestPiecesStay fetches pieces of a snapshot after their bricks have changed, and forgets them in time.
func TestPiecesStay(t *testing.T) {
	w := serve(t, newStore(t), nil)
	c := w.joinAt(home)
	c.settled(c.edit(ball(edit.Dig, 3, 31, 0, 31)))
	snap := c.subscribe(home)
	c.settled(c.edit(ball(edit.Dig, 3, 31, 0, 31+2)))
	m := newMirror(w, home)
	m.take(snap)
	if m.pieces == 0 {
		t.Fatal("no pieces")
	}
	p := w.server.pieces
	p.mu.Lock()
	for h, e := range p.held {
		e.until = e.until.Add(-time.Hour)
		p.held[h] = e
	}
	p.sweep = time.Time{}
	p.mu.Unlock()
	again := c.subscribe(home)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.held) != len(again.Pieces) {
		t.Errorf("%d pieces are held, %d were named since", len(p.held), len(again.Pieces))
	}
}

// TestLyingTiles digs in a world whose raster says of a tile what is not so: that is refused, and the server goes on.
func TestLyingTiles(t *testing.T) {
	contents := [][]byte{nil}
	read := func(_, _, width, height int) (*raster.Raster, error) {
		return &raster.Raster{Width: width, Height: height, MetersX: 50, MetersZ: 50, Scale: 1, Values: make([]float32, width*height)}, nil
	}
	raster, err := raster.Cut(40, 40, raster.MinTileSide, 50, 50, read, func(tile []byte) error {
		contents = append(contents, tile)
		return nil
	})
	must(t, err)
	for _, lie := range []float32{0, 5} {
		for i := range raster.Tiles {
			raster.Tiles[i].Low, raster.Tiles[i].High = lie, lie
		}
		file := raster.AppendBinary(nil)
		hash := asset.Of(file)
		contents[0] = template.Heightmap(hash, template.HeightmapParams{MetersX: 50, MetersZ: 50}).AppendBinary(nil)
		meta := worldlog.Meta{World: [16]byte{7}, Name: "tiles", Created: time.Unix(1, 0), Document: asset.Of(contents[0]), Semantics: graph.EngineSemantics()}
		named := map[asset.Hash]bool{}
		for _, c := range append([][]byte{file}, contents[1:]...) {
			if h := asset.Of(c); !named[h] {
				named[h] = true
				meta.Assets = append(meta.Assets, h)
			}
		}
		store, err := memlog.New(meta, append(slices.Clone(contents), file)...)
		must(t, err)
		w := serve(t, store, nil)
		c := w.join()
		c.subscribe(home)
		n := c.edit(ball(edit.Dig, 3, 10, 0, 10))
		if lie == 0 {
			c.settled(n)
		} else if m := expect[wire.EditRefused](c); m.Counter != n || m.Code != wire.CodeInternal {
			t.Errorf("a lie of %v m: %+v", lie, m)
		}
		if len(w.server.fixed) != 2 {
			t.Errorf("%d contents in memory, want the document and the raster", len(w.server.fixed))
		}
	}
}

// TestAssets serves a world that is made from a file.
func TestAssets(t *testing.T) {
	raster := (&raster.Raster{Width: 2, Height: 2, MetersX: 50, MetersZ: 50, Scale: 1, Values: []float32{10, 20, 30, 40}}).AppendBinary(nil)
	hash := asset.Of(raster)
	document := template.Heightmap(hash, template.HeightmapParams{MetersX: 50, MetersZ: 50}).AppendBinary(nil)
	store, err := memlog.New(worldlog.Meta{
		World: [16]byte{7}, Name: strings.Repeat("ä", 100), Created: time.Unix(1, 0), Document: asset.Of(document),
		Assets: []asset.Hash{hash}, Semantics: graph.EngineSemantics(),
	}, document, raster)
	must(t, err)
	w := serve(t, store, nil)
	c := w.join()
	if a := c.welcome.Assets; len(a) != 1 || a[0] != hash || len(c.welcome.Name) != wire.MaxName {
		t.Errorf("welcome %+v", c.welcome)
	}
	// It is served from memory: the store need not be asked again.
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		if op == memlog.Content {
			return errors.New("the disk is gone")
		}
		return nil
	}})
	for _, h := range []asset.Hash{hash, asset.Of(document)} {
		if status, body := w.get("/v1/content/" + h.String()); status != 200 || asset.Of(body) != h {
			t.Errorf("%v: %d, %d bytes", h, status, len(body))
		}
	}
	if status, body := w.get("/v1/content/" + asset.Hash{}.String()); status != 500 || strings.Contains(string(body), "disk") {
		t.Errorf("a content that cannot be read: %d %s", status, body)
	}
	c.subscribe(home)
	c.settled(c.edit(ball(edit.Dig, 3, 10, 40, 10)))
}
