package server

import (
	"sync"
	"time"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// An owner owns the world: its bricks, who is subscribed to what, who is where. Its fields belong to the
// goroutine that runs run; others hand it functions through do. Those never wait for anything.
type owner struct {
	s     *Server
	work  chan func()
	quit  chan struct{} // closed by stop
	ended chan struct{} // closed when run has returned

	layer     *brick.Layer
	applied   worldlog.Seq              // every entry up to it is applied
	early     map[worldlog.Seq]logged   // durable, waiting for their predecessors
	onApplied map[worldlog.Seq][]func() // called in the turn in which the entry is applied
	unsaved   int                       // entries since the last snapshot of the log was begun

	gapSince time.Time      // since when something waits for its turn; zero while nothing does
	catching bool           // a catch-up is under way
	helpers  sync.WaitGroup // catch-ups

	sessions map[uint64]*conn // connections that were welcomed, by their session
	regions  map[lattice.Region]*regionState
	crowd    crowd
}

// A logged edit is an entry of the log beside the edit that its payload encodes: an edit that this server took was
// parsed at the door and is not parsed again.
type logged struct {
	worldlog.Entry
	edit edit.Checked
}

// A regionState holds the connections that a region concerns; the owner has one for each region that has any.
type regionState struct {
	subscribers map[*conn]struct{}
	people      map[*conn]struct{} // whose eye is there
}

func newOwner(s *Server, l *loaded) *owner {
	return &owner{
		s:         s,
		work:      make(chan func(), 256),
		quit:      make(chan struct{}),
		ended:     make(chan struct{}),
		layer:     l.layer,
		applied:   l.head,
		early:     make(map[worldlog.Seq]logged),
		onApplied: make(map[worldlog.Seq][]func()),
		unsaved:   int(l.head - l.snap),
		sessions:  make(map[uint64]*conn),
		regions:   make(map[lattice.Region]*regionState),
		crowd:     newCrowd(),
	}
}

// peopleInterval is the time between messages about who is where. Ten a second look smooth when the client
// slides between them; more is traffic with the square of the people.
const peopleInterval = 100 * time.Millisecond

// run does the work handed over until stop is called.
func (o *owner) run() {
	defer close(o.ended)
	tick := time.NewTicker(peopleInterval)
	defer tick.Stop()
	for {
		select {
		case f := <-o.work:
			f()
		case now := <-tick.C:
			o.tellPeople()
			o.watchGap(now)
		case <-o.quit:
			return
		}
	}
}

// stop ends run. Work that is handed over afterwards is dropped.
func (o *owner) stop() {
	close(o.quit)
	<-o.ended
	o.helpers.Wait()
}

const (
	// gapPatience is how long an entry may be missing before the log is asked for it. Appends return in any
	// order within milliseconds; an entry that still fails to come was written by one that seemed to fail, or
	// by somebody else. Asking in vain costs a short read.
	gapPatience = 250 * time.Millisecond
	// gapRetry is the time between tries when the log cannot be read.
	gapRetry = time.Second
)

// watchGap looks after entries and people that wait for an entry which nobody announces.
func (o *owner) watchGap(now time.Time) {
	switch {
	case len(o.early) == 0 && len(o.onApplied) == 0:
		o.gapSince = time.Time{}
	case o.gapSince.IsZero():
		o.gapSince = now
	case now.Sub(o.gapSince) >= gapPatience && !o.catching:
		o.catching, o.gapSince = true, time.Time{}
		o.helpers.Go(func() {
			if !o.s.catchUp() {
				select {
				case <-time.After(gapRetry):
				case <-o.quit:
				}
			}
			o.do(func() { o.catching = false })
		})
	}
}

// do hands over f. It waits while the owner has much to do; it drops f after stop.
func (o *owner) do(f func()) {
	select {
	case o.work <- f:
	case <-o.ended:
	}
}

// ask hands over f and waits until it has returned. ok is false if the owner has stopped.
func (o *owner) ask(f func()) (ok bool) {
	done := make(chan struct{})
	o.do(func() { f(); close(done) })
	select {
	case <-done:
		return true
	case <-o.ended:
		return false
	}
}

// commit takes an entry that is durable and applies all whose turn has come. An entry may come twice.
func (o *owner) commit(e logged) {
	if e.Seq <= o.applied {
		return
	}
	o.early[e.Seq] = e
	for {
		e, ok := o.early[o.applied+1]
		if !ok || !o.apply(e) {
			break
		}
		delete(o.early, e.Seq)
	}
	if o.unsaved >= o.s.config.SnapshotEvery && o.s.saver.start(o.image) {
		o.unsaved = 0
	}
}

// whenApplied calls f as soon as every entry up to seq is applied, perhaps at once.
func (o *owner) whenApplied(seq worldlog.Seq, f func()) {
	if seq <= o.applied {
		f()
		return
	}
	o.onApplied[seq] = append(o.onApplied[seq], f)
}

// apply makes the next entry of the log part of the world and tells everyone concerned. It reports false, and nothing
// has happened, if the ground there cannot be read: watchGap tries again.
func (o *owner) apply(e logged) bool {
	// The tiles were read when the edit came. Should one be gone from memory and from the disk since, the entry waits.
	if err := o.s.tiles.hold(e.edit); err != nil {
		o.s.log.Error("an entry waits: the ground there cannot be read", "entry", e.Seq, "err", err)
		return false
	}
	o.applied = e.Seq
	o.unsaved++
	o.layer.Apply(e.edit)
	o.broadcast(e.Entry)
	for _, f := range o.onApplied[e.Seq] {
		f()
	}
	delete(o.onApplied, e.Seq)
	return true
}

// broadcast sends an entry to every subscriber of its regions, once.
func (o *owner) broadcast(e worldlog.Entry) {
	m := wire.Entry{Seq: uint64(e.Seq), TimeMS: e.Time.UnixMilli(), Edit: e.Payload}
	author := o.sessions[e.ID.Session]
	if author != nil {
		m.Author = author.id
	}
	var others []byte // one frame for all but the author, never written again
	for _, r := range e.Regions {
		state := o.regions[r]
		if state == nil {
			continue
		}
		for c := range state.subscribers {
			if c.told == e.Seq {
				continue
			}
			c.told = e.Seq
			if c == author {
				own := m
				own.Counter = e.ID.Counter
				c.send(own)
				continue
			}
			if others == nil {
				others = wire.AppendServer(nil, m)
			}
			c.sendFrame(others)
		}
	}
}

// welcome makes c the connection of its session, in place of an older one.
func (o *owner) welcome(c *conn, w wire.Welcome) {
	if old := o.sessions[c.session]; old != nil {
		old.refuse(wire.CodeOrder, "this session connected again from elsewhere")
		o.leave(old)
	}
	o.sessions[c.session] = c
	w.Head = uint64(o.applied)
	c.send(w)
}

// leave forgets a connection. It may be called more than once.
func (o *owner) leave(c *conn) {
	if o.sessions[c.session] != c {
		return // never welcomed, or taken over
	}
	delete(o.sessions, c.session)
	o.crowd.leave(o, c)
	for r := range c.subscribed {
		o.unsubscribe(c, r)
	}
}

// subscribe begins a subscription, or begins it anew, with a snapshot of this very turn.
func (o *owner) subscribe(c *conn, r lattice.Region) {
	if o.sessions[c.session] != c {
		return
	}
	if _, again := c.subscribed[r]; !again {
		c.subscribed[r] = struct{}{}
		o.region(r).subscribers[c] = struct{}{}
		o.crowd.lookAgain(o, r)
	}
	image := &regionImage{region: r, seq: o.applied, hash: o.layer.RegionHash(r)}
	for _, b := range o.layer.Region(r) {
		image.bricks = append(image.bricks, b)
	}
	c.sendImage(image)
}

// unsubscribe ends a subscription, if there is one.
func (o *owner) unsubscribe(c *conn, r lattice.Region) {
	if _, ok := c.subscribed[r]; !ok {
		return
	}
	delete(c.subscribed, r)
	delete(o.regions[r].subscribers, c)
	o.crowd.lookAgain(o, r)
	o.tidy(r)
}

// region returns the state of r, made if need be; whoever empties it calls tidy.
func (o *owner) region(r lattice.Region) *regionState {
	state := o.regions[r]
	if state == nil {
		state = &regionState{subscribers: make(map[*conn]struct{}), people: make(map[*conn]struct{})}
		o.regions[r] = state
	}
	return state
}

// tidy drops the state of r if nobody is concerned.
func (o *owner) tidy(r lattice.Region) {
	if state := o.regions[r]; state != nil && len(state.subscribers) == 0 && len(state.people) == 0 {
		delete(o.regions, r)
	}
}

// image returns all bricks as of the last entry that was applied. After stop anybody may call it.
func (o *owner) image() worldImage {
	w := worldImage{seq: o.applied, bricks: make([]*brick.Brick, 0, o.layer.Len())}
	for _, b := range o.layer.All() {
		w.bricks = append(w.bricks, b)
	}
	return w
}
