package session

import (
	"crypto/sha256"
	"math"
	"slices"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// regions are those that columns in view read, and the entries that are about them.
type regions struct {
	all     map[lattice.Region]*region
	list    []*region              // the same, in the order in which they were first needed
	asks    map[lattice.Region]int // Subscribe messages of this connection that are not fully answered
	syncing int                    // regions that are not live
	stale   int                    // regions that are shown as they were before the connection was lost
	head    uint64                 // the last entry that the session knows of

	// backlog holds, in order, the entries about live regions that wait: for the stale ones to be fetched
	// again, or for a slice of time.
	backlog []logged
	// pieces holds bricks that were fetched but are not laid yet, by content, so that a connection lost half
	// way costs nothing twice.
	pieces  map[[32]byte]*brick.Brick
	scratch []byte
}

// A phase says how far a region has come.
type phase uint8

const (
	idle     phase = iota // to be subscribed to
	asked                 // waiting for its snapshot
	checking              // comparing the snapshot with what is there
	fetching              // waiting for pieces
	ready                 // all pieces are there
	live                  // every entry is applied as it comes
)

// A region is 8×8 chunk columns whose bricks the session keeps.
type region struct {
	id    lattice.Region
	uses  int // columns whose grids read it, and own edits in it
	phase phase
	stale bool   // its bricks are in the world, from before the connection was lost
	seq   uint64 // live and stale: the last entry about it that its bricks hold

	snap struct {
		seq, hash uint64
		pieces    []piece
		same      bool // the bricks in the world are those of the snapshot
	}
	checked int              // pieces compared
	where   map[[32]byte]int // place in pieces of those being fetched
	held    []logged         // not stale: entries after the snapshot, in order
	laid    bool             // its pieces are in the world
}

// A piece is one brick of a snapshot.
type piece struct {
	id      lattice.Brick
	content [32]byte
	brick   *brick.Brick // nil until it is there
	box     lattice.Box  // of a stale region: the samples in which it differs from what is shown
}

// A logged edit is an entry of the log.
type logged struct {
	seq, counter uint64
	edit         edit.Edit
}

func (rs *regions) init() {
	rs.all, rs.asks = make(map[lattice.Region]*region), make(map[lattice.Region]int)
}

// present reports whether the region's bricks are in the world, be it as they were a moment ago.
func (r *region) present() bool { return r.phase == live || r.stale }

// use counts a column that reads the region id, or an own edit in it.
func (s *Session) use(id lattice.Region) {
	rs := &s.regions
	r := rs.all[id]
	if r == nil {
		r = &region{id: id}
		rs.all[id] = r
		rs.list = append(rs.list, r)
		rs.syncing++
	}
	r.uses++
}

// release counts one less, and forgets the region with the last one.
func (s *Session) release(id lattice.Region) {
	rs := &s.regions
	r := rs.all[id]
	if r.uses--; r.uses > 0 {
		return
	}
	if r.phase != live {
		rs.syncing--
	}
	if r.stale {
		rs.stale--
	}
	if s.link.welcomed && r.phase != idle {
		s.send(wire.Unsubscribe{Region: id})
	}
	s.fetches.abandon(r)
	delete(rs.all, id)
	// A new list: one of the callers may be walking the old one.
	rs.list = slices.DeleteFunc(slices.Clone(rs.list), func(o *region) bool { return o == r })
	r.reset()
	s.world.Layer().DropRegion(id)
}

// offline keeps live regions as they are until they are fetched again. Entries that were not applied yet will
// be in their next snapshots.
func (rs *regions) offline() {
	for _, r := range rs.list {
		if r.phase == live {
			rs.syncing++
			if !r.stale {
				r.stale = true
				rs.stale++
			}
		}
		r.reset()
	}
	clear(rs.asks)
	rs.backlog = nil
}

// reset puts the region back to where it is to be subscribed to. The bricks of a stale one stay.
func (r *region) reset() {
	r.phase, r.checked, r.where, r.held, r.laid = idle, 0, nil, nil, false
	r.snap.pieces, r.snap.same = nil, false
}

// restart subscribes to a region anew: a piece of its snapshot cannot be had.
func (s *Session) restart(r *region) {
	s.fetches.abandon(r)
	if r.phase == live {
		return
	}
	if s.link.welcomed && r.phase != idle {
		s.send(wire.Unsubscribe{Region: r.id})
	}
	r.reset()
}

// snapshot takes a snapshot, or a part of one.
func (s *Session) snapshot(m wire.Snapshot) {
	rs := &s.regions
	n := rs.asks[m.Region]
	if n == 0 {
		s.drop("the server sent a snapshot of a region that was not asked for")
		return
	}
	if !m.More {
		rs.asks[m.Region] = n - 1
		if n == 1 {
			delete(rs.asks, m.Region)
		}
	}
	r := rs.all[m.Region]
	if r == nil || n > 1 || r.phase != asked {
		return // the region was left, and perhaps entered again: then another snapshot is to come
	}
	if len(r.snap.pieces) > 0 && (m.Seq != r.snap.seq || m.Hash != r.snap.hash) {
		s.drop("the server mixed two snapshots")
		return
	}
	r.snap.seq, r.snap.hash = m.Seq, m.Hash
	rs.head = max(rs.head, m.Seq)
	for _, p := range m.Pieces {
		id := lattice.Brick{X: p.X, Y: p.Y, Z: p.Z, Level: m.Region.Level}
		if id.Region() != m.Region {
			s.drop("the server sent a snapshot with a brick of another region")
			return
		}
		r.snap.pieces = append(r.snap.pieces, piece{id: id, content: p.Content})
	}
	if m.More {
		return
	}
	r.held = slices.DeleteFunc(r.held, func(h logged) bool { return h.seq <= r.snap.seq })
	if r.phase = checking; r.stale && s.world.Layer().RegionHash(r.id) == m.Hash {
		r.snap.same, r.phase = true, ready
	}
}

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
		if r.phase == ready {
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
			r.where = make(map[[32]byte]int)
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
func (s *Session) pieceFetched(r *region, hash [32]byte, data []byte) {
	rs := &s.regions
	id, b, err := brick.Parse(data)
	if err != nil {
		s.drop("the server's content is no brick: " + err.Error())
		return
	}
	if rs.pieces == nil {
		rs.pieces = make(map[[32]byte]*brick.Brick)
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

// cost returns about what applying e costs, in units of Config.Slice.
func cost(e edit.Edit) int {
	r := e.Radius + e.Smooth
	return 8 + int(2*r*r)
}

// entry takes an entry of the log.
func (s *Session) entry(m wire.Entry) {
	e, err := m.Edit.Edit()
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
	for id := range e.Box(0).Regions(0) {
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
	box := h.edit.Box(0)
	everywhere, somewhere := true, false
	for id := range box.Bricks(0) {
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
	if somewhere || predicted != 0 {
		s.spend(cost(h.edit))
		in := due
		if everywhere {
			in = nil
		}
		_, shown := s.world.Confirm(predicted, h.edit, in)
		s.changed(shown.Box)
	}
	for id := range box.Regions(0) {
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
