package group

import (
	"slices"
	"testing"

	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/internal/session/builders"
	"github.com/terrane/terrane/internal/session/residency"
	"github.com/terrane/terrane/lattice"
)

// A stage is everybody whom groups work with. Its chunks lie along x, and jobs are done when a test says so.
type stage struct {
	chunks   map[lattice.Chunk]*residency.State
	versions uint32
	queue    []lattice.Chunk

	room      int
	issued    []*builders.Job
	captured  []capture
	shown     []Frame
	discarded []uint32
}

// A capture is what was to be built, in order of the captures.
type capture struct {
	id      lattice.Chunk
	version uint32
}

func (s *stage) Raise(dst []residency.Raised, b lattice.Box) []residency.Raised {
	s.versions++
	for id := range b.Chunks(0) {
		st := s.chunks[id]
		if st != nil {
			st.Version = s.versions
		}
		dst = append(dst, residency.Raised{Chunk: id, Tracked: st != nil, Loaded: st != nil && st.Loaded})
	}
	return dst
}

func (s *stage) State(id lattice.Chunk) (residency.State, bool) {
	if st := s.chunks[id]; st != nil {
		return *st, true
	}
	return residency.State{}, false
}

func (s *stage) SetShown(id lattice.Chunk, version uint32, drawn bool) {
	st := s.chunks[id]
	st.Shown, st.Loaded, st.Drawn = version, true, drawn
}

func (s *stage) Requeue(id lattice.Chunk, _ bool) {
	if st := s.chunks[id]; st != nil && st.Version != st.Shown && !slices.Contains(s.queue, id) {
		s.queue = append(s.queue, id)
	}
}

func (s *stage) Next() (id lattice.Chunk, ok bool) {
	if len(s.queue) == 0 {
		return id, false
	}
	id = s.queue[0]
	s.queue = s.queue[1:]
	return id, true
}

func (s *stage) Room(bool) bool                { return len(s.issued) < s.room }
func (s *stage) Issue(j *builders.Job, _ bool) { s.issued = append(s.issued, j) }
func (s *stage) IssueAgain()                   {}
func (s *stage) Discard(ticket uint32)         { s.discarded = append(s.discarded, ticket) }

func (s *stage) Show(f Frame) {
	f.Results, f.Drop = slices.Clone(f.Results), slices.Clone(f.Drop)
	s.shown = append(s.shown, f)
}

func (s *stage) Capture(id lattice.Chunk, version uint32) *builders.Input {
	s.captured = append(s.captured, capture{id, version})
	return &builders.Input{Chunk: id, Version: version}
}

// line returns groups round n chunks along x, all of them drawn if drawn.
func line(n int32, drawn bool) (*Groups, *stage, *Screen) {
	s := &stage{chunks: map[lattice.Chunk]*residency.State{}, room: 1000, versions: 1}
	for x := range n {
		st := &residency.State{Version: 1}
		if drawn {
			st.Shown, st.Loaded, st.Drawn = 1, true, true
		}
		s.chunks[lattice.Chunk{X: x}] = st
	}
	b := &budget.Budget{}
	b.Reset(1 << 20)
	screen := NewScreen(s)
	gs := New()
	gs.Join(Cast{Chunks: s, Queue: s, Builders: s, Source: s, Screen: screen, MaxUnshown: 8, Budget: b})
	return gs, s, screen
}

// at returns a box of one sample in the middle of chunk x, which no other chunk reads.
func at(x int32) lattice.Box {
	p := lattice.Sample{X: 32*x + 16, Y: 16, Z: 16}
	return lattice.Box{Min: p, Max: p.Add(1, 1, 1)}
}

// between returns a box of one sample on the border of chunks x−1 and x.
func between(x int32) lattice.Box {
	p := lattice.Sample{X: 32 * x, Y: 16, Z: 16}
	return lattice.Box{Min: p, Max: p.Add(1, 1, 1)}
}

// built answers the jobs of all members of sealed groups and all loads.
func built(gs *Groups, ticket uint32) {
	for _, g := range gs.sealed {
		for _, m := range g.members {
			if m.ticket == 0 && !m.left && !m.done {
				ticket++
				m.Built(ticket, false)
			}
		}
	}
}

func TestOneFrame(t *testing.T) {
	gs, s, screen := line(4, true)
	gs.Changed(between(2))
	gs.Pump()
	if len(s.issued) != 2 || len(s.shown) != 0 {
		t.Fatalf("%d jobs, %d frames", len(s.issued), len(s.shown))
	}
	gs.sealed[0].members[0].Built(7, false)
	if gs.Pump(); len(s.shown) != 0 {
		t.Fatal("half of a change was shown")
	}
	gs.sealed[0].members[1].Built(8, true)
	gs.Pump()
	if len(s.shown) != 1 || len(s.shown[0].Results) != 2 || !s.shown[0].Edit || !s.shown[0].Results[1].Empty || screen.Unshown() != 1 {
		t.Fatalf("frames %+v", s.shown)
	}
	if open, sealed, marks := gs.Counts(); open+sealed+marks != 0 {
		t.Errorf("%d open, %d sealed groups, %d marks are left", open, sealed, marks)
	}
	if screen.Shown(1); screen.Unshown() != 0 {
		t.Error("the frame was drawn")
	}
}

// TestMergeThenSeal merges changes until the first job is made; what comes later waits for what was begun.
func TestMergeThenSeal(t *testing.T) {
	gs, s, _ := line(6, true)
	gs.Changed(at(0))
	gs.Changed(at(2))
	if open, _, _ := gs.Counts(); open != 2 {
		t.Fatalf("%d groups of two changes that share no chunk", open)
	}
	gs.Changed(between(1)) // of 0 and 1
	gs.Changed(between(2)) // of 1 and 2: all are one
	if open, _, _ := gs.Counts(); open != 1 || len(gs.open[0].members) != 3 {
		t.Fatalf("%d groups, want one of 3 chunks", open)
	}
	gs.Pump()
	seal := s.versions
	gs.Changed(at(1))
	gs.Changed(at(1))
	gs.Pump()
	if open, sealed, _ := gs.Counts(); open != 1 || sealed != 1 || len(s.issued) != 3 {
		t.Fatalf("%d open, %d sealed, %d jobs; want the newer one to wait", open, sealed, len(s.issued))
	}
	for _, c := range s.captured {
		if c.version > seal {
			t.Errorf("%v was captured at version %d, sealed at %d", c.id, c.version, seal)
		}
	}
	built(gs, 10)
	gs.Pump() // the first is shown, the second sealed
	if len(s.shown) != 1 || len(s.shown[0].Results) != 3 || len(s.issued) != 4 || s.captured[3] != (capture{lattice.Chunk{X: 1}, s.versions}) {
		t.Errorf("%d frames, %d jobs, captured %v", len(s.shown), len(s.issued), s.captured)
	}
}

// TestLoadWaits does not load a chunk with a change that its neighbors do not show yet.
func TestLoadWaits(t *testing.T) {
	gs, s, _ := line(4, true)
	*s.chunks[lattice.Chunk{X: 1}] = residency.State{Version: 1} // not loaded
	gs.Changed(between(2))                                       // of 1 and 2
	if len(s.queue) != 1 || len(gs.open[0].members) != 1 {
		t.Fatalf("%d in line, %d members", len(s.queue), len(gs.open[0].members))
	}
	s.room = 0
	gs.Pump()
	if s.room = 1; len(gs.open) != 1 {
		t.Fatal("sealed without room")
	}
	gs.issueLoads() // while the group is open it joins it
	if len(gs.open[0].members) != 2 || len(s.issued) != 0 {
		t.Fatalf("%d members, %d jobs", len(gs.open[0].members), len(s.issued))
	}

	gs, s, _ = line(4, true)
	*s.chunks[lattice.Chunk{X: 1}] = residency.State{Version: 1}
	gs.Changed(between(2))
	gs.Pump() // sealed: the load waits
	if len(s.issued) != 1 {
		t.Fatalf("%d jobs, want the group's alone", len(s.issued))
	}
	built(gs, 1)
	gs.Pump()
	if len(s.issued) != 2 || s.captured[1].id != (lattice.Chunk{X: 1}) {
		t.Errorf("%d jobs after the group was shown, captured %v", len(s.issued), s.captured)
	}
}

func TestLoads(t *testing.T) {
	gs, s, screen := line(3, false)
	for x := range int32(3) {
		s.Requeue(lattice.Chunk{X: x}, false)
	}
	gs.Pump()
	loads := make([]*load, 3)
	for x := range int32(3) {
		loads[x] = gs.marks[lattice.Chunk{X: x}].load
	}
	loads[0].Built(1, false)
	loads[1].Built(2, true) // nothing was shown and nothing is
	loads[2].GaveUp()
	if len(s.shown) != 1 || s.shown[0].Edit || !slices.Equal(s.discarded, []uint32{2}) || screen.Unshown() != 1 {
		t.Errorf("frames %+v, discarded %v", s.shown, s.discarded)
	}
	if _, _, marks := gs.Counts(); marks != 0 || len(s.queue) != 0 {
		t.Errorf("%d marks, %d in line", marks, len(s.queue))
	}
	for id, st := range s.chunks {
		if st.Shown != st.Version {
			t.Errorf("%v: %+v", id, st)
		}
	}
}

// TestLeave lets chunks go out of an open and a sealed group: neither waits for them.
func TestLeave(t *testing.T) {
	gs, s, screen := line(4, true)
	drop := func(x int32) {
		id := lattice.Chunk{X: x}
		gs.Leave(id, true)
		delete(s.chunks, id)
	}
	gs.Changed(at(3))
	drop(3) // the open group's only one
	if open, _, marks := gs.Counts(); open != 0 || marks != 0 {
		t.Fatalf("%d open groups, %d marks", open, marks)
	}
	gs.Changed(between(1))
	gs.Pump()
	gs.sealed[0].members[0].Built(5, false)
	drop(0) // built
	drop(1) // not built
	if !slices.Equal(s.discarded, []uint32{5}) {
		t.Errorf("discarded %v", s.discarded)
	}
	gs.Pump()
	if open, sealed, marks := gs.Counts(); open+sealed+marks != 0 {
		t.Errorf("%d open, %d sealed groups, %d marks", open, sealed, marks)
	}
	dropped := 0
	for _, f := range s.shown {
		if len(f.Results) > 0 {
			t.Errorf("a chunk that left was shown: %+v", f)
		}
		dropped += len(f.Drop)
	}
	if dropped != 3 || screen.Unshown() != len(s.shown) {
		t.Errorf("%d meshes taken off, %d frames unshown of %d", dropped, screen.Unshown(), len(s.shown))
	}
}

// TestGivenUp shows a group without a member that cannot be built: the screen keeps what it has of that.
func TestGivenUp(t *testing.T) {
	gs, s, _ := line(2, true)
	gs.Changed(between(1))
	gs.Pump()
	gs.sealed[0].members[0].GaveUp()
	gs.sealed[0].members[1].Built(3, false)
	gs.Pump()
	if len(s.shown) != 1 || len(s.shown[0].Results) != 1 || !s.chunks[lattice.Chunk{}].Drawn || len(s.queue) != 0 {
		t.Errorf("frames %+v, %d in line", s.shown, len(s.queue))
	}
}

// TestScreenFarBehind gathers edits in one open group while the screen draws nothing.
func TestScreenFarBehind(t *testing.T) {
	gs, s, _ := line(1, true)
	for i := range uint32(100) {
		gs.Changed(at(0))
		gs.Pump()
		built(gs, 100*i)
		gs.Pump()
	}
	if len(s.shown) != 16 {
		t.Errorf("%d frames wait for the screen, want twice MaxUnshown", len(s.shown))
	}
	if open, sealed, _ := gs.Counts(); open+sealed > 2 {
		t.Errorf("%d groups round a chunk", open+sealed)
	}
}

// TestPick takes the oldest group and the smallest in turn.
func TestPick(t *testing.T) {
	gs, _, _ := line(12, true)
	for x := range int32(8) {
		gs.Changed(between(x + 1)) // one of 9 chunks
	}
	gs.Changed(at(11))
	big, small := gs.open[0], gs.open[1]
	if len(big.members) != 9 || gs.pick() != big || gs.pick() != small || gs.pick() != big {
		t.Errorf("groups of %d and %d are not picked in turn", len(big.members), len(small.members))
	}
}
