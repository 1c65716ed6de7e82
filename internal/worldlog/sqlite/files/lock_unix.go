//go:build unix && !solaris && !illumos && !aix

package files

import (
	"errors"
	"os"
	"syscall"

	"github.com/terrane/terrane/internal/worldlog"
)

// lockFile takes a lock that belongs to this opening of the file, so it also keeps out a second opening by this
// process, and that the kernel releases when the process ends.
func lockFile(f *os.File, exclusive bool) error {
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return worldlog.ErrInUse
		default:
			return err
		}
	}
}

// syncFolder makes the names in a folder durable.
func syncFolder(d *os.File) error { return d.Sync() }
