package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ncruces/go-sqlite3"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// Create makes a new world at path, where nothing may be, and opens it. The contents must hold the meta's document
// and assets. A world appears whole or not at all: until it is, it has another name.
func Create(path string, m worldlog.Meta, contents ...[]byte) (*Store, error) {
	return osSystem.create(path, m, contents)
}

func (y system) create(path string, m worldlog.Meta, contents [][]byte) (*Store, error) {
	err := m.Validate()
	if err == nil {
		err = m.CheckContents(contents)
	}
	if err == nil {
		err = y.makeFiles(path, m, contents)
	}
	if err != nil {
		return nil, fmt.Errorf("create world %s: %w", path, err)
	}
	return y.open(path, Options{})
}

// makeFiles makes the head file, then the world's file under another name, and gives it its own. The lock on the
// head file keeps out whoever would make the same world.
func (y system) makeFiles(path string, m worldlog.Meta, contents [][]byte) (err error) {
	if err := y.checkFree(path); err != nil {
		return err
	}
	f, err := y.files.Open(headPath(path), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("its folder must be there and writable: %w", err)
	}
	defer func() { err = firstError(err, f.Close()) }()
	if err := f.Lock(true); err != nil {
		return err
	}
	if err := y.checkFree(path); err != nil { // again: it may have been made meanwhile
		return err
	}
	h := &files.HeadFile{File: f}
	if acked, err := h.Read(); err == nil && acked.Seq > 0 {
		return fmt.Errorf("%w: %s says that a world with %d entries was here; move it away to make another",
			worldlog.ErrLost, headPath(path), acked.Seq)
	}
	if err := h.Fill(files.Head{World: m.World, Seq: 0, Link: m.Link()}); err != nil {
		return err
	}
	temporary := path + "-new"
	defer y.files.Remove(temporary)
	if err := y.makeDatabase(temporary, func(d *db) error { return d.fill(m, contents) }); err != nil {
		return err
	}
	if err := y.files.Rename(temporary, path); err != nil {
		return err
	}
	return y.files.SyncDir(path)
}

// checkFree says whether a world may be made at path. SQLite would take a log that lies there for the new world's.
func (y system) checkFree(path string) error {
	for _, name := range []string{path, path + "-wal", path + "-journal"} {
		if _, err := y.files.Size(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there: %w", name, firstError(err, fs.ErrExist))
		}
	}
	return nil
}

// makeDatabase makes a world's file, durable. fill writes its rows; nobody else sees the file yet, so that needs
// neither a journal nor syncs.
func (y system) makeDatabase(path string, fill func(*db) error) error {
	if err := y.files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // left by a creation that did not get to its end
	}
	conn, err := openConn(path, y.vfs, sqlite3.OPEN_READWRITE|sqlite3.OPEN_CREATE)
	if err != nil {
		return err
	}
	d := &db{conn: conn}
	err = d.makeTables()
	if err == nil {
		err = fill(d)
	}
	if err == nil {
		err = execAll(d.conn, `COMMIT`, `PRAGMA journal_mode = WAL`)
	}
	if err = firstError(err, d.closeConn()); err != nil {
		return err
	}
	f, err := y.files.Open(path, os.O_RDWR)
	if err != nil {
		return err
	}
	return firstError(f.Sync(), f.Close())
}

// makeTables begins the transaction that makes a world.
func (d *db) makeTables() error {
	err := execAll(d.conn,
		fmt.Sprintf(`PRAGMA page_size = %d`, pageSize),
		`PRAGMA locking_mode = EXCLUSIVE`,
		`PRAGMA journal_mode = MEMORY`,
		`PRAGMA synchronous = OFF`,
		`BEGIN IMMEDIATE`,
		fmt.Sprintf(`PRAGMA application_id = %d`, applicationID),
		fmt.Sprintf(`PRAGMA user_version = %d`, formatVersion),
	)
	for i := 0; err == nil && i < len(schema); i++ {
		err = execAll(d.conn, schema[i].sql)
	}
	if err != nil {
		return err
	}
	return d.prepare()
}

// fill writes a new world's meta and contents.
func (d *db) fill(m worldlog.Meta, contents [][]byte) error {
	if err := d.putRow(d.putMeta, 1, m.AppendBinary(nil)); err != nil {
		return err
	}
	for _, c := range contents {
		if err := d.put(asset.Of(c), append([]byte{}, c...)); err != nil { // SQLite has nil for NULL
			return err
		}
	}
	return nil
}
