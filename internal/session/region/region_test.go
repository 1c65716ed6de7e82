package region

import (
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/internal/session/fetch"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

// A stage is everybody whom regions work with, but for the world, and the server's world.
type stage struct {
	server *world.World
	silent bool
	sent   []wire.ClientMessage
	drops  []string

	wanted   map[asset.Hash]fetch.Taker
	contents map[asset.Hash][]byte

	noTiles   bool
	tiles     int // regions that hold them
	own       uint64
	confirmed []uint64 // counters
	advanced  int
	changes   []lattice.Box
	arrived   int
	problems  []string
}

func (s *stage) Greeted() bool             { return !s.silent }
func (s *stage) Send(m wire.ClientMessage) { s.sent = append(s.sent, m) }
func (s *stage) Drop(reason string)        { s.drops = append(s.drops, reason) }

func (s *stage) Want(hash asset.Hash, t fetch.Taker) { s.wanted[hash] = t }
func (s *stage) Start()                              {}

func (s *stage) Abandon(t fetch.Taker) {
	for hash, k := range s.wanted {
		if k == t {
			delete(s.wanted, hash)
		}
	}
}

func (s *stage) HoldRegion(lattice.Region) []asset.Hash { s.tiles++; return nil }
func (s *stage) Release([]asset.Hash)                   { s.tiles-- }
func (s *stage) Present([]asset.Hash) bool              { return !s.noTiles }
func (s *stage) CoversEdit(lattice.Box) bool            { return !s.noTiles }

func (s *stage) Predicted(counter uint64) bool { return counter != 0 && counter == s.own }
func (s *stage) Advanced()                     { s.advanced++ }

func (s *stage) Confirmed(counter, _ uint64) {
	s.confirmed = append(s.confirmed, counter)
	s.own = 0
}

func (s *stage) Changed(b lattice.Box) {
	if !b.Empty() {
		s.changes = append(s.changes, b)
	}
}

func (s *stage) Arrived()              { s.arrived++ }
func (s *stage) Report(problem string) { s.problems = append(s.problems, problem) }

// deliver answers everything that is wanted.
func (s *stage) deliver() {
	for hash, t := range s.wanted {
		delete(s.wanted, hash)
		t.Take(hash, s.contents[hash])
	}
}

// snapshot returns the server's snapshot of a region.
func (s *stage) snapshot(id lattice.Region, seq uint64) wire.Snapshot {
	m := wire.Snapshot{Region: id, Seq: seq, Hash: s.server.Layer().RegionHash(id)}
	for at, b := range s.server.Layer().Region(id) {
		data := b.AppendBinary(nil)
		s.contents[asset.Of(data)] = data
		m.Pieces = append(m.Pieces, wire.Piece{X: at.X, Y: at.Y, Z: at.Z, Content: asset.Of(data)})
	}
	return m
}

func flat(t *testing.T) *world.World {
	terrain, err := field.Compile(template.Flat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return world.New(terrain)
}

func regions(t *testing.T) (*Regions, *stage, *budget.Budget) {
	s := &stage{server: flat(t), wanted: map[asset.Hash]fetch.Taker{}, contents: map[asset.Hash][]byte{}}
	b := &budget.Budget{}
	b.Reset(1 << 20)
	rs := New()
	rs.Join(Cast{Server: s, World: flat(t), Fetcher: s, Tiles: s, Own: s, View: s, Budget: b})
	return rs, s, b
}

func dig(x int32) edit.Checked {
	return edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 3, Place: lattice.Place{Sample: lattice.Sample{X: x, Z: 100}}})
}

// enter makes a region live, from the server's snapshot as of the entry seq.
func enter(t *testing.T, rs *Regions, s *stage, id lattice.Region, seq uint64) {
	t.Helper()
	rs.Use(id)
	rs.Sync()
	rs.Snapshot(s.snapshot(id, seq))
	rs.Sync()
	s.deliver()
	rs.Sync()
	if !rs.Present(id) || rs.Hash() == 0 && s.server.Layer().Len() > 0 || len(s.drops)+len(s.problems) > 0 {
		t.Fatalf("%v is not live: dropped %q, problems %q", id, s.drops, s.problems)
	}
}

var (
	here  = lattice.Region{}
	there = lattice.Region{X: -1}
)

func TestJoin(t *testing.T) {
	rs, s, _ := regions(t)
	s.server.Apply(dig(100))
	rs.Use(here)
	if rs.Subscribed(here) || rs.Present(here) {
		t.Fatal("subscribed before its turn")
	}
	rs.Sync()
	if !slices.Equal(s.sent, []wire.ClientMessage{wire.Subscribe{Region: here}}) {
		t.Fatalf("sent %v", s.sent)
	}
	rs.Snapshot(s.snapshot(here, 1))
	s.server.Apply(dig(110))
	rs.Entry(Entry{Seq: 2, Edit: dig(110)}) // while the pieces are fetched: held back
	rs.Sync()
	if rs.Present(here) || len(s.changes) > 0 || len(s.wanted) == 0 {
		t.Fatal("it did not wait for its pieces")
	}
	s.deliver()
	s.noTiles = true
	if rs.Sync(); rs.Present(here) {
		t.Fatal("it did not wait for its tiles")
	}
	s.noTiles = false
	rs.Sync()
	if l, syncing := rs.Counts(); l != 1 || syncing != 0 || rs.Hash() != s.server.Layer().Hash() || s.arrived != 1 {
		t.Errorf("%d live, %d syncing, hash %x, want %x", l, syncing, rs.Hash(), s.server.Layer().Hash())
	}
	if !rs.Holds(dig(100), 2) || rs.Holds(dig(100), 3) || rs.Holds(dig(-5000), 1) {
		t.Error("it does not hold the log up to entry 2")
	}
	rs.Release(here)
	if rs.world.Layer().Len() != 0 || s.tiles != 0 || s.sent[len(s.sent)-1] != (wire.Unsubscribe{Region: here}) {
		t.Error("something is left of a region that nobody needs")
	}
}

// TestEntries applies each entry once, to the regions that do not hold it.
func TestEntries(t *testing.T) {
	rs, s, _ := regions(t)
	s.server.Apply(dig(0)) // entry 1, on the border of both
	enter(t, rs, s, here, 1)
	enter(t, rs, s, there, 1)
	s.server.Apply(dig(1))
	for range 2 { // the second one is a duplicate
		rs.Entry(Entry{Seq: 2, Edit: dig(1)})
	}
	rs.Entry(Entry{Seq: 1, Edit: dig(0)})
	if rs.Hash() != s.server.Layer().Hash() || len(s.changes) != 1 {
		t.Errorf("hash %x, want %x; %d changes, want 1", rs.Hash(), s.server.Layer().Hash(), len(s.changes))
	}
	s.own = 5
	rs.Entry(Entry{Seq: 3, Counter: 5, Edit: dig(1)})
	if !slices.Equal(s.confirmed, []uint64{5}) || s.advanced < 3 {
		t.Errorf("confirmed %v, advanced %d times", s.confirmed, s.advanced)
	}
	s.own, s.noTiles = 6, true
	if rs.Entry(Entry{Seq: 4, Counter: 6, Edit: dig(1)}); len(s.drops) != 1 {
		t.Error("an entry on ground that is not there was applied")
	}
}

// TestResume shows stale regions as they were until all of them are back, then at one entry.
func TestResume(t *testing.T) {
	rs, s, _ := regions(t)
	s.server.Apply(dig(0))
	enter(t, rs, s, here, 1)
	enter(t, rs, s, there, 1)
	before := rs.world.Layer().Hash()
	rs.Disconnected()
	s.changes, s.arrived = nil, 0
	rs.Sync()
	s.server.Apply(dig(2))
	rs.Snapshot(s.snapshot(here, 2))
	rs.Sync()
	s.deliver()
	rs.Sync()
	if rs.world.Layer().Hash() != before || !rs.Present(there) || len(s.changes) != 0 {
		t.Fatal("one region changed before the other was back")
	}
	rs.Entry(Entry{Seq: 3, Edit: dig(3)}) // waits with them
	s.server.Apply(dig(3))
	rs.Snapshot(s.snapshot(there, 3)) // newer than the other one
	rs.Sync()
	s.deliver()
	rs.Sync()
	if rs.Hash() != s.server.Layer().Hash() || len(s.changes) == 0 || s.arrived != 1 || len(s.problems)+len(s.drops) > 0 {
		t.Errorf("hash %x, want %x; %d changes, %q, %q", rs.Hash(), s.server.Layer().Hash(), len(s.changes), s.problems, s.drops)
	}
	// What is the same costs nothing.
	rs.Disconnected()
	s.changes = nil
	rs.Sync()
	for _, id := range []lattice.Region{here, there} {
		rs.Snapshot(s.snapshot(id, 3))
	}
	if rs.Sync(); len(s.wanted) != 0 || len(s.changes) != 0 || rs.Hash() != s.server.Layer().Hash() {
		t.Errorf("%d pieces wanted, %d changes for what is the same", len(s.wanted), len(s.changes))
	}
}

// TestAskedAgain leaves a region and enters it again: the first snapshot is not the answer to the second question.
func TestAskedAgain(t *testing.T) {
	rs, s, _ := regions(t)
	rs.Use(here)
	rs.Sync()
	old := s.snapshot(here, 1)
	rs.Release(here)
	rs.Use(here)
	rs.Sync()
	s.server.Apply(dig(100))
	if rs.Snapshot(old); rs.Present(here) {
		t.Fatal("the first snapshot was taken")
	}
	rs.Sync()
	rs.Snapshot(s.snapshot(here, 2))
	rs.Sync()
	s.deliver()
	if rs.Sync(); rs.Hash() != s.server.Layer().Hash() || rs.Hash() == 0 {
		t.Errorf("hash %x, want %x", rs.Hash(), s.server.Layer().Hash())
	}
}

// TestUnavailable subscribes anew to a region whose piece the server no longer has.
func TestUnavailable(t *testing.T) {
	rs, s, _ := regions(t)
	s.server.Apply(dig(100))
	rs.Use(here)
	rs.Sync()
	rs.Snapshot(s.snapshot(here, 1))
	rs.Sync()
	for hash, k := range s.wanted {
		if !k.Unavailable(hash) {
			t.Error("it did not give the piece up")
		}
		break
	}
	if rs.Subscribed(here) || len(s.wanted) != 0 {
		t.Error("it still waits for the old snapshot")
	}
	rs.Sync()
	want := []wire.ClientMessage{wire.Subscribe{Region: here}, wire.Unsubscribe{Region: here}, wire.Subscribe{Region: here}}
	if !slices.Equal(s.sent, want) {
		t.Errorf("sent %v", s.sent)
	}
}

func TestHostileSnapshots(t *testing.T) {
	tests := map[string]struct {
		send func(rs *Regions, s *stage)
		want string
	}{
		"not asked for": {func(rs *Regions, s *stage) { rs.Snapshot(s.snapshot(there, 1)) }, "not asked for"},
		"mixed": {func(rs *Regions, s *stage) {
			m := s.snapshot(here, 1)
			m.More = true
			rs.Snapshot(m)
			m.Seq = 2
			rs.Snapshot(m)
		}, "mixed two"},
		"another region's brick": {func(rs *Regions, s *stage) {
			m := s.snapshot(here, 1)
			m.Pieces[0].X = 1000
			rs.Snapshot(m)
		}, "another region"},
		"no brick": {func(rs *Regions, s *stage) {
			rs.Snapshot(s.snapshot(here, 1))
			rs.Sync()
			for hash := range s.contents {
				s.contents[hash] = []byte("no brick")
			}
			s.deliver()
		}, "no brick"},
		"another brick": {func(rs *Regions, s *stage) {
			m := s.snapshot(here, 1)
			m.Pieces[0].Y += 5
			rs.Snapshot(m)
			rs.Sync()
			s.deliver()
		}, "content of another"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rs, s, _ := regions(t)
			s.server.Apply(dig(100))
			rs.Use(here)
			rs.Sync()
			tt.send(rs, s)
			if len(s.drops) == 0 || !strings.Contains(s.drops[0], tt.want) {
				t.Errorf("dropped %q", s.drops)
			}
		})
	}
}

// TestSlices brings a region in under slices of one unit: entries that came meanwhile wait their turn.
func TestSlices(t *testing.T) {
	rs, s, b := regions(t)
	for i := range int32(20) {
		s.server.Apply(dig(40 + 10*i))
	}
	b.Reset(1)
	rs.Use(here)
	rs.Sync()
	rs.Snapshot(s.snapshot(here, 20))
	for range 200 {
		b.Reset(1)
		rs.Sync()
		s.deliver()
	}
	if rs.Hash() != s.server.Layer().Hash() || len(s.drops)+len(s.problems) > 0 {
		t.Fatalf("hash %x, want %x", rs.Hash(), s.server.Layer().Hash())
	}
}
