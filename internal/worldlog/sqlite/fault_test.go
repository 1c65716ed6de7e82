package sqlite

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
)

// TestFailingDisk has a sync or a write fail at a random moment under load. The kernel forgets what a failed sync
// should have written while programs go on seeing it: the store must stop, and opened again must not build on it.
func TestFailingDisk(t *testing.T) {
	rng := rand.New(rand.NewPCG(seedOf(t), 0))
	for _, c := range []struct {
		name  string
		sync  bool
		fails func(name string) bool
	}{
		{"sync of the write-ahead log", true, func(name string) bool { return strings.HasSuffix(name, "-wal") }},
		{"sync of the world's file", true, func(name string) bool { return name == worldPath }},
		{"sync of the head file", true, func(name string) bool { return strings.HasSuffix(name, "-head") }},
		{"write to the write-ahead log", false, func(name string) bool { return strings.HasSuffix(name, "-wal") }},
		{"write to the world's file", false, func(name string) bool { return name == worldPath }},
		{"write to the head file", false, func(name string) bool { return strings.HasSuffix(name, "-head") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range rounds(4, 20, 400) {
				failOnce(t, rng.Uint64(), c.sync, c.fails)
			}
		})
	}
}

func failOnce(t *testing.T, seed uint64, sync bool, fails func(string) bool) {
	rng := rand.New(rand.NewPCG(seed, 3))
	d, s := newWorldOn(t, seed)
	var after atomic.Int64
	after.Store(1 + rng.Int64N(30))
	fail := func(name string) bool { return fails(name) && after.Add(-1) == 0 }
	d.mu.Lock()
	if sync {
		d.failSync = fail
	} else {
		d.failWrite = fail
	}
	d.mu.Unlock()
	l := newLedger()
	l.load(s, seed, 3, 60)
	if after.Load() <= 0 {
		_, err := s.Append(t.Context(), []worldlog.Entry{worldlogtest.Entry(1, 1)})
		if !errors.Is(err, worldlog.ErrFailed) {
			t.Fatalf("seed %d: after the failure: %v, want ErrFailed", seed, err)
		}
		if _, err := worldlogtest.Check(s); err != nil {
			t.Fatalf("seed %d: reading after the failure: %v", seed, err)
		}
	}
	s.Close()
	// The program starts again; the kernel has not.
	_, y := d, d.system(t)
	for range 2 {
		s, err := y.open(worldPath, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := l.check(s); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		l.load(s, seed, 2, 5)
		d.arm(1, nil) // what is not durable yet never will be
		s.Close()
		d, y = d.powerCut(t)
	}
}

// TestFullDisk fills the disk, makes room and goes on, without opening the world again.
func TestFullDisk(t *testing.T) {
	rng := rand.New(rand.NewPCG(seedOf(t), 0))
	for range rounds(5, 30, 500) {
		seed := rng.Uint64()
		d, s := newWorldOn(t, seed)
		l := newLedger()
		for range 4 {
			d.mu.Lock()
			d.capacity = d.used() + rng.IntN(80<<10)
			d.mu.Unlock()
			l.load(s, rng.Uint64(), 3, 400)
			if _, err := s.Append(t.Context(), []worldlog.Entry{bulky(1)}); err == nil || errors.Is(err, worldlog.ErrFailed) {
				t.Fatalf("seed %d: on a full disk: %v", seed, err)
			}
			if err := l.check(s); err != nil {
				t.Fatalf("seed %d: full: %v", seed, err)
			}
			d.mu.Lock()
			d.capacity = 0
			d.mu.Unlock()
			if err := l.retry(s); err != nil {
				t.Fatalf("seed %d: with room again: %v", seed, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		_, y := d.powerCut(t)
		s, err := y.open(worldPath, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := l.check(s); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s.Close()
	}
}

// bulky returns an entry that no disk has room for.
func bulky(counter uint64) worldlog.Entry {
	e := worldlogtest.Entry(1<<40, counter)
	e.Payload = make([]byte, worldlog.MaxPayload)
	return e
}

// TestWALIsBounded appends entries one a commit, each of which writes pages whole: the write-ahead log must be
// checkpointed by its pages, not by what they hold.
func TestWALIsBounded(t *testing.T) {
	d, s := newWorldOn(t, 1)
	defer s.Close()
	most := int64(0)
	for n := range 300 {
		if _, err := s.Append(t.Context(), []worldlog.Entry{worldlogtest.Entry(1, uint64(n+1))}); err != nil {
			t.Fatal(err)
		}
		size, err := d.Size(worldPath + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, size)
	}
	if bound := int64(2 * s.checkpointEvery); most > bound {
		t.Errorf("the write-ahead log grew to %d bytes, want at most %d", most, bound)
	}
}
