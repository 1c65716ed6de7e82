package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// A salvage is the readable rest of a damaged world, for Repair: its meta and contents as far as SQLite reads them, and the
// entries that were found. It changes none of the world's files. One goroutine uses it.
type salvage struct {
	path    string // symbolic links resolved
	meta    worldlog.Meta
	hasMeta bool
	acked   files.Head
	hasHead bool
	damages []Damage // entries that are lost, ascending; none if only the rest is damaged
	found   map[worldlog.Seq]place

	files []files.File // the world's file, its write-ahead log and its head file, nil where there is none
	db    *db          // nil if SQLite does not open the file
	dbErr error
}

// openSalvage opens what is left of the world at path. Entries are found by their own checksums, wherever they lie in
// the files, and by SQLite as far as it reads them; the chain and the head file tell which belong to the log. It
// returns ErrNotWorld if nothing of a world is there, and ErrInUse.
func (y system) openSalvage(path string) (*salvage, error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	s := &salvage{path: path, files: make([]files.File, 3), found: make(map[worldlog.Seq]place)}
	if err := s.gather(y); err != nil {
		s.close()
		return nil, fmt.Errorf("salvage world %s: %w", path, err)
	}
	return s, nil
}

// The indices of salvage.files, and where SQLite finds it.
const (
	inWorld = iota
	inWAL
	inHead
	inSQLite
)

// gather finds all there is.
func (s *salvage) gather(y system) error {
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
	return nil
}

// notWorld says what a file is in which nothing of a world was found.
func (y system) notWorld(s *salvage) error {
	size, err := y.files.Size(s.path)
	if err != nil {
		return err
	}
	return y.sniff(s.path, size)
}

// readHead locks the world and reads what was acknowledged, if that can be read.
func (s *salvage) readHead() error {
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
func (s *salvage) openDB(y system) {
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
func (s *salvage) chooseMeta(carved []worldlog.Meta) {
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
func (s *salvage) askSQLite(c *carving) {
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
func (s *salvage) top(c *carving) worldlog.Seq {
	if s.hasHead {
		return s.acked.Seq
	}
	return c.last
}

// choose picks the record of every entry, from the last to the first: each names the one before it. Where the chain
// is broken, a record that is the only one of its entry is taken.
func (s *salvage) choose(c *carving) {
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

// lose records that the entry q is lost. The calls descend.
func (s *salvage) lose(q worldlog.Seq, traces bool) {
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

// read reads one entry that was found.
func (s *salvage) read(q worldlog.Seq) (worldlog.Entry, error) {
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

// entries returns what was found, ascending, up to the first error.
func (s *salvage) entries() iter.Seq2[worldlog.Entry, error] {
	return func(yield func(worldlog.Entry, error) bool) {
		for _, q := range slices.Sorted(maps.Keys(s.found)) {
			e, err := s.read(q)
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// content returns a content, checked against its hash.
func (s *salvage) content(h asset.Hash) ([]byte, error) {
	if s.db == nil {
		return nil, fmt.Errorf("%w: SQLite does not open the file: %w", worldlog.ErrCorrupt, s.dbErr)
	}
	return s.db.readContent(h)
}

func (s *salvage) close() error {
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
