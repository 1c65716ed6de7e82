// Package region keeps the bricks of the regions that a session reads at the server's state: it subscribes, takes
// snapshots, fetches their pieces, and applies the log's entries in order.
//
// All live regions stand at one entry of the log. A region that is being fetched holds its entries back and joins the
// live ones once it has caught up: if entries were applied to its bricks as the pieces come, a brick that comes later,
// and holds them already, would have them applied twice.
//
// After a reconnect the live regions are stale: they are shown as they were until all of them have been fetched again,
// then change together. Changed one by one, two neighbors would show different states of the world, with a crack
// between them.
package region

import (
	"iter"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/internal/session/fetch"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A Server is the connection to it: a link.Link.
type Server interface {
	Greeted() bool
	Send(m wire.ClientMessage)
	Drop(reason string)
}

// A World holds the bricks: a world.World.
type World interface {
	Level() uint8
	Layer() *brick.Layer
	Confirm(id uint64, e edit.Checked, in func(lattice.Region) bool) (applied, shown brick.Change)
}

// A Fetcher fetches pieces of snapshots: a fetch.Queue.
type Fetcher interface {
	Want(hash asset.Hash, t fetch.Taker)
	Abandon(t fetch.Taker)
	Start()
}

// Tiles are those of rasters, which a region's entries and chunks read: a tile.Store.
type Tiles interface {
	HoldRegion(id lattice.Region) []asset.Hash
	Release(hashes []asset.Hash)
	Present(hashes []asset.Hash) bool
	CoversEdit(b lattice.Box) bool
}

// Own are the edits made here: an own.Edits.
type Own interface {
	// Predicted reports whether the edit with this counter is laid over the world as pending.
	Predicted(counter uint64) bool
	// Confirmed tells that the entry seq, which is that edit, has been applied.
	Confirmed(counter, seq uint64)
	// Advanced tells that regions hold further entries than before.
	Advanced()
}

// A View shows the world.
type View interface {
	// Changed tells that samples within the box look different now.
	Changed(b lattice.Box)
	// Arrived tells that a region became live.
	Arrived()
	// Report tells people of a problem.
	Report(problem string)
}

// Cast are those that the regions work with.
type Cast struct {
	Server  Server
	World   World
	Fetcher Fetcher
	Tiles   Tiles
	Own     Own
	View    View
	Budget  *budget.Budget
}

// Regions are those that columns in view read, and the entries that are about them.
type Regions struct {
	server  Server
	world   World
	fetcher Fetcher
	tiles   Tiles
	own     Own
	view    View
	budget  *budget.Budget

	all     map[lattice.Region]*region
	list    []*region              // the same, in the order in which they were first needed
	asks    map[lattice.Region]int // Subscribe messages of this connection that are not fully answered
	syncing int                    // regions that are not live
	stale   int                    // regions that are shown as they were before the connection was lost

	// backlog holds, in order, the entries about live regions that wait: for the stale ones to be fetched
	// again, or for a slice of time.
	backlog []Entry
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
	of    *Regions
	id    lattice.Region
	uses  int // columns whose grids read it, and own edits in it
	phase phase
	stale bool   // its bricks are in the world, from before the connection was lost
	seq   uint64 // live and stale: the last entry about it that its bricks hold

	snap    snapshot
	checked int                // pieces compared
	missing map[asset.Hash]int // place in the snapshot's pieces of those being fetched
	held    []Entry            // not stale: entries after the snapshot, in order
	laid    bool               // its pieces are in the world
	tiles   []asset.Hash       // those of rasters that lie round it
}

// New returns regions that subscribe to nothing. They need their cast before they are used.
func New() *Regions {
	return &Regions{all: make(map[lattice.Region]*region), asks: make(map[lattice.Region]int)}
}

// Join tells the regions whom they work with.
func (rs *Regions) Join(c Cast) {
	rs.server, rs.world, rs.fetcher, rs.tiles, rs.own, rs.view = c.Server, c.World, c.Fetcher, c.Tiles, c.Own, c.View
	rs.budget = c.Budget
}

// present reports whether the region's bricks are in the world, be it as they were a moment ago.
func (r *region) present() bool { return r.phase == live || r.stale }

// Use counts a column that reads the region id, or an own edit in it. The first one subscribes.
func (rs *Regions) Use(id lattice.Region) {
	r := rs.all[id]
	if r == nil {
		r = &region{of: rs, id: id}
		rs.all[id] = r
		rs.list = append(rs.list, r)
		rs.syncing++
		r.tiles = rs.tiles.HoldRegion(id)
	}
	r.uses++
}

// Release counts one less, and forgets the region with the last one.
func (rs *Regions) Release(id lattice.Region) {
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
	rs.unsubscribe(r)
	rs.fetcher.Abandon(r)
	delete(rs.all, id)
	// A new list: one of the callers may be walking the old one.
	rs.list = slices.DeleteFunc(slices.Clone(rs.list), func(o *region) bool { return o == r })
	r.reset()
	rs.tiles.Release(r.tiles)
	rs.world.Layer().DropRegion(id)
}

// unsubscribe tells the server that nothing more is wanted of r, if it was asked.
func (rs *Regions) unsubscribe(r *region) {
	if rs.server.Greeted() && r.phase != idle {
		rs.server.Send(wire.Unsubscribe{Region: r.id})
	}
}

// Present reports whether the bricks of the region are in the world.
func (rs *Regions) Present(id lattice.Region) bool {
	r := rs.all[id]
	return r != nil && r.present()
}

// Subscribed reports whether the server was asked for the region on this connection.
func (rs *Regions) Subscribed(id lattice.Region) bool {
	r := rs.all[id]
	return r != nil && r.phase != idle
}

// Holds reports whether a live region that e touches holds the log up to the entry seq.
func (rs *Regions) Holds(e edit.Checked, seq uint64) bool {
	for id := range e.Regions(rs.world.Level()) {
		if r := rs.all[id]; r != nil && r.phase == live && r.seq >= seq {
			return true
		}
	}
	return false
}

// All yields the regions, with the tiles of rasters that each holds, in the order in which they were first needed.
func (rs *Regions) All() iter.Seq2[lattice.Region, []asset.Hash] {
	return func(yield func(lattice.Region, []asset.Hash) bool) {
		for _, r := range rs.list {
			if !yield(r.id, r.tiles) {
				return
			}
		}
	}
}

// Counts returns the number of regions that are live and that are on the way there.
func (rs *Regions) Counts() (live, syncing int) { return len(rs.list) - rs.syncing, rs.syncing }

// Hash returns the xor of the hashes of the live regions.
func (rs *Regions) Hash() (hash uint64) {
	for _, r := range rs.list {
		if r.phase == live {
			hash ^= rs.world.Layer().RegionHash(r.id)
		}
	}
	return hash
}

// Disconnected keeps live regions as they are until they are fetched again. Entries that were not applied yet will
// be in their next snapshots.
func (rs *Regions) Disconnected() {
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
	r.phase, r.checked, r.missing, r.held, r.laid = idle, 0, nil, nil, false
	r.snap.pieces, r.snap.same = nil, false
}
