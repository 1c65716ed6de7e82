package sqlite

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// A Store is a world in one SQLite file. It implements worldlog.Store.
type Store struct {
	path            string
	meta            worldlog.Meta
	readOnly        bool
	now             func() time.Time
	checkpointEvery int

	queue   queue         // what waits for the writer
	done    chan struct{} // closed when the writer has ended
	closing sync.Once

	// The writer alone changes these: it reads them without a lock.
	index *worldlog.Index
	batch *worldlog.Batch
	head  *files.HeadFile

	indexMu sync.RWMutex // guards index against its readers

	dbMu   sync.Mutex // guards the rest
	db     *db
	kept   kept
	failed error // what broke the store: it must be opened again
	closed bool
}

var _ worldlog.Store = (*Store)(nil)

// kept counts what names each content, entries aside: the meta, and each snapshot's pieces.
type kept struct {
	names     map[asset.Hash]int
	snapshots map[uint8]*keptSnapshot
}

type keptSnapshot struct {
	worldlog.Snapshot
	checked bool // the pieces have been read and are right
}

func newKept(m *worldlog.Meta) kept {
	k := kept{names: map[asset.Hash]int{m.Document: 1}, snapshots: make(map[uint8]*keptSnapshot)}
	for _, a := range m.Assets {
		k.names[a]++
	}
	return k
}

// freed returns the contents that nothing would name any more if s replaced its predecessor.
func (k *kept) freed(s *worldlog.Snapshot) []asset.Hash {
	delta := make(map[asset.Hash]int)
	for _, p := range s.Pieces {
		delta[p.Content]++
	}
	for _, p := range k.pieces(s.Level) {
		delta[p.Content]--
	}
	var free []asset.Hash
	for h, d := range delta {
		if d < 0 && k.names[h]+d == 0 {
			free = append(free, h)
		}
	}
	return free
}

// replace puts s in the place of its predecessor.
func (k *kept) replace(s worldlog.Snapshot) {
	for _, p := range s.Pieces {
		k.names[p.Content]++
	}
	for _, p := range k.pieces(s.Level) {
		if k.names[p.Content]--; k.names[p.Content] == 0 {
			delete(k.names, p.Content)
		}
	}
	k.snapshots[s.Level] = &keptSnapshot{Snapshot: s}
}

// pieces returns the pieces of the level's snapshot, none if there is none.
func (k *kept) pieces(level uint8) []worldlog.SnapshotPiece {
	if s := k.snapshots[level]; s != nil {
		return s.Pieces
	}
	return nil
}

// Meta implements worldlog.Store.
func (s *Store) Meta() worldlog.Meta {
	m := s.meta
	m.Assets, m.Semantics = slices.Clone(m.Assets), slices.Clone(m.Semantics)
	m.Settings = slices.Clone(m.Settings)
	return m
}

// Head implements worldlog.Store.
func (s *Store) Head() worldlog.Seq {
	s.indexMu.RLock()
	defer s.indexMu.RUnlock()
	return s.index.Head()
}

// HighWater implements worldlog.Store.
func (s *Store) HighWater(ctx context.Context, session uint64) (uint64, error) {
	if err := s.usable(ctx); err != nil {
		return 0, err
	}
	s.indexMu.RLock()
	defer s.indexMu.RUnlock()
	return s.index.HighWater(session), nil
}

// usable says whether the store is open and ctx not done.
func (s *Store) usable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("worldlog: %w", err)
	}
	if s.queue.isClosed() {
		return worldlog.ErrClosed
	}
	return nil
}

// Close implements worldlog.Store. It checkpoints the write-ahead log, so that the world is its file and the head
// file beside it.
func (s *Store) Close() error {
	var err error
	s.closing.Do(func() {
		s.queue.close()
		<-s.done
		err = s.closeFiles()
	})
	return err
}

func (s *Store) closeFiles() error {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	s.closed = true
	err := s.db.close(s.failed == nil && !s.readOnly)
	if err = firstError(err, s.head.Close()); err != nil {
		return fmt.Errorf("close world %s: %w", s.path, err)
	}
	return nil
}

// firstError returns the first error that is not nil.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// withDB runs f while no one else uses the file.
func (s *Store) withDB(f func(*db) error) error {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	if s.closed {
		return worldlog.ErrClosed
	}
	return f(s.db)
}
