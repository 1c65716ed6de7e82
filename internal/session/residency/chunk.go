package residency

import "github.com/terrane/terrane/lattice"

// A State says how far a chunk has come.
type State struct {
	Version uint32 // rises whenever the chunk must be built again
	Shown   uint32 // the version on the screen, or known to be empty; 0 for none
	Loaded  bool   // Shown is a version
	Drawn   bool   // the screen has a mesh of it
}

// A chunk is one that can hold surface.
type chunk struct {
	id lattice.Chunk
	State
	fresh bool // counted in Residency.fresh
}

// track begins to track a chunk of a column.
func (r *Residency) track(c *column, y int32) *chunk {
	ch := &chunk{id: c.at.Chunk(y), State: State{Version: r.versions}}
	r.chunks[ch.id] = ch
	c.chunks = append(c.chunks, ch)
	return ch
}

// untrack forgets the chunks of a column.
func (r *Residency) untrack(c *column) {
	for _, ch := range c.chunks {
		r.drop(ch)
	}
	c.chunks = nil
}

// drop forgets a chunk: its jobs are for nothing, and the screen lets go of it.
func (r *Residency) drop(ch *chunk) {
	r.queue.Remove(ch.id)
	r.work.Leave(ch.id, ch.Drawn)
	if ch.fresh {
		r.fresh--
	}
	delete(r.chunks, ch.id)
}

// State returns the state of a chunk. ok is false if it is not tracked.
func (r *Residency) State(id lattice.Chunk) (s State, ok bool) {
	if ch := r.chunks[id]; ch != nil {
		return ch.State, true
	}
	return State{}, false
}

// A Raised is a chunk whose samples change.
type Raised struct {
	Chunk   lattice.Chunk
	Tracked bool
	Loaded  bool // State.Loaded of a tracked one
}

// Raise gives one new version to the chunks whose grids read a sample of b, and appends all of those to dst, tracked or
// not. The version is the same for all of them: they change together.
func (r *Residency) Raise(dst []Raised, b lattice.Box) []Raised {
	r.versions++
	for id := range b.Chunks(r.ground.Level()) {
		ch := r.chunks[id]
		if ch == nil {
			ch = r.trackNewSurface(id)
		}
		if ch != nil {
			r.raise(ch)
		}
		dst = append(dst, Raised{Chunk: id, Tracked: ch != nil, Loaded: ch != nil && ch.Loaded})
	}
	return dst
}

// RaiseAll makes every chunk one to be built again.
func (r *Residency) RaiseAll() {
	r.versions++
	for id, ch := range r.chunks {
		r.raise(ch)
		if !r.work.Busy(id) {
			r.Requeue(id, false)
		}
	}
}

// raise gives a chunk the newest version.
func (r *Residency) raise(ch *chunk) {
	ch.Version = r.versions
	r.recount(ch)
}

// SetShown notes which version of a chunk the screen has, or will have with the group that was handed over, and whether
// there is a mesh.
func (r *Residency) SetShown(id lattice.Chunk, version uint32, drawn bool) {
	if ch := r.chunks[id]; ch != nil {
		r.setShown(ch, version, drawn)
	}
}

func (r *Residency) setShown(ch *chunk, version uint32, drawn bool) {
	ch.Shown, ch.Loaded, ch.Drawn = version, true, drawn
	r.recount(ch)
}

// recount counts a chunk among the fresh ones, or no longer.
func (r *Residency) recount(ch *chunk) {
	isFresh := ch.Loaded && ch.Shown == ch.Version
	switch {
	case isFresh && !ch.fresh:
		r.fresh++
	case !isFresh && ch.fresh:
		r.fresh--
	}
	ch.fresh = isFresh
}

// Requeue puts a chunk that nobody is building in line, if its newest version is not shown. edited says that an edit
// changed it, so that it comes first.
func (r *Residency) Requeue(id lattice.Chunk, edited bool) {
	if ch := r.chunks[id]; ch != nil && ch.Version != ch.Shown {
		r.queue.Push(id, edited)
	}
}

// Next takes the chunk out of the line that is to be built next.
func (r *Residency) Next() (id lattice.Chunk, ok bool) {
	for id, ok = r.queue.Pop(); ok; id, ok = r.queue.Pop() {
		if ch := r.chunks[id]; ch != nil && ch.Version != ch.Shown {
			return id, true
		}
	}
	return id, false
}

// Queued returns the number of chunks in line.
func (r *Residency) Queued() int { return r.queue.Len() }
