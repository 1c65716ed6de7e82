package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
	"github.com/terrane/terrane/lattice"
)

const worldPath = "/disk/world.terrane"

var testDocument = []byte("the document of a world on a disk")

// soak reports whether the long cases run whole.
func soak() bool { return os.Getenv("TERRANE_SOAK") == "1" }

// rounds returns how often to do what chance decides: with -short, as a rule, and when soaking.
func rounds(short, rule, long int) int {
	switch {
	case soak():
		return long
	case testing.Short():
		return short
	}
	return rule
}

// seedOf returns a seed for the test and says how to use it again.
func seedOf(t testing.TB) uint64 {
	seed := rand.Uint64()
	if s := os.Getenv("TERRANE_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("TERRANE_SEED=%d", seed)
	return seed
}

// A ledger is what the clients of a store know: which entries they handed over and which were acknowledged.
type ledger struct {
	mu       sync.Mutex // guards the rest
	life     uint64     // counts the loads: each has sessions of its own
	counters map[uint64]uint64
	tried    map[worldlog.EditID]worldlog.Entry
	acked    map[worldlog.EditID]worldlog.Seq
	batches  [][]worldlog.Entry    // handed over as one and not retried one by one
	contents map[asset.Hash][]byte // of acknowledged snapshots that nothing may have replaced
	snapshot worldlog.Seq          // of the latest acknowledged one
}

func newLedger() *ledger {
	return &ledger{
		counters: make(map[uint64]uint64),
		tried:    make(map[worldlog.EditID]worldlog.Entry),
		acked:    make(map[worldlog.EditID]worldlog.Seq),
	}
}

// entries makes a batch of a session's next entries.
func (l *ledger) entries(rng *rand.Rand, session uint64) []worldlog.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	var batch []worldlog.Entry
	for range 1 + rng.IntN(3) {
		l.counters[session]++
		e := worldlogtest.Entry(session, l.counters[session], lattice.Region{X: rng.Int32N(3)})
		if rng.IntN(8) == 0 {
			e.Payload = bytes.Repeat([]byte{byte(rng.Uint32())}, rng.IntN(9000)) // over several pages
		}
		l.tried[e.ID] = e
		batch = append(batch, e)
	}
	l.batches = append(l.batches, batch)
	return batch
}

func (l *ledger) acknowledge(batch []worldlog.Entry, out []worldlog.Appended) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, e := range batch {
		if out[i].Seq == 0 && !out[i].Duplicate {
			return fmt.Errorf("%v: %+v", e.ID, out[i])
		}
		l.acked[e.ID] = out[i].Seq
	}
	return nil
}

// load has a few clients append, and one make snapshots, until the store fails or each has done n rounds.
func (l *ledger) load(s *Store, seed uint64, clients, n int) {
	l.life++
	var wg sync.WaitGroup
	for c := range clients {
		rng := rand.New(rand.NewPCG(seed, uint64(c)))
		wg.Go(func() {
			for range n {
				batch := l.entries(rng, l.life<<8|uint64(c))
				out, err := s.Append(context.Background(), batch)
				if err != nil {
					return
				}
				if err := l.acknowledge(batch, out); err != nil {
					panic(err)
				}
				if c == 0 && rng.IntN(6) == 0 && l.takeSnapshot(s, rng) != nil {
					return
				}
			}
		})
	}
	wg.Wait()
}

// takeSnapshot stores a snapshot with pieces of its own.
func (l *ledger) takeSnapshot(s *Store, rng *rand.Rand) error {
	snap := worldlog.Snapshot{Seq: s.Head()}
	contents := make(map[asset.Hash][]byte)
	for i := range 1 + rng.IntN(3) {
		data := bytes.Repeat(fmt.Appendf(nil, "brick %d as of %d ", i, snap.Seq), 1+rng.IntN(300))
		h, err := s.PutContent(context.Background(), data)
		if err != nil {
			return err
		}
		contents[h] = data
		snap.Pieces = append(snap.Pieces, worldlog.SnapshotPiece{Brick: lattice.Brick{X: int32(i)}, Content: h})
	}
	if err := s.PutSnapshot(context.Background(), snap); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.snapshot, l.contents = snap.Seq, contents
	return nil
}

// check says what a store lacks, or has and should not.
func (l *ledger) check(s *Store) error {
	all, err := worldlogtest.Check(s)
	if err != nil {
		return err
	}
	seen := make(map[worldlog.EditID]worldlog.Seq)
	for _, e := range all {
		tried, ok := l.tried[e.ID]
		switch {
		case !ok:
			return fmt.Errorf("entry %d is %v, which nobody appended", e.Seq, e.ID)
		case seen[e.ID] != 0:
			return fmt.Errorf("entries %d and %d are both %v", seen[e.ID], e.Seq, e.ID)
		case !bytes.Equal(e.Payload, tried.Payload) || e.Author != tried.Author:
			return fmt.Errorf("entry %d is not what was appended as %v", e.Seq, e.ID)
		}
		seen[e.ID] = e.Seq
	}
	for _, batch := range l.batches {
		for _, e := range batch {
			if (seen[e.ID] == 0) != (seen[batch[0].ID] == 0) {
				return fmt.Errorf("of one append, %v is entry %d and %v is entry %d", batch[0].ID, seen[batch[0].ID], e.ID, seen[e.ID])
			}
		}
	}
	for id, seq := range l.acked {
		if got := seen[id]; got == 0 || seq != 0 && got != seq {
			return fmt.Errorf("%w: %v was acknowledged as entry %d and is entry %d", errAckedLost, id, seq, got)
		}
	}
	snap, err := s.LatestSnapshot(context.Background(), 0)
	if err != nil && (!errors.Is(err, worldlog.ErrNotFound) || l.contents != nil) {
		return fmt.Errorf("%w: snapshot as of %d: %w", errAckedLost, l.snapshot, err)
	}
	if l.contents != nil && snap.Seq < l.snapshot {
		return fmt.Errorf("%w: snapshot as of %d, latest is %d", errAckedLost, l.snapshot, snap.Seq)
	}
	return nil
}

var errAckedLost = errors.New("what was acknowledged is lost")

// retry hands over again, as clients do, what was not acknowledged, and checks that each is there once.
func (l *ledger) retry(s *Store) error {
	l.batches = nil
	for session, last := range l.counters {
		var batch []worldlog.Entry
		for c := uint64(1); c <= last; c++ {
			batch = append(batch, l.tried[worldlog.EditID{Session: session, Counter: c}])
		}
		mark, err := s.HighWater(context.Background(), session)
		if err != nil {
			return err
		}
		for _, e := range batch {
			out, err := s.Append(context.Background(), []worldlog.Entry{e})
			if err != nil {
				return err
			}
			if out[0].Duplicate != (e.ID.Counter <= mark) {
				return fmt.Errorf("%v: %+v, but the mark was %d", e.ID, out[0], mark)
			}
			if _, was := l.acked[e.ID]; was && !out[0].Duplicate {
				return fmt.Errorf("%w: %v was acknowledged and is new", errAckedLost, e.ID)
			}
			if out[0].Seq != 0 {
				l.acked[e.ID] = out[0].Seq
			}
		}
	}
	for id := range l.tried {
		if _, ok := l.acked[id]; !ok {
			l.acked[id] = 0
		}
	}
	return l.check(s)
}

// newWorldOn makes a world on a fresh disk.
func newWorldOn(t *testing.T, seed uint64) (*disk, *Store) {
	d, y := newDisk(t, seed)
	s, err := y.create(worldPath, worldlogtest.Meta(testDocument), [][]byte{testDocument})
	if err != nil {
		t.Fatal(err)
	}
	return d, s
}

// TestPowerCut cuts the power at random moments under load, several times in one world's life. Whatever the disk
// had not been told to sync may be there or not, in parts: all that was acknowledged must be.
func TestPowerCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(seedOf(t), 0))
	for i := range rounds(20, 150, 3000) {
		seed := rng.Uint64()
		if err := powerCuts(t, seed, 5, nil); err != nil {
			t.Fatalf("world %d (seed %d): %v", i, seed, err)
		}
	}
}

// powerCuts lives one world's life with n power cuts and a check after each. noSync takes syncs away.
func powerCuts(t *testing.T, seed uint64, n int, noSync func(string) bool) error {
	rng := rand.New(rand.NewPCG(seed, 2))
	d, s := newWorldOn(t, seed)
	l := newLedger()
	for cut := range n {
		d.arm(1+rng.IntN(250), noSync)
		if rng.IntN(8) == 0 {
			d.arm(0, noSync) // closed in order, and then the power goes
		}
		l.load(s, rng.Uint64(), 1+rng.IntN(4), 40)
		if err := s.Close(); err != nil && d.cutAt == 0 {
			return err
		}
		var y system
		d, y = d.powerCut(t)
		for rng.IntN(4) == 0 { // and again while the world is opened
			d.arm(1+rng.IntN(40), noSync)
			if s, err := y.open(worldPath, Options{}); err == nil {
				s.Close()
			} else if !errors.Is(err, errPower) {
				return fmt.Errorf("cut %d: %w", cut, err)
			}
			d, y = d.powerCut(t)
		}
		var err error
		if s, err = y.open(worldPath, Options{}); err != nil {
			return fmt.Errorf("cut %d: %w", cut, err)
		}
		err = l.check(s)
		if err == nil && rng.IntN(2) == 0 {
			err = l.retry(s)
		}
		if err != nil {
			s.Close()
			return fmt.Errorf("cut %d: %w", cut, err)
		}
	}
	return s.Close()
}

// TestPowerCutCanary takes syncs away and demands that the test above then fails: it can tell.
func TestPowerCutCanary(t *testing.T) {
	rng := rand.New(rand.NewPCG(seedOf(t), 0))
	for _, c := range []struct {
		name   string
		noSync func(string) bool
	}{
		{"all", func(string) bool { return true }},
		{"write-ahead log", func(name string) bool { return strings.HasSuffix(name, "-wal") }},
		{"world's file", func(name string) bool { return name == worldPath }},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := 0
			for i := 0; i < 200 && found == 0; i++ {
				err := powerCuts(t, rng.Uint64(), 3, c.noSync)
				if err != nil {
					t.Logf("world %d: %v", i, err)
					found++
				}
			}
			if found == 0 {
				t.Fatal("200 worlds without syncs lost nothing: the power cuts do not cut")
			}
		})
	}
}

// TestLossIsNamed takes away the syncs of the file but not those of the head file: all that is lost is found at
// opening and named, and nothing is ever served with a gap.
func TestLossIsNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(seedOf(t), 0))
	noSync := func(name string) bool { return !strings.HasSuffix(name, "-head") }
	named := 0
	for range rounds(30, 60, 1000) {
		err := powerCuts(t, rng.Uint64(), 2, noSync)
		if err == nil {
			continue
		}
		if errors.Is(err, errAckedLost) {
			t.Fatalf("served, but %v", err)
		}
		if !errors.Is(err, worldlog.ErrLost) && !errors.Is(err, worldlog.ErrCorrupt) {
			t.Fatal(err)
		}
		named++
	}
	if named < 5 {
		t.Fatalf("only %d worlds lost anything", named)
	}
}

// TestCreatePowerCut cuts the power at every moment of a creation: then there is a whole world or none, and the
// same creation works.
func TestCreatePowerCut(t *testing.T) {
	seed := seedOf(t)
	m := worldlogtest.Meta(testDocument)
	whole := 0
	for at := 1; ; at++ {
		for again := range uint64(4) {
			d, y := newDisk(t, seed+again)
			d.arm(at, nil)
			s, err := y.create(worldPath, m, [][]byte{testDocument})
			if err == nil {
				s.Close()
				if d.operations < at {
					if whole < 4 || at < 20 {
						t.Fatalf("%d operations, whole after %d cuts", d.operations, whole)
					}
					return
				}
			}
			_, y = d.powerCut(t)
			s, err = y.open(worldPath, Options{})
			if errors.Is(err, fs.ErrNotExist) {
				s, err = y.create(worldPath, m, [][]byte{testDocument})
			} else {
				whole++
			}
			if err != nil {
				t.Fatalf("cut before operation %d (seed %d): %v", at, seed+again, err)
			}
			if _, err := s.Append(t.Context(), []worldlog.Entry{worldlogtest.Entry(1, 1)}); err != nil {
				t.Fatal(err)
			}
			s.Close()
		}
	}
}
