package memlog_test

import (
	"testing"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/memlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
)

func TestSuite(t *testing.T) {
	worldlogtest.Test(t, func(t testing.TB, m worldlog.Meta, contents ...[]byte) func() (worldlog.Store, error) {
		s, err := memlog.New(m, contents...)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		return func() (worldlog.Store, error) { return s.Reopen() }
	})
}
