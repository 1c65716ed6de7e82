package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// submits holds the edits of a connection that are on their way into the log. They go there in the order of
// their counters, many in one append while the one before is being made durable.
type submits struct {
	ready chan struct{} // holds a token when something waits
	room  chan struct{} // holds a token for each edit that is pending

	mu      sync.Mutex // guards the rest
	waiting []submission
	pending map[uint64]struct{} // counters, waiting or being appended
	closed  bool
}

type submission struct {
	counter uint64
	edit    edit.Checked
}

func newSubmits(limit int) *submits {
	return &submits{
		ready: make(chan struct{}, 1), room: make(chan struct{}, limit), pending: make(map[uint64]struct{}),
	}
}

// put adds an edit. When too many are pending it waits: a slow disk holds back who edits, and loses nothing.
// It gives up when done is closed: the client will send the edit again.
func (s *submits) put(e submission, done <-chan struct{}) {
	select {
	case s.room <- struct{}{}:
	case <-done:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[e.counter] = struct{}{}
	s.waiting = append(s.waiting, e)
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// take returns what waits, all of it, or nil.
func (s *submits) take() []submission {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.waiting
	s.waiting = nil
	if s.closed {
		return nil
	}
	return batch
}

// has reports whether an edit is pending.
func (s *submits) has(counter uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.pending[counter]
	return ok
}

// settle ends an edit's being pending.
func (s *submits) settle(counter uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.pending[counter]; ok {
		delete(s.pending, counter)
		<-s.room
	}
}

// close drops what waits: nobody has been told of it, and the client will send it again.
func (s *submits) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// handleEdit checks an edit and queues it for the log, or answers at once. It runs before any work is done
// for the edit: nothing here depends on what is in the world but whether its ground can be read.
func (c *conn) handleEdit(m wire.SubmitEdit) {
	if c.answerAgain(m.Counter) {
		return
	}
	c.seen = m.Counter
	e, err := edit.ParseWhole(m.Edit)
	if err == nil {
		err = e.CheckPalette(c.s.palette)
	}
	if err != nil {
		c.refuseEdit(m.Counter, wire.CodeInvalid, err.Error())
		return
	}
	if r := lattice.RegionOf(e.Place().Sample, 0); !c.reaches(r) {
		c.refuseEdit(m.Counter, wire.CodeInvalid, fmt.Sprintf("out of reach: the place lies in %v, which this connection is not subscribed to", r))
		return
	}
	now := time.Now()
	if !c.edits.AllowN(now, 1) || !c.samples.AllowN(now, e.Cost()) {
		c.refuseEdit(m.Counter, wire.CodeRate, "too many edits, or too large ones, in a short time")
		return
	}
	if _, err := c.s.tiles.need(context.Background(), e); err != nil {
		c.s.log.Error("an edit is refused: the ground there cannot be read", "client", c.id, "name", c.name, "err", err)
		c.refuseEdit(m.Counter, wire.CodeInternal, "the ground there cannot be read; what failed is in the server's log")
		return
	}
	c.submits.put(submission{m.Counter, e}, c.done)
}

// answerAgain answers an edit that was sent before, or whose counter was; ok is false for a new one.
func (c *conn) answerAgain(counter uint64) (ok bool) {
	if refused, ok := c.record.refusal(counter); ok {
		c.send(refused)
		return true
	}
	switch acked := c.record.acked(); {
	case counter > c.seen && counter > acked:
		return false
	case c.submits.has(counter): // the answer is coming
	case counter > 0 && counter <= acked:
		c.send(wire.Ack{Counter: counter})
	default:
		c.send(wire.EditRefused{Counter: counter, Code: wire.CodeOrder, Message: "counters must rise from one edit to the next, from 1"})
	}
	return true
}

// reaches reports whether the reader has seen a subscription to r.
func (c *conn) reaches(r lattice.Region) bool {
	_, ok := c.wants[r]
	return ok
}

// refuseEdit says that an edit will not be in the log, and remembers it for when it is asked again.
func (c *conn) refuseEdit(counter uint64, code wire.Code, message string) {
	m := wire.EditRefused{Counter: counter, Code: code, Message: clip(message, wire.MaxMessage)}
	c.record.refuse(m)
	c.submits.settle(counter)
	c.send(m)
}

// ackEdit says that an edit is durable as the entry seq.
func (c *conn) ackEdit(counter uint64, seq worldlog.Seq) {
	c.record.ack(counter)
	c.submits.settle(counter)
	c.send(wire.Ack{Counter: counter, Seq: uint64(seq)})
}

// submit appends what is queued to the log until the connection is over.
func (c *conn) submit() {
	for {
		if batch := c.submits.take(); len(batch) > 0 {
			c.append(batch)
			continue
		}
		select {
		case <-c.submits.ready:
		case <-c.done:
			return
		}
	}
}

// append puts edits into the log, waits until they are durable and hands them to the owner.
func (c *conn) append(batch []submission) {
	entries := make([]worldlog.Entry, len(batch))
	for i, b := range batch {
		entries[i] = worldlog.Entry{
			ID:      worldlog.EditID{Session: c.session, Counter: b.counter},
			Author:  c.name,
			Kind:    worldlog.KindEdit,
			Payload: b.edit.AppendBinary(make([]byte, 0, edit.MaxEncoded)),
		}
		for r := range b.edit.Regions(0) {
			entries[i].Regions = append(entries[i].Regions, r)
		}
	}
	results, err := c.s.appendEntries(entries)
	if err != nil {
		c.s.log.Error("edits cannot be written", "client", c.id, "name", c.name, "edits", len(batch), "err", err)
		c.s.catchUp()
		for _, b := range batch {
			c.refuseEdit(b.counter, wire.CodeInternal, "the edit could not be stored; what failed is in the server's log")
		}
		return
	}
	var repeated []worldlog.EditID
	o := c.s.owner
	o.do(func() {
		for i, r := range results {
			if !r.Duplicate {
				e := logged{entries[i], batch[i].edit}
				e.Seq, e.Time = r.Seq, r.Time
				o.whenApplied(r.Seq, func() { c.ackEdit(e.ID.Counter, e.Seq) })
				o.commit(e)
			}
		}
	})
	for i, r := range results {
		if r.Duplicate {
			repeated = append(repeated, entries[i].ID)
		}
	}
	if len(repeated) > 0 {
		c.ackRepeated(repeated)
	}
}

// ackRepeated acknowledges edits that were in the log before, once the world holds them.
func (c *conn) ackRepeated(ids []worldlog.EditID) {
	head := c.s.store.Head()
	c.s.catchUp()
	o := c.s.owner
	o.do(func() {
		o.whenApplied(head, func() {
			for _, id := range ids {
				c.ackEdit(id.Counter, 0)
			}
		})
	})
}

// appendTries is how often an append is tried when the store cannot tell what became of it. A second try
// tells: what was written is a duplicate then.
const appendTries = 3

// appendEntries appends entries to the log and waits until they are durable.
func (s *Server) appendEntries(entries []worldlog.Entry) (results []worldlog.Appended, err error) {
	for try := range appendTries {
		// Not even the server's end takes back an append: nobody would know what became of it.
		results, err = s.store.Append(context.Background(), entries)
		if err == nil || certain(err) {
			return results, err
		}
		select {
		case <-time.After(time.Duration(try+1) * 20 * time.Millisecond):
		case <-s.closed:
		}
	}
	return nil, err
}

// certain reports whether an error of Append means that nothing was written.
func certain(err error) bool {
	for _, e := range []error{worldlog.ErrInvalid, worldlog.ErrTooLarge, worldlog.ErrNotFound, worldlog.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// catchUp hands the owner every entry of the log that it has not applied. It is needed where an append told
// nobody of its entries: it failed, or seemed to. If the log cannot be read, watchGap tries again.
func (s *Server) catchUp() (ok bool) {
	err := s.readOn()
	if err != nil {
		s.log.Error("the log cannot be read on", "err", err)
	}
	return err == nil
}

func (s *Server) readOn() error {
	o := s.owner
	var applied worldlog.Seq
	if !o.ask(func() { applied = o.applied }) {
		return nil
	}
	for e, err := range s.store.Read(context.Background(), applied) {
		if err != nil {
			return err
		}
		ed, err := replica.Edit(e)
		if err != nil {
			// Only this server writes to the log and only what it has checked. Whatever this is, nothing after it
			// is applied: going on would show people another world than the one that the next start replays.
			return err
		}
		o.do(func() { o.commit(logged{e, ed}) })
	}
	return nil
}

// A record is the memory of a client session beyond one connection, so that an edit sent again is
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
