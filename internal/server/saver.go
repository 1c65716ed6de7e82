package server

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/internal/worldlog"
)

// A worldImage is every edited brick as of an entry.
type worldImage struct {
	seq    worldlog.Seq
	bricks []*brick.Brick
}

// A saver writes snapshots of the world into its store, one at a time, so that the next start need not replay
// the log from its beginning. A snapshot counts only when it is whole: a crash on the way loses the work.
type saver struct {
	store worldlog.Store
	log   *slog.Logger
	wg    sync.WaitGroup

	mu    sync.Mutex // held while a snapshot is written; guards the rest
	saved worldlog.Seq
	names names // what the store holds
}

func newSaver(store worldlog.Store, log *slog.Logger, l *loaded) *saver {
	v := &saver{store: store, log: log, saved: l.snap, names: l.saved}
	if v.names == nil {
		v.names = make(names)
	}
	return v
}

// start begins a snapshot in the background, or answers false while one is being written. It calls image
// only in the former case, before it returns.
func (v *saver) start(image func() worldImage) bool {
	if !v.mu.TryLock() {
		return false
	}
	w := image()
	v.wg.Go(func() {
		defer v.mu.Unlock()
		if err := v.save(w); err != nil {
			v.log.Error("no snapshot was written; the log is whole without it", "entry", w.seq, "err", err)
		}
	})
	return true
}

// close waits for a snapshot under way and writes a last one.
func (v *saver) close(w worldImage) error {
	v.wg.Wait()
	v.mu.Lock()
	defer v.mu.Unlock()
	if w.seq == v.saved {
		return nil
	}
	if err := v.save(w); err != nil {
		return fmt.Errorf("server: last snapshot: %w", err)
	}
	return nil
}

// puts is how many pieces are stored at once: enough to share a commit, few enough to leave edits theirs.
const puts = 16

// save stores the bricks that changed since the last snapshot, then the snapshot.
func (v *saver) save(w worldImage) error {
	began := time.Now()
	snap := worldlog.Snapshot{Seq: w.seq, Pieces: make([]worldlog.SnapshotPiece, len(w.bricks))}
	next := make(names, len(w.bricks))
	group, ctx := errgroup.WithContext(context.Background())
	group.SetLimit(puts)
	written := 0
	for i, b := range w.bricks {
		p := &snap.Pieces[i]
		p.Brick = b.ID()
		if h, ok := v.names.hash(b); ok {
			p.Content = h
			continue
		}
		written++
		group.Go(func() (err error) {
			p.Content, err = v.store.PutContent(ctx, b.AppendBinary(nil))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("%d bricks: %w", written, err)
	}
	if err := v.store.PutSnapshot(context.Background(), snap); err != nil {
		return err
	}
	for i, b := range w.bricks {
		next.set(b, snap.Pieces[i].Content)
	}
	v.names, v.saved = next, w.seq
	v.log.Info("snapshot", "entry", w.seq, "bricks", len(w.bricks), "written", written, "took", time.Since(began).Round(time.Millisecond))
	return nil
}
