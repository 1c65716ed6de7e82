// Package own keeps the edits made here from the moment they are made until what became of them is known. An own edit is
// pending, laid over the bricks, until its entry comes, its refusal, or a snapshot that holds it. An acknowledgement
// alone changes nothing on the screen: the entry may still be on its way behind others, and to drop the edit from the
// screen before it is applied to the bricks would close the hole for a moment.
package own

import (
	"errors"
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// window bounds the own edits that are on their way to the server at once. It allows 64; half of that leaves it room for
// edits of a connection that was lost, which it may still be working on.
const window = 32

// The errors of Make.
var (
	ErrNoGround = errors.New("the ground there is not loaded yet")
	ErrTooMany  = errors.New("too many edits wait for the server")
)

// A World shows pending edits: a world.World.
type World interface {
	Level() uint8
	Predict(id uint64, e edit.Checked) brick.Change
	Refuse(id uint64) brick.Change
}

// Regions are subscribed to for the edits in them: a region.Regions.
type Regions interface {
	Use(id lattice.Region)
	Release(id lattice.Region)
	Subscribed(id lattice.Region) bool
	Holds(e edit.Checked, seq uint64) bool
}

// Tiles are those of rasters, which edits read: a tile.Store.
type Tiles interface {
	HoldEdit(b lattice.Box) (hashes []asset.Hash, ok bool)
	Release(hashes []asset.Hash)
}

// A Server orders edits: a link.Link.
type Server interface {
	Greeted() bool
	Send(m wire.ClientMessage)
}

// A View shows the world.
type View interface {
	Changed(b lattice.Box)
}

// Cast are those that own edits work with.
type Cast struct {
	World   World
	Regions Regions
	Tiles   Tiles
	Server  Server
	View    View
	Budget  *budget.Budget
}

// Limits bound own edits.
type Limits struct {
	Pending   int // that may wait for the server
	PerSecond int // that are sent
	Burst     int // that are sent at once after a pause
}

// A Tally counts own edits over all connections and worlds.
type Tally struct {
	Counter uint64 // the last one given out
	Acked   uint64
	Refused uint64
}

// Edits are the edits made here that the world shows as pending.
type Edits struct {
	world   World
	regions Regions
	tiles   Tiles
	server  Server
	view    View
	budget  *budget.Budget

	limits Limits

	tally   Tally
	list    []own // in order of their counters
	flights int   // sent and not answered
	unsent  int   // not durable and not sent on this connection
	head    uint64
	// pace is the time at which the edits sent so far would have been sent at Limits.PerSecond.
	pace time.Duration
}

// An own edit is pending until the log's order is known here.
type own struct {
	counter uint64
	edit    edit.Checked
	region  lattice.Region
	tiles   []asset.Hash // held for it
	sent    bool         // on this connection
	durable bool         // it is in the log, at or before the entry by, and waits for that entry to come here
	by      uint64       // only if durable
}

// New returns own edits of which there are none yet in this world. They need their cast before they are used.
func New(l Limits, t Tally) *Edits { return &Edits{limits: l, tally: t} }

// Join tells the edits whom they work with.
func (o *Edits) Join(c Cast) {
	o.world, o.regions, o.tiles, o.server, o.view = c.World, c.Regions, c.Tiles, c.Server, c.View
	o.budget = c.Budget
}

// Make lays e over the world and has it sent. The error says why it was not taken.
func (o *Edits) Make(e edit.Checked) (counter uint64, err error) {
	if len(o.list) >= o.limits.Pending {
		return 0, ErrTooMany
	}
	level := o.world.Level()
	tiles, ok := o.tiles.HoldEdit(e.Box(level))
	if !ok {
		return 0, ErrNoGround
	}
	o.tally.Counter++
	// The server takes edits only from those who are subscribed to the region of their place, so the session is until it
	// knows what became of the edit, wherever the viewer goes.
	n := own{counter: o.tally.Counter, edit: e, tiles: tiles, region: lattice.RegionOf(e.Place().Sample, level)}
	o.list = append(o.list, n)
	o.unsent++
	o.regions.Use(n.region)
	o.budget.Spend(2 * budget.OfEdit(e)) // it is looked at before and after
	o.view.Changed(o.world.Predict(n.counter, e).Box)
	return n.counter, nil
}

// Send sends edits that the server does not have, in order, and no faster than it takes them: it would refuse them, and
// a refused edit is lost.
func (o *Edits) Send(now time.Duration) {
	if o.unsent == 0 || !o.server.Greeted() {
		return
	}
	interval := time.Second / time.Duration(o.limits.PerSecond)
	for i := range o.list {
		e := &o.list[i]
		if e.sent || e.durable {
			continue
		}
		o.pace = max(o.pace, now-interval*time.Duration(o.limits.Burst))
		if o.flights >= window || o.pace > now || !o.regions.Subscribed(e.region) {
			return
		}
		e.sent = true
		o.pace += interval
		o.flights++
		o.unsent--
		o.server.Send(wire.SubmitEdit{Counter: e.counter, Edit: e.edit.AppendBinary(nil)})
	}
}

// Disconnected makes every edit that is not known to be durable one to send again. The server knows it by its counter
// if it has it already.
func (o *Edits) Disconnected() {
	for i := range o.list {
		o.list[i].sent = false
	}
	o.unsent += o.flights
	o.flights = 0
}

// Welcome learns from a welcome which edits are durable: those up to the server's high-water mark. The others are sent
// again. A server that never saw the session before may know a higher counter than this one, of an earlier run.
func (o *Edits) Welcome(counter, head uint64) {
	o.head = head
	o.tally.Counter = max(o.tally.Counter, counter)
	for i := range o.list {
		if o.list[i].counter <= counter {
			o.settle(i, head)
		}
	}
	o.Advanced()
}

// Acknowledged takes the news that an own edit is durable, as the entry seq; 0 if it was made on an earlier connection.
func (o *Edits) Acknowledged(counter, seq uint64) {
	if i := o.find(counter); i >= 0 {
		if seq == 0 {
			seq = o.head
		}
		o.settle(i, seq)
		o.Advanced()
	}
}

// Refused takes the news that an own edit will never be in the log, and reports whether it was pending.
func (o *Edits) Refused(counter uint64) bool {
	i := o.find(counter)
	if i < 0 {
		return false
	}
	o.tally.Refused++
	o.view.Changed(o.world.Refuse(counter).Box)
	o.remove(i)
	return true
}

// Predicted reports whether the edit is pending.
func (o *Edits) Predicted(counter uint64) bool { return o.find(counter) >= 0 }

// Confirmed tells that the entry seq, which is the pending edit, was applied to the bricks.
func (o *Edits) Confirmed(counter, seq uint64) {
	if i := o.find(counter); i >= 0 {
		o.settle(i, seq)
		o.remove(i)
	}
}

// Advanced tells that regions hold further entries than before. The durable edits that the bricks hold now are no longer
// pending: their entry came within a snapshot, and will not come by itself.
func (o *Edits) Advanced() {
	for i := 0; i < len(o.list); {
		e := o.list[i]
		if !e.durable || !o.regions.Holds(e.edit, e.by) {
			i++
			continue
		}
		o.view.Changed(o.world.Refuse(e.counter).Box)
		o.remove(i)
	}
}

// Pending returns the number of edits that are not in the log yet, as far as is known.
func (o *Edits) Pending() int { return o.flights + o.unsent }

// Unsent returns the number of those that wait to be sent.
func (o *Edits) Unsent() int { return o.unsent }

// Len returns the number of edits that the world shows as pending, durable ones included.
func (o *Edits) Len() int { return len(o.list) }

// Tally returns the counts.
func (o *Edits) Tally() Tally { return o.tally }

// find returns the place of an edit in the list, or −1.
func (o *Edits) find(counter uint64) int {
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
func (o *Edits) answered(i int) {
	switch e := &o.list[i]; {
	case e.durable:
	case e.sent:
		o.flights--
	default:
		o.unsent--
	}
}

// settle marks edit i as durable at or before the entry by.
func (o *Edits) settle(i int, by uint64) {
	e := &o.list[i]
	if e.durable {
		e.by = min(e.by, by)
		return
	}
	o.answered(i)
	e.durable, e.by = true, by
	o.tally.Acked++
}

// remove takes edit i off the list, and with it the holds on its region and tiles.
func (o *Edits) remove(i int) {
	e := o.list[i]
	o.answered(i)
	o.list = slices.Delete(o.list, i, i+1)
	o.tiles.Release(e.tiles)
	o.regions.Release(e.region)
}
