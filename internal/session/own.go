package session

import (
	"slices"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/wire"
)

// window bounds the own edits that are on their way to the server at once. A server that limits edits sees no
// burst of everything that was made while the connection was lost.
const window = 64

// ownEdits are the edits made here that the world shows as pending.
type ownEdits struct {
	counter uint64 // the last one given out
	list    []own  // in order of their counters
	flights int    // sent and not answered
	acked   uint64
	refused uint64
}

// An own edit is pending until the log's order is known here.
type own struct {
	counter uint64
	edit    edit.Edit
	sent    bool   // on this connection
	durable bool   // it is in the log, at or before the entry by, and waits for that entry to come here
	by      uint64 // only if durable
}

// find returns the place of an edit in the list, or −1.
func (o *ownEdits) find(counter uint64) int {
	if counter == 0 {
		return -1
	}
	i, ok := slices.BinarySearchFunc(o.list, counter, func(e own, c uint64) int {
		switch {
		case e.counter < c:
			return -1
		case e.counter > c:
			return 1
		}
		return 0
	})
	if !ok {
		return -1
	}
	return i
}

// remove takes edit i off the list.
func (o *ownEdits) remove(i int) {
	if e := o.list[i]; e.sent && !e.durable {
		o.flights--
	}
	o.list = slices.Delete(o.list, i, i+1)
}

// settle marks edit i as durable at or before the entry by.
func (o *ownEdits) settle(i int, by uint64) {
	e := &o.list[i]
	if e.durable {
		e.by = min(e.by, by)
		return
	}
	if e.sent {
		o.flights--
	}
	e.durable, e.by = true, by
	o.acked++
}

// confirmed takes an edit off the list whose entry has been applied.
func (o *ownEdits) confirmed(counter uint64) {
	if i := o.find(counter); i >= 0 {
		o.settle(i, 0)
		o.remove(i)
	}
}

// pending returns how many are not known to be in the log.
func (o *ownEdits) pending() int {
	n := 0
	for i := range o.list {
		if !o.list[i].durable {
			n++
		}
	}
	return n
}

// offline makes every edit that is not known to be durable one to send again.
func (o *ownEdits) offline() {
	for i := range o.list {
		o.list[i].sent = false
	}
	o.flights = 0
}

// forget drops all edits.
func (o *ownEdits) forget() {
	o.list, o.flights = nil, 0
}

// edit makes an own edit.
func (s *Session) edit(e edit.Edit) (uint64, error) {
	if s.world == nil {
		return 0, ErrNotLoaded
	}
	if err := e.Validate(); err != nil {
		return 0, err
	}
	o := &s.own
	if len(o.list) >= s.conf.MaxPending {
		return 0, ErrTooMany
	}
	o.counter++
	o.list = append(o.list, own{counter: o.counter, edit: e})
	s.spend(2 * cost(e))
	s.changed(s.world.Predict(o.counter, e).Box)
	s.sendOwn()
	return o.counter, nil
}

// sendOwn sends edits that the server does not have, in order.
func (s *Session) sendOwn() {
	o := &s.own
	if !s.link.welcomed || s.world == nil {
		return
	}
	for i := range o.list {
		e := &o.list[i]
		if e.sent || e.durable {
			continue
		}
		if o.flights >= window {
			return
		}
		e.sent = true
		o.flights++
		s.send(wire.SubmitEdit{Counter: e.counter, Edit: wire.EditOf(e.edit)})
	}
}

// ownWelcome learns from a welcome which edits are durable, and sends the others again.
func (s *Session) ownWelcome(w wire.Welcome) {
	o := &s.own
	o.counter = max(o.counter, w.Counter)
	for i := range o.list {
		if o.list[i].counter <= w.Counter {
			o.settle(i, w.Head)
		}
	}
	s.settleCovered()
	s.sendOwn()
}

// acknowledged takes the news that an own edit is durable.
func (s *Session) acknowledged(m wire.Ack) {
	if i := s.own.find(m.Counter); i >= 0 {
		by := m.Seq
		if by == 0 {
			by = s.blueprint.welcome.Head // it was made on an earlier connection
		}
		s.own.settle(i, by)
		s.settleCovered()
	}
	s.sendOwn()
}

// editRefused takes the news that an own edit will never be in the log.
func (s *Session) editRefused(m wire.EditRefused) {
	if i := s.own.find(m.Counter); i >= 0 && s.world != nil {
		s.own.remove(i)
		s.own.refused++
		s.link.messages, s.status.urgent = "edit refused: "+m.Message, true
		s.changed(s.world.Refuse(m.Counter).Box)
	}
	s.sendOwn()
}

// settleCovered drops, from the pending edits, the durable ones that the bricks hold already: their entry came
// within a snapshot. So it drops those about which no entry will come, because no region of theirs is
// subscribed to.
func (s *Session) settleCovered() {
	o := &s.own
	for i := 0; i < len(o.list); {
		e := o.list[i]
		if !e.durable || !s.covered(&e) {
			i++
			continue
		}
		o.remove(i)
		s.changed(s.world.Refuse(e.counter).Box)
	}
}

// covered reports whether the world no longer needs the durable edit e as a pending one.
func (s *Session) covered(e *own) bool {
	subscribed := false
	for id := range e.edit.Box(0).Regions(0) {
		if r := s.regions.all[id]; r != nil {
			if r.phase == live && r.seq >= e.by {
				return true
			}
			subscribed = true
		}
	}
	return !subscribed
}
