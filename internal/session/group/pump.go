package group

import (
	"github.com/terrane/terrane/internal/session/builders"
	"github.com/terrane/terrane/lattice"
)

// Pump hands over what is built and gives builders work, as far as they and the slice have room: first what
// edits changed, then what is loaded.
func (gs *Groups) Pump() {
	gs.screen.Flush()
	gs.publishBuilt()
	gs.builders.IssueAgain()
	for !gs.budget.Exhausted() && gs.builders.Room(true) {
		g := gs.pick()
		if g == nil {
			break
		}
		if !g.sealed {
			gs.budget.Spend(len(g.members))
			gs.seal(g)
		}
		m := g.members[g.next]
		if g.next++; !m.left {
			gs.builders.Issue(m.job, true)
		}
	}
	gs.issueLoads()
}

// pick returns the group that gets the next job, nil if none can have one: in turn the oldest one, which is
// thus sure to be finished, and the one with the fewest chunks left, so that a dig beside somebody's
// earthworks is not the last to be seen.
func (gs *Groups) pick() *group {
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
	if gs.oldest = !gs.oldest; gs.oldest {
		return oldest
	}
	return smallest
}

// publishBuilt hands over every sealed group that is built, unless the screen is far behind: then newer edits
// gather in open groups.
func (gs *Groups) publishBuilt() {
	for i := 0; i < len(gs.sealed); {
		if g := gs.sealed[i]; g.waiting == 0 && gs.screen.Unshown() < 2*gs.maxUnshown {
			gs.publish(g)
		} else {
			i++
		}
	}
}

// A load is a chunk that is built on its own.
type load struct {
	of      *Groups
	id      lattice.Chunk
	version uint32
	job     *builders.Job
}

// issueLoads makes the jobs of chunks that are built on their own, in load order.
func (gs *Groups) issueLoads() {
	for !gs.budget.Exhausted() && gs.builders.Room(false) && gs.screen.Unshown() < gs.maxUnshown {
		id, ok := gs.queue.Next()
		if !ok {
			return
		}
		if gs.Busy(id) {
			continue
		}
		gs.budget.Spend(1)
		switch m := gs.mark(id); {
		case m.open != nil: // it would show that group's change before the others do
			m.open.add(m, id)
		case m.sealed != nil: // publish puts it in line again
		default:
			s, _ := gs.chunks.State(id)
			l := &load{of: gs, id: id, version: s.Version}
			l.job = builders.NewJob(gs.source.Capture(id, s.Version), l)
			m.load = l
			gs.builders.Issue(l.job, false)
		}
	}
}

// Built shows the chunk, unless a group was faster.
func (l *load) Built(ticket uint32, empty bool) {
	gs := l.of
	if s, _ := gs.chunks.State(l.id); s.Shown >= l.version {
		gs.screen.host.Discard(ticket)
	} else {
		gs.take(l.id, ticket, l.version, empty)
		gs.screen.publish(false)
	}
	l.end()
}

// GaveUp leaves the chunk as the screen has it, in this version.
func (l *load) GaveUp() {
	gs := l.of
	if s, _ := gs.chunks.State(l.id); s.Shown < l.version {
		gs.chunks.SetShown(l.id, l.version, s.Drawn)
	}
	l.end()
}

// end takes the load off its chunk, which is built again if it has changed since.
func (l *load) end() {
	gs := l.of
	m := gs.marks[l.id]
	m.load = nil
	gs.tidy(l.id, m)
	gs.requeue(l.id, false)
}
