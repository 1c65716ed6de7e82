package session

import (
	"slices"

	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
)

const (
	// tall bounds the chunks that are tracked above and below the viewer's own in a column, for fields that
	// have surface at all heights. Other ground is within it unless cliffs are higher than a kilometer.
	tall = 32
	// slack is how many chunks the viewer may rise or sink before such columns are looked at again.
	slack = 4
	// fitCost is what finding a column's chunks costs, in units of Config.Slice: the bounds of a noise field.
	fitCost = 32
	// rerank is how far in samples the viewer may move before the waiting chunks are put in order again.
	rerank = 8
)

// A column holds the tracked chunks of one lod.Column.
type column struct {
	at      lod.Column
	tracked bool // its regions are present and its chunks known
	cut     bool // it has chunks further up or down than is tracked
	middle  int32
	chunks  []*chunk
}

// A chunk is one that can hold surface.
type chunk struct {
	id      lattice.Chunk
	version uint32 // rises whenever it must be built again
	shown   uint32 // the version on the screen, or known to be empty; 0 for none
	loaded  bool   // shown is not 0
	mesh    bool   // the screen has a mesh of it
	fresh   bool   // counted in Session.fresh

	load   *job   // the job that builds it on its own
	open   *group // the groups it is a member of
	sealed *group
}

// look brings the columns and the order of loading up to date with the view.
func (s *Session) look() {
	v := &s.view
	if s.world == nil || !v.known {
		return
	}
	enter, leave := v.set.Move(lod.ColumnOf(v.eye.Sample, s.world.Level()), v.radius)
	// Regions that both leave and enter need are never let go: what enters is counted first.
	for _, at := range enter {
		s.columns[at] = &column{at: at}
		for _, id := range reads(at) {
			s.use(id)
		}
		if s.conf.Builders > 0 {
			s.waiting = append(s.waiting, at)
		}
	}
	for _, at := range leave {
		s.untrack(s.columns[at])
		delete(s.columns, at)
		for _, id := range reads(at) {
			s.release(id)
		}
	}
	if len(leave) > 0 {
		s.waiting = slices.DeleteFunc(s.waiting, func(at lod.Column) bool { return s.columns[at] == nil })
	}
	if len(enter) > 0 {
		s.rescan = true
		center := lod.ColumnOf(v.eye.Sample, s.world.Level())
		slices.SortStableFunc(s.waiting, func(a, b lod.Column) int {
			d := lod.Apart(center, a) - lod.Apart(center, b)
			return int(min(max(d, -1), 1))
		})
	}
	if d := v.eye.From(v.ranked.Sample); d.Dot(d) > rerank*rerank {
		v.ranked = v.eye
		s.queue.Move(v.eye)
		s.refit()
	}
}

// reads returns the regions that the grids of a column's chunks read: one to four, none twice.
func reads(at lod.Column) []lattice.Region {
	var list [4]lattice.Region
	out := list[:0]
	for z := (at.Z - 1) >> lattice.RegionShift; z <= (at.Z+1)>>lattice.RegionShift; z++ {
		for x := (at.X - 1) >> lattice.RegionShift; x <= (at.X+1)>>lattice.RegionShift; x++ {
			out = append(out, lattice.Region{X: x, Z: z, Level: at.Level})
		}
	}
	return out
}

// trackColumns finds the chunks of the waiting columns whose regions are present, as far as the slice lasts.
func (s *Session) trackColumns() {
	if !s.rescan {
		return
	}
	s.rescan = false
	kept := s.waiting[:0]
	for i, at := range s.waiting {
		isPresent := true
		for _, id := range reads(at) {
			isPresent = isPresent && s.regions.all[id].present()
		}
		if !isPresent {
			kept = append(kept, at)
			continue
		}
		if !s.spend(fitCost) {
			s.rescan = true
			kept = append(kept, s.waiting[i:]...)
			break
		}
		c := s.columns[at]
		c.tracked = true
		s.fit(c)
	}
	s.waiting = kept
}

// fit finds the chunks of a tracked column that can hold surface and are not tracked yet.
func (s *Session) fit(c *column) {
	var spans [8]lattice.Span
	s.versions++
	c.middle = lattice.ChunkOf(s.view.eye.Sample, c.at.Level).Y
	c.cut = false
	for _, span := range s.world.Columns(spans[:0], c.at.X, c.at.Z) {
		lo, hi := max(span.Lo, c.middle-tall), min(span.Hi, c.middle+tall+1)
		c.cut = c.cut || lo != span.Lo || hi != span.Hi
		for y := lo; y < hi; y++ {
			if s.chunks[c.at.Chunk(y)] == nil {
				ch := s.track(c, y)
				s.queue.Push(ch.id, false)
			}
		}
	}
}

// refit looks again at the columns that reach further than is tracked, once the viewer has risen or sunk.
func (s *Session) refit() {
	y := lattice.ChunkOf(s.view.eye.Sample, s.world.Level()).Y
	for _, c := range s.columns {
		if d := y - c.middle; !c.tracked || !c.cut || d <= slack && d >= -slack {
			continue
		}
		for _, ch := range slices.Clone(c.chunks) {
			if d := ch.id.Y - y; d > tall+slack || d < -tall-slack {
				s.dropChunk(ch)
				c.chunks = slices.DeleteFunc(c.chunks, func(o *chunk) bool { return o == ch })
			}
		}
		s.spend(fitCost)
		s.fit(c)
	}
}

// track begins to track a chunk of a column.
func (s *Session) track(c *column, y int32) *chunk {
	ch := &chunk{id: c.at.Chunk(y), version: s.versions}
	s.chunks[ch.id] = ch
	c.chunks = append(c.chunks, ch)
	return ch
}

// untrack forgets the chunks of a column.
func (s *Session) untrack(c *column) {
	for _, ch := range c.chunks {
		s.dropChunk(ch)
	}
	c.chunks = nil
}

// dropChunk forgets a chunk: it leaves its groups, its jobs are for nothing, and the screen lets go of it.
func (s *Session) dropChunk(ch *chunk) {
	s.queue.Remove(ch.id)
	if ch.load != nil {
		ch.load.dead = true
	}
	if ch.open != nil {
		s.leaveOpen(ch)
	}
	if ch.sealed != nil {
		s.leaveSealed(ch)
	}
	if ch.mesh {
		s.groups.drops = append(s.groups.drops, ch.id)
	}
	if ch.fresh {
		s.fresh--
	}
	delete(s.chunks, ch.id)
}

// raise gives a chunk the newest version.
func (s *Session) raise(ch *chunk) {
	ch.version = s.versions
	s.recount(ch)
}

// setShown notes what the screen has, or will have with the group that was handed over.
func (s *Session) setShown(ch *chunk, version uint32, mesh bool) {
	ch.shown, ch.loaded, ch.mesh = version, true, mesh
	s.recount(ch)
}

func (s *Session) recount(ch *chunk) {
	isFresh := ch.loaded && ch.shown == ch.version
	switch {
	case isFresh && !ch.fresh:
		s.fresh++
	case !isFresh && ch.fresh:
		s.fresh--
	}
	ch.fresh = isFresh
}

// requeue puts a chunk in line to be built on its own, if it needs that.
func (s *Session) requeue(ch *chunk, edited bool) {
	if ch.version != ch.shown && ch.load == nil && ch.open == nil && ch.sealed == nil {
		s.queue.Push(ch.id, edited)
	}
}

// raiseAll makes every chunk one to be built again.
func (s *Session) raiseAll() {
	s.versions++
	for _, ch := range s.chunks {
		s.raise(ch)
		s.requeue(ch, false)
	}
}
