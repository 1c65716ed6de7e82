package server

import (
	"slices"
	"sync"

	"github.com/terrane/terrane/wire"
)

// A record is what is remembered of a client session beyond one connection, so that an edit sent again is
// answered again as it was.
type record struct {
	mu       sync.Mutex // guards the rest
	high     uint64     // the highest counter that is durable and applied
	refusals []wire.EditRefused
}

const (
	maxRefusals = 64   // of a session; a client keeps fewer unanswered edits than that, or has been told of them
	maxRecords  = 4096 // sessions; the record of one that has left goes first
)

func (r *record) acked() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.high
}

func (r *record) ack(counter uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.high = max(r.high, counter)
	// An edit can be refused on one connection and accepted on the next.
	r.refusals = slices.DeleteFunc(r.refusals, func(m wire.EditRefused) bool { return m.Counter == counter })
}

func (r *record) refuse(m wire.EditRefused) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.refusals) == maxRefusals {
		r.refusals = append(r.refusals[:0], r.refusals[maxRefusals/2:]...)
	}
	r.refusals = append(r.refusals, m)
}

func (r *record) refusal(counter uint64) (m wire.EditRefused, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.refusals {
		if m.Counter == counter {
			return m, true
		}
	}
	return wire.EditRefused{}, false
}

// records are the sessions that are remembered.
type records map[uint64]*record

// of returns the record of a session whose highest durable counter is high.
func (k records) of(session, high uint64) *record {
	r := k[session]
	if r == nil {
		if len(k) >= maxRecords {
			for id := range k { // any one: who is connected holds its record itself
				delete(k, id)
				break
			}
		}
		r = new(record)
		k[session] = r
	}
	r.ack(high)
	return r
}
