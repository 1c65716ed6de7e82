package server

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/memlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// TestDurable holds back and fails commits: nothing is acknowledged, shown or applied before it is durable.
func TestDurable(t *testing.T) {
	store := newStore(t)
	entered, release := make(chan struct{}), make(chan error)
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		if op != memlog.Append {
			return nil
		}
		entered <- struct{}{}
		return <-release
	}})
	w := serve(t, store, nil)
	c, other := w.joinAt(home), w.joinAt(home)
	n := c.edit(ball(edit.Dig, 3, 10, 0, 10))
	<-entered
	for _, cl := range []*client{c, other} {
		cl.send(wire.Ping{Token: 9})
		if m := expect[wire.Pong](cl); m.Token != 9 || m.Head != 0 {
			t.Errorf("pong %+v", m)
		}
	}
	if got := w.world(); got.Bricks != 0 || got.Head != 0 {
		t.Errorf("an edit that is not durable shows: %+v", got)
	}
	release <- nil
	if e := c.settled(n); e.Seq != 1 || store.Head() != 1 {
		t.Errorf("entry %+v, head %d", e, store.Head())
	}
	expect[wire.Entry](other)
	before := w.world()

	n = c.edit(ball(edit.Dig, 3, 20, 0, 10))
	for range appendTries {
		<-entered
		release <- errors.New("disk full")
	}
	if m := expect[wire.EditRefused](c); m.Counter != n || m.Code != wire.CodeInternal {
		t.Errorf("refusal %+v", m)
	}
	if got := w.world(); got != before {
		t.Errorf("a failed edit changed %+v to %+v", before, got)
	}

	// Once more the same edit, as after a lost answer: it is refused as it was, not done.
	c.send(wire.SubmitEdit{Counter: n, Edit: ball(edit.Dig, 3, 20, 0, 10).AppendBinary(nil)})
	if m := expect[wire.EditRefused](c); m.Counter != n || m.Code != wire.CodeInternal {
		t.Errorf("refusal %+v", m)
	}
	n = c.edit(ball(edit.Dig, 3, 20, 0, 10))
	<-entered
	release <- nil
	if e := c.settled(n); e.Seq != 2 {
		t.Errorf("entry %+v", e)
	}
}

// TestPending sends more edits than may be pending while the disk is slow: they wait, and none is lost.
func TestPending(t *testing.T) {
	store := newStore(t)
	appends, free := make(chan int, 100), make(chan struct{})
	release := sync.OnceFunc(func() { close(free) })
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		if op == memlog.Append {
			appends <- 1
			<-free
		}
		return nil
	}})
	w := serve(t, store, func(c *Config) { c.Limits.Pending = 4 })
	defer release()
	c := w.joinAt(home)
	for i := range int32(20) {
		c.edit(ball(edit.Dig, 2, i*10, 0, 10))
	}
	<-appends
	other := w.joinAt(home) // who does not wait for the disk, waits for nobody
	other.send(wire.Ping{Token: 1})
	expect[wire.Pong](other)
	release()
	for acked := uint64(0); acked < 20; {
		if a, ok := c.next().(wire.Ack); ok {
			if acked++; a.Counter != acked || a.Seq != acked {
				t.Errorf("ack %+v is number %d", a, acked)
			}
		}
	}
}

// TestOvertaken lets a later entry's append return before an earlier one's: it waits for its turn.
func TestOvertaken(t *testing.T) {
	store := newStore(t)
	entered, release := make(chan struct{}), make(chan struct{})
	appends := 0
	w := serve(t, store, nil)
	a, b := w.joinAt(home), w.joinAt(home)
	store.SetHooks(memlog.Hooks{After: func(_ context.Context, op memlog.Op) error {
		if op == memlog.Append {
			if appends++; appends == 1 {
				entered <- struct{}{}
				<-release
			}
		}
		return nil
	}})
	free := sync.OnceFunc(func() { close(release) })
	defer free()
	a.edit(ball(edit.Dig, 3, 10, 0, 10))
	<-entered
	b.edit(ball(edit.Build, 3, 10, 0, 10))
	w.until("the overtaking entry waits", func(o *owner) bool { return len(o.early) > 0 })
	b.send(wire.Ping{})
	if m := expect[wire.Pong](b); m.Head != 0 {
		t.Errorf("pong %+v", m)
	}
	free()
	for _, c := range []*client{a, b} {
		for seq := range uint64(2) {
			m := c.next()
			if _, ok := m.(wire.Ack); ok {
				m = c.next()
			}
			if e, ok := m.(wire.Entry); !ok || e.Seq != seq+1 {
				t.Errorf("got %+v, want entry %d", m, seq+1)
			}
		}
	}
}

// TestDoubtful lets the store write entries and then say that it failed.
func TestDoubtful(t *testing.T) {
	store := newStore(t)
	var failures chan error
	w := serve(t, store, nil)
	c := w.joinAt(home)
	fail := func(n int) {
		failures = make(chan error, n)
		for range n {
			failures <- errors.New("the power went")
		}
		store.SetHooks(memlog.Hooks{After: func(_ context.Context, op memlog.Op) error {
			if op != memlog.Append {
				return nil
			}
			select {
			case err := <-failures:
				return err
			default:
				return nil
			}
		}})
	}
	fail(1) // the second try finds the entry
	n := c.edit(ball(edit.Dig, 3, 10, 0, 10))
	e, a := expect[wire.Entry](c), expect[wire.Ack](c)
	if e.Counter != n || e.Seq != 1 || a.Counter != n {
		t.Errorf("entry %+v, ack %+v", e, a)
	}
	fail(appendTries) // no try does, yet the entry is there
	n = c.edit(ball(edit.Dig, 3, 20, 0, 10))
	var refused, entered bool
	for !refused || !entered {
		switch m := c.next().(type) {
		case wire.EditRefused:
			refused = m.Counter == n && m.Code == wire.CodeInternal
		case wire.Entry:
			entered = m.Counter == n && m.Seq == 2
		default:
			t.Fatalf("got %+v", m)
		}
	}
	n = c.edit(ball(edit.Dig, 3, 30, 0, 10)) // and nobody waits for an entry that nobody announced
	if e := c.settled(n); e.Seq != 3 {
		t.Errorf("entry %+v", e)
	}
}

// TestGap lets an entry get into the log that nobody announces, as after an append that failed too late.
func TestGap(t *testing.T) {
	store := newStore(t)
	w := serve(t, store, nil)
	c := w.joinAt(home)
	stranger := worldlog.Entry{
		ID: worldlog.EditID{Session: 1, Counter: 1}, Kind: worldlog.KindEdit, Regions: []lattice.Region{home},
		Payload: ball(edit.Build, 3, 50, 0, 50).AppendBinary(nil),
	}
	_, err := store.Append(t.Context(), []worldlog.Entry{stranger})
	must(t, err)
	n := c.edit(ball(edit.Dig, 3, 10, 0, 10))
	if e := expect[wire.Entry](c); e.Seq != 1 || e.Author != 0 {
		t.Errorf("entry %+v", e)
	}
	if e := c.settled(n); e.Seq != 2 {
		t.Errorf("entry %+v", e)
	}
}

// TestBrokenDisk lets writing seem to fail and reading fail: whoever comes later sees what was written.
func TestBrokenDisk(t *testing.T) {
	store := newStore(t)
	var appends, reads atomic.Int32
	store.SetHooks(memlog.Hooks{
		After: func(_ context.Context, op memlog.Op) error {
			if op == memlog.Append && appends.Add(1) <= appendTries {
				return errors.New("the disk does not answer")
			}
			return nil
		},
		Before: func(_ context.Context, op memlog.Op) error {
			if op == memlog.Read && reads.Add(1) == 2 { // the first is New's
				return errors.New("the disk does not answer")
			}
			return nil
		},
	})
	w := serve(t, store, nil)
	c := w.joinAt(home)
	c.edit(ball(edit.Dig, 3, 10, 0, 10))
	if m := expect[wire.EditRefused](c); m.Code != wire.CodeInternal {
		t.Errorf("refusal %+v", m)
	}
	if d := w.rejoin(c.session); d.welcome.Counter != 1 || d.welcome.Head != 1 {
		t.Errorf("welcome %+v", d.welcome)
	}
	if got := w.world(); got.Head != 1 || got.Bricks == 0 {
		t.Errorf("world %+v", got)
	}
}

// TestReconnect drops connections at bad moments: an edit sent again is answered again and not done again.
func TestReconnect(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) { c.Limits.EditBurst, c.Limits.EditsPerSecond = 3, 1e-9 })
	c := w.joinAt(home)
	first := ball(edit.Dig, 3, 10, 0, 10)
	c.settled(c.edit(first))
	c.send(wire.SubmitEdit{Counter: 1, Edit: first.AppendBinary(nil)})
	if m := expect[wire.Ack](c); m.Counter != 1 {
		t.Errorf("ack %+v", m)
	}
	c.settled(c.edit(ball(edit.Dig, 3, 20, 0, 10)))
	c.settled(c.edit(ball(edit.Dig, 3, 30, 0, 10)))
	n := c.edit(ball(edit.Dig, 3, 40, 0, 10)) // one too many
	if m := expect[wire.EditRefused](c); m.Code != wire.CodeRate || m.Counter != n {
		t.Errorf("refusal %+v", m)
	}

	// The same session from elsewhere: the newer connection takes over and resends all it has.
	d := w.rejoin(c.session)
	c.expectRefused(wire.CodeOrder, "connected again")
	if d.welcome.Counter != 3 || d.welcome.Head != 3 || d.welcome.Client == c.welcome.Client {
		t.Errorf("welcome %+v", d.welcome)
	}
	before := w.world()
	for i := range uint64(4) {
		d.send(wire.SubmitEdit{Counter: i + 1, Edit: first.AppendBinary(nil)})
	}
	for i := range uint64(3) {
		if m := expect[wire.Ack](d); m.Counter != i+1 {
			t.Errorf("ack %+v", m)
		}
	}
	if m := expect[wire.EditRefused](d); m.Code != wire.CodeRate || m.Counter != n {
		t.Errorf("refusal %+v", m)
	}
	if got := w.world(); got != before {
		t.Errorf("resending changed %+v to %+v", before, got)
	}
	d.send(wire.SubmitEdit{Counter: 0, Edit: first.AppendBinary(nil)})
	if m := expect[wire.EditRefused](d); m.Code != wire.CodeOrder {
		t.Errorf("refusal %+v", m)
	}
	d.subscribe(home)
	d.counter = 9
	d.settled(d.edit(first))
	d.send(wire.SubmitEdit{Counter: 8, Edit: first.AppendBinary(nil)})
	expect[wire.Ack](d) // 8 ≤ 9: for the log the same as durable
}

// TestResendDuringCommit takes a session over while its edit is being made durable.
func TestResendDuringCommit(t *testing.T) {
	store := newStore(t)
	entered, release := make(chan struct{}, 8), make(chan struct{})
	store.SetHooks(memlog.Hooks{After: func(_ context.Context, op memlog.Op) error {
		if op == memlog.Append {
			entered <- struct{}{}
			<-release
		}
		return nil
	}})
	w := serve(t, store, nil)
	c := w.joinAt(home)
	e := ball(edit.Build, 3, 10, 0, 10)
	free := sync.OnceFunc(func() { close(release) })
	defer free()
	c.edit(e)
	<-entered // in the log, but nobody has been told
	joined := make(chan *client)
	go func() { joined <- w.rejoin(c.session) }()
	// The welcome will say that the edit is durable, so it waits until the world holds it.
	w.until("the welcome waits", func(o *owner) bool {
		select {
		case d := <-joined:
			t.Errorf("welcomed before the edit is applied: %+v", d.welcome)
			return true
		default:
			return len(o.onApplied[1]) > 0
		}
	})
	free()
	if t.Failed() {
		return
	}
	d := <-joined
	if d.welcome.Counter != 1 || d.welcome.Head != 1 {
		t.Errorf("welcome %+v", d.welcome)
	}
	d.send(wire.SubmitEdit{Counter: 1, Edit: e.AppendBinary(nil)})
	if m := expect[wire.Ack](d); m.Counter != 1 {
		t.Errorf("ack %+v", m)
	}
	if store.Head() != 1 {
		t.Errorf("head %d", store.Head())
	}
}

// TestHostileEdits is case 16 on the wire: each bad value is refused with a reason, the world stays.
func TestHostileEdits(t *testing.T) {
	w := serve(t, newStore(t), nil)
	c, other := w.joinAt(home), w.joinAt(home)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	good := ball(edit.Dig, 3, 10, 0, 10).AppendBinary(nil)
	float := func(at int, v float32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], math.Float32bits(v)); return b }
	}
	number := func(at int, v int32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], uint32(v)); return b }
	}
	set := func(at int, v byte) func([]byte) []byte { return func(b []byte) []byte { b[at] = v; return b } }
	const op, shape, radius, smooth, x, y, dx, dy = 1, 2, 4, 8, 12, 16, 24, 28 // places in the encoding
	before, heap := w.world(), heapSize()
	for _, h := range []struct {
		name   string
		change func([]byte) []byte
		text   string
	}{
		{"radius NaN", float(radius, nan), "radius"},
		{"radius ∞", float(radius, inf), "radius"},
		{"radius −∞", float(radius, -inf), "radius"},
		{"radius −1", float(radius, -1), "radius"},
		{"radius 0", float(radius, 0), "radius"},
		{"radius 1e6", float(radius, 1e6), "radius"},
		{"radius 1e38", float(radius, 1e38), "radius"},
		{"smooth NaN", float(smooth, nan), "smooth"},
		{"smooth −1", float(smooth, -1), "smooth"},
		{"smooth 1e6", float(smooth, 1e6), "smooth"},
		{"radius + smooth", func(b []byte) []byte { return float(radius, 63)(float(smooth, 2)(b)) }, "exceeds"},
		{"no operation", set(op, 0), "operation"},
		{"operation 200", set(op, 200), "operation"},
		{"operation 255", set(op, 255), "operation"},
		{"shape 9", set(shape, 9), "shape"},
		{"offset NaN", float(dx, nan), "outside the world"},
		{"offset 1e38", float(dy, 1e38), "outside the world"},
		{"place −2³¹", number(y, math.MinInt32), "outside the world"},
		{"nothing at all", func([]byte) []byte { return nil }, "0 bytes"},
		{"cut short", func(b []byte) []byte { return b[:len(b)-1] }, "35 bytes"},
		{"too long", func(b []byte) []byte { return append(b, 0) }, "1 bytes follow"},
		{"version 99", set(0, 99), "version"},
		{"far away", number(x, 1<<29), "out of reach"},
		{"next region", number(x, -1), "not subscribed"},
	} {
		t.Run(h.name, func(t *testing.T) {
			e := h.change(slices.Clone(good))
			c.counter++
			began := time.Now()
			c.send(wire.SubmitEdit{Counter: c.counter, Edit: e})
			m := expect[wire.EditRefused](c)
			if took := time.Since(began); took > 50*time.Millisecond {
				t.Errorf("refused after %v", took)
			}
			if m.Counter != c.counter || m.Code != wire.CodeInvalid || !strings.Contains(m.Message, h.text) {
				t.Errorf("refusal %+v, want one that says %q", m, h.text)
			}
		})
	}
	if got := w.world(); got != before {
		t.Errorf("the world changed from %+v to %+v", before, got)
	}
	if grown := heapSize() - heap; grown > 10<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
	other.settled(other.edit(ball(edit.Dig, 3, 10, 0, 10)))
	if e := expect[wire.Entry](c); e.Counter != 0 || e.Author != other.welcome.Client {
		t.Errorf("entry %+v", e)
	}
	c.settled(c.edit(ball(edit.Dig, 3, 20, 0, 10)))
}
