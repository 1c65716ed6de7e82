package worldlogtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
)

// testCanceled calls everything with a context that is done.
func testCanceled(w *world) {
	w.mustAppend(Entry(1, 1))
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	for name, err := range everything(ctx, w.Store) {
		if !errors.Is(err, context.Canceled) {
			w.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	w.wantHead(1)
	w.wantContent([]byte("content"), false)
}

// everything calls every method that can fail and yields what it answered.
func everything(ctx context.Context, s worldlog.Store) map[string]error {
	errs := map[string]error{"Read": nil}
	_, errs["Append"] = s.Append(ctx, []worldlog.Entry{Entry(1, 2)})
	for _, errs["Read"] = range s.Read(ctx, 0) {
	}
	_, errs["HighWater"] = s.HighWater(ctx, 1)
	_, errs["Content"] = s.Content(ctx, asset.Of(document))
	_, errs["PutContent"] = s.PutContent(ctx, []byte("content"))
	errs["PutSnapshot"] = s.PutSnapshot(ctx, worldlog.Snapshot{})
	_, errs["LatestSnapshot"] = s.LatestSnapshot(ctx, 0)
	return errs
}

// testCancelUnderLoad cancels appends at any moment: each is in the log exactly if it was answered without error.
func testCancelUnderLoad(w *world) {
	acked := runAppenders(w, 16, 60, func(ctx context.Context, e worldlog.Entry) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if rand.IntN(2) == 0 {
			go cancel()
		}
		_, err := w.Append(ctx, []worldlog.Entry{e})
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			return errNotAcked
		}
		return nil
	})
	w.wantExactly(acked)
	w.reopen()
	w.wantExactly(acked)
}

var errNotAcked = errors.New("not acknowledged")

// runAppenders appends n entries in each of many sessions at once and returns the ids of those for which appendOne
// answered nil. errNotAcked is passed over, any other error fails the test.
func runAppenders(w *world, sessions, n int, appendOne func(context.Context, worldlog.Entry) error) map[worldlog.EditID]bool {
	var wg sync.WaitGroup
	var mu sync.Mutex
	acked := make(map[worldlog.EditID]bool)
	for s := range sessions {
		wg.Go(func() {
			for i := range n {
				e := Entry(uint64(s+1), uint64(i+1), Region(int32(s%4), 0))
				switch err := appendOne(w.ctx, e); {
				case err == nil:
					mu.Lock()
					acked[e.ID] = true
					mu.Unlock()
				case !errors.Is(err, errNotAcked):
					w.Errorf("%v: %v", e.ID, err)
					return
				}
			}
		})
	}
	wg.Wait()
	return acked
}

// wantExactly checks that the log holds exactly these entries, each session's in its order.
func (w *world) wantExactly(want map[worldlog.EditID]bool) {
	w.Helper()
	last := make(map[uint64]uint64)
	all := w.checkChain()
	for _, e := range all {
		if !want[e.ID] {
			w.Fatalf("entry %d is %v, which was not acknowledged", e.Seq, e.ID)
		}
		if last[e.ID.Session] >= e.ID.Counter {
			w.Fatalf("entry %d is %v, after counter %d", e.Seq, e.ID, last[e.ID.Session])
		}
		last[e.ID.Session] = e.ID.Counter
	}
	if len(all) != len(want) {
		w.Fatalf("%d entries, want %d", len(all), len(want))
	}
}

func testClosed(w *world) {
	w.mustAppend(Entry(1, 1))
	seq := w.Read(w.ctx, 0)
	if err := w.Store.Close(); err != nil {
		w.Fatal(err)
	}
	for name, err := range everything(w.ctx, w.Store) {
		if !errors.Is(err, worldlog.ErrClosed) {
			w.Errorf("%s: %v, want ErrClosed", name, err)
		}
	}
	for _, err := range seq {
		if !errors.Is(err, worldlog.ErrClosed) {
			w.Errorf("a sequence from before: %v, want ErrClosed", err)
		}
	}
	if err := w.Store.Close(); err != nil {
		w.Errorf("again: %v", err)
	}
	if w.Meta().Name != "test" || w.Head() != 1 {
		w.Error("meta and head are gone")
	}
}

// testCloseUnderLoad closes the store while appenders run.
func testCloseUnderLoad(w *world) {
	started := make(chan struct{})
	var once sync.Once
	closed := make(chan error, 1)
	go func() {
		<-started
		closed <- w.Store.Close()
	}()
	acked := runAppenders(w, 8, 200, func(ctx context.Context, e worldlog.Entry) error {
		if e.ID.Counter == 20 {
			once.Do(func() { close(started) })
		}
		_, err := w.Append(ctx, []worldlog.Entry{e})
		if errors.Is(err, worldlog.ErrClosed) {
			return errNotAcked
		}
		return err
	})
	if err := <-closed; err != nil {
		w.Fatal(err)
	}
	w.mustOpen()
	w.wantExactly(acked)
}

// testConcurrent has many appenders and readers at once.
func testConcurrent(w *world) {
	const sessions, each = 16, 40
	ctx, cancel := context.WithCancel(w.ctx)
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for ctx.Err() == nil {
				if _, err := readAll(w.Store); err != nil {
					w.Error(err)
					return
				}
			}
		})
	}
	seqs := make(chan worldlog.Seq, sessions*each)
	acked := runAppenders(w, sessions, each, func(ctx context.Context, e worldlog.Entry) error {
		out, err := w.Append(ctx, []worldlog.Entry{e})
		if err != nil {
			return err
		}
		if head := w.Head(); head < out[0].Seq {
			return fmt.Errorf("acknowledged as %d, but the head is %d", out[0].Seq, head)
		}
		seqs <- out[0].Seq
		return nil
	})
	cancel()
	readers.Wait()
	close(seqs)
	var got []worldlog.Seq
	for q := range seqs {
		got = append(got, q)
	}
	slices.Sort(got)
	for i, q := range got {
		if q != worldlog.Seq(i+1) {
			w.Fatalf("number %d was given where %d belongs", q, i+1)
		}
	}
	w.wantExactly(acked)
}

// readAll reads the log and checks its numbers.
func readAll(s worldlog.Store) (n worldlog.Seq, err error) {
	for e, err := range s.Read(context.Background(), 0) {
		if err != nil {
			return n, err
		}
		if n++; e.Seq != n {
			return n, fmt.Errorf("entry %d where %d belongs", e.Seq, n)
		}
	}
	return n, nil
}

// testHistory runs a long random history, opening the world again now and then, and compares with a model.
func testHistory(w *world) {
	seed := rand.Uint64()
	w.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	m := model{marks: make(map[uint64]uint64)}
	steps := 300
	if testing.Short() {
		steps = 60
	}
	for range steps {
		switch rng.IntN(12) {
		case 0:
			w.reopen()
		case 1:
			w.checkModel(&m)
		default:
			w.historyStep(rng, &m)
		}
	}
	w.checkModel(&m)
	w.reopen()
	w.checkModel(&m)
}

// model is the expected content of a log.
type model struct {
	entries []worldlog.Entry
	marks   map[uint64]uint64
}

// historyStep appends a random batch, often with duplicates.
func (w *world) historyStep(rng *rand.Rand, m *model) {
	w.Helper()
	var batch []worldlog.Entry
	for range 1 + rng.IntN(6) {
		session := rng.Uint64N(4)
		counter := max(1, m.marks[session]+rng.Uint64N(4)-1)
		regions := []lattice.Region{Region(rng.Int32N(3)-1, 0)}
		if rng.IntN(3) == 0 {
			regions = append(regions, Region(5, rng.Int32N(3)-1))
		}
		e := Entry(session, counter, regions...)
		e.Payload = make([]byte, rng.IntN(300))
		for i := range e.Payload {
			e.Payload[i] = byte(rng.Uint32())
		}
		batch = append(batch, e)
	}
	out, err := w.Append(w.ctx, batch)
	if err != nil || len(out) != len(batch) {
		w.Fatalf("%v, %v", out, err)
	}
	for i, e := range batch {
		if out[i].Duplicate != (e.ID.Counter <= m.marks[e.ID.Session]) {
			w.Fatalf("%v: %+v, but the mark is %d", e.ID, out[i], m.marks[e.ID.Session])
		}
		if out[i].Duplicate {
			continue
		}
		m.entries = append(m.entries, e)
		m.marks[e.ID.Session] = e.ID.Counter
	}
}

func (w *world) checkModel(m *model) {
	w.Helper()
	all := w.checkChain()
	if len(all) != len(m.entries) {
		w.Fatalf("%d entries, want %d", len(all), len(m.entries))
	}
	for i, e := range all {
		if err := same(e, m.entries[i]); err != nil {
			w.Fatalf("entry %d: %v", e.Seq, err)
		}
	}
	for session, mark := range m.marks {
		w.wantHighWater(session, mark)
	}
}
