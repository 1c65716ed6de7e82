package residency

import (
	"maps"
	"slices"
	"testing"

	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
)

// A stage is everybody whom a residency works with: regions, flat ground and builders.
type stage struct {
	uses    map[lattice.Region]int
	absent  bool
	spans   []lattice.Span
	busy    map[lattice.Chunk]bool
	left    []lattice.Chunk
	drawn   int // of those that left
	columns int // that were looked at
}

func (s *stage) Use(id lattice.Region)       { s.uses[id]++ }
func (s *stage) Present(lattice.Region) bool { return !s.absent }
func (s *stage) Level() uint8                { return 0 }
func (s *stage) Busy(id lattice.Chunk) bool  { return s.busy[id] }
func (s *stage) Columns(dst []lattice.Span, _, _ int32) []lattice.Span {
	s.columns++
	return append(dst, s.spans...)
}

func (s *stage) Release(id lattice.Region) {
	if s.uses[id]--; s.uses[id] == 0 {
		delete(s.uses, id)
	}
}

func (s *stage) Leave(id lattice.Chunk, drawn bool) {
	s.left = append(s.left, id)
	if drawn {
		s.drawn++
	}
}

func empty(chunks bool) (*Residency, *stage, *budget.Budget) {
	s := &stage{uses: map[lattice.Region]int{}, busy: map[lattice.Chunk]bool{}, spans: []lattice.Span{{Lo: -1, Hi: 1}}}
	b := &budget.Budget{}
	b.Reset(1 << 20)
	r := New(chunks, 0)
	r.Join(Cast{Regions: s, Ground: s, Work: s, Budget: b})
	return r, s, b
}

func eye(x, y, z int32) lattice.Place { return lattice.Place{Sample: lattice.Sample{X: x, Y: y, Z: z}} }

// drain takes everything out of the line.
func drain(r *Residency) (list []lattice.Chunk) {
	for id, ok := r.Next(); ok; id, ok = r.Next() {
		list = append(list, id)
	}
	return list
}

func TestLoadAndLeave(t *testing.T) {
	r, s, _ := empty(true)
	r.UpdateView(eye(16, 5, 16), 2)
	r.Discover()
	columns, waiting, chunks, fresh := r.Counts()
	if columns != lod.Count(2) || waiting != 0 || chunks != 2*columns || fresh != 0 || s.columns != columns {
		t.Fatalf("%d columns, %d waiting, %d chunks, %d fresh, %d looked at", columns, waiting, chunks, fresh, s.columns)
	}
	line := drain(r)
	if len(line) != chunks || lod.ColumnOf(eye(16, 5, 16).Sample, 0) != (lod.Column{X: line[0].X, Z: line[0].Z}) {
		t.Errorf("%d in line, first %v", len(line), line[0])
	}
	for _, id := range line {
		st, _ := r.State(id)
		r.SetShown(id, st.Version, true)
	}
	if _, _, _, fresh := r.Counts(); fresh != chunks {
		t.Errorf("%d of %d chunks are fresh once all are shown", fresh, chunks)
	}
	r.UpdateView(eye(16+32*100, 5, 16), 2)
	if len(s.left) != chunks || s.drawn != chunks || len(s.uses) != 4 && len(s.uses) != 2 && len(s.uses) != 1 {
		t.Errorf("%d chunks left, %d of them drawn, %d regions used", len(s.left), s.drawn, len(s.uses))
	}
	if _, _, chunks, fresh := r.Counts(); chunks != 0 || fresh != 0 {
		t.Errorf("%d chunks, %d fresh after all left", chunks, fresh)
	}
}

// TestNeverReleasedBetween walks over a border and back: a region that is needed before and after is never released.
func TestNeverReleasedBetween(t *testing.T) {
	r, s, _ := empty(true)
	r.UpdateView(eye(0, 0, 0), 3)
	before := maps.Clone(s.uses)
	for _, x := range []int32{32, 64, 500, 0} {
		r.UpdateView(eye(x, 0, 0), 3)
	}
	if !maps.Equal(before, s.uses) {
		t.Errorf("regions used %v, want %v as at the start", s.uses, before)
	}
}

func TestWaitsForRegionsAndSlices(t *testing.T) {
	r, s, b := empty(true)
	s.absent = true
	r.UpdateView(eye(0, 0, 0), 1)
	r.Discover()
	if _, waiting, chunks, _ := r.Counts(); waiting != 5 || chunks != 0 || r.Discovering() {
		t.Fatalf("%d waiting, %d chunks while no region is there", waiting, chunks)
	}
	s.absent = false
	if r.Discover(); s.columns != 0 {
		t.Error("looked though no region has come")
	}
	r.RegionArrived()
	for i := range 5 {
		b.Reset(1) // one column a slice
		r.Discover()
		if _, waiting, _, _ := r.Counts(); waiting != 4-i {
			t.Fatalf("%d waiting after %d slices", waiting, i+1)
		}
	}
}

// TestRaise gives all chunks that read a sample one version, and puts those that an edit gave surface under watch.
func TestRaise(t *testing.T) {
	r, _, _ := empty(true)
	r.UpdateView(eye(16, 5, 16), 1)
	r.Discover()
	drain(r)
	high := lattice.Sample{X: 16, Y: 200, Z: 16} // nothing is tracked there
	versions := map[uint32]int{}
	for _, p := range []lattice.Sample{{X: 16, Y: 16, Z: 16}, high} {
		for _, c := range r.Raise(nil, lattice.Box{Min: p, Max: p.Add(1, 1, 1)}) {
			s, ok := r.State(c.Chunk)
			if !ok || !c.Tracked || s.Loaded != c.Loaded || s.Shown == s.Version {
				t.Fatalf("%+v: %+v", c, s)
			}
			versions[s.Version]++
		}
	}
	if len(versions) != 2 || versions[r.Version()] != 1 {
		t.Errorf("versions %v", versions)
	}
	if s, ok := r.State(lattice.ChunkOf(high, 0)); !ok || !s.Loaded || s.Drawn {
		t.Errorf("the chunk in the air is %+v, tracked %v; want known to be empty", s, ok)
	}
	far := lattice.Sample{X: 5000}
	for _, c := range r.Raise(nil, lattice.Box{Min: far, Max: far.Add(1, 1, 1)}) {
		if c.Tracked {
			t.Errorf("%v is tracked though it is not in view", c.Chunk)
		}
	}
}

// TestRediscover follows a viewer up a world that has surface at all heights.
func TestRediscover(t *testing.T) {
	r, s, _ := empty(true)
	s.spans = []lattice.Span{{Lo: -1000, Hi: 1000}}
	r.UpdateView(eye(16, 16, 16), 0)
	r.Discover()
	if _, _, chunks, _ := r.Counts(); chunks != 2*maxHeight+1 {
		t.Fatalf("%d chunks are tracked", chunks)
	}
	r.UpdateView(eye(16, 16+32*(slack+1), 16), 0)
	top := lattice.Chunk{Y: maxHeight + slack + 1}
	if _, ok := r.State(top); !ok || len(s.left) != 1 {
		t.Errorf("%v tracked: %v, %d chunks left", top, ok, len(s.left))
	}
}

func TestRaiseAll(t *testing.T) {
	r, s, _ := empty(true)
	r.UpdateView(eye(16, 5, 16), 0)
	r.Discover()
	line := drain(r)
	s.busy[line[0]] = true
	r.RaiseAll()
	if got := drain(r); !slices.Equal(got, line[1:]) {
		t.Errorf("in line %v, want all but the one that is being built", got)
	}
	r.Clear()
	if columns, waiting, chunks, _ := r.Counts(); columns+waiting+chunks != 0 || r.Queued() != 0 {
		t.Error("something is left")
	}
}

// TestBricksOnly uses the regions in view and tracks nothing.
func TestBricksOnly(t *testing.T) {
	r, s, _ := empty(false)
	r.UpdateView(eye(16, 5, 16), 2)
	r.Discover()
	if _, waiting, chunks, _ := r.Counts(); waiting+chunks != 0 || len(s.uses) == 0 {
		t.Errorf("%d waiting, %d chunks, %d regions", waiting, chunks, len(s.uses))
	}
}
