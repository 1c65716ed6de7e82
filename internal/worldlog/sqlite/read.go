package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
)

// slice is how many entries are read while the writer waits.
const slice = 512

// Read implements worldlog.Store.
func (s *Store) Read(ctx context.Context, after worldlog.Seq) iter.Seq2[worldlog.Entry, error] {
	to := s.Head()
	return func(yield func(worldlog.Entry, error) bool) {
		at := after
		s.inSlices(ctx, yield, func(dst []worldlog.Entry) ([]worldlog.Entry, error) {
			if at >= to {
				return dst, nil
			}
			err := s.withDB(func(d *db) (err error) {
				dst, err = d.read(dst, at, to)
				return err
			})
			at += worldlog.Seq(len(dst))
			return dst, err
		})
	}
}

// inSlices yields what next returns until it returns none. next gets the last slice's memory.
func (s *Store) inSlices(ctx context.Context, yield func(worldlog.Entry, error) bool, next func([]worldlog.Entry) ([]worldlog.Entry, error)) {
	var part []worldlog.Entry
	for {
		err := s.usable(ctx)
		if err == nil {
			part, err = next(part[:0])
		}
		for _, e := range part {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(worldlog.Entry{}, err)
			return
		}
		if len(part) == 0 {
			return
		}
	}
}

// read appends up to slice entries after the given one to dst.
func (d *db) read(dst []worldlog.Entry, after, to worldlog.Seq) ([]worldlog.Entry, error) {
	st := d.entries
	err := firstError(st.BindInt64(1, int64(after)), st.BindInt64(2, int64(to)), st.BindInt64(3, slice))
	if err != nil {
		return dst, sqlError(err)
	}
	for st.Step() {
		after++
		if q := st.ColumnInt64(0); q != int64(after) {
			st.Reset()
			return dst, fmt.Errorf("%w: entry %d is missing", worldlog.ErrCorrupt, after)
		}
		e, err := parseEntry(after, st.ColumnRawBlob(1))
		if err != nil {
			st.Reset()
			return dst, err
		}
		dst = append(dst, e)
	}
	if err := st.Reset(); err != nil {
		return dst, fmt.Errorf("entry %d: %w", after+1, sqlError(err))
	}
	if len(dst) == 0 {
		return dst, fmt.Errorf("%w: entry %d is missing", worldlog.ErrCorrupt, after+1)
	}
	return dst, nil
}

// readOne reads one entry.
func (d *db) readOne(q worldlog.Seq) (e worldlog.Entry, err error) {
	var bad error
	found, err := d.getRow(d.entry, int64(q), func(record []byte) { e, bad = parseEntry(q, record) })
	switch {
	case err != nil:
		return e, fmt.Errorf("entry %d: %w", q, err)
	case !found:
		return e, fmt.Errorf("%w: entry %d is missing", worldlog.ErrCorrupt, q)
	}
	return e, bad
}

// parseEntry reads the record of the entry q.
func parseEntry(q worldlog.Seq, record []byte) (worldlog.Entry, error) {
	e, err := worldlog.ParseRecord(record)
	if err != nil {
		return e, fmt.Errorf("entry %d: %w", q, err)
	}
	if e.Seq != q {
		return worldlog.Entry{}, fmt.Errorf("%w: entry %d where %d belongs", worldlog.ErrCorrupt, e.Seq, q)
	}
	return e, nil
}

// Content implements worldlog.Store. What it returns has been checked against its hash.
func (s *Store) Content(ctx context.Context, h asset.Hash) ([]byte, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	var data []byte
	err := s.withDB(func(d *db) (err error) {
		data, err = d.readContent(h)
		return err
	})
	return data, err
}

// readContent reads a content and checks it against its hash.
func (d *db) readContent(h asset.Hash) ([]byte, error) {
	var data []byte
	found, err := d.get(d.content, h, func(b []byte) { data = append([]byte{}, b...) })
	switch {
	case err != nil:
		return nil, fmt.Errorf("content %v: %w", h, err)
	case !found:
		return nil, fmt.Errorf("%w: content %v", worldlog.ErrNotFound, h)
	case asset.Of(data) != h:
		return nil, fmt.Errorf("%w: content %v is not what its name says", worldlog.ErrCorrupt, h)
	}
	return data, nil
}

// LatestSnapshot implements worldlog.Store. The first call for a snapshot checks every piece against its hash.
func (s *Store) LatestSnapshot(ctx context.Context, level uint8) (worldlog.Snapshot, error) {
	if err := s.usable(ctx); err != nil {
		return worldlog.Snapshot{}, err
	}
	var snap *keptSnapshot
	var checked bool
	err := s.withDB(func(*db) error {
		if snap = s.kept.snapshots[level]; snap == nil {
			return fmt.Errorf("%w: no snapshot of level %d", worldlog.ErrNotFound, level)
		}
		checked = snap.checked
		return nil
	})
	if err != nil {
		return worldlog.Snapshot{}, err
	}
	for i := 0; !checked && i < len(snap.Pieces); i++ {
		_, err := s.Content(ctx, snap.Pieces[i].Content)
		if errors.Is(err, worldlog.ErrCorrupt) {
			return worldlog.Snapshot{}, fmt.Errorf("%w: no snapshot of level %d that is whole: %w", worldlog.ErrNotFound, level, err)
		}
		if err != nil {
			return worldlog.Snapshot{}, err
		}
	}
	s.dbMu.Lock()
	snap.checked = true
	s.dbMu.Unlock()
	return worldlog.Snapshot{Seq: snap.Seq, Level: snap.Level, Pieces: slices.Clone(snap.Pieces)}, nil
}

// eachRow steps a statement and hands its first value's bytes, SQLite's, to f.
func eachRow(s *sqlite3.Stmt, f func([]byte) error) error {
	var bad error
	for bad == nil && s.Step() {
		bad = f(s.ColumnRawBlob(0))
	}
	if err := s.Reset(); err != nil {
		return sqlError(err)
	}
	return bad
}
