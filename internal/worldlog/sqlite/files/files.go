// Package files is what a world in SQLite stands on: the file system, which tests replace by one that fails and loses
// what was not synced, the same as SQLite sees it ([VFS]), and the head file beside each world ([HeadFile]).
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotFile is the error of a name that stands for a folder or a device.
var ErrNotFile = errors.New("not a regular file")

// A System is a file system as far as the store uses it. SQLite reaches the same files through a VFS of its own, the
// driver's; tests put a fault layer under both.
type System interface {
	Open(name string, flag int) (File, error) // flag as in os.OpenFile
	Size(name string) (int64, error)
	Remove(name string) error
	Rename(from, to string) error
	SyncDir(name string) error // makes the names in the folder that holds name durable
}

// A File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
	Size() (int64, error)
	// Lock takes the file for this process until Close or the process's end, however it ends. It does not wait:
	// ErrInUse.
	Lock(exclusive bool) error
}

// OS is the operating system's file system.
type OS struct{}

// Open implements System.
func (OS) Open(name string, flag int) (File, error) {
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// Size implements System.
func (OS) Size(name string) (int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &fs.PathError{Op: "open", Path: name, Err: ErrNotFile}
	}
	return info.Size(), nil
}

// Remove implements System.
func (OS) Remove(name string) error { return os.Remove(name) }

// Rename implements System.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// SyncDir implements System.
func (OS) SyncDir(name string) error {
	d, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	return syncFolder(d)
}

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f osFile) Sync() error               { return syncData(f.File) }
func (f osFile) Lock(exclusive bool) error { return lockFile(f.File, exclusive) }
