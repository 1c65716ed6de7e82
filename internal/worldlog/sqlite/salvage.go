package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ncruces/go-sqlite3"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// A Salvage reads what is left of a damaged world and changes none of its files. It implements worldlog.Store: Read
// passes over the entries that Damages names, and what writes answers ErrReadOnly.
type Salvage struct {
	path    string
	meta    worldlog.Meta
	hasMeta bool
	acked   files.Head
	hasHead bool
	damages []Damage
	found   map[worldlog.Seq]place
	seqs    []worldlog.Seq // of found, ascending
	marks   map[uint64]uint64

	mu     sync.Mutex   // guards the rest
	files  []files.File // the world's file, its write-ahead log and its head file, nil where there is none
	db     *db          // nil if SQLite does not open the file
	dbErr  error
	closed bool
}

var _ worldlog.Store = (*Salvage)(nil)

// OpenSalvage opens what is left of the world at path. Entries are found by their own checksums, wherever they lie in
// the files, and by SQLite as far as it reads them; the chain and the head file tell which belong to the log. It
// answers ErrNotWorld if nothing of a world is there, and ErrInUse.
func OpenSalvage(path string) (*Salvage, error) {
	return osSystem.openSalvage(path)
}

func (y system) openSalvage(path string) (*Salvage, error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	s := &Salvage{path: path, files: make([]files.File, 3), found: make(map[worldlog.Seq]place)}
	if err := s.gather(y); err != nil {
		s.Close()
		return nil, fmt.Errorf("salvage world %s: %w", path, err)
	}
	return s, nil
}

// The indices of Salvage.files, and where SQLite finds it.
const (
	inWorld = iota
	inWAL
	inHead
	inSQLite
)

// gather finds all there is.
func (s *Salvage) gather(y system) error {
	for i, name := range []string{s.path, s.path + "-wal", headPath(s.path)} {
		f, err := y.files.Open(name, os.O_RDONLY)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			s.files[i] = f
		}
	}
	if s.files[inWorld] == nil && s.files[inWAL] == nil {
		return &fs.PathError{Op: "open", Path: s.path, Err: fs.ErrNotExist}
	}
	if err := s.readHead(); err != nil {
		return err
	}
	c := carving{records: make(map[worldlog.Seq][]place)}
	for i, f := range s.files[:inHead] {
		if f != nil {
			if err := c.carve(f, uint8(i)); err != nil {
				return err
			}
		}
	}
	s.openDB(y)
	s.chooseMeta(c.metas)
	if !s.hasMeta && len(c.records) == 0 {
		return firstError(y.notWorld(s), worldlog.ErrNotWorld)
	}
	s.askSQLite(&c)
	s.choose(&c)
	return s.index()
}

// notWorld says what a file is in which nothing of a world was found.
func (y system) notWorld(s *Salvage) error {
	size, err := y.files.Size(s.path)
	if err != nil {
		return err
	}
	return y.sniff(s.path, size)
}

// readHead locks the world and reads what was acknowledged, if that can be read.
func (s *Salvage) readHead() error {
	if s.files[inHead] == nil {
		return nil
	}
	if err := s.files[inHead].Lock(false); err != nil {
		return err
	}
	var err error
	s.acked, err = (&files.HeadFile{File: s.files[inHead]}).Read()
	s.hasHead = err == nil
	return nil
}

// openDB has SQLite open the file, if it does.
func (s *Salvage) openDB(y system) {
	conn, err := openConn(s.path, y.readOnlyVFS(), sqlite3.OPEN_READWRITE)
	if err != nil {
		s.dbErr = err
		return
	}
	d := &db{conn: conn}
	if err = d.setUp(); err == nil {
		err = d.prepare()
	}
	if err != nil {
		d.closeConn()
		s.dbErr = err
		return
	}
	s.db = d
}

// chooseMeta takes the meta that SQLite finds, or else one of the carved.
func (s *Salvage) chooseMeta(carved []worldlog.Meta) {
	if s.db != nil {
		m, err := s.db.readMeta()
		s.meta, s.hasMeta = m, err == nil
	}
	for _, m := range carved {
		if !s.hasMeta {
			s.meta, s.hasMeta = m, true
		}
	}
	if s.hasMeta && s.hasHead && s.meta.World != s.acked.World {
		s.hasHead = false // it is another world's
	}
}

// askSQLite looks up what was not carved: records that spread over several pages.
func (s *Salvage) askSQLite(c *carving) {
	if s.db == nil {
		return
	}
	for q := worldlog.Seq(1); q <= s.top(c); q++ {
		if len(c.records[q]) == 0 {
			_, _ = s.db.getRow(s.db.entry, int64(q), func(record []byte) {
				if e, err := worldlog.ParseRecord(record); err == nil && e.Seq == q {
					c.add(&e, place{at: inSQLite, link: worldlog.LinkOf(record)})
				}
			})
		}
	}
}

// top returns the number of the last entry that may be there.
func (s *Salvage) top(c *carving) worldlog.Seq {
	if s.hasHead {
		return s.acked.Seq
	}
	return c.last
}

// choose picks the record of every entry, from the last to the first: each names the one before it. Where the chain
// is broken, a record that is the only one of its entry is taken.
func (s *Salvage) choose(c *carving) {
	need, known := s.acked.Link, s.hasHead
	for q := s.top(c); q >= 1; q-- {
		all := c.records[q]
		if known {
			all = slices.DeleteFunc(slices.Clone(all), func(p place) bool { return p.link != need })
		} else if len(all) > 1 {
			all = slices.DeleteFunc(slices.Clone(all), func(p place) bool {
				return !slices.ContainsFunc(c.records[q-1], func(b place) bool { return b.link == p.prev })
			})
		}
		if len(all) != 1 {
			s.lose(q, len(c.records[q]) > 0)
			known = false
			continue
		}
		s.found[q] = all[0]
		need, known = all[0].prev, true
	}
	slices.Reverse(s.damages)
	if known && s.hasMeta && need != s.meta.Link() {
		s.damages = append([]Damage{{1, 1, fmt.Errorf("%w: the log does not start at this world's meta", worldlog.ErrCorrupt)}}, s.damages...)
	}
}

// lose records that the entry q is not to be had. The calls descend.
func (s *Salvage) lose(q worldlog.Seq, traces bool) {
	err := fmt.Errorf("%w", worldlog.ErrLost)
	if traces {
		err = fmt.Errorf("%w: what is there in its place does not fit the chain", worldlog.ErrCorrupt)
	}
	if n := len(s.damages); n > 0 && s.damages[n-1].From == q+1 && s.damages[n-1].Err.Error() == err.Error() {
		s.damages[n-1].From = q
		return
	}
	s.damages = append(s.damages, Damage{q, q, err})
}

// index derives each session's mark.
func (s *Salvage) index() error {
	s.seqs = slices.Sorted(maps.Keys(s.found))
	s.marks = make(map[uint64]uint64)
	for _, q := range s.seqs {
		e, err := s.read(q)
		if err != nil {
			return err
		}
		s.marks[e.ID.Session] = max(s.marks[e.ID.Session], e.ID.Counter)
	}
	return nil
}

// read reads one entry that was found.
func (s *Salvage) read(q worldlog.Seq) (worldlog.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return worldlog.Entry{}, worldlog.ErrClosed
	}
	p := s.found[q]
	if p.at == inSQLite {
		return s.db.readOne(q)
	}
	record := make([]byte, p.size)
	if _, err := s.files[p.at].ReadAt(record, p.offset); err != nil {
		return worldlog.Entry{}, fmt.Errorf("entry %d: %w", q, err)
	}
	return parseEntry(q, record)
}

// Path returns the name of the world's file, symbolic links resolved.
func (s *Salvage) Path() string { return s.path }

// Damages returns the entries that are not to be had, ascending. There are none if only the rest is damaged.
func (s *Salvage) Damages() []Damage { return slices.Clone(s.damages) }

// Meta implements worldlog.Store. It is the zero Meta if that is lost.
func (s *Salvage) Meta() worldlog.Meta { return s.meta }

// Head implements worldlog.Store: the last entry that was found.
func (s *Salvage) Head() worldlog.Seq {
	if len(s.seqs) == 0 {
		return 0
	}
	return s.seqs[len(s.seqs)-1]
}

// Read implements worldlog.Store.
func (s *Salvage) Read(ctx context.Context, after worldlog.Seq) iter.Seq2[worldlog.Entry, error] {
	return s.yield(ctx, s.seqs, after)
}

func (s *Salvage) yield(ctx context.Context, seqs []worldlog.Seq, after worldlog.Seq) iter.Seq2[worldlog.Entry, error] {
	return func(yield func(worldlog.Entry, error) bool) {
		for _, q := range seqs {
			if q <= after {
				continue
			}
			err := ctx.Err()
			var e worldlog.Entry
			if err == nil {
				e, err = s.read(q)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// HighWater implements worldlog.Store, as far as the session's entries were found.
func (s *Salvage) HighWater(_ context.Context, session uint64) (uint64, error) {
	return s.marks[session], nil
}

// Content implements worldlog.Store.
func (s *Salvage) Content(ctx context.Context, h asset.Hash) ([]byte, error) {
	var data []byte
	err := s.withDB(ctx, func(d *db) (err error) {
		data, err = d.readContent(h)
		return err
	})
	return data, err
}

// LatestSnapshot implements worldlog.Store.
func (s *Salvage) LatestSnapshot(ctx context.Context, level uint8) (worldlog.Snapshot, error) {
	var snap worldlog.Snapshot
	err := s.withDB(ctx, func(d *db) error {
		err := eachRow(d.snapshots, func(data []byte) error {
			if one, err := worldlog.ParseSnapshot(data); err == nil && one.Level == level {
				snap = one
			}
			return nil
		})
		if err == nil && snap.Pieces == nil {
			err = fmt.Errorf("%w: no snapshot of level %d", worldlog.ErrNotFound, level)
		}
		return err
	})
	for i := 0; err == nil && i < len(snap.Pieces); i++ {
		_, err = s.Content(ctx, snap.Pieces[i].Content)
	}
	return snap, err
}

func (s *Salvage) withDB(ctx context.Context, f func(*db) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("worldlog: %w", ctx.Err())
	case s.closed:
		return worldlog.ErrClosed
	case s.db == nil:
		return fmt.Errorf("%w: SQLite does not open the file: %w", worldlog.ErrCorrupt, s.dbErr)
	}
	return f(s.db)
}

// Append implements worldlog.Store.
func (s *Salvage) Append(context.Context, []worldlog.Entry) ([]worldlog.Appended, error) {
	return nil, worldlog.ErrReadOnly
}

// PutContent implements worldlog.Store.
func (s *Salvage) PutContent(context.Context, []byte) (asset.Hash, error) {
	return asset.Hash{}, worldlog.ErrReadOnly
}

// PutSnapshot implements worldlog.Store.
func (s *Salvage) PutSnapshot(context.Context, worldlog.Snapshot) error { return worldlog.ErrReadOnly }

// Close implements worldlog.Store.
func (s *Salvage) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var err error
	if s.db != nil {
		err = s.db.close(false)
	}
	for _, f := range s.files {
		if f != nil {
			err = firstError(err, f.Close())
		}
	}
	return err
}
