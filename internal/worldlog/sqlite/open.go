package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// Options say how to open a world. The zero value opens it for reading and writing.
type Options struct {
	// ReadOnly opens the world without changing any file, also in a folder that cannot be written; what writes
	// answers ErrReadOnly. A world that was not closed is read with its write-ahead log.
	ReadOnly bool
}

// system is the platform of a store: files, clock and checkpoint policy.
type system struct {
	files files.System
	vfs   string // the name of SQLite's file system, empty for the operating system's
	now   func() time.Time

	checkpointEvery int // bytes of the write-ahead log after which it is checkpointed
}

// At 8 MiB a checkpoint's syncs are rare beside those of commits, and a crash leaves a tenth of a second's work to
// the next opening. Smaller means more syncs of the main file.
var osSystem = system{files: files.OS{}, now: time.Now, checkpointEvery: 8 << 20}

// readOnlyVFS returns the name of a file system that never changes a file.
func (y system) readOnlyVFS() string {
	if y.vfs != "" {
		return y.vfs + "-read-only"
	}
	registerReadOnly()
	return "terrane-read-only"
}

var registerReadOnly = sync.OnceFunc(func() {
	vfs.Register("terrane-read-only", files.VFS{System: files.OS{}, ReadOnly: true})
})

// headPath returns the name of the head file of the world at path.
func headPath(path string) string { return path + "-head" }

// Open opens the world at path and checks all of its log: every entry's checksum, the chain over them and the end
// of the chain against what has been acknowledged. Its errors, besides those of the operating system:
// fs.ErrNotExist when nothing is there, ErrInUse, ErrNotWorld with what it is instead, ErrVersion with both
// versions, and ErrCorrupt and ErrLost, most often in a *DamageError that names the entries. It never makes or
// mends a world.
func Open(path string, o Options) (*Store, error) {
	return osSystem.open(path, o)
}

func (y system) open(path string, o Options) (_ *Store, err error) {
	defer func() {
		if errors.Is(err, fs.ErrPermission) && !o.ReadOnly {
			err = fmt.Errorf("the file, its head file and its folder must be writable, unless it is opened for reading only: %w", err)
		}
		var damage *DamageError
		if err != nil && !errors.As(err, &damage) {
			err = fmt.Errorf("open world %s: %w", path, err)
		}
	}()
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	s := &Store{path: path, readOnly: o.ReadOnly, now: y.now, checkpointEvery: y.checkpointEvery, done: make(chan struct{})}
	s.queue.wake = make(chan struct{}, 1)
	acked, err := s.openHead(y)
	if err != nil {
		return nil, err
	}
	if err := s.openFile(y, acked); err != nil {
		if s.db != nil {
			s.db.close(false)
		}
		s.head.Close()
		return nil, err
	}
	s.batch = s.index.NewBatch()
	if o.ReadOnly {
		close(s.done)
	} else {
		go s.run()
	}
	return s, nil
}

// openHead looks at both files from outside, takes the world for this process and reads what was acknowledged.
func (s *Store) openHead(y system) (files.Head, error) {
	size, err := y.files.Size(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return files.Head{}, err
	}
	missing := err
	var notWorld error
	if missing == nil {
		notWorld = firstError(y.sniff(s.path, size), y.strayJournal(s.path))
	}
	flag := os.O_RDWR
	if s.readOnly {
		flag = os.O_RDONLY
	}
	f, err := y.files.Open(headPath(s.path), flag)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return files.Head{}, firstError(missing, notWorld, fmt.Errorf(
			"%w, or may be: its head file %s, which tells, is not beside it", worldlog.ErrLost, headPath(s.path)))
	case err != nil:
		return files.Head{}, firstError(notWorld, err)
	}
	s.head = &files.HeadFile{File: f}
	acked, err := s.readHead()
	if err == nil {
		err = explain(missing, notWorld, acked)
	} else if missing != nil && errors.Is(err, worldlog.ErrCorrupt) {
		err = missing // a creation that did not get far
	}
	if err != nil {
		f.Close()
		return files.Head{}, err
	}
	return acked, nil
}

// strayJournal looks for a rollback journal, which SQLite would play back into the world whatever it is of.
func (y system) strayJournal(path string) error {
	if _, err := y.files.Size(path + "-journal"); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%w: a rollback journal, %s-journal, is beside it, and a world has none: move it away",
		worldlog.ErrCorrupt, path)
}

// readHead takes the world for this process and reads its head file.
func (s *Store) readHead() (files.Head, error) {
	if err := s.head.Lock(!s.readOnly); err != nil {
		return files.Head{}, err
	}
	return s.head.Read()
}

// explain says why a world whose head file is there cannot be, if so.
func explain(missing, notWorld error, acked files.Head) error {
	switch {
	case missing != nil && acked.Seq == 0:
		return missing // a creation that did not get to its end
	case missing != nil:
		return fmt.Errorf("%w: the file is gone, but its head file says that it held %d entries",
			worldlog.ErrLost, acked.Seq)
	case errors.Is(notWorld, worldlog.ErrNotWorld):
		return fmt.Errorf("%w: its head file says that it was a world with %d entries, but %w",
			worldlog.ErrCorrupt, acked.Seq, notWorld)
	}
	return notWorld
}

// openFile opens the world's file and checks it.
func (s *Store) openFile(y system, acked files.Head) (err error) {
	name := y.vfs
	if s.readOnly {
		name = y.readOnlyVFS()
	}
	if s.db, err = openDB(s.path, name); err != nil {
		return y.noteCut(s.path, err)
	}
	if s.meta, err = s.db.readMeta(); err != nil {
		return y.noteCut(s.path, err)
	}
	if s.meta.World != acked.World {
		return fmt.Errorf("%w: its head file is that of another world", worldlog.ErrLost)
	}
	scan := newScanner(&s.meta, acked)
	if damages := scan.end(s.db.scanInto(scan)); len(damages) > 0 {
		return y.noteCut(s.path, &DamageError{s.path, damages})
	}
	s.index = scan.index
	if s.kept, err = s.db.readKept(&s.meta); err != nil {
		return err
	}
	if s.readOnly {
		return nil
	}
	return s.settle()
}

// settle makes sure of what a crash may have left: pages that only the memory of the operating system holds, a
// head behind the log, and content that nothing names.
func (s *Store) settle() error {
	// A sync that failed before the crash leaves pages in memory that look written and are not. A checkpoint of
	// all of the write-ahead log writes them again.
	if err := s.db.checkpoint(sqlite3.CHECKPOINT_TRUNCATE); err != nil {
		return err
	}
	if err := s.head.Fill(files.Head{World: s.meta.World, Seq: s.index.Head(), Link: s.index.Link()}); err != nil {
		return err
	}
	return s.db.sweep(func(h asset.Hash) bool { return s.kept.names[h] > 0 || s.index.Names(h) })
}

// readMeta reads what the world is made from.
func (d *db) readMeta() (m worldlog.Meta, err error) {
	var bad error
	found, err := one(d.meta, func(data []byte) { m, bad = worldlog.ParseMeta(data) })
	switch {
	case err != nil:
		return m, err
	case !found:
		return m, fmt.Errorf("%w: the world's meta is missing", worldlog.ErrCorrupt)
	}
	return m, bad
}

// scanInto hands every record to s.
func (d *db) scanInto(s *scanner) error {
	for d.scan.Step() {
		s.add(worldlog.Seq(d.scan.ColumnInt64(0)), d.scan.ColumnRawBlob(1))
	}
	if err := d.scan.Reset(); err != nil {
		return sqlError(err)
	}
	return nil
}

// readKept reads what the meta and the snapshots name. The meta's contents must be there; a snapshot that is not
// whole is passed over, since the log makes up for it.
func (d *db) readKept(m *worldlog.Meta) (kept, error) {
	k := newKept(m)
	for h := range k.names {
		found, err := d.has(h)
		if err != nil {
			return k, err
		}
		if !found {
			return k, fmt.Errorf("%w: the world's document or asset %v is missing", worldlog.ErrCorrupt, h)
		}
	}
	var all []worldlog.Snapshot
	err := eachRow(d.snapshots, func(data []byte) error {
		if s, err := worldlog.ParseSnapshot(data); err == nil {
			all = append(all, s)
		}
		return nil
	})
	if err != nil {
		return k, err
	}
	for _, s := range all {
		whole := true
		for _, p := range s.Pieces {
			found, err := d.has(p.Content)
			if err != nil {
				return k, err
			}
			whole = whole && found
		}
		if whole {
			k.replace(s)
		}
	}
	return k, nil
}

// sweep drops the contents that nothing names.
func (d *db) sweep(named func(asset.Hash) bool) error {
	var free []asset.Hash
	err := eachRow(d.contents, func(b []byte) error {
		if len(b) != len(asset.Hash{}) {
			return fmt.Errorf("%w: content under a name of %d bytes", worldlog.ErrCorrupt, len(b))
		}
		if h := asset.Hash(b); !named(h) {
			free = append(free, h)
		}
		return nil
	})
	if err != nil || len(free) == 0 {
		return err
	}
	if err := write(d.begin); err != nil {
		return err
	}
	for _, h := range free {
		if err := d.drop(h); err != nil {
			return err
		}
	}
	return write(d.commit)
}
