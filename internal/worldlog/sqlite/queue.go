package sqlite

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
)

// A request is a write that a caller waits for.
type request struct {
	entries []worldlog.Entry
	out     []worldlog.Appended

	content  []byte // with its hash: store it
	hash     asset.Hash
	snapshot *worldlog.Snapshot

	err  error
	done chan struct{} // holds a value when the writer is through with the request
}

var requests = sync.Pool{New: func() any { return &request{done: make(chan struct{}, 1)} }}

// A queue holds requests until the writer takes them, all at once.
type queue struct {
	mu      sync.Mutex // guards the rest
	waiting []*request
	closed  bool
	wake    chan struct{} // holds a value when there is something to take, or the queue has been closed
}

// do hands r to the writer and waits until it is through with it. While r waits it may be withdrawn: an error that
// wraps ctx's means that the writer never saw it. Once taken, it ends with the commit.
func (q *queue) do(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("worldlog: %w", err)
	}
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return worldlog.ErrClosed
	}
	q.waiting = append(q.waiting, r)
	q.mu.Unlock()
	q.signal()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
	}
	if q.withdraw(r) {
		return fmt.Errorf("worldlog: %w", ctx.Err())
	}
	<-r.done
	return r.err
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// withdraw removes r and reports whether it still waited.
func (q *queue) withdraw(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, w := range q.waiting {
		if w == r {
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// take waits for requests and returns all there are in dst's place. It returns none once the queue is closed and
// empty.
func (q *queue) take(dst []*request) []*request {
	// Callers that were just answered get to queue again, else the next commit takes the first of them alone and the
	// others wait for it: at 16 callers on two cores this is 1.6 times the edits.
	runtime.Gosched()
	for {
		q.mu.Lock()
		taken, closed := q.waiting, q.closed
		if len(taken) > 0 {
			clear(dst)
			q.waiting = dst[:0]
		}
		q.mu.Unlock()
		if len(taken) > 0 || closed {
			return taken
		}
		<-q.wake
	}
}

// close makes the queue refuse requests.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.signal()
}

func (q *queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}
