package sqlite

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// files is a file system as far as the store uses it. SQLite reaches the same files through a VFS of its own, the
// driver's; tests put a fault layer under both.
type files interface {
	open(name string, flag int) (file, error) // flag as in os.OpenFile
	size(name string) (int64, error)
	remove(name string) error
	rename(from, to string) error
	syncDir(name string) error // makes the names in the folder that holds name durable
}

// file is an open file.
type file interface {
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

// osFiles is the operating system's.
type osFiles struct{}

func (osFiles) open(name string, flag int) (file, error) {
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osFiles) size(name string) (int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &fs.PathError{Op: "open", Path: name, Err: errNotFile}
	}
	return info.Size(), nil
}

func (osFiles) remove(name string) error     { return os.Remove(name) }
func (osFiles) rename(from, to string) error { return os.Rename(from, to) }

func (osFiles) syncDir(name string) error {
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
