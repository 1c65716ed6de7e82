package session

import (
	"slices"

	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
)

// groups are the sets of chunks that change together; doc.go says how they live.
type groups struct {
	// marks says, for each chunk that a group on its way to the screen changes, which groups those are,
	// whether the chunk is shown or not. Open groups share no chunk, sealed ones neither.
	marks  map[lattice.Chunk]mark
	open   []*group // in order of their first edit
	sealed []*group

	ids     uint64
	turn    bool                // whose turn it is in pick
	unshown map[uint64]struct{} // handed over and not answered
	drops   []lattice.Chunk     // meshes that the screen is to let go of
	results []Result            // scratch of hand
	touched []lattice.Chunk     // scratch of changed
}

// A mark names the groups that change a chunk.
type mark struct{ open, sealed *group }

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
	chunk *chunk
	// Of a sealed group:
	input  *input
	job    *job   // at work on it
	ticket uint32 // of its result, 0 for none
	done   bool   // its result is there, or will never be
	left   bool   // the chunk was dropped
	keep   bool   // it could not be built: the screen keeps what it has
	empty  bool   // there is no triangle
	shows  uint32 // the version that the result shows
}

func (g *groups) init() {
	g.marks, g.unshown = make(map[lattice.Chunk]mark), make(map[uint64]struct{})
}

// changed takes note that samples within the box look different now. The chunks on the screen that read them
// come into one open group, those that are about to be built on their own as well; others are loaded with the
// newest state anyway.
func (s *Session) changed(box lattice.Box) {
	if box.Empty() || s.conf.Builders == 0 {
		return
	}
	gs := &s.groups
	s.versions++
	gs.touched = gs.touched[:0]
	var members []*chunk
	for id := range box.Chunks(s.world.Level()) {
		gs.touched = append(gs.touched, id)
		ch := s.chunks[id]
		if ch == nil {
			if ch = s.rise(id); ch == nil {
				continue
			}
		}
		s.raise(ch)
		if ch.loaded || ch.load != nil || ch.open != nil || ch.sealed != nil {
			members = append(members, ch)
		} else {
			s.queue.Push(id, true)
		}
	}
	if len(members) == 0 {
		return // nothing of it is on the screen, or about to be
	}
	var g *group
	for _, id := range gs.touched {
		if o := gs.marks[id].open; o != nil && o != g {
			g = gs.merge(g, o)
		}
	}
	if g == nil {
		g = new(group)
		gs.open = append(gs.open, g)
	}
	for _, id := range gs.touched {
		gs.touch(g, id)
	}
	for _, ch := range members {
		g.add(ch)
	}
}

// rise begins to track a chunk of a tracked column that was known to have no surface and may have some now.
// Whether it does is for a builder to find out: bounds of a field cost as much there as here, where they would
// hold up everything else.
func (s *Session) rise(id lattice.Chunk) *chunk {
	c := s.columns[lod.Column{X: id.X, Z: id.Z, Level: id.Level}]
	if c == nil || !c.tracked {
		return nil
	}
	if d := id.Y - c.middle; d > tall || d < -tall {
		c.cut = true
		return nil
	}
	ch := s.track(c, id.Y)
	s.setShown(ch, ch.version-1, false)
	return ch
}

// touch notes that g, which is open, changes the chunk.
func (gs *groups) touch(g *group, id lattice.Chunk) {
	m := gs.marks[id]
	if m.open == g {
		return
	}
	m.open = g
	gs.marks[id] = m
	g.touches = append(g.touches, id)
	if m.sealed != nil {
		g.blockers++
	}
}

// add makes a chunk a member of g, which is open.
func (g *group) add(ch *chunk) {
	if ch.open == nil {
		ch.open = g
		g.members = append(g.members, &member{chunk: ch})
	}
}

// merge unites two open groups, of which a may be nil, and returns what is left: the older one.
func (gs *groups) merge(a, b *group) *group {
	if a == nil {
		return b
	}
	if slices.Index(gs.open, b) < slices.Index(gs.open, a) {
		a, b = b, a
	}
	gs.open = slices.DeleteFunc(gs.open, func(g *group) bool { return g == b })
	for _, id := range b.touches {
		gs.marks[id] = mark{open: a, sealed: gs.marks[id].sealed}
	}
	a.touches = append(a.touches, b.touches...)
	a.blockers += b.blockers
	for _, m := range b.members {
		m.chunk.open = a
	}
	a.members = append(a.members, b.members...)
	return a
}

// seal takes the inputs of all members of an open group as they are now.
func (s *Session) seal(g *group) {
	gs := &s.groups
	gs.open = slices.DeleteFunc(gs.open, func(o *group) bool { return o == g })
	gs.sealed = append(gs.sealed, g)
	g.sealed = true
	for _, id := range g.touches {
		gs.marks[id] = mark{sealed: g}
	}
	for _, m := range g.members {
		ch := m.chunk
		ch.open, ch.sealed = nil, g
		m.shows = ch.version
		m.input = s.capture(ch)
		g.waiting++
	}
}

// leaveOpen takes a chunk that is dropped out of its open group.
func (s *Session) leaveOpen(ch *chunk) {
	gs, g := &s.groups, ch.open
	ch.open = nil
	g.members = slices.DeleteFunc(g.members, func(m *member) bool { return m.chunk == ch })
	if len(g.members) > 0 {
		return
	}
	gs.open = slices.DeleteFunc(gs.open, func(o *group) bool { return o == g })
	for _, id := range g.touches {
		gs.unmark(id, mark{sealed: gs.marks[id].sealed})
	}
}

// leaveSealed takes a chunk that is dropped out of its sealed group, which no longer waits for it.
func (s *Session) leaveSealed(ch *chunk) {
	g := ch.sealed
	ch.sealed = nil
	i := slices.IndexFunc(g.members, func(m *member) bool { return m.chunk == ch })
	m := g.members[i]
	m.left = true
	if m.job != nil {
		m.job.dead = true
	}
	if m.ticket != 0 {
		s.host.Discard(m.ticket)
	}
	if !m.done {
		m.done = true
		g.waiting--
	}
}

// unmark sets what is left of a mark.
func (gs *groups) unmark(id lattice.Chunk, m mark) {
	if m == (mark{}) {
		delete(gs.marks, id)
	} else {
		gs.marks[id] = m
	}
}

// hand gives a sealed group that is built to the host, and lets go of its chunks.
func (s *Session) hand(g *group) {
	gs := &s.groups
	gs.sealed = slices.DeleteFunc(gs.sealed, func(o *group) bool { return o == g })
	gs.results = gs.results[:0]
	for _, m := range g.members {
		if !m.left && !m.keep {
			s.take(m.chunk, m.ticket, m.shows, m.empty)
		}
	}
	s.show(true)
	for _, id := range g.touches {
		left := gs.marks[id].open
		if left != nil {
			left.blockers--
		}
		gs.unmark(id, mark{open: left})
	}
	for _, m := range g.members {
		if m.left {
			continue
		}
		if m.chunk.sealed = nil; m.keep {
			s.setShown(m.chunk, m.shows, m.chunk.mesh)
		}
		s.requeue(m.chunk, false)
	}
	for _, id := range g.touches { // what was put off on its account
		if ch := s.chunks[id]; ch != nil {
			s.requeue(ch, true)
		}
	}
}

// take adds a chunk's new mesh to what is shown next, if the screen changes by it.
func (s *Session) take(ch *chunk, ticket, version uint32, empty bool) {
	gs := &s.groups
	switch {
	case !empty || ch.mesh:
		gs.results = append(gs.results, Result{Ticket: ticket, Chunk: ch.id, Version: version, Empty: empty})
	case ticket != 0:
		s.host.Discard(ticket)
	}
	s.setShown(ch, version, !empty)
}

// show hands the host what take has gathered.
func (s *Session) show(edit bool) {
	gs := &s.groups
	if len(gs.results) == 0 {
		return
	}
	s.flushDrops()
	gs.ids++
	gs.unshown[gs.ids] = struct{}{}
	s.host.Show(Group{ID: gs.ids, Results: gs.results, Edit: edit})
}

// flushDrops tells the host which meshes are no longer kept.
func (s *Session) flushDrops() {
	gs := &s.groups
	if len(gs.drops) == 0 {
		return
	}
	gs.ids++
	gs.unshown[gs.ids] = struct{}{}
	s.host.Show(Group{ID: gs.ids, Drop: gs.drops})
	gs.drops = gs.drops[:0]
}

// shown takes the news that a group was drawn.
func (gs *groups) shown(id uint64) { delete(gs.unshown, id) }

// pump hands over what is built and gives builders work, as far as they and the slice have room: first what
// edits changed, then what is loaded.
func (s *Session) pump() {
	if s.conf.Builders == 0 {
		return
	}
	s.handBuilt()
	s.issueAgain()
	for s.budget > 0 && s.jobs.room(s.editJobs()) {
		g := s.groups.pick()
		if g == nil {
			break
		}
		if !g.sealed {
			s.spend(len(g.members))
			s.seal(g)
		}
		s.issueNext(g)
	}
	s.issueLoads()
}

// pick returns the group that gets the next job, nil if none can have one: in turn the oldest one, which is
// thus sure to be finished, and the one with the fewest chunks left, so that a dig beside somebody's
// earthworks is not the last to be seen.
func (gs *groups) pick() *group {
	var oldest, smallest *group
	for _, list := range [2][]*group{gs.sealed, gs.open} {
		for _, g := range list {
			if g.left() == 0 || !g.sealed && g.blockers > 0 {
				continue
			}
			if oldest == nil {
				oldest = g
			}
			if smallest == nil || g.left() < smallest.left() {
				smallest = g
			}
		}
	}
	if gs.turn = !gs.turn; gs.turn {
		return oldest
	}
	return smallest
}

// left returns the number of members without a job.
func (g *group) left() int { return len(g.members) - g.next }

// issueNext makes the next job of a sealed group.
func (s *Session) issueNext(g *group) {
	m := g.members[g.next]
	g.next++
	if m.left {
		return
	}
	m.job = &job{chunk: m.chunk, input: m.input, group: g, member: m}
	m.input = nil
	s.issue(m.job, s.editJobs())
}

// handBuilt hands over every sealed group that is built, unless the screen is far behind: then newer edits
// gather in open groups.
func (s *Session) handBuilt() {
	gs := &s.groups
	for i := 0; i < len(gs.sealed); {
		if g := gs.sealed[i]; g.waiting == 0 && len(gs.unshown) < 2*s.conf.MaxUnshown {
			s.hand(g)
		} else {
			i++
		}
	}
}

// issueLoads makes the jobs of chunks that are built on their own, in load order.
func (s *Session) issueLoads() {
	gs := &s.groups
	for s.budget > 0 && s.queue.Len() > 0 && s.jobs.room(s.conf.JobsPerBuilder) && len(gs.unshown) < s.conf.MaxUnshown {
		id, _ := s.queue.Pop()
		ch := s.chunks[id]
		if ch == nil || ch.version == ch.shown || ch.load != nil || ch.open != nil || ch.sealed != nil {
			continue
		}
		s.spend(1)
		switch m := gs.marks[id]; {
		case m.open != nil: // it would show that group's change before the others do
			m.open.add(ch)
		case m.sealed != nil: // hand puts it in line again
		default:
			ch.load = &job{chunk: ch, input: s.capture(ch)}
			s.issue(ch.load, s.conf.JobsPerBuilder)
		}
	}
}

// editJobs bounds the jobs that a builder may have at once when an edit needs it: it does not wait behind loading.
func (s *Session) editJobs() int { return 2 * s.conf.JobsPerBuilder }

// forget throws away the world and everything derived from it.
func (s *Session) forget() {
	for _, c := range s.columns {
		s.untrack(c)
	}
	s.flushDrops()
	for _, r := range s.regions.list {
		s.fetches.abandon(r)
	}
	s.fetches.abandon(nil)
	s.tiles = tiles{}
	s.own = ownEdits{counter: s.own.counter, acked: s.own.acked, refused: s.own.refused} // they were made in another world
	head := s.regions.head
	clear(s.columns)
	s.waiting, s.world = nil, nil
	s.view.set = lod.Set{}
	s.regions = regions{head: head}
	s.regions.init()
	s.jobs.init(s.conf.Builders)
	unshown, ids := s.groups.unshown, s.groups.ids
	s.groups = groups{ids: ids}
	s.groups.init()
	s.groups.unshown = unshown
}
