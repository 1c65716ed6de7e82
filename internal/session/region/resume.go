package region

import (
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/lattice"
)

// staleReady reports whether every stale region has been fetched again.
func (rs *Regions) staleReady() bool {
	for _, r := range rs.list {
		if r.stale && r.phase != ready {
			return false
		}
	}
	return true
}

// resume brings all stale regions to their snapshots at once, and from there to one entry: what is shown goes
// from one state of the world to another.
func (rs *Regions) resume() {
	layer := rs.world.Layer()
	var last uint64
	for _, r := range rs.list {
		if !r.stale {
			continue
		}
		if !r.snap.same {
			rs.replace(r)
		}
		last = max(last, r.snap.seq)
		seq := r.snap.seq
		if layer.RegionHash(r.id) != r.snap.hash {
			rs.view.Report("a region differs from the server's after it was fetched again")
		}
		r.reset()
		r.seq, r.stale, r.phase = seq, false, live
		rs.stale--
		rs.syncing--
	}
	rs.view.Arrived()
	// The snapshots need not be of the same entry. Up to the newest one the log is applied in one go, whatever is left
	// of the slice, so that no two regions show different states.
	for len(rs.backlog) > 0 && rs.backlog[0].Seq <= last {
		h := rs.backlog[0]
		rs.backlog = rs.backlog[1:]
		rs.apply(h)
	}
	rs.own.Advanced()
}

// replace lays the bricks of a stale region's snapshot in place of those that are shown.
func (rs *Regions) replace(r *region) {
	layer := rs.world.Layer()
	named := make(map[lattice.Brick]struct{}, len(r.snap.pieces))
	for i := range r.snap.pieces {
		named[r.snap.pieces[i].id] = struct{}{}
	}
	var gone []lattice.Box
	for id := range layer.Region(r.id) {
		if _, ok := named[id]; !ok { // the log was rolled back behind an edit
			layer.Delete(id)
			gone = append(gone, id.Box())
		}
	}
	// All bricks are laid before anybody hears of it: who hears of a change may look at its neighbors.
	for i := range r.snap.pieces {
		layer.Put(r.snap.pieces[i].brick)
	}
	for i := range r.snap.pieces {
		rs.view.Changed(r.snap.pieces[i].box)
	}
	for _, box := range gone {
		rs.view.Changed(box)
	}
}

// join lays the bricks of a region that nothing is shown of yet, brings it up to the live ones and makes it one
// of them.
func (rs *Regions) join(r *region) {
	layer := rs.world.Layer()
	if !r.laid {
		rs.budget.Spend(1 + len(r.snap.pieces)>>4)
		layer.DropRegion(r.id)
		for i := range r.snap.pieces {
			layer.Put(r.snap.pieces[i].brick)
		}
		r.snap.pieces = nil
		r.seq, r.laid = r.snap.seq, true
		if layer.RegionHash(r.id) != r.snap.hash {
			rs.view.Report("a region differs from the server's after it was fetched")
		}
	}
	only := func(id lattice.Region) bool { return id == r.id }
	for len(r.held) > 0 {
		h := r.held[0]
		if !rs.budget.Spend(budget.OfEdit(h.Edit)) {
			return
		}
		r.held = r.held[1:]
		if h.Seq > r.seq {
			layer.ApplyIn(h.Edit, only)
			r.seq = h.Seq
		}
	}
	seq := r.seq
	r.reset()
	r.seq, r.phase = seq, live
	rs.syncing--
	rs.view.Arrived()
	rs.own.Advanced()
}
