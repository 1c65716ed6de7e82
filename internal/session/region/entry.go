package region

import (
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// An Entry is an edit of the log.
type Entry struct {
	Seq     uint64
	Counter uint64 // of an own edit, else 0
	Edit    edit.Checked
}

// Entry takes the log's next entry.
func (rs *Regions) Entry(h Entry) {
	concerns := rs.own.Predicted(h.Counter)
	for id := range h.Edit.Regions(rs.world.Level()) {
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
		rs.backlog = append(rs.backlog, h) // or it would overtake those before it
	default:
		rs.apply(h)
	}
}

// apply applies an entry to the live regions that do not hold it yet. Those joined from a newer snapshot do: applied
// again, a smooth edit would change them once more.
func (rs *Regions) apply(h Entry) {
	level := rs.world.Level()
	due := func(id lattice.Region) bool {
		r := rs.all[id]
		return r != nil && r.phase == live && r.seq < h.Seq
	}
	everywhere, somewhere := true, false
	for id := range h.Edit.Bricks(level) {
		if due(id.Region()) {
			somewhere = true
		} else {
			everywhere = false
		}
	}
	predicted := rs.own.Predicted(h.Counter)
	if predicted && !rs.tiles.CoversEdit(h.Edit.Box(level)) {
		rs.server.Drop("the server ordered another edit than the one that was sent")
		return
	}
	if somewhere || predicted {
		rs.budget.Spend(budget.OfEdit(h.Edit))
		in, id := due, uint64(0)
		if everywhere {
			in = nil
		}
		if predicted {
			id = h.Counter
		}
		_, shown := rs.world.Confirm(id, h.Edit, in)
		rs.view.Changed(shown.Box)
	}
	for id := range h.Edit.Regions(level) {
		if r := rs.all[id]; r != nil && r.phase == live {
			r.seq = max(r.seq, h.Seq)
		}
	}
	if predicted {
		rs.own.Confirmed(h.Counter, h.Seq)
	}
	rs.own.Advanced()
}

// Sync brings regions on as far as the slice lasts.
func (rs *Regions) Sync() {
	if rs.syncing > 0 {
		rs.ask()
	}
	if rs.stale > 0 {
		if !rs.staleReady() {
			return
		}
		rs.resume()
	}
	for len(rs.backlog) > 0 {
		if rs.budget.Exhausted() {
			return
		}
		h := rs.backlog[0]
		if rs.backlog = rs.backlog[1:]; len(rs.backlog) == 0 {
			rs.backlog = nil
		}
		rs.apply(h)
	}
	if rs.syncing == 0 {
		rs.pieces = nil
		return
	}
	for _, r := range rs.list {
		if r.phase == ready && rs.tiles.Present(r.tiles) {
			rs.join(r)
		}
	}
}

// ask subscribes to the regions that are new on this connection, and compares the snapshots that came.
func (rs *Regions) ask() {
	for _, r := range rs.list {
		if r.phase == idle && rs.server.Greeted() {
			r.phase = asked
			rs.asks[r.id]++
			rs.server.Send(wire.Subscribe{Region: r.id})
		}
		if r.phase == checking {
			rs.check(r)
		}
	}
}
