package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"

	"github.com/terrane/terrane/internal/worldlog"
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
	if dir := filepath.Dir(path); dir != "." {
		if info, err := os.Stat(dir); y.vfs == "" && err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a folder", dir)
		}
	}
	f, err := y.files.open(headPath(path), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("its folder must be there and writable: %w", err)
	}
	defer func() { err = firstError(err, f.Close()) }()
	if err := f.Lock(true); err != nil {
		return err
	}
	if err := y.checkFree(path, &headFile{file: f}); err != nil {
		return err
	}
	h := &headFile{file: f}
	for range 2 { // both slots
		if err := h.write(head{m.World, 0, m.Link()}); err != nil {
			return err
		}
	}
	temporary := path + "-new"
	defer y.files.remove(temporary)
	if err := y.makeDatabase(temporary, m, contents); err != nil {
		return err
	}
	if err := y.files.rename(temporary, path); err != nil {
		return err
	}
	return y.files.syncDir(path)
}

// checkFree says whether a world may be made at path.
func (y system) checkFree(path string, h *headFile) error {
	if acked, err := h.read(); err == nil && acked.seq > 0 {
		return fmt.Errorf("%w: %s says that a world with %d entries was here; move it away to make another",
			worldlog.ErrLost, headPath(path), acked.seq)
	}
	for _, name := range []string{path, path + "-wal", path + "-journal"} {
		// SQLite would take the last two for the new world's own.
		if _, err := y.files.size(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there: %w", name, firstError(err, fs.ErrExist))
		}
	}
	return nil
}

// makeDatabase makes a world's file, durable.
func (y system) makeDatabase(path string, m worldlog.Meta, contents [][]byte) error {
	if err := y.files.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // left by a creation that did not get to its end
	}
	conn, err := openConn(path, y.vfs, sqlite3.OPEN_READWRITE|sqlite3.OPEN_CREATE)
	if err != nil {
		return err
	}
	d := &db{conn: conn}
	err = d.fill(m, contents)
	if err = firstError(err, d.closeConn()); err != nil {
		return err
	}
	f, err := y.files.open(path, os.O_RDWR)
	if err != nil {
		return err
	}
	return firstError(f.Sync(), f.Close())
}

// fill writes a new world's tables. The file is nobody's yet, so it needs neither a journal nor syncs.
func (d *db) fill(m worldlog.Meta, contents [][]byte) error {
	err := exec(d.conn,
		fmt.Sprintf(`PRAGMA page_size = %d`, pageSize),
		`PRAGMA locking_mode = EXCLUSIVE`,
		`PRAGMA journal_mode = MEMORY`,
		`PRAGMA synchronous = OFF`,
		`BEGIN IMMEDIATE`,
		fmt.Sprintf(`PRAGMA application_id = %d`, applicationID),
		fmt.Sprintf(`PRAGMA user_version = %d`, formatVersion),
	)
	for i := 0; err == nil && i < len(schema); i++ {
		err = exec(d.conn, schema[i].sql)
	}
	if err != nil {
		return err
	}
	if err := d.prepare(); err != nil {
		return err
	}
	s, _, err := d.conn.Prepare(`INSERT INTO meta(id, data) VALUES(?, ?)`)
	if err != nil {
		return sqlError(err)
	}
	if err := d.putRow(s, 1, m.AppendBinary(nil)); err != nil {
		return err
	}
	for _, c := range contents {
		if err := d.put(worldlog.HashOf(c), append([]byte{}, c...)); err != nil {
			return err
		}
	}
	return exec(d.conn, `COMMIT`, `PRAGMA journal_mode = WAL`)
}
