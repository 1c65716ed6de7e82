package session

import (
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
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
	pieces  map[asset.Hash]*brick.Brick
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
	checked int                // pieces compared
	where   map[asset.Hash]int // place in pieces of those being fetched
	held    []logged           // not stale: entries after the snapshot, in order
	laid    bool               // its pieces are in the world
	tiles   []asset.Hash       // those of rasters that lie round it
}

// A piece is one brick of a snapshot.
type piece struct {
	id      lattice.Brick
	content asset.Hash
	brick   *brick.Brick // nil until it is there
	box     lattice.Box  // of a stale region: the samples in which it differs from what is shown
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
		s.holdRegion(r)
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
	s.letGo(r.tiles)
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
