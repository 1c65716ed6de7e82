package files

import (
	"errors"
	"os"
	"syscall"
)

// syncData makes the file's content durable. The head file never changes its size, so its times, which fsync
// would write as well, need not follow.
func syncData(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
