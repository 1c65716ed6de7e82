package session

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesher"
)

const (
	// laneShift is the base-2 logarithm of the side, in chunks, of the cubes whose chunks go to one builder:
	// neighbors share bricks and samples.
	laneShift = 3
	// maxFailures is how often a job may fail before its chunk is given up in this version.
	maxFailures = 3
)

// jobs are what builders are at.
type jobs struct {
	all     map[uint32]*job // by ticket
	again   []*job          // to be done again, with the data of every brick
	tickets uint32
	retired uint32 // tickets up to this one are of a world that was left
	lanes   []lane
	bytes   []byte // scratch of issue
	data    []byte
	bricks  []builder.JobBrick
	tiles   []builder.JobTile
}

// A lane is a builder, as far as the session knows.
type lane struct {
	jobs int
	// sent holds the hash of each brick as it was last sent. A builder that no longer has it says so, and
	// gets it again.
	sent  map[lattice.Brick]uint64
	bytes int // about what sent takes in the builder's cache
	// tiles holds those that were sent, likewise.
	tiles     map[asset.Hash]struct{}
	tileBytes int
}

// A job is a chunk that is being built.
type job struct {
	chunk  *chunk
	input  *input
	group  *group  // nil for a chunk that is loaded on its own
	member *member // of group
	lane   uint32
	whole  bool // send the data of every brick
	fails  int
	dead   bool // nobody waits for the result
}

// An input is everything that a chunk's mesh depends on, at one moment.
type input struct {
	version uint32
	mesher  mesher.Kind
	bricks  []*brick.Brick
	pending []edit.Checked
	tiles   []*tile
}

func (j *jobs) init(lanes int) {
	j.all, j.again, j.retired = make(map[uint32]*job), nil, j.tickets
	j.lanes = make([]lane, lanes)
	for i := range j.lanes {
		j.lanes[i].sent, j.lanes[i].tiles = make(map[lattice.Brick]uint64), make(map[asset.Hash]struct{})
	}
}

// room reports whether some builder has less than limit jobs.
func (j *jobs) room(limit int) bool {
	for i := range j.lanes {
		if j.lanes[i].jobs < limit {
			return true
		}
	}
	return false
}

// pick returns the builder for a chunk: the one of its cube, or the one that has least to do if that has limit
// jobs already.
func (j *jobs) pick(c lattice.Chunk, limit int) uint32 {
	h := uint64(uint32(c.X>>laneShift))*0x9e3779b97f4a7c15 ^ uint64(uint32(c.Y>>laneShift))*0xbb67ae8584caa73b ^
		uint64(uint32(c.Z>>laneShift))*0xa54ff53a5f1d36f1
	first := uint32((h ^ h>>32) * 0x9e3779b97f4a7c15 >> 32 % uint64(len(j.lanes)))
	if j.lanes[first].jobs < limit {
		return first
	}
	for i := range j.lanes {
		if j.lanes[i].jobs < j.lanes[first].jobs {
			first = uint32(i)
		}
	}
	return first
}

// capture takes what the mesh of a chunk depends on as it is now.
func (s *Session) capture(ch *chunk) *input {
	in := &input{version: ch.version, mesher: s.view.mesher, pending: s.world.PendingIn(nil, ch.id), tiles: s.captureTiles(ch.id)}
	layer, c := s.world.Layer(), ch.id
	if layer.Len() == 0 {
		return in
	}
	for z := c.Z - 1; z <= c.Z+1; z++ {
		for y := c.Y - 1; y <= c.Y+1; y++ {
			for x := c.X - 1; x <= c.X+1; x++ {
				if b := layer.Brick(lattice.Brick{X: x, Y: y, Z: z, Level: c.Level}); b != nil {
					in.bricks = append(in.bricks, b)
				}
			}
		}
	}
	return in
}

// issue gives a job to a builder.
func (s *Session) issue(j *job, limit int) {
	js := &s.jobs
	js.tickets++
	if js.tickets == 0 {
		js.tickets++
	}
	ticket := js.tickets
	j.lane = js.pick(j.chunk.id, limit)
	l := &js.lanes[j.lane]
	l.jobs++
	js.all[ticket] = j
	js.bricks, js.data = js.bricks[:0], js.data[:0]
	for _, b := range j.input.bricks {
		jb := builder.JobBrick{ID: b.ID(), Hash: b.Hash()}
		if j.whole || !l.has(b) {
			from := len(js.data)
			js.data = b.AppendBinary(js.data, b.ID())
			jb.Data = js.data[from:]
			l.note(b)
		}
		js.bricks = append(js.bricks, jb)
	}
	js.appendTiles(l, j.input.tiles, j.whole)
	out := builder.Job{
		Chunk: j.chunk.id, Version: j.input.version, Mesher: j.input.mesher,
		Bricks: js.bricks, Pending: j.input.pending, Tiles: js.tiles,
	}
	js.bytes = out.AppendBinary(js.bytes[:0])
	s.spend(1 + len(js.bytes)>>14)
	s.host.Build(ticket, j.lane, js.bytes)
}

// has reports whether the builder was sent b.
func (l *lane) has(b *brick.Brick) bool {
	hash, ok := l.sent[b.ID()]
	return ok && hash == b.Hash()
}

// note remembers that the builder was sent b. When about as much was sent as it keeps, everything is forgotten:
// sending a brick twice costs less than building in two rounds.
func (l *lane) note(b *brick.Brick) {
	if l.bytes += b.SizeBytes(); l.bytes > builder.CacheBytes {
		clear(l.sent)
		l.bytes = b.SizeBytes()
	}
	l.sent[b.ID()] = b.Hash()
}

// issueAgain gives out the jobs that must be done again, as far as there is room.
func (s *Session) issueAgain() {
	js := &s.jobs
	for len(js.again) > 0 {
		j := js.again[0]
		if !j.dead && (!js.room(s.editJobs()) || s.budget <= 0) {
			return
		}
		js.again = js.again[1:]
		if !j.dead {
			s.issue(j, s.editJobs())
		}
	}
	js.again = nil
}

// built takes a result.
func (s *Session) built(ticket uint32, header []byte) {
	j := s.jobs.land(ticket)
	if j == nil && ticket > s.jobs.retired {
		return // it came twice, and may be about to be shown
	}
	if j == nil || j.dead {
		s.host.Discard(ticket)
		return
	}
	h, err := builder.ParseHeader(header)
	switch {
	case err != nil:
		s.host.Discard(ticket)
		s.fail(j, err.Error())
	case h.Chunk != j.chunk.id || h.Version != j.input.version:
		s.host.Discard(ticket)
		s.fail(j, "a builder answered with another chunk")
	case h.Missing && !j.whole:
		s.host.Discard(ticket)
		s.redo(j)
	case h.Missing:
		s.host.Discard(ticket)
		s.fail(j, "a builder does not find the bricks that it was sent")
	default:
		s.finish(j, ticket, h.Empty || h.Indices == 0 && !h.Samples)
	}
}

// buildFailed takes the news that a job failed.
func (s *Session) buildFailed(ticket uint32, reason string) {
	if j := s.jobs.land(ticket); j != nil && !j.dead {
		clear(s.jobs.lanes[j.lane].sent) // the builder may be a new one
		clear(s.jobs.lanes[j.lane].tiles)
		s.fail(j, reason)
	}
}

// land takes a job off its builder, nil if it is not known.
func (js *jobs) land(ticket uint32) *job {
	j := js.all[ticket]
	if j != nil {
		delete(js.all, ticket)
		js.lanes[j.lane].jobs--
	}
	return j
}

// redo puts a job in line to be done again, with everything that it needs.
func (s *Session) redo(j *job) {
	j.whole = true
	s.jobs.again = append(s.jobs.again, j)
}

// fail tries a job again, or gives its chunk up.
func (s *Session) fail(j *job, reason string) {
	s.link.messages = "building failed: " + reason
	if j.fails++; j.fails < maxFailures {
		s.redo(j)
		return
	}
	if m := j.member; m != nil {
		m.done, m.keep, m.job = true, true, nil
		j.group.waiting--
		return
	}
	ch := j.chunk
	ch.load = nil
	if ch.shown < j.input.version {
		s.setShown(ch, j.input.version, ch.mesh)
	}
	s.requeue(ch, false)
}

// finish takes the result of a job.
func (s *Session) finish(j *job, ticket uint32, empty bool) {
	if m := j.member; m != nil {
		m.done, m.empty, m.ticket, m.job = true, empty, ticket, nil
		j.group.waiting--
		return
	}
	ch := j.chunk
	ch.load = nil
	if ch.shown >= j.input.version { // a group was faster
		s.host.Discard(ticket)
	} else {
		s.groups.results = s.groups.results[:0]
		s.take(ch, ticket, j.input.version, empty)
		s.show(false)
	}
	s.requeue(ch, false)
}
