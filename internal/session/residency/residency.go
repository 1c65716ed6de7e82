// Package residency keeps the columns and chunks round a viewer: which are in view, which of their chunks can hold
// surface, which version of each is the newest and which is on the screen, and which is to be built next. It builds
// nothing itself.
package residency

import (
	"iter"
	"slices"

	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
)

const (
	// maxHeight bounds the chunks that are tracked above and below the viewer's own in a column, for fields that
	// have surface at all heights. Other ground is within it unless cliffs are higher than a kilometer.
	maxHeight = 32
	// slack is how many chunks the viewer may rise or sink before such columns are discovered again.
	slack = 4
	// discoverCost is what finding a column's chunks costs, in units of a budget: the bounds of a noise field.
	discoverCost = 32
	// rerank is how far in samples the viewer may move before the waiting chunks are put in order again.
	rerank = 8
)

// Regions hold the bricks that chunks are made from: region.Regions.
type Regions interface {
	Use(id lattice.Region)
	Release(id lattice.Region)
	Present(id lattice.Region) bool
}

// A Ground says where surface can be: a world.World.
type Ground interface {
	Level() uint8
	Columns(dst []lattice.Span, x, z int32) []lattice.Span
}

// Work knows which chunks are being built: group.Groups.
type Work interface {
	// Busy reports whether a chunk is being built, or about to be.
	Busy(id lattice.Chunk) bool
	// Leave tells that a chunk is dropped; drawn says whether the screen has a mesh of it.
	Leave(id lattice.Chunk, drawn bool)
}

// Cast are those that the residency works with.
type Cast struct {
	Regions Regions
	Ground  Ground
	Work    Work
	Budget  *budget.Budget
}

// A Residency holds the columns and chunks round a viewer.
type Residency struct {
	regions Regions
	ground  Ground
	work    Work
	budget  *budget.Budget

	eye      lattice.Place
	ranked   lattice.Place // the eye for which the queue was ordered last
	set      lod.Set
	columns  map[lod.Column]*column
	waiting  []lod.Column // in view, not discovered yet, nearest first as far as known
	rescan   bool         // whether one of waiting may have become ready
	discover bool         // whether chunks are wanted at all, not bricks alone
	chunks   map[lattice.Chunk]*chunk
	fresh    int // chunks whose newest version is shown
	queue    lod.Queue
	versions uint32 // the last one given to a chunk
}

// A column holds the tracked chunks of one lod.Column.
type column struct {
	at      lod.Column
	tracked bool // its regions are present and its chunks known
	cut     bool // it has chunks further up or down than is tracked
	middle  int32
	chunks  []*chunk
}

// New returns an empty residency, which needs its cast before it is used. With chunks false it uses the regions of the columns in view and tracks no chunk.
// The versions of its chunks are above last: results of an earlier residency are never taken for newer ones.
func New(chunks bool, last uint32) *Residency {
	return &Residency{
		discover: chunks, versions: last,
		columns: make(map[lod.Column]*column), chunks: make(map[lattice.Chunk]*chunk),
	}
}

// Join tells the residency whom it works with.
func (r *Residency) Join(c Cast) {
	r.regions, r.ground, r.work = c.Regions, c.Ground, c.Work
	r.budget = c.Budget
}

// UpdateView brings the columns and the order of loading up to date with a viewer.
func (r *Residency) UpdateView(eye lattice.Place, radius int) {
	r.eye = eye
	center := lod.ColumnOf(eye.Sample, r.ground.Level())
	enter, leave := r.set.Move(center, radius)
	// Regions that both leave and enter need are never released: what enters is counted first.
	for _, at := range enter {
		r.columns[at] = &column{at: at}
		for _, id := range reads(at) {
			r.regions.Use(id)
		}
		if r.discover {
			r.waiting = append(r.waiting, at)
		}
	}
	for _, at := range leave {
		r.untrack(r.columns[at])
		delete(r.columns, at)
		for _, id := range reads(at) {
			r.regions.Release(id)
		}
	}
	if len(leave) > 0 {
		r.waiting = slices.DeleteFunc(r.waiting, func(at lod.Column) bool { return r.columns[at] == nil })
	}
	if len(enter) > 0 {
		r.rescan = true
		slices.SortStableFunc(r.waiting, func(a, b lod.Column) int {
			d := lod.Apart(center, a) - lod.Apart(center, b)
			return int(min(max(d, -1), 1))
		})
	}
	if d := eye.From(r.ranked.Sample); d.Dot(d) > rerank*rerank {
		r.ranked = eye
		r.queue.Move(eye)
		r.rediscover()
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

// RegionArrived tells that a region is present: columns that waited for it may be discovered.
func (r *Residency) RegionArrived() { r.rescan = true }

// Discover finds the chunks of the waiting columns whose regions are present, as far as the slice lasts.
func (r *Residency) Discover() {
	if !r.rescan {
		return
	}
	r.rescan = false
	kept := r.waiting[:0]
	for i, at := range r.waiting {
		isPresent := true
		for _, id := range reads(at) {
			isPresent = isPresent && r.regions.Present(id)
		}
		if !isPresent {
			kept = append(kept, at)
			continue
		}
		if !r.budget.Spend(discoverCost) {
			r.rescan = true
			kept = append(kept, r.waiting[i:]...)
			break
		}
		c := r.columns[at]
		c.tracked = true
		r.discoverChunks(c)
	}
	r.waiting = kept
}

// discoverChunks finds the chunks of a tracked column that can hold surface and are not tracked yet.
func (r *Residency) discoverChunks(c *column) {
	var spans [8]lattice.Span
	r.versions++
	c.middle = lattice.ChunkOf(r.eye.Sample, c.at.Level).Y
	c.cut = false
	for _, span := range r.ground.Columns(spans[:0], c.at.X, c.at.Z) {
		lo, hi := max(span.Lo, c.middle-maxHeight), min(span.Hi, c.middle+maxHeight+1)
		c.cut = c.cut || lo != span.Lo || hi != span.Hi
		for y := lo; y < hi; y++ {
			if r.chunks[c.at.Chunk(y)] == nil {
				ch := r.track(c, y)
				r.queue.Push(ch.id, false)
			}
		}
	}
}

// rediscover looks again at the columns that reach further than is tracked, once the viewer has risen or sunk.
func (r *Residency) rediscover() {
	y := lattice.ChunkOf(r.eye.Sample, r.ground.Level()).Y
	for _, c := range r.columns {
		if d := y - c.middle; !c.tracked || !c.cut || d <= slack && d >= -slack {
			continue
		}
		for _, ch := range slices.Clone(c.chunks) {
			if d := ch.id.Y - y; d > maxHeight+slack || d < -maxHeight-slack {
				r.drop(ch)
				c.chunks = slices.DeleteFunc(c.chunks, func(o *chunk) bool { return o == ch })
			}
		}
		r.budget.Spend(discoverCost)
		r.discoverChunks(c)
	}
}

// trackNewSurface begins to track a chunk of a tracked column that was known to have no surface and may have some now.
// Whether it does is for a builder to find out: bounds of a field cost as much there as here, where they would
// hold up everything else.
func (r *Residency) trackNewSurface(id lattice.Chunk) *chunk {
	c := r.columns[lod.Column{X: id.X, Z: id.Z, Level: id.Level}]
	if c == nil || !c.tracked {
		return nil
	}
	if d := id.Y - c.middle; d > maxHeight || d < -maxHeight {
		c.cut = true
		return nil
	}
	ch := r.track(c, id.Y)
	r.setShown(ch, ch.Version-1, false)
	return ch
}

// Clear drops every chunk, and releases no region: the world is left with them.
func (r *Residency) Clear() {
	for _, c := range r.columns {
		r.untrack(c)
	}
	clear(r.columns)
	r.waiting, r.set = nil, lod.Set{}
}

// Version returns the last version that was given to a chunk.
func (r *Residency) Version() uint32 { return r.versions }

// Counts returns the number of columns, of those not discovered yet, of chunks, and of chunks that are shown in their
// newest version or known to have no surface.
func (r *Residency) Counts() (columns, waiting, chunks, fresh int) {
	return len(r.columns), len(r.waiting), len(r.chunks), r.fresh
}

// Discovering reports whether a waiting column may be ready to be discovered.
func (r *Residency) Discovering() bool { return r.rescan }

// Columns yields the columns, and for each whether its chunks are known.
func (r *Residency) Columns() iter.Seq2[lod.Column, bool] {
	return func(yield func(lod.Column, bool) bool) {
		for at, c := range r.columns {
			if !yield(at, c.tracked) {
				return
			}
		}
	}
}
