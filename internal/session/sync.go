package session

import (
	"crypto/sha256"
	"math"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// sync brings regions on as far as the slice lasts.
func (s *Session) sync() {
	rs := &s.regions
	if rs.syncing > 0 {
		for _, r := range rs.list {
			if r.phase == idle && s.link.welcomed {
				r.phase = asked
				rs.asks[r.id]++
				s.send(wire.Subscribe{Region: r.id})
			}
			if r.phase == checking {
				s.check(r)
			}
		}
	}
	if rs.stale > 0 {
		if !rs.staleReady() {
			return
		}
		s.resume()
	}
	for len(rs.backlog) > 0 {
		if s.budget <= 0 {
			return
		}
		h := rs.backlog[0]
		if rs.backlog = rs.backlog[1:]; len(rs.backlog) == 0 {
			rs.backlog = nil
		}
		s.confirm(h)
	}
	if rs.syncing == 0 {
		rs.pieces = nil
		return
	}
	for _, r := range rs.list {
		if r.phase == ready && s.grounded(r) {
			s.join(r)
		}
	}
}

// check compares the snapshot of r with what is there, and asks for what is not.
func (s *Session) check(r *region) {
	rs := &s.regions
	layer := s.world.Layer()
	for ; r.checked < len(r.snap.pieces); r.checked++ {
		if !s.spend(1) {
			return
		}
		p := &r.snap.pieces[r.checked]
		if r.stale {
			if b := layer.Brick(p.id); b != nil {
				rs.scratch = b.AppendBinary(rs.scratch[:0], p.id)
				s.spend(len(rs.scratch) >> 13)
				if sha256.Sum256(rs.scratch) == p.content {
					p.brick = b
					continue
				}
			}
		}
		if b := rs.pieces[p.content]; b != nil && b.ID() == p.id {
			s.adopt(r, p, b)
			continue
		}
		if r.where == nil {
			r.where = make(map[asset.Hash]int)
		}
		r.where[p.content] = r.checked
		s.fetches.want(p.content, r)
	}
	if r.phase = fetching; len(r.where) == 0 {
		r.phase = ready
	}
	s.startFetches()
}

// pieceFetched takes a piece of r.
func (s *Session) pieceFetched(r *region, hash asset.Hash, data []byte) {
	rs := &s.regions
	id, b, err := brick.Parse(data)
	if err != nil {
		s.drop("the server's content is no brick: " + err.Error())
		return
	}
	if rs.pieces == nil {
		rs.pieces = make(map[asset.Hash]*brick.Brick)
	}
	rs.pieces[hash] = b
	i, ok := r.where[hash]
	if !ok {
		return // from before the connection was lost: kept for when it is asked for again
	}
	p := &r.snap.pieces[i]
	if p.id != id {
		s.drop("the server's snapshot names a brick by the content of another")
		return
	}
	delete(r.where, hash)
	s.adopt(r, p, b)
	if r.phase == fetching && len(r.where) == 0 {
		r.phase = ready
	}
}

// adopt makes b the brick of a piece of r.
func (s *Session) adopt(r *region, p *piece, b *brick.Brick) {
	p.brick = b
	if r.stale {
		p.box = s.differ(b)
	}
}

// differ returns the samples whose values b would change if it were laid. It leaves out none; samples that are
// edited in the world and not in b count as changed, whatever the field says.
func (s *Session) differ(b *brick.Brick) lattice.Box {
	s.spend(16)
	layer := s.world.Layer()
	old := layer.Brick(b.ID())
	if old != nil && old.Hash() == b.Hash() {
		return lattice.Box{}
	}
	var c brick.Change
	o, level := b.ID().Origin(), b.ID().Level
	for z := range int32(lattice.BrickSamples) {
		for y := range int32(lattice.BrickSamples) {
			for x := range int32(lattice.BrickSamples) {
				p := o.Add(x<<level, y<<level, z<<level)
				v, edited := b.At(p)
				var was float32
				wasEdited := false
				if old != nil {
					was, wasEdited = old.At(p)
				}
				if edited && !wasEdited {
					was = layer.At(p) // the field's
				}
				if edited && math.Float32bits(v) != math.Float32bits(was) || !edited && wasEdited {
					c.Add(p)
				}
			}
		}
	}
	return c.Box
}

// staleReady reports whether every stale region has been fetched again.
func (rs *regions) staleReady() bool {
	for _, r := range rs.list {
		if r.stale && r.phase != ready {
			return false
		}
	}
	return true
}

// resume brings all stale regions to their snapshots at once, and from there to one entry: what is shown goes
// from one state of the world to another.
func (s *Session) resume() {
	rs := &s.regions
	layer := s.world.Layer()
	var last uint64
	for _, r := range rs.list {
		if !r.stale {
			continue
		}
		if !r.snap.same {
			s.replace(r)
		}
		last = max(last, r.snap.seq)
		seq := r.snap.seq
		if layer.RegionHash(r.id) != r.snap.hash {
			s.link.messages = "a region differs from the server's after it was fetched again"
		}
		r.reset()
		r.seq, r.stale, r.phase = seq, false, live
		rs.stale--
		rs.syncing--
	}
	s.rescan = true
	// The snapshots need not be of the same entry. Up to the newest one the log is applied in one go, so that
	// no two regions show different states.
	for len(rs.backlog) > 0 && rs.backlog[0].seq <= last {
		h := rs.backlog[0]
		rs.backlog = rs.backlog[1:]
		s.confirm(h)
	}
	s.settleCovered()
}

// replace lays the bricks of a stale region's snapshot in place of those that are shown.
func (s *Session) replace(r *region) {
	layer := s.world.Layer()
	named := make(map[lattice.Brick]struct{}, len(r.snap.pieces))
	for i := range r.snap.pieces {
		named[r.snap.pieces[i].id] = struct{}{}
	}
	var gone []lattice.Box
	for id := range layer.Region(r.id) {
		if _, ok := named[id]; !ok { // the log was rolled back behind an edit
			layer.Put(id, nil)
			gone = append(gone, id.Box())
		}
	}
	for i := range r.snap.pieces {
		layer.Put(r.snap.pieces[i].id, r.snap.pieces[i].brick)
	}
	for i := range r.snap.pieces {
		s.changed(r.snap.pieces[i].box)
	}
	for _, box := range gone {
		s.changed(box)
	}
}

// join lays the bricks of a region that nothing is shown of yet, brings it up to the live ones and makes it one
// of them.
func (s *Session) join(r *region) {
	layer := s.world.Layer()
	if !r.laid {
		s.spend(1 + len(r.snap.pieces)>>4)
		layer.DropRegion(r.id)
		for i := range r.snap.pieces {
			layer.Put(r.snap.pieces[i].id, r.snap.pieces[i].brick)
		}
		r.snap.pieces = nil
		r.seq, r.laid = r.snap.seq, true
		if layer.RegionHash(r.id) != r.snap.hash {
			s.link.messages = "a region differs from the server's after it was fetched"
		}
	}
	only := func(id lattice.Region) bool { return id == r.id }
	for len(r.held) > 0 {
		h := r.held[0]
		if !s.spend(cost(h.edit)) {
			return
		}
		r.held = r.held[1:]
		if h.seq > r.seq {
			layer.ApplyIn(h.edit, only)
			r.seq = h.seq
		}
	}
	seq := r.seq
	r.reset()
	r.seq, r.phase = seq, live
	s.regions.syncing--
	s.rescan = true
	s.settleCovered()
}
