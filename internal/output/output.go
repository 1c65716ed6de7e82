// Package output writes files whole or not at all.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/terrane/terrane/internal/usage"
)

// A File is the destination of a command's output, checked before any work is done.
type File struct {
	Name string      // as given
	file string      // the file behind it, links followed; empty if it is written to as it stands
	mode fs.FileMode // of the file that is replaced, or of a new one
}

// Find finds the file that name, as given with -o, stands for, and returns an error if it cannot be written or is the
// input itself. "-" stands for standard output.
func Find(name, input string) (*File, error) {
	o := &File{Name: name, mode: 0o644}
	if name == "-" {
		return o, nil
	}
	o.file = o.Name
	if target, err := filepath.EvalSymlinks(o.Name); err == nil {
		o.file = target
	}
	switch info, err := os.Stat(o.file); {
	case errors.Is(err, fs.ErrNotExist):
		if info, err := os.Stat(filepath.Dir(o.file)); err != nil || !info.IsDir() {
			return nil, usage.Errorf("-o %s: there is no folder %s", o.Name, filepath.Dir(o.file))
		}
	case err != nil:
		return nil, usage.Errorf("-o: %w", err)
	case info.IsDir():
		return nil, usage.Errorf("-o %s is a folder; name a file in it", o.Name)
	case info.Mode().IsRegular():
		o.mode = info.Mode().Perm()
		if in, err := os.Stat(input); err == nil && os.SameFile(in, info) {
			return nil, usage.Errorf("-o %s is the input itself", o.Name)
		}
	default: // a device or a pipe cannot be replaced
		o.file = ""
	}
	return o, nil
}

// Replace lets f write to where o is: straight to standard output, a device or a pipe, else to a file of another name
// in the same folder, which takes o's name if f succeeds and is removed if it does not.
func (o *File) Replace(stdout io.Writer, f func(io.Writer) error) (err error) {
	if o.Name == "-" {
		return f(stdout)
	}
	failed := func(err error) error {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err // without the name of the file that is gone
		}
		return fmt.Errorf("writing %s: %w", o.Name, err)
	}
	if o.file == "" {
		out, err := os.OpenFile(o.Name, os.O_WRONLY, 0)
		if err != nil {
			return usage.Errorf("cannot write %s: %w", o.Name, err)
		}
		if err := errors.Join(f(out), out.Close()); err != nil {
			return failed(err)
		}
		return nil
	}
	out, err := os.CreateTemp(filepath.Dir(o.file), "."+filepath.Base(o.file)+"-*")
	if err != nil {
		return usage.Errorf("cannot write %s: %w", o.Name, err)
	}
	defer func() {
		if err != nil {
			out.Close() // which may be the second time
			err = errors.Join(failed(err), os.Remove(out.Name()))
		}
	}()
	if err := f(out); err != nil {
		return err
	}
	if err := out.Chmod(o.mode); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), o.file)
}
