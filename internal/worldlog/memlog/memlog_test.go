package memlog_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

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

func newStore(t *testing.T) *memlog.Store {
	document := []byte("document")
	s, err := memlog.New(worldlogtest.Meta(document), document)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNewRefuses(t *testing.T) {
	if _, err := memlog.New(worldlogtest.Meta([]byte("document"))); !errors.Is(err, worldlog.ErrNotFound) {
		t.Errorf("without its document: %v", err)
	}
	if _, err := memlog.New(worldlog.Meta{}, nil); !errors.Is(err, worldlog.ErrInvalid) {
		t.Errorf("without an identity: %v", err)
	}
	if _, err := newStore(t).Reopen(); !errors.Is(err, worldlog.ErrInUse) {
		t.Errorf("while it is open: %v", err)
	}
}

// TestHooks has an operation fail before it is done, fail after, and take its time.
func TestHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		fault := errors.New("fault")
		appendOne := func(ctx context.Context, counter uint64) ([]worldlog.Appended, error) {
			return s.Append(ctx, []worldlog.Entry{worldlogtest.Entry(1, counter)})
		}
		fail := func(_ context.Context, op memlog.Op) error {
			if op == memlog.Append {
				return fault
			}
			return nil
		}
		s.SetHooks(memlog.Hooks{Before: fail})
		if _, err := appendOne(t.Context(), 1); !errors.Is(err, fault) || s.Head() != 0 {
			t.Errorf("before: %v, head %d", err, s.Head())
		}
		if _, err := s.PutContent(t.Context(), nil); err != nil {
			t.Errorf("another operation: %v", err)
		}
		s.SetHooks(memlog.Hooks{After: fail})
		if _, err := appendOne(t.Context(), 1); !errors.Is(err, fault) || s.Head() != 1 {
			t.Errorf("after: %v, head %d", err, s.Head())
		}
		s.SetHooks(memlog.Hooks{Before: func(ctx context.Context, op memlog.Op) error {
			select {
			case <-time.After(200 * time.Millisecond):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
		start := time.Now()
		out, err := appendOne(t.Context(), 1)
		if err != nil || !out[0].Duplicate || out[0].Seq != 1 || time.Since(start) != 200*time.Millisecond {
			t.Errorf("slow: %+v, %v after %v", out, err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := appendOne(ctx, 2); !errors.Is(err, context.DeadlineExceeded) || s.Head() != 1 {
			t.Errorf("canceled: %v, head %d", err, s.Head())
		}
	})
}
