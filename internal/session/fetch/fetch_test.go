package fetch

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/session/budget"
)

// A source remembers what it was asked for.
type source struct{ asked []asset.Hash }

func (s *source) Fetch(hash asset.Hash) { s.asked = append(s.asked, hash) }

// A taker remembers what came.
type taker struct {
	q       *Queue
	got     []string
	failed  int
	givesUp bool
}

func (t *taker) Take(_ asset.Hash, data []byte) { t.got = append(t.got, string(data)) }

func (t *taker) Unavailable(asset.Hash) bool {
	if t.failed++; t.givesUp {
		t.q.Abandon(t)
	}
	return t.givesUp
}

func queue(most int) (*Queue, *source) {
	s, b := &source{}, &budget.Budget{}
	b.Reset(100)
	return New(s, most, b), s
}

func hashOf(text string) asset.Hash { return sha256.Sum256([]byte(text)) }

func TestBoundedAndInOrder(t *testing.T) {
	q, s := queue(2)
	k := &taker{q: q}
	for _, text := range []string{"a", "b", "c", "a"} {
		q.Want(hashOf(text), k)
	}
	q.Start()
	if !slices.Equal(s.asked, []asset.Hash{hashOf("a"), hashOf("b")}) {
		t.Fatalf("%d fetches, want the first two", len(s.asked))
	}
	q.Fetched(0, hashOf("b"), []byte("b"))
	q.Fetched(0, hashOf("b"), []byte("b")) // again
	q.Start()
	if len(s.asked) != 3 || !slices.Equal(k.got, []string{"b"}) || q.Len() != 2 {
		t.Errorf("%d fetches, got %q, %d left", len(s.asked), k.got, q.Len())
	}
}

func TestRetries(t *testing.T) {
	q, s := queue(8)
	k := &taker{q: q}
	q.Want(hashOf("a"), k)
	now := time.Duration(0)
	for range 2 * Patience {
		q.Start()
		if q.Fetched(now, hashOf("a"), []byte("b")) == "" {
			t.Fatal("wrong content was taken")
		}
		q.Tick(now)
		if q.Delayed() != 1 {
			t.Fatal("it was not put off")
		}
		now += maxRetry
		q.Tick(now)
	}
	if len(s.asked) != 2*Patience || k.failed != Patience+1 || len(k.got) != 0 {
		t.Errorf("asked %d times, the taker was told %d times, got %q", len(s.asked), k.failed, k.got)
	}
	k.givesUp = true
	q.Start()
	if !q.Failed(now, hashOf("a")) || q.Len() != 0 || q.Delayed() != 0 {
		t.Error("what was given up is still wanted")
	}
}

func TestForgotten(t *testing.T) {
	q, s := queue(1)
	k, other := &taker{q: q}, &taker{q: q}
	q.Want(hashOf("a"), k)
	q.Want(hashOf("b"), k)
	q.Want(hashOf("c"), other)
	q.Start()
	q.Abandon(k)
	if q.Len() != 2 {
		t.Errorf("%d contents, want the one on its way and the other taker's", q.Len())
	}
	q.Want(hashOf("a"), other) // while it is on its way
	q.Fetched(0, hashOf("a"), []byte("a"))
	q.Start()
	q.Cancel(hashOf("c"))
	if q.Failed(0, hashOf("c")) || q.Len() != 0 {
		t.Error("a cancelled fetch is tried again")
	}
	if len(k.got) != 0 || !slices.Equal(other.got, []string{"a"}) || len(s.asked) != 2 {
		t.Errorf("got %q and %q with %d fetches", k.got, other.got, len(s.asked))
	}
	q.Want(hashOf("d"), k)
	if q.AbandonAll(); q.Len() != 0 {
		t.Error("something is left")
	}
}
