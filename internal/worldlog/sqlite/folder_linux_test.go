package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
)

// asNobody runs f with the rights of a user who owns nothing, if the test has those of root, in a thread of its own.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if os.Geteuid() == 0 {
			if err := unix.Setfsuid(65534); err != nil {
				t.Error(err)
				return
			}
		}
		f()
	}()
	<-done
}

// TestFolderNotWritable opens and makes worlds in a folder, and of a file, that may be read and not written.
func TestFolderNotWritable(t *testing.T) {
	path := makeWorld(t, 3)
	dir := filepath.Dir(path)
	for p := dir; p != filepath.Dir(os.TempDir()) && p != "/" && p != os.TempDir(); p = filepath.Dir(p) {
		if err := os.Chmod(p, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(p, 0o755)
	}
	for _, mode := range []os.FileMode{0o666, 0o444} {
		for _, name := range []string{path, headPath(path)} {
			if err := os.Chmod(name, mode); err != nil {
				t.Fatal(err)
			}
		}
		asNobody(t, func() {
			_, err := Open(path, Options{})
			wantError(t, err, os.ErrPermission, path, "for reading only", "folder must be writable")
			s, err := Open(path, Options{ReadOnly: true})
			if err != nil {
				t.Error(err)
				return
			}
			if s.Head() != 3 {
				t.Errorf("head %d", s.Head())
			}
			s.Close()
			_, err = Create(filepath.Join(dir, "other"), worldlogtest.Meta(testDocument), testDocument)
			wantError(t, err, os.ErrPermission, "folder", "writable")
		})
	}
}
