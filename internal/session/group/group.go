package group

import (
	"slices"

	"github.com/terrane/terrane/internal/session/builders"
	"github.com/terrane/terrane/lattice"
)

// A group is a set of chunks that change together.
type group struct {
	touches  []lattice.Chunk // every chunk whose samples it changes, shown or not
	members  []*member       // those to be built, in the order in which they came
	blockers int             // of an open group: touched chunks that a sealed one touches as well
	waiting  int             // of a sealed group: members without a result
	next     int             // of a sealed group: the first member without a job
	sealed   bool
}

// A member is a chunk of a group.
type member struct {
	of *group
	id lattice.Chunk
	// Of a sealed group:
	job    *builders.Job
	ticket uint32 // of its result, 0 for none
	done   bool   // its result is there, or will never be
	left   bool   // the chunk was dropped
	keep   bool   // it could not be built: the screen keeps what it has
	empty  bool   // there is no triangle
	shows  uint32 // the version that the result shows
}

// Built takes the result of a member's job.
func (m *member) Built(ticket uint32, empty bool) {
	m.ticket, m.empty = ticket, empty
	m.finish()
}

// GaveUp has the screen keep what it has of a member: the group's other members are not held up by it for ever.
func (m *member) GaveUp() {
	m.keep = true
	m.finish()
}

func (m *member) finish() {
	m.done = true
	m.of.waiting--
}

// left returns the number of members without a job.
func (g *group) left() int { return len(g.members) - g.next }

// A mark records what is under way for a chunk.
type mark struct {
	// open and sealed are the groups that change the chunk, whether it is shown or not. Open groups share no chunk,
	// sealed ones neither.
	open, sealed     *group
	inOpen, inSealed bool  // it is a member of them
	load             *load // the job that builds it on its own
}

// mark returns the mark of a chunk, a new one if it has none.
func (gs *Groups) mark(id lattice.Chunk) *mark {
	m := gs.marks[id]
	if m == nil {
		m = new(mark)
		gs.marks[id] = m
	}
	return m
}

// tidy forgets the mark of a chunk if nothing is under way for it any more.
func (gs *Groups) tidy(id lattice.Chunk, m *mark) {
	if m.open == nil && m.sealed == nil && m.load == nil {
		delete(gs.marks, id)
	}
}

// without returns the list without g.
func without(list []*group, g *group) []*group {
	i := slices.Index(list, g)
	return slices.Delete(list, i, i+1)
}

// touch notes that g, which is open, changes the chunk that m marks.
func (g *group) touch(m *mark, id lattice.Chunk) {
	if m.open == g {
		return
	}
	m.open = g
	g.touches = append(g.touches, id)
	if m.sealed != nil {
		g.blockers++
	}
}

// add makes a chunk that g, which is open, changes a member of it.
func (g *group) add(m *mark, id lattice.Chunk) {
	if !m.inOpen {
		m.inOpen = true
		g.members = append(g.members, &member{of: g, id: id})
	}
}

// merge unites two open groups, of which a may be nil, and returns what is left: the older one, so that an edit is not
// put off by a newer one.
func (gs *Groups) merge(a, b *group) *group {
	if a == nil {
		return b
	}
	if slices.Index(gs.open, b) < slices.Index(gs.open, a) {
		a, b = b, a
	}
	gs.open = without(gs.open, b)
	for _, id := range b.touches {
		gs.marks[id].open = a
	}
	for _, m := range b.members {
		m.of = a
	}
	a.touches = append(a.touches, b.touches...)
	a.blockers += b.blockers
	a.members = append(a.members, b.members...)
	return a
}

// seal takes the inputs of all members of an open group as they are now. All at once: inputs that were taken one by one,
// as builders have room, would be of different states of the world, and the frame would show a crack between them.
func (gs *Groups) seal(g *group) {
	gs.open = without(gs.open, g)
	gs.sealed = append(gs.sealed, g)
	g.sealed = true
	for _, id := range g.touches {
		m := gs.marks[id]
		m.sealed, m.inSealed = g, m.inOpen
		m.open, m.inOpen = nil, false
	}
	for _, m := range g.members {
		s, _ := gs.chunks.State(m.id)
		m.shows = s.Version
		m.job = builders.NewJob(gs.source.Capture(m.id, s.Version), m)
	}
	g.waiting = len(g.members)
}

// leaveOpen takes a chunk that is dropped out of its open group.
func (gs *Groups) leaveOpen(g *group, id lattice.Chunk) {
	g.members = slices.DeleteFunc(g.members, func(m *member) bool { return m.id == id })
	if len(g.members) > 0 {
		return
	}
	gs.open = without(gs.open, g)
	for _, id := range g.touches {
		m := gs.marks[id]
		m.open = nil
		gs.tidy(id, m)
	}
}

// leaveSealed takes a chunk that is dropped out of its sealed group, which no longer waits for it.
func (gs *Groups) leaveSealed(g *group, id lattice.Chunk) {
	i := slices.IndexFunc(g.members, func(m *member) bool { return m.id == id && !m.left })
	m := g.members[i]
	m.left = true
	m.job.Cancel()
	if m.ticket != 0 {
		gs.screen.host.Discard(m.ticket)
	}
	if !m.done {
		m.finish()
	}
}
