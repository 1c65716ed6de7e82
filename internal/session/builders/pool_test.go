package builders

import (
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/lattice"
)

// A host remembers jobs and problems.
type host struct {
	tickets   []uint32
	lanes     map[uint32]int
	jobs      []*builder.Job
	discarded []uint32
	problem   string
}

func (h *host) Build(ticket, lane uint32, job []byte) {
	j, err := builder.ParseJob(slices.Clone(job))
	if err != nil {
		panic(err)
	}
	h.tickets, h.jobs = append(h.tickets, ticket), append(h.jobs, j)
	h.lanes[lane]++
}

func (h *host) Discard(ticket uint32) { h.discarded = append(h.discarded, ticket) }
func (h *host) Report(problem string) { h.problem = problem }

// A taker remembers what came of its job.
type taker struct {
	ticket uint32
	empty  bool
	gaveUp bool
}

func (t *taker) Built(ticket uint32, empty bool) { t.ticket, t.empty = ticket, empty }
func (t *taker) GaveUp()                         { t.gaveUp = true }

func pool(lanes int) (*Pool, *host) {
	h, b := &host{lanes: map[uint32]int{}}, &budget.Budget{}
	b.Reset(1 << 20)
	return New(lanes, 2, h, h, b), h
}

// header returns the header of a result; flags as package builder draws them.
func header(c lattice.Chunk, version, indices uint32, flags byte) []byte {
	b := append([]byte("TRMB"), builder.ResultFormat, 0, 0, 0)
	for _, v := range []uint32{uint32(c.X), uint32(c.Y), uint32(c.Z), uint32(c.Level), version, 0, 3, indices, 2, uint32(flags)} {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return append(b, make([]byte, builder.HeaderSize-len(b))...)
}

func TestResult(t *testing.T) {
	p, h := pool(1)
	c, k := lattice.Chunk{X: 1}, &taker{}
	p.Issue(NewJob(&Input{Chunk: c, Version: 4}, k), false)
	if h.tickets[0] != 1 || h.jobs[0].Chunk != c || h.jobs[0].Version != 4 || p.Len() != 1 {
		t.Fatalf("ticket %d for %+v", h.tickets[0], h.jobs[0])
	}
	p.Built(1, header(c, 4, 3, 0))
	p.Built(1, header(c, 4, 3, 0)) // again: it may be about to be shown
	if k.ticket != 1 || k.empty || len(h.discarded) != 0 || p.Len() != 0 {
		t.Errorf("%+v, discarded %v, %d left", k, h.discarded, p.Len())
	}
	p.Issue(NewJob(&Input{Chunk: c, Version: 5}, k), false)
	if p.Built(2, header(c, 5, 0, 1)); k.ticket != 2 || !k.empty {
		t.Errorf("a chunk without surface: %+v", k)
	}
}

func TestRoom(t *testing.T) {
	p, h := pool(2)
	issue := func(edited bool) (n int) {
		for ; p.Room(edited); n++ {
			p.Issue(NewJob(&Input{Chunk: lattice.Chunk{X: 1}}, &taker{}), edited)
		}
		return n
	}
	if n := issue(false); n != 4 || h.lanes[0] != 2 || h.lanes[1] != 2 {
		t.Errorf("%d jobs for loading, by lane %v; want 2 a lane", n, h.lanes)
	}
	if n := issue(true); n != 4 {
		t.Errorf("%d more jobs for edits, want 2 a lane", n)
	}
}

// TestFailures tries a job three times: then its taker is told.
func TestFailures(t *testing.T) {
	c := lattice.Chunk{X: 1}
	answers := map[string]func(p *Pool, ticket uint32){
		"failed":        func(p *Pool, n uint32) { p.Failed(n, "it fell over") },
		"nonsense":      func(p *Pool, n uint32) { p.Built(n, nil) },
		"another chunk": func(p *Pool, n uint32) { p.Built(n, header(lattice.Chunk{}, 0, 3, 0)) },
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			p, h := pool(1)
			k := &taker{}
			p.Issue(NewJob(&Input{Chunk: c}, k), false)
			for n := range uint32(MaxFailures) {
				if k.gaveUp {
					t.Fatalf("given up after %d failures", n)
				}
				answer(p, n+1)
				p.IssueAgain()
			}
			if !k.gaveUp || len(h.jobs) != MaxFailures || !strings.HasPrefix(h.problem, "building failed: ") {
				t.Errorf("%+v after %d jobs, %q", k, len(h.jobs), h.problem)
			}
		})
	}
}

// TestTilesAreSentOnce sends a builder each tile once, all of them again if it lacks one, and all to a new builder.
func TestTilesAreSentOnce(t *testing.T) {
	p, h := pool(1)
	c := lattice.Chunk{X: 1}
	data := []byte("heights")
	in := func() *Input { return &Input{Chunk: c, Tiles: []builder.JobTile{{Hash: asset.Of(data), Data: data}}} }
	sent := func() bool { return len(h.jobs[len(h.jobs)-1].Tiles[0].Data) > 0 }
	p.Issue(NewJob(in(), &taker{}), false)
	if !sent() {
		t.Fatal("the tile was not sent")
	}
	k := &taker{}
	p.Issue(NewJob(in(), k), false)
	if sent() {
		t.Error("the tile was sent twice")
	}
	p.Built(2, header(c, 0, 0, 2)) // it lacks something
	p.IssueAgain()
	if !sent() || k.gaveUp || len(h.discarded) != 1 {
		t.Errorf("sent again: %v, %+v, discarded %v", sent(), k, h.discarded)
	}
	p.Built(3, header(c, 0, 0, 2)) // though it was sent all
	if !strings.Contains(h.problem, "does not find") {
		t.Errorf("problem %q", h.problem)
	}
	p.Failed(1, "a new one")
	p.Issue(NewJob(in(), &taker{}), false)
	if !sent() {
		t.Error("the tile was not sent to a new builder")
	}
}

// TestDiscarded discards results that nobody waits for.
func TestDiscarded(t *testing.T) {
	p, h := pool(1)
	c, k := lattice.Chunk{X: 1}, &taker{}
	j := NewJob(&Input{Chunk: c}, k)
	p.Issue(j, false)
	p.Issue(NewJob(&Input{Chunk: c}, k), false)
	j.Cancel()
	p.Built(1, header(c, 0, 3, 0))
	p.Reset()
	p.Built(2, header(c, 0, 3, 0))
	if !slices.Equal(h.discarded, []uint32{1, 2}) || k.ticket != 0 {
		t.Errorf("discarded %v, taken %d", h.discarded, k.ticket)
	}
	dead := NewJob(&Input{Chunk: c}, k)
	p.Issue(dead, false)
	p.Failed(3, "once")
	dead.Cancel()
	if p.IssueAgain(); len(h.jobs) != 3 {
		t.Error("a job that nobody waits for was done again")
	}
}
