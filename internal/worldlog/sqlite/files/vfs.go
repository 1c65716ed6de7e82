package files

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

// A VFS is a file system for SQLite on top of a System. Its files have no locks: the store holds one on the head
// file and has a single connection. Nor has it shared memory: the store's exclusive locking mode needs none.
type VFS struct {
	System   System
	ReadOnly bool // no file is changed, and none made
}

// Open implements vfs.VFS.
func (v VFS) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if v.ReadOnly {
		f, err := v.System.Open(name, os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) && flags&vfs.OPEN_WAL != 0 {
			return emptyFile{}, flags, nil
		}
		if err != nil {
			return nil, 0, sqlite3.CANTOPEN
		}
		return readOnlyFile{&vfsFile{File: f}}, flags, nil
	}
	flag := os.O_RDWR
	if flags&vfs.OPEN_CREATE != 0 {
		flag |= os.O_CREATE
	}
	f, err := v.System.Open(name, flag)
	if err != nil {
		return nil, 0, vfs.SystemError(err, sqlite3.CANTOPEN)
	}
	made := &vfsFile{File: f}
	if flags&vfs.OPEN_CREATE != 0 && flags&(vfs.OPEN_WAL|vfs.OPEN_MAIN_JOURNAL) != 0 {
		made.syncDir = func() error { return v.System.SyncDir(name) }
	}
	return made, flags, nil
}

// Delete implements vfs.VFS.
func (v VFS) Delete(name string, syncDir bool) error {
	if v.ReadOnly {
		return sqlite3.IOERR_DELETE
	}
	err := v.System.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return sqlite3.IOERR_DELETE_NOENT
	}
	if err == nil && syncDir {
		err = v.System.SyncDir(name)
	}
	return err
}

// Access implements vfs.VFS.
func (v VFS) Access(name string, _ vfs.AccessFlag) (bool, error) {
	_, err := v.System.Size(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// FullPathname implements vfs.VFS.
func (VFS) FullPathname(name string) (string, error) { return name, nil }

// vfsFile makes a vfs.File of a file.
type vfsFile struct {
	File
	syncDir func() error // makes the name of a file that SQLite made durable, with its first sync
}

func (f *vfsFile) Sync(vfs.SyncFlag) error {
	if err := f.File.Sync(); err != nil || f.syncDir == nil {
		return err
	}
	err := f.syncDir()
	if err == nil {
		f.syncDir = nil
	}
	return err
}

func (*vfsFile) Lock(vfs.LockLevel) error         { return nil }
func (*vfsFile) Unlock(vfs.LockLevel) error       { return nil }
func (*vfsFile) CheckReservedLock() (bool, error) { return false, nil }
func (*vfsFile) SectorSize() int                  { return 4096 }

func (*vfsFile) DeviceCharacteristics() vfs.DeviceCharacteristic {
	return vfs.IOCAP_POWERSAFE_OVERWRITE
}

// readOnlyFile refuses what would change the file.
type readOnlyFile struct{ *vfsFile }

func (readOnlyFile) WriteAt([]byte, int64) (int, error) { return 0, sqlite3.READONLY }
func (readOnlyFile) Truncate(int64) error               { return sqlite3.READONLY }
func (readOnlyFile) Sync(vfs.SyncFlag) error            { return nil }

// emptyFile stands for a write-ahead log that is not there.
type emptyFile struct{ readOnlyFile }

func (emptyFile) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (emptyFile) Size() (int64, error)              { return 0, nil }
func (emptyFile) Close() error                      { return nil }
