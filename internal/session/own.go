package session

import (
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// window bounds the own edits that are on their way to the server at once; it allows 64.
const window = 32

// ownEdits are the edits made here that the world shows as pending.
type ownEdits struct {
	counter uint64 // the last one given out
	list    []own  // in order of their counters
	flights int    // sent and not answered
	unsent  int    // not durable and not sent on this connection
	// pace is the time at which the edits sent so far would have been sent at Config.EditsPerSecond.
	pace    time.Duration
	acked   uint64
	refused uint64
}

// An own edit is pending until the log's order is known here.
type own struct {
	counter uint64
	edit    edit.Checked
	tiles   []asset.Hash // held for it
	sent    bool         // on this connection
	durable bool         // it is in the log, at or before the entry by, and waits for that entry to come here
	by      uint64       // only if durable
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

// answered takes edit i out of those that wait for an answer.
func (o *ownEdits) answered(i int) {
	switch e := &o.list[i]; {
	case e.durable:
	case e.sent:
		o.flights--
	default:
		o.unsent--
	}
}

// settle marks edit i as durable at or before the entry by.
func (o *ownEdits) settle(i int, by uint64) {
	e := &o.list[i]
	if e.durable {
		e.by = min(e.by, by)
		return
	}
	o.answered(i)
	e.durable, e.by = true, by
	o.acked++
}

// remove takes edit i off the list, and with it the hold on its region.
func (s *Session) remove(i int) {
	o := &s.own
	e := o.list[i]
	o.answered(i)
	o.list = slices.Delete(o.list, i, i+1)
	s.letGo(e.tiles)
	s.release(e.region())
}

// region returns the region of an edit's place. The server takes edits only from those who are subscribed to it,
// so the session is until it knows what became of the edit, wherever the viewer goes.
func (e *own) region() lattice.Region { return lattice.RegionOf(e.edit.Place().Sample, 0) }

// offline makes every edit that is not known to be durable one to send again.
func (o *ownEdits) offline() {
	for i := range o.list {
		o.list[i].sent = false
	}
	o.unsent += o.flights
	o.flights = 0
}

// edit makes an own edit.
func (s *Session) edit(raw edit.Edit) (uint64, error) {
	if s.link.state == Offline || s.link.state == Rejected {
		return 0, ErrClosed
	}
	if s.world == nil {
		return 0, ErrNotLoaded
	}
	e, err := raw.Check()
	if err == nil {
		err = e.CheckPalette(s.world.PaletteLen())
	}
	if err != nil {
		return 0, err
	}
	o := &s.own
	if len(o.list) >= s.conf.MaxPending {
		return 0, ErrTooMany
	}
	tiles := s.tiles.in(roundEdit(e))
	if !s.tiles.have(roundEdit(e)) {
		return 0, ErrNoGround
	}
	s.hold(tiles)
	o.counter++
	n := own{counter: o.counter, edit: e, tiles: tiles}
	o.list = append(o.list, n)
	o.unsent++
	s.use(n.region())
	s.spend(2 * cost(e))
	s.changed(s.world.Predict(o.counter, e).Box)
	return o.counter, nil
}

// sendOwn sends edits that the server does not have, in order, and no faster than it takes them.
func (s *Session) sendOwn() {
	o := &s.own
	if o.unsent == 0 || !s.link.welcomed {
		return
	}
	interval := time.Second / time.Duration(s.conf.EditsPerSecond)
	for i := range o.list {
		e := &o.list[i]
		if e.sent || e.durable {
			continue
		}
		o.pace = max(o.pace, s.now-interval*time.Duration(s.conf.EditBurst))
		if o.flights >= window || o.pace > s.now || s.regions.all[e.region()].phase == idle {
			return
		}
		e.sent = true
		o.pace += interval
		o.flights++
		o.unsent--
		s.send(wire.SubmitEdit{Counter: e.counter, Edit: e.edit.AppendBinary(nil)})
	}
}

// ownWelcome learns from a welcome which edits are durable. The others are sent again.
func (s *Session) ownWelcome(w wire.Welcome) {
	o := &s.own
	o.counter = max(o.counter, w.Counter)
	for i := range o.list {
		if o.list[i].counter <= w.Counter {
			o.settle(i, w.Head)
		}
	}
	s.settleCovered()
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
}

// editRefused takes the news that an own edit will never be in the log.
func (s *Session) editRefused(m wire.EditRefused) {
	if i := s.own.find(m.Counter); i >= 0 && s.world != nil {
		s.own.refused++
		s.link.messages, s.status.urgent = "edit refused: "+m.Message, true
		s.changed(s.world.Refuse(m.Counter).Box)
		s.remove(i)
	}
}

// settleCovered drops, from the pending edits, the durable ones that the bricks hold already: their entry came
// within a snapshot.
func (s *Session) settleCovered() {
	o := &s.own
	for i := 0; i < len(o.list); {
		e := o.list[i]
		if !e.durable || !s.covered(&e) {
			i++
			continue
		}
		s.changed(s.world.Refuse(e.counter).Box)
		s.remove(i)
	}
}

// covered reports whether the bricks hold the durable edit e.
func (s *Session) covered(e *own) bool {
	for id := range e.edit.Regions(0) {
		if r := s.regions.all[id]; r != nil && r.phase == live && r.seq >= e.by {
			return true
		}
	}
	return false
}
