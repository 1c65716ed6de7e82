// Package group shows changes of the world whole. A group holds the shown chunks whose samples an edit changes; they are
// built together and shown in one frame. Without groups a hole on a border of chunks would be seen as a crack until the
// last of its chunks is built.
//
// A group is open until its first job is made: newer edits that touch one of its chunks merge with it. Making the first
// job seals it: the inputs of all its jobs are taken at that moment, so what it shows is one state of the world however
// long building takes. An edit that touches a chunk of a sealed group opens another one, which waits for the sealed one.
// So there are at most two groups round a chunk, no state is ever shown by halves, and a stream of edits cannot put off
// what was begun: if sealed groups took newer edits in, someone who digs without pause would never see the ground move.
//
// A chunk that is dropped leaves its group. A chunk that is not shown yet is loaded on its own, with the newest state,
// unless that would show a group's change before the others do: then it joins the group if that is open, and waits for
// it if it is sealed.
//
// Groups that share no chunk are built side by side and shown in the order in which they are ready; builders work on the
// oldest and on the smallest in turn.
package group

import (
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/internal/session/builders"
	"github.com/terrane/terrane/internal/session/residency"
	"github.com/terrane/terrane/lattice"
)

// Chunks are those that are tracked: a residency.Residency.
type Chunks interface {
	Raise(dst []residency.Raised, b lattice.Box) []residency.Raised
	State(id lattice.Chunk) (s residency.State, ok bool)
	SetShown(id lattice.Chunk, version uint32, drawn bool)
	Requeue(id lattice.Chunk, edited bool)
}

// A Queue orders the chunks that are built on their own: a residency.Residency.
type Queue interface {
	Next() (id lattice.Chunk, ok bool)
}

// Builders do jobs: a builders.Pool.
type Builders interface {
	Room(edited bool) bool
	Issue(j *builders.Job, edited bool)
	IssueAgain()
}

// A Source captures what meshes depend on: a builders.Source.
type Source interface {
	Capture(id lattice.Chunk, version uint32) *builders.Input
}

// Cast are those that groups work with.
type Cast struct {
	Chunks     Chunks
	Queue      Queue
	Builders   Builders
	Source     Source
	Screen     *Screen
	MaxUnshown int // frames that may wait for the screen before loading pauses
	Budget     *budget.Budget
}

// Groups are the sets of chunks that change together, and the chunks that are built on their own.
type Groups struct {
	chunks     Chunks
	queue      Queue
	builders   Builders
	source     Source
	screen     *Screen
	maxUnshown int
	budget     *budget.Budget

	marks  map[lattice.Chunk]*mark
	open   []*group // in order of their first edit
	sealed []*group
	oldest bool // whose turn it is in pick

	touched []residency.Raised // scratch of Changed
}

// New returns groups of which there are none. They need their cast before they are used.
func New() *Groups { return &Groups{marks: make(map[lattice.Chunk]*mark)} }

// Join tells the groups whom they work with.
func (gs *Groups) Join(c Cast) {
	gs.chunks, gs.queue, gs.builders, gs.source, gs.screen = c.Chunks, c.Queue, c.Builders, c.Source, c.Screen
	gs.maxUnshown, gs.budget = c.MaxUnshown, c.Budget
}

// Counts returns the number of open and sealed groups and of the chunks that they change or that are loaded.
func (gs *Groups) Counts() (open, sealed, marks int) {
	return len(gs.open), len(gs.sealed), len(gs.marks)
}

// Changed takes note that samples within the box look different now. The chunks on the screen that read them
// come into one open group, those that are about to be built on their own as well; others are loaded with the
// newest state anyway.
func (gs *Groups) Changed(box lattice.Box) {
	if box.Empty() {
		return
	}
	gs.touched = gs.chunks.Raise(gs.touched[:0], box)
	members := 0
	for i := range gs.touched {
		c := &gs.touched[i]
		c.Loaded = c.Loaded || gs.Busy(c.Chunk)
		if c.Loaded {
			members++
		} else if c.Tracked {
			gs.chunks.Requeue(c.Chunk, true)
		}
	}
	if members == 0 {
		return // nothing of it is on the screen, or about to be
	}
	var g *group
	for _, c := range gs.touched {
		if m := gs.marks[c.Chunk]; m != nil && m.open != nil && m.open != g {
			g = gs.merge(g, m.open)
		}
	}
	if g == nil {
		g = new(group)
		gs.open = append(gs.open, g)
	}
	for _, c := range gs.touched {
		m := gs.mark(c.Chunk)
		g.touch(m, c.Chunk)
		if c.Loaded {
			g.add(m, c.Chunk)
		}
	}
}

// Busy reports whether a chunk is being built, or will be.
func (gs *Groups) Busy(id lattice.Chunk) bool {
	m := gs.marks[id]
	return m != nil && (m.load != nil || m.inOpen || m.inSealed)
}

// Leave takes a chunk that is dropped out of its groups. Its jobs are for nothing; drawn says whether the screen has a
// mesh of it, which goes.
func (gs *Groups) Leave(id lattice.Chunk, drawn bool) {
	if m := gs.marks[id]; m != nil {
		if m.load != nil {
			m.load.job.Cancel()
			m.load = nil
		}
		if m.inSealed {
			m.inSealed = false
			gs.leaveSealed(m.sealed, id)
		}
		if m.inOpen {
			m.inOpen = false
			gs.leaveOpen(m.open, id)
		}
		gs.tidy(id, m)
	}
	if drawn {
		gs.screen.drop(id)
	}
}

// publish gives a sealed group that is built to the screen, and lets go of its chunks.
func (gs *Groups) publish(g *group) {
	gs.sealed = without(gs.sealed, g)
	for _, m := range g.members {
		switch {
		case m.left:
		case m.keep:
			s, _ := gs.chunks.State(m.id)
			gs.chunks.SetShown(m.id, m.shows, s.Drawn)
		default:
			gs.take(m.id, m.ticket, m.shows, m.empty)
		}
	}
	gs.screen.publish(true)
	for _, id := range g.touches {
		m := gs.marks[id]
		if m.open != nil {
			m.open.blockers--
		}
		m.sealed, m.inSealed = nil, false
		gs.tidy(id, m)
	}
	for _, id := range g.touches { // what was put off on its account, and members that have changed since
		gs.requeue(id, true)
	}
}

// take adds a chunk's new mesh to what is shown next, if the screen changes by it.
func (gs *Groups) take(id lattice.Chunk, ticket, version uint32, empty bool) {
	s, _ := gs.chunks.State(id)
	switch {
	case !empty || s.Drawn:
		gs.screen.add(Result{Ticket: ticket, Chunk: id, Version: version, Empty: empty})
	case ticket != 0:
		gs.screen.host.Discard(ticket)
	}
	gs.chunks.SetShown(id, version, !empty)
}

// requeue puts a chunk in line to be built on its own, if it needs that.
func (gs *Groups) requeue(id lattice.Chunk, edited bool) {
	if !gs.Busy(id) {
		gs.chunks.Requeue(id, edited)
	}
}
