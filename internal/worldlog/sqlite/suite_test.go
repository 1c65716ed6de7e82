package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		child(path)
	}
	goleak.VerifyTestMain(m)
}

func TestSuite(t *testing.T) {
	worldlogtest.Test(t, func(t testing.TB, m worldlog.Meta, contents ...[]byte) func() (worldlog.Store, error) {
		path := filepath.Join(t.TempDir(), "world.terrane")
		s, err := Create(path, m, contents...)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return func() (worldlog.Store, error) { return Open(path, Options{}) }
	})
}
