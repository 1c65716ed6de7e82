package server

import (
	"sync"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// An item is something to send: a frame, or a region's snapshot that becomes frames when its turn comes.
type item struct {
	frame []byte
	image *regionImage
}

// A regionImage is a region as of an entry.
type regionImage struct {
	region lattice.Region
	seq    worldlog.Seq
	hash   uint64
	bricks []*brick.Brick
}

// size is what the item counts in the queue: about the bytes it sends.
func (i item) size() int {
	if i.image != nil {
		return 64 + 56*len(i.image.bricks)
	}
	return len(i.frame)
}

// A queue holds what a connection has to send. Putting never waits.
type queue struct {
	maxItems, maxBytes int
	ready              chan struct{} // holds a token when there is something to take

	mu    sync.Mutex // guards the rest
	items []item
	bytes int           // of items
	last  *wire.Refused // sent after all items; nothing is taken in once it is set
}

func newQueue(maxItems, maxBytes int) *queue {
	return &queue{maxItems: maxItems, maxBytes: maxBytes, ready: make(chan struct{}, 1)}
}

// put adds an item; ok is false if there is no room. After the last word items are dropped.
func (q *queue) put(i item) (ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last != nil {
		return true
	}
	// One item always has room: a snapshot may be larger than the limit.
	if n := len(q.items); n >= q.maxItems || n > 0 && q.bytes+i.size() > q.maxBytes {
		return false
	}
	q.items = append(q.items, i)
	q.bytes += i.size()
	q.wake()
	return true
}

// end says the last word, once. With drop, what waits is not sent.
func (q *queue) end(last wire.Refused, drop bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last != nil {
		return
	}
	q.last = &last
	if drop {
		q.items, q.bytes = nil, 0
	}
	q.wake()
}

func (q *queue) wake() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// take returns what is to be sent now: the next item, or the last word, or neither.
func (q *queue) take() (i item, last *wire.Refused, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.items = nil // frees what grew in a rush
		return item{}, q.last, q.last != nil
	}
	i = q.items[0]
	q.items[0] = item{}
	q.items = q.items[1:]
	q.bytes -= i.size()
	return i, nil, true
}

// ending reports whether the last word is said.
func (q *queue) ending() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last != nil
}
