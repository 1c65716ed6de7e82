// Package fetch gets contents by their SHA-256 for the parts of a session: so many at once, each checked, and again
// after a growing wait if one fails.
package fetch

import (
	"crypto/sha256"
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/session/budget"
)

const (
	// firstRetry and maxRetry bound the wait before content is asked for again.
	firstRetry = 250 * time.Millisecond
	maxRetry   = 15 * time.Second
)

// A Source starts a fetch. It answers later, by Fetched or Failed.
type Source interface {
	Fetch(hash asset.Hash)
}

// A Taker waits for contents. Its dynamic type is comparable: Abandon tells takers apart.
type Taker interface {
	// Take takes a content that has the hash that was wanted.
	Take(hash asset.Hash, data []byte)
	// Unavailable tells that a content failed Patience times, and reports whether the taker gave it up. If it did
	// not, the content is asked for again.
	Unavailable(hash asset.Hash) (gaveUp bool)
}

// Patience is how often a content is asked for before its taker is told: the server may have dropped it for a newer one.
const Patience = 4

// A Queue holds the contents that a session wants.
type Queue struct {
	source Source
	most   int // fetches under way at once
	budget *budget.Budget

	all     map[asset.Hash]*fetch
	queue   []*fetch // not asked for yet, in order
	later   []*fetch // failed, to be asked for again
	flights int
}

// A fetch is one content on its way.
type fetch struct {
	hash     asset.Hash
	taker    Taker
	tries    int
	after    time.Duration // when to try again
	flight   bool          // the source is at it
	unwanted bool          // nobody waits for it any more
}

// New returns an empty queue of which the source gets at most so many fetches at once.
func New(s Source, most int, b *budget.Budget) *Queue {
	return &Queue{source: s, most: most, budget: b, all: make(map[asset.Hash]*fetch)}
}

// Want has a content fetched for t. A content has one taker: the last one that wanted it.
func (q *Queue) Want(hash asset.Hash, t Taker) {
	if old, ok := q.all[hash]; ok {
		old.taker, old.unwanted = t, false // wanted again while it was on its way
		return
	}
	n := &fetch{hash: hash, taker: t}
	q.all[hash] = n
	q.queue = append(q.queue, n)
}

// Abandon forgets what t wants. What is on its way is thrown away when it comes: a host cannot take a fetch back, and
// a second one for the same content beside it would count twice against the bound.
func (q *Queue) Abandon(t Taker) {
	q.forget(func(n *fetch) bool { return n.taker == t })
}

// AbandonAll forgets everything.
func (q *Queue) AbandonAll() { q.forget(func(*fetch) bool { return true }) }

// forget forgets the fetches that are gone.
func (q *Queue) forget(gone func(*fetch) bool) {
	for hash, n := range q.all {
		if gone(n) {
			if n.unwanted = true; !n.flight {
				delete(q.all, hash)
			}
		}
	}
	q.tidy()
}

// Cancel forgets one content.
func (q *Queue) Cancel(hash asset.Hash) {
	n := q.all[hash]
	if n == nil {
		return
	}
	if n.unwanted = true; !n.flight {
		delete(q.all, hash)
		q.tidy()
	}
}

// tidy takes what nobody wants out of the lines.
func (q *Queue) tidy() {
	gone := func(n *fetch) bool { return n.unwanted }
	q.queue = slices.DeleteFunc(q.queue, gone)
	q.later = slices.DeleteFunc(q.later, gone)
}

// Tick puts back what has waited long enough after a failure.
func (q *Queue) Tick(now time.Duration) {
	q.later = slices.DeleteFunc(q.later, func(n *fetch) bool {
		if n.after > now {
			return false
		}
		q.queue = append(q.queue, n)
		return true
	})
}

// Start hands the source as many as it may have at once.
func (q *Queue) Start() {
	for q.flights < q.most && len(q.queue) > 0 {
		n := q.queue[0]
		q.queue = q.queue[1:]
		n.flight = true
		n.tries++
		q.flights++
		q.source.Fetch(n.hash)
	}
}

// Fetched takes the source's answer and hands it to whoever wants it. It returns what is wrong with it, "" if nothing.
func (q *Queue) Fetched(now time.Duration, hash asset.Hash, data []byte) (problem string) {
	n := q.land(hash)
	if n == nil {
		return "" // nobody wants it any more
	}
	// A host may answer from a cache, and a server may serve files that rotted: nothing is used unchecked.
	if sha256.Sum256(data) != hash {
		q.failed(now, n)
		return "the server sent content that does not have the hash that was asked for"
	}
	q.budget.Spend(1 + len(data)>>13)
	delete(q.all, hash)
	n.taker.Take(hash, data)
	return ""
}

// Failed plans another try. It reports whether anybody wants the content.
func (q *Queue) Failed(now time.Duration, hash asset.Hash) bool {
	n := q.land(hash)
	if n != nil {
		q.failed(now, n)
	}
	return n != nil
}

// land takes a fetch out of the air, nil if it is not known there or nobody wants it any more.
func (q *Queue) land(hash asset.Hash) *fetch {
	n := q.all[hash]
	if n == nil || !n.flight {
		return nil
	}
	n.flight = false
	q.flights--
	if n.unwanted {
		delete(q.all, hash)
		return nil
	}
	return n
}

// failed puts a fetch off.
func (q *Queue) failed(now time.Duration, n *fetch) {
	if n.tries >= Patience && n.taker.Unavailable(n.hash) {
		return
	}
	n.after = now + min(firstRetry<<min(n.tries-1, 8), maxRetry)
	q.later = append(q.later, n)
}

// Len returns the number of contents that are wanted or on their way.
func (q *Queue) Len() int { return len(q.all) }

// Delayed returns the number of those that failed and wait for another try.
func (q *Queue) Delayed() int { return len(q.later) }
