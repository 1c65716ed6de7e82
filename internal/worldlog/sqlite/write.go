package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/ncruces/go-sqlite3"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// maxGroup ends a group commit that has grown to this many bytes: more in one would only delay its first.
const maxGroup = 8 << 20

// Append implements worldlog.Store.
func (s *Store) Append(ctx context.Context, entries []worldlog.Entry) ([]worldlog.Appended, error) {
	if err := worldlog.CheckBatch(entries); err != nil {
		return nil, err
	}
	if s.readOnly {
		return nil, worldlog.ErrReadOnly
	}
	r := requests.Get().(*request)
	r.entries = entries
	r.out = make([]worldlog.Appended, 0, len(entries))
	err := s.queue.do(ctx, r)
	out := r.out
	r.recycle()
	if err != nil {
		return nil, err
	}
	return out, nil
}

// PutContent implements worldlog.Store.
func (s *Store) PutContent(ctx context.Context, data []byte) (asset.Hash, error) {
	if len(data) > worldlog.MaxContent {
		return asset.Hash{}, fmt.Errorf("%w: content of %d bytes; up to %d", worldlog.ErrTooLarge, len(data), worldlog.MaxContent)
	}
	if s.readOnly {
		return asset.Hash{}, worldlog.ErrReadOnly
	}
	if data == nil {
		data = []byte{}
	}
	r := requests.Get().(*request)
	defer r.recycle()
	r.content, r.hash = data, asset.Of(data)
	if err := s.queue.do(ctx, r); err != nil {
		return asset.Hash{}, err
	}
	return r.hash, nil
}

// PutSnapshot implements worldlog.Store.
func (s *Store) PutSnapshot(ctx context.Context, snap worldlog.Snapshot) error {
	if err := snap.Validate(s.Head()); err != nil {
		return err
	}
	if s.readOnly {
		return worldlog.ErrReadOnly
	}
	r := requests.Get().(*request)
	defer r.recycle()
	snap.Pieces = append([]worldlog.SnapshotPiece{}, snap.Pieces...)
	r.snapshot = &snap
	return s.queue.do(ctx, r)
}

// recycle gives r back for the next caller.
func (r *request) recycle() {
	*r = request{done: r.done}
	requests.Put(r)
}

// run is the writer: it commits what has gathered while the last commit ran, until the queue is closed and empty.
func (s *Store) run() {
	defer close(s.done)
	var taken []*request
	for {
		taken = s.queue.take(taken)
		if len(taken) == 0 {
			return
		}
		for rest := taken; len(rest) > 0; {
			rest = rest[s.commit(rest):]
		}
	}
}

// commit writes as many of the requests as make a group in one transaction, tells their callers and returns how
// many those were.
func (s *Store) commit(rs []*request) int {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	n, err := s.transact(rs)
	for _, r := range rs[:n] {
		if err != nil {
			r.err = err
		}
		r.done <- struct{}{}
	}
	if s.db.walPages*pageSize >= s.checkpointEvery && s.failed == nil { // after the callers have their answers
		s.db.walPages = 0
		s.fail(s.db.checkpoint(sqlite3.CHECKPOINT_PASSIVE))
	}
	return n
}

// fail records an error after which what the file holds is uncertain: a sync that failed may have dropped what it
// should have written, and says nothing of it the second time. A full disk is not one of these.
func (s *Store) fail(err error) {
	if err != nil && s.failed == nil && !isFull(err) {
		s.failed = fmt.Errorf("%w: %w", worldlog.ErrFailed, err)
	}
}

// isFull reports whether err is a write that found no room. A sync that finds none has failed like any other.
func isFull(err error) bool {
	return errors.Is(err, sqlite3.FULL) || errors.Is(err, sqlite3.IOERR_WRITE) && errors.Is(err, syscall.ENOSPC)
}

// transact makes a group of requests durable: first the file, then the head. It returns how many requests the
// group has. Its error is for all of them; what is wrong with one alone is in that request.
func (s *Store) transact(rs []*request) (int, error) {
	if s.failed != nil {
		return len(rs), s.failed
	}
	s.batch.Reset()
	g := group{Store: s}
	err := write(s.db.begin)
	if err == nil {
		err = g.stage(rs)
	}
	if err == nil {
		err = g.insert()
	}
	if err == nil {
		err = write(s.db.commit)
	}
	if err != nil {
		s.fail(err)
		s.rollBack()
		return max(g.n, 1), firstError(s.failed, err)
	}
	if s.batch.Len() > 0 {
		if err := s.head.Write(files.Head{World: s.meta.World, Seq: s.batch.Head(), Link: s.batch.Link()}); err != nil {
			s.failed = fmt.Errorf("%w: %w", worldlog.ErrFailed, err)
			return g.n, s.failed
		}
		s.indexMu.Lock()
		s.batch.Commit()
		s.indexMu.Unlock()
	}
	if g.snapshot != nil {
		s.kept.replace(*g.snapshot)
	}
	return g.n, nil
}

func (s *Store) rollBack() {
	if !s.db.conn.GetAutocommit() {
		s.fail(write(s.db.rollback))
	}
}

// A group is the requests of one transaction.
type group struct {
	*Store
	n        int // requests
	size     int // bytes of contents and snapshots
	snapshot *worldlog.Snapshot
}

// stage takes requests into the group until it is large or holds a snapshot, of which it takes one. Entries go to
// the batch, the rest to the file. Its errors are the file's.
func (g *group) stage(rs []*request) error {
	for _, r := range rs {
		if g.size+g.batch.Size() >= maxGroup || g.snapshot != nil {
			return nil
		}
		g.n++
		var err error
		switch {
		case r.content != nil:
			err = g.stageContent(r)
		case r.snapshot != nil:
			err = g.stageSnapshot(r)
		default:
			err = g.stageEntries(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *group) stageEntries(r *request) error {
	var bad error
	has := func(h asset.Hash) bool {
		found, err := g.db.has(h)
		bad = firstError(bad, err)
		return found
	}
	r.out, r.err = g.batch.Append(r.out, r.entries, g.now(), has)
	return bad
}

// stageContent stores the content unless it is there, whole.
func (g *group) stageContent(r *request) error {
	same := false
	_, err := g.db.get(g.db.content, r.hash, func(data []byte) { same = bytes.Equal(data, r.content) })
	if err != nil || same {
		return err
	}
	g.size += len(r.content)
	return g.db.put(r.hash, r.content)
}

// stageSnapshot stores the snapshot unless a newer one is there, and drops what only its predecessor named.
func (g *group) stageSnapshot(r *request) error {
	snap := r.snapshot
	for _, p := range snap.Pieces {
		if g.kept.names[p.Content] > 0 {
			continue // most pieces are those of the last snapshot
		}
		found, err := g.db.has(p.Content)
		if err != nil {
			return err
		}
		if !found {
			r.err = fmt.Errorf("%w: content %v of %v", worldlog.ErrNotFound, p.Content, p.Brick)
			return nil
		}
	}
	if old := g.kept.snapshots[snap.Level]; old != nil && old.Seq > snap.Seq {
		return nil
	}
	data := snap.AppendBinary(nil)
	if err := g.db.putRow(g.db.putSnapshot, int64(snap.Level), data); err != nil {
		return err
	}
	for _, h := range g.kept.freed(snap) {
		if g.index.Names(h) || g.batch.Names(h) {
			continue
		}
		if err := g.db.drop(h); err != nil {
			return err
		}
	}
	g.size += len(data)
	g.snapshot = snap
	return nil
}

// insert adds the batch's records to the file.
func (g *group) insert() error {
	for i := range g.batch.Len() {
		if err := g.db.putRow(g.db.addEntry, int64(g.batch.First())+int64(i), g.batch.Record(i)); err != nil {
			return err
		}
	}
	return nil
}
