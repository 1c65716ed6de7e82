// Package builders gives jobs to builders: to which one, what it must be sent along, and again if it fails. It does not
// know what the meshes are for.
package builders

import (
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/internal/session/budget"
)

// MaxFailures is how often a job may fail before its chunk is given up in this version. A job that failed may have met
// a builder that was being replaced; one that fails three times fails for what is in it, and would for ever.
const MaxFailures = 3

// A Host owns the builders; session.Host tells more.
type Host interface {
	Build(ticket, lane uint32, job []byte)
	Discard(ticket uint32)
}

// A Reporter tells people of a problem.
type Reporter interface {
	Report(problem string)
}

// A Taker waits for the result of a job. One of its methods is called, once, unless the job is canceled before.
type Taker interface {
	// Built takes the ticket of the result. The taker has it shown or discarded.
	Built(ticket uint32, empty bool)
	// GaveUp tells that the job failed too often.
	GaveUp()
}

// A Job is a chunk that is being built.
type Job struct {
	input *Input
	taker Taker
	lane  uint32
	whole bool // send the data of every brick
	fails int
	dead  bool // nobody waits for the result
}

// NewJob returns a job that was not given out yet.
func NewJob(in *Input, t Taker) *Job { return &Job{input: in, taker: t} }

// Cancel tells that nobody waits for the result any more. A job that a builder has cannot be taken back: its result is
// discarded when it comes.
func (j *Job) Cancel() { j.dead = true }

// A Pool holds the builders and their jobs.
type Pool struct {
	host     Host
	reporter Reporter
	budget   *budget.Budget
	most     int // jobs that a builder may have at once

	all     map[uint32]*Job // by ticket
	again   []*Job          // to be done again, with the data of every brick
	tickets uint32
	retired uint32 // tickets up to this one are of a world that was left
	lanes   []lane
	bytes   []byte // scratch of Issue
	data    []byte
	bricks  []builder.JobBrick
	tiles   []builder.JobTile
}

// New returns a pool of so many lanes, each of which has at most so many jobs at once; twice as many if edits need
// them, which do not wait behind loading.
func New(lanes, most int, h Host, r Reporter, b *budget.Budget) *Pool {
	p := &Pool{host: h, reporter: r, budget: b, most: most, lanes: make([]lane, lanes)}
	p.Reset()
	return p
}

// Reset forgets all jobs, of a world that is left, and what builders were sent. Results that come later are discarded.
func (p *Pool) Reset() {
	p.all, p.again, p.retired = make(map[uint32]*Job), nil, p.tickets
	for i := range p.lanes {
		p.lanes[i].reset()
	}
}

// Len returns the number of jobs that builders have.
func (p *Pool) Len() int { return len(p.all) }

// limit bounds the jobs of a builder.
func (p *Pool) limit(edited bool) int {
	if edited {
		return 2 * p.most
	}
	return p.most
}

// Room reports whether some builder may have another job, of an edit or of loading.
func (p *Pool) Room(edited bool) bool {
	for i := range p.lanes {
		if p.lanes[i].jobs < p.limit(edited) {
			return true
		}
	}
	return false
}

// Issue gives a job to a builder.
func (p *Pool) Issue(j *Job, edited bool) {
	p.tickets++
	if p.tickets == 0 {
		p.tickets++ // never 0, which stands for no result
	}
	ticket := p.tickets
	in := j.input
	j.lane = p.pick(in.Chunk, p.limit(edited))
	l := &p.lanes[j.lane]
	l.jobs++
	p.all[ticket] = j
	p.bricks, p.data = l.appendBricks(p.bricks[:0], p.data[:0], in.Bricks, j.whole)
	p.tiles = l.appendTiles(p.tiles[:0], in.Tiles, j.whole)
	out := builder.Job{
		Chunk: in.Chunk, Version: in.Version, Mesher: in.Mesher, Bricks: p.bricks, Pending: in.Pending, Tiles: p.tiles,
	}
	p.bytes = out.AppendBinary(p.bytes[:0])
	p.budget.Spend(1 + len(p.bytes)>>14)
	p.host.Build(ticket, j.lane, p.bytes)
}

// IssueAgain gives out the jobs that must be done again, as far as there is room.
func (p *Pool) IssueAgain() {
	for len(p.again) > 0 {
		j := p.again[0]
		if !j.dead && (!p.Room(true) || p.budget.Exhausted()) {
			return
		}
		p.again = p.again[1:]
		if !j.dead {
			p.Issue(j, true)
		}
	}
	p.again = nil
}

// Built takes a result, of which it reads the header.
func (p *Pool) Built(ticket uint32, header []byte) {
	j := p.land(ticket)
	if j == nil && ticket > p.retired {
		return // it came twice, and may be about to be shown
	}
	if j == nil || j.dead {
		p.host.Discard(ticket)
		return
	}
	h, err := builder.ParseHeader(header)
	switch {
	case err != nil:
		p.host.Discard(ticket)
		p.fail(j, err.Error())
	case h.Chunk != j.input.Chunk || h.Version != j.input.Version:
		p.host.Discard(ticket)
		p.fail(j, "a builder answered with another chunk")
	case h.Missing && !j.whole:
		p.host.Discard(ticket)
		p.redo(j)
	case h.Missing:
		p.host.Discard(ticket)
		p.fail(j, "a builder does not find the bricks that it was sent")
	default:
		j.taker.Built(ticket, h.Empty || h.Indices == 0 && !h.Samples)
	}
}

// Failed takes the news that a job failed.
func (p *Pool) Failed(ticket uint32, reason string) {
	if j := p.land(ticket); j != nil && !j.dead {
		p.lanes[j.lane].forget() // the builder may be a new one
		p.fail(j, reason)
	}
}

// land takes a job off its builder, nil if it is not known.
func (p *Pool) land(ticket uint32) *Job {
	j := p.all[ticket]
	if j != nil {
		delete(p.all, ticket)
		p.lanes[j.lane].jobs--
	}
	return j
}

// redo puts a job in line to be done again, with everything that it needs.
func (p *Pool) redo(j *Job) {
	j.whole = true
	p.again = append(p.again, j)
}

// fail tries a job again, or gives it up.
func (p *Pool) fail(j *Job, reason string) {
	p.reporter.Report("building failed: " + reason)
	if j.fails++; j.fails < MaxFailures {
		p.redo(j)
		return
	}
	j.taker.GaveUp()
}
