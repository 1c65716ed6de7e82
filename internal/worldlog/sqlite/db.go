package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/vfs" // the driver's own file system

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
)

const (
	applicationID = 0x5452524e // "TRRN"
	// formatVersion is SQLite's user_version of a world file.
	formatVersion = 1
	pageSize      = 4096
)

// schema is all a world file holds: what is found otherwise is damage or somebody else's doing.
var schema = [...]struct{ name, sql string }{
	{"meta", `CREATE TABLE meta(id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT`},
	{"entry", `CREATE TABLE entry(seq INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT`},
	{"content", `CREATE TABLE content(hash BLOB PRIMARY KEY, data BLOB NOT NULL) STRICT`},
	{"snapshot", `CREATE TABLE snapshot(level INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT`},
}

// db is a world file as SQLite has it open, with its statements. One goroutine at a time uses it.
type db struct {
	conn     *sqlite3.Conn
	walPages int // in the write-ahead log as of the last commit

	begin, commit, rollback  *sqlite3.Stmt
	addEntry, entry, entries *sqlite3.Stmt
	content, hasContent      *sqlite3.Stmt
	putContent, dropContent  *sqlite3.Stmt
	contents                 *sqlite3.Stmt
	putSnapshot, snapshots   *sqlite3.Stmt
	scan, meta, putMeta      *sqlite3.Stmt
}

// openConn opens a database file without looking at it yet. vfs is empty for the operating system's files.
func openConn(path, vfs string, flags sqlite3.OpenFlag) (*sqlite3.Conn, error) {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), OmitHost: true}
	if vfs != "" {
		u.RawQuery = "vfs=" + url.QueryEscape(vfs)
	}
	conn, err := sqlite3.OpenFlags(u.String(), flags|sqlite3.OPEN_URI)
	if err != nil {
		return nil, sqlError(err)
	}
	// A damaged length must not make SQLite allocate what no world holds.
	conn.Limit(sqlite3.LIMIT_LENGTH, worldlog.MaxContent+worldlog.MaxRecord)
	return conn, nil
}

// execAll runs statements one after the other.
func execAll(conn *sqlite3.Conn, statements ...string) error {
	for _, s := range statements {
		if err := conn.Exec(s); err != nil {
			return fmt.Errorf("%s: %w", strings.SplitN(s, "(", 2)[0], sqlError(err))
		}
	}
	return nil
}

// openDB opens a world file for this process alone and checks that it is one, to its schema.
func openDB(path, vfs string) (*db, error) {
	conn, err := openConn(path, vfs, sqlite3.OPEN_READWRITE)
	if err != nil {
		return nil, err
	}
	d := &db{conn: conn}
	err = d.setUp()
	if err == nil {
		err = d.checkFile()
	}
	if err == nil {
		err = d.prepare()
	}
	if err != nil {
		d.closeConn()
		return nil, err
	}
	return d, nil
}

// setUp configures the connection and takes the file for it.
func (d *db) setUp() error {
	for op, on := range map[sqlite3.DBConfig]bool{
		sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE: true, // db.close does it, and hears of what fails
		sqlite3.DBCONFIG_DEFENSIVE:        true,
		sqlite3.DBCONFIG_TRUSTED_SCHEMA:   false,
	} {
		if _, err := d.conn.Config(op, on); err != nil {
			return sqlError(err)
		}
	}
	// SQLite would ignore what fails in a checkpoint of its own accord: Store.commit does them. The hook takes the
	// place of SQLite's own, which does.
	d.conn.WALHook(func(_ *sqlite3.Conn, _ string, pages int) error {
		d.walPages = pages
		return nil
	})
	return execAll(d.conn,
		`PRAGMA locking_mode = EXCLUSIVE`, // before the first access: then there is no shared memory either
		`PRAGMA synchronous = FULL`,
		`PRAGMA cell_size_check = ON`,
		`PRAGMA cache_size = -16384`,
		`PRAGMA temp_store = MEMORY`,
		`PRAGMA journal_size_limit = 67108864`,
		`BEGIN IMMEDIATE`, `COMMIT`, // takes the lock
	)
}

// checkFile checks what the file says of itself, with what is in its write-ahead log.
func (d *db) checkFile() error {
	id, err := d.pragma(`PRAGMA application_id`)
	if err != nil {
		return err
	}
	version, err := d.pragma(`PRAGMA user_version`)
	if err != nil {
		return err
	}
	if err := checkIDs(uint32(id), uint32(version)); err != nil {
		return err
	}
	return d.checkSchema()
}

// checkIDs says whether a database with these numbers is a world that this program reads.
func checkIDs(id, version uint32) error {
	switch {
	case id != applicationID:
		return fmt.Errorf("%w: it is an SQLite database of another program (application id %#x, a world has %#x)",
			worldlog.ErrNotWorld, id, applicationID)
	case version > formatVersion:
		return fmt.Errorf("%w: world format %d; this program reads up to %d", worldlog.ErrVersion, version, formatVersion)
	case version != formatVersion:
		return fmt.Errorf("%w: world format %d, which never was; this program reads %d", worldlog.ErrCorrupt, version, formatVersion)
	}
	return nil
}

func (d *db) pragma(sql string) (int64, error) {
	s, _, err := d.conn.Prepare(sql)
	if err != nil {
		return 0, sqlError(err)
	}
	defer s.Close()
	if !s.Step() {
		return 0, sqlError(s.Err())
	}
	return s.ColumnInt64(0), nil
}

func (d *db) checkSchema() error {
	s, _, err := d.conn.Prepare(`SELECT name, sql FROM sqlite_schema WHERE type <> 'index' OR sql IS NOT NULL ORDER BY rowid`)
	if err != nil {
		return sqlError(err)
	}
	defer s.Close()
	n := 0
	for ; s.Step(); n++ {
		if n == len(schema) || s.ColumnText(0) != schema[n].name || s.ColumnText(1) != schema[n].sql {
			return fmt.Errorf("%w: the schema holds %q: %q", worldlog.ErrCorrupt, s.ColumnText(0), s.ColumnText(1))
		}
	}
	if err := s.Err(); err != nil {
		return sqlError(err)
	}
	if n != len(schema) {
		return fmt.Errorf("%w: the schema lacks table %s", worldlog.ErrCorrupt, schema[n].name)
	}
	return nil
}

func (d *db) prepare() error {
	for _, p := range []struct {
		stmt **sqlite3.Stmt
		sql  string
	}{
		{&d.begin, `BEGIN IMMEDIATE`},
		{&d.commit, `COMMIT`},
		{&d.rollback, `ROLLBACK`},
		{&d.addEntry, `INSERT INTO entry(seq, record) VALUES(?, ?)`},
		{&d.entry, `SELECT record FROM entry WHERE seq = ?`},
		{&d.entries, `SELECT seq, record FROM entry WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`},
		{&d.content, `SELECT data FROM content WHERE hash = ?`},
		{&d.hasContent, `SELECT 1 FROM content WHERE hash = ?`},
		{&d.putContent, `INSERT OR REPLACE INTO content(hash, data) VALUES(?, ?)`},
		{&d.dropContent, `DELETE FROM content WHERE hash = ?`},
		{&d.contents, `SELECT hash FROM content`},
		{&d.putSnapshot, `INSERT OR REPLACE INTO snapshot(level, data) VALUES(?, ?)`},
		{&d.snapshots, `SELECT data FROM snapshot ORDER BY level`},
		{&d.scan, `SELECT seq, record FROM entry ORDER BY seq`},
		{&d.meta, `SELECT data FROM meta WHERE id = 1`},
		{&d.putMeta, `INSERT INTO meta(id, data) VALUES(?, ?)`},
	} {
		s, _, err := d.conn.PrepareFlags(p.sql, sqlite3.PREPARE_PERSISTENT)
		if err != nil {
			return fmt.Errorf("%s: %w", p.sql, sqlError(err))
		}
		*p.stmt = s
	}
	return nil
}

// write runs a statement that answers nothing.
func write(s *sqlite3.Stmt) error {
	if err := s.Exec(); err != nil {
		return sqlError(err)
	}
	return nil
}

// one steps a statement whose parameters are bound, hands its value, if it has one, to f and resets it. The bytes
// are SQLite's: f must not keep them.
func one(s *sqlite3.Stmt, f func([]byte)) (found bool, err error) {
	if s.Step() {
		found = true
		f(s.ColumnRawBlob(0))
	}
	if err := s.Reset(); err != nil {
		return false, sqlError(err)
	}
	return found, nil
}

// get looks a hash up.
func (d *db) get(s *sqlite3.Stmt, h asset.Hash, f func([]byte)) (found bool, err error) {
	if err := s.BindBlob(1, h[:]); err != nil {
		return false, sqlError(err)
	}
	return one(s, f)
}

// getRow looks a number up.
func (d *db) getRow(s *sqlite3.Stmt, row int64, f func([]byte)) (found bool, err error) {
	if err := s.BindInt64(1, row); err != nil {
		return false, sqlError(err)
	}
	return one(s, f)
}

// has reports whether the file holds a content.
func (d *db) has(h asset.Hash) (bool, error) {
	return d.get(d.hasContent, h, func([]byte) {})
}

// put stores a content under its hash.
func (d *db) put(h asset.Hash, data []byte) error {
	err := firstError(d.putContent.BindBlob(1, h[:]), d.putContent.BindBlob(2, data))
	if err != nil {
		return sqlError(err)
	}
	return write(d.putContent)
}

// drop removes a content.
func (d *db) drop(h asset.Hash) error {
	if err := d.dropContent.BindBlob(1, h[:]); err != nil {
		return sqlError(err)
	}
	return write(d.dropContent)
}

// putRow stores data under a number.
func (d *db) putRow(s *sqlite3.Stmt, row int64, data []byte) error {
	if err := firstError(s.BindInt64(1, row), s.BindBlob(2, data)); err != nil {
		return sqlError(err)
	}
	return write(s)
}

// close closes the file. clean says that nothing has failed: then the write-ahead log is checkpointed and removed.
func (d *db) close(clean bool) error {
	var err error
	if clean {
		err = d.checkpoint(sqlite3.CHECKPOINT_TRUNCATE)
		if err == nil { // SQLite removes the empty write-ahead log
			_, err = d.conn.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, false)
		}
	}
	return errors.Join(err, d.closeConn())
}

func (d *db) closeConn() error {
	for _, s := range slices.Collect(d.conn.Stmts()) {
		s.Close() // its error repeats what its last step answered
	}
	if err := d.conn.Close(); err != nil {
		return sqlError(err)
	}
	return nil
}

// checkpoint writes the pages of the write-ahead log into the world's file.
func (d *db) checkpoint(mode sqlite3.CheckpointMode) error {
	if _, _, err := d.conn.WALCheckpoint("main", mode); err != nil {
		return fmt.Errorf("checkpoint: %w", sqlError(err))
	}
	return nil
}

// sqlError says in this package's errors what SQLite means.
func sqlError(err error) error {
	var code sqlite3.ErrorCode
	if err == nil || !errors.As(err, &code) {
		return err
	}
	switch {
	case errors.Is(err, sqlite3.IOERR_DATA), errors.Is(err, sqlite3.IOERR_CORRUPTFS), errors.Is(err, sqlite3.IOERR_SHORT_READ):
		return fmt.Errorf("%w: %w", worldlog.ErrCorrupt, err)
	}
	switch code {
	case sqlite3.BUSY, sqlite3.LOCKED:
		return fmt.Errorf("%w: %w", worldlog.ErrInUse, err)
	case sqlite3.CORRUPT, sqlite3.NOTADB, sqlite3.SCHEMA, sqlite3.MISMATCH, sqlite3.TOOBIG, sqlite3.ERROR:
		return fmt.Errorf("%w: %w", worldlog.ErrCorrupt, err)
	case sqlite3.READONLY:
		return fmt.Errorf("worldlog: %w: %w", fs.ErrPermission, err)
	case sqlite3.FULL:
		return fmt.Errorf("worldlog: the disk is full: %w", err)
	}
	return fmt.Errorf("worldlog: %w", err)
}
