package bot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/server"
	"github.com/terrane/terrane/internal/server/servertest"
	"github.com/terrane/terrane/internal/session"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func soak() bool { return os.Getenv("TERRANE_SOAK") != "" }

// A site is a world server on a port of its own, over a log in memory.
type site struct {
	t       *testing.T
	store   worldlog.Store
	address string
	stop    context.CancelFunc
	ended   chan error
}

func newSite(t *testing.T, g *graph.Graph) *site {
	t.Helper()
	store := servertest.NewStore(t, g)
	s := &site{t: t, store: store, address: "127.0.0.1:0"}
	s.serve()
	t.Cleanup(func() {
		s.close()
		_ = store.Close()
	})
	return s
}

// serve starts the server, on the port it had before.
func (s *site) serve() {
	s.t.Helper()
	ln, err := net.Listen("tcp", s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.address = ln.Addr().String()
	sv, err := server.New(s.t.Context(), server.Config{
		Store: s.store, Log: slog.New(slog.DiscardHandler),
		Limits: server.Limits{EditsPerSecond: 1e6, EditBurst: 1e6, SamplesPerSecond: 1e12, SampleBurst: 1e9},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.stop, s.ended = cancel, make(chan error, 1)
	go func() { s.ended <- sv.Serve(ctx, ln) }()
}

// close stops the server in order.
func (s *site) close() {
	if s.stop == nil {
		return
	}
	s.stop()
	if err := <-s.ended; err != nil {
		s.t.Error(err)
	}
	s.stop = nil
}

func (s *site) url() string { return "http://" + s.address }

// hash returns the hash of all edited bricks and the last entry, as the server says.
func (s *site) hash() (hash string, head uint64) {
	s.t.Helper()
	r, err := http.Get(s.url() + "/v1/world")
	if err != nil {
		s.t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer r.Body.Close()
	var state struct {
		Hash string
		Head uint64
	}
	if err := json.NewDecoder(r.Body).Decode(&state); err != nil {
		s.t.Fatal(err)
	}
	return state.Hash, state.Head
}

func start(t *testing.T, c Config) *Bot {
	t.Helper()
	b, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// wait fails the test if what must come does not.
func wait(t *testing.T, b *Bot, what string, wanted func(session.Status) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := b.Wait(ctx, wanted); err != nil {
		t.Fatalf("waiting for %s: %v; status %+v", what, err, b.Status())
	}
}

func loaded(s session.Status) bool {
	return s.State == session.Live && s.Regions > 0 && s.Syncing == 0 && s.Waiting == 0
}

// TestConverge lets two bots dig and build at one place. Both end with the server's hash.
func TestConverge(t *testing.T) {
	edits := 60
	if soak() {
		edits = 3000
	}
	s := newSite(t, template.Hills(1))
	var bots []*Bot
	for i := range 2 {
		bots = append(bots, start(t, Config{
			URL: s.url(), Name: "digger " + strconv.Itoa(i), Session: uint64(i + 1), Seed: uint64(i + 1),
			EditsPerSecond: 40, Edits: edits, Builders: i, Radius: 1,
		}))
	}
	for _, b := range bots {
		wait(t, b, "edits", func(s session.Status) bool { return s.Acked == uint64(edits) && s.Pending == 0 })
	}
	hash, head := s.hash()
	if head != uint64(2*edits) {
		t.Errorf("%d entries, want %d", head, 2*edits)
	}
	for i, b := range bots {
		wait(t, b, "the same hash", func(s session.Status) bool { return s.HashHex() == hash && loaded(s) })
		st := b.Close()
		t.Logf("bot %d: %d acknowledged, median %v, 95 %% %v; others' edits seen after %v, 95 %% %v; %d built", i, st.Ack.Count,
			st.Ack.Quantile(0.5), st.Ack.Quantile(0.95), st.Seen.Quantile(0.5), st.Seen.Quantile(0.95), st.Built)
		if st.Ack.Count != edits || st.Back.Count != edits || st.Seen.Count != edits || st.Refused != 0 || st.Connects != 1 {
			t.Errorf("bot %d: %+v", i, st)
		}
		if built := st.Built > 0; built != (i == 1) {
			t.Errorf("bot %d built %d chunks", i, st.Built)
		}
	}
}

// TestHeld measures how long after the acknowledgement of a dig another client holds it, and has it built and
// in one group. It asserts that it does, not how fast: the machine may be busy.
func TestHeld(t *testing.T) {
	digs := 20
	s := newSite(t, template.Hills(1))
	var mu sync.Mutex
	acked, held, shown := map[uint64]time.Time{}, map[uint64]time.Time{}, make(chan time.Time, 100)
	a := start(t, Config{URL: s.url(), Radius: 1, Trace: Trace{Acked: func(_, seq uint64) {
		mu.Lock()
		defer mu.Unlock()
		acked[seq] = time.Now()
	}}})
	b := start(t, Config{URL: s.url(), Radius: 2, Builders: 1, Trace: Trace{
		Entry: func(seq, _ uint64) {
			mu.Lock()
			defer mu.Unlock()
			held[seq] = time.Now()
		},
		Shown: func(g session.Group) {
			if g.Edit {
				shown <- time.Now()
			}
		},
	}})
	wait(t, a, "loading", loaded)
	wait(t, b, "loading", loaded)
	var toHeld, toShown Latency
	for i := range digs {
		a.Do(func(s *session.Session, now time.Duration) {
			at, ok := a.ground(float64(i*3-30), 4)
			if !ok {
				t.Error("no ground")
			}
			if _, err := s.Edit(now, edit.Brush{Op: edit.Dig, Shape: edit.Ball, Radius: 3}, at); err != nil {
				t.Error(err)
			}
		})
		wait(t, a, "the acknowledgement", func(s session.Status) bool { return s.Acked == uint64(i+1) })
		at := <-shown
		mu.Lock()
		seq := uint64(i + 1)
		if held[seq].IsZero() || acked[seq].IsZero() {
			t.Fatalf("dig %d was shown before it came", seq)
		}
		toHeld.add(held[seq].Sub(acked[seq]))
		toShown.add(at.Sub(acked[seq]))
		mu.Unlock()
	}
	t.Logf("after the acknowledgement the other client holds a dig for %v at the median, %v at most; shows it after %v, %v",
		toHeld.Quantile(0.5), toHeld.Quantile(1), toShown.Quantile(0.5), toShown.Quantile(1))
	if st := b.Stats(); st.Entries != uint64(digs) || st.Last.HashHex() == "0000000000000000" {
		t.Errorf("%d entries came, want %d; hash %s", st.Entries, digs, st.Last.HashHex())
	}
}

// TestRestart stops the server under bots that edit, and starts it again: they come back, and every edit is in
// the log once.
func TestRestart(t *testing.T) {
	const edits = 60
	s := newSite(t, template.Flat())
	var bots []*Bot
	for i := range 2 {
		bots = append(bots, start(t, Config{
			URL: s.url(), Session: uint64(i + 1), Seed: uint64(i + 1), EditsPerSecond: 60, Edits: edits, Radius: 1,
		}))
	}
	for _, at := range []uint64{10, 30} {
		for _, b := range bots {
			wait(t, b, "edits", func(s session.Status) bool { return s.State == session.Live && s.Acked >= at })
		}
		s.close()
		wait(t, bots[1], "the loss", func(s session.Status) bool { return s.State == session.Waiting })
		s.serve()
	}
	for _, b := range bots {
		wait(t, b, "edits", func(s session.Status) bool { return s.Acked == edits && s.Pending == 0 })
	}
	hash, head := s.hash()
	if head != 2*edits {
		t.Errorf("%d entries, want %d", head, 2*edits)
	}
	for _, b := range bots {
		wait(t, b, "the same hash", func(s session.Status) bool { return s.HashHex() == hash })
		if st := b.Close(); st.Connects != 3 || st.Retries < 2 {
			t.Errorf("%d connections, %d retries; want 3, and 2 at least", st.Connects, st.Retries)
		}
	}
}

// TestFar has bots at two places that nobody else sees: each holds its own, and an own edit out of sight is
// acknowledged too.
func TestFar(t *testing.T) {
	s := newSite(t, template.Flat())
	var place lattice.Place
	place.Sample.X = 10_000_000
	here := start(t, Config{URL: s.url(), Radius: 1})
	there := start(t, Config{URL: s.url(), Radius: 1, Place: place, EditsPerSecond: 100, Edits: 10})
	wait(t, here, "loading", loaded)
	wait(t, there, "edits", func(s session.Status) bool { return s.Acked == 10 && loaded(s) })
	brush := edit.Brush{Op: edit.Dig, Shape: edit.Ball, Radius: 3}
	place.Sample.X = -5_000_000
	here.Do(func(s *session.Session, now time.Duration) {
		if _, err := s.Edit(now, brush, place); err != nil {
			t.Error(err)
		}
	})
	wait(t, here, "an edit far away", func(s session.Status) bool { return s.Acked == 1 && s.Pending == 0 })
	if st := here.Stats(); st.Entries != 1 || st.Last.Refused != 0 {
		t.Errorf("%d entries, %d refused", st.Entries, st.Last.Refused)
	}
}

func TestRun(t *testing.T) {
	s := newSite(t, template.Flat())
	st, err := Run(t.Context(), Config{URL: s.url() + "/", EditsPerSecond: 200, Edits: 20, Radius: 1})
	if err != nil || st.Acked != 20 || st.Edits != 20 {
		t.Errorf("Run: %+v, %v", st, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, Config{URL: s.url(), Radius: 1}); err != nil {
		t.Errorf("a bot that looks on until its context ends: %v", err)
	}
	for _, bad := range []string{"", "127.0.0.1:8080", "ftp://x", "http://", ":"} {
		if _, err := Run(t.Context(), Config{URL: bad}); err == nil {
			t.Errorf("the address %q was taken", bad)
		}
	}
}

// TestRejected uses a name that the protocol does not allow: the server says no, and there is no other try.
func TestRejected(t *testing.T) {
	s := newSite(t, template.Flat())
	_, err := Run(t.Context(), Config{URL: s.url(), Name: strings.Repeat("x", 65), Edits: 1})
	if !errors.Is(err, ErrRejected) {
		t.Errorf("error %v, want %v", err, ErrRejected)
	}
}

func TestLatency(t *testing.T) {
	var l Latency
	if l.Quantile(0.5) != 0 {
		t.Error("nothing took time")
	}
	for i := range 100 {
		l.add(time.Duration(i-1) * time.Millisecond)
	}
	if l.Count != 100 || l.Quantile(0) != 0 || l.Quantile(0.5) != 49*time.Millisecond || l.Quantile(1) != 98*time.Millisecond {
		t.Errorf("quantiles %v %v %v", l.Quantile(0), l.Quantile(0.5), l.Quantile(1))
	}
	for range 2 * keptLatencies {
		l.add(time.Second)
	}
	if len(l.kept) != keptLatencies || l.Quantile(0) != time.Second {
		t.Errorf("%d kept, the least %v", len(l.kept), l.Quantile(0))
	}
}
