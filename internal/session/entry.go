package session

import (
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A logged edit is an entry of the log.
type logged struct {
	seq, counter uint64
	edit         edit.Checked
}

// cost returns about what applying e costs, in units of Config.Slice: one for a row of a brick's samples.
func cost(e edit.Checked) int { return 8 + e.Cost()/lattice.BrickSamples }

// entry takes an entry of the log.
func (s *Session) entry(m wire.Entry) {
	e, err := edit.ParseWhole(m.Edit)
	if err != nil {
		s.drop("the server sent an edit that no client may make: " + err.Error())
		return
	}
	rs := &s.regions
	rs.head = max(rs.head, m.Seq)
	if s.world == nil {
		return
	}
	h := logged{m.Seq, m.Counter, e}
	concerns := s.own.find(m.Counter) >= 0
	for id := range e.Regions(0) {
		switch r := rs.all[id]; {
		case r == nil:
		case r.present():
			concerns = true
		case r.phase != idle:
			r.held = append(r.held, h)
		}
	}
	switch {
	case !concerns:
	case rs.stale > 0 || len(rs.backlog) > 0:
		rs.backlog = append(rs.backlog, h)
	default:
		s.confirm(h)
	}
}

// confirm applies an entry to the live regions that do not hold it yet.
func (s *Session) confirm(h logged) {
	rs := &s.regions
	due := func(id lattice.Region) bool {
		r := rs.all[id]
		return r != nil && r.phase == live && r.seq < h.seq
	}
	everywhere, somewhere := true, false
	for id := range h.edit.Bricks(0) {
		if due(id.Region()) {
			somewhere = true
		} else {
			everywhere = false
		}
	}
	var predicted uint64
	if s.own.find(h.counter) >= 0 {
		predicted = h.counter
	}
	if predicted != 0 && !s.tiles.have(roundEdit(h.edit)) {
		s.drop("the server ordered another edit than the one that was sent")
		return
	}
	if somewhere || predicted != 0 {
		s.spend(cost(h.edit))
		in := due
		if everywhere {
			in = nil
		}
		_, shown := s.world.Confirm(predicted, h.edit, in)
		s.changed(shown.Box)
	}
	for id := range h.edit.Regions(0) {
		if r := rs.all[id]; r != nil && r.phase == live {
			r.seq = max(r.seq, h.seq)
		}
	}
	if i := s.own.find(predicted); i >= 0 {
		s.own.settle(i, h.seq)
		s.remove(i)
	}
	s.settleCovered()
}
