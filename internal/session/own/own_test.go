package own

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A stage is everybody whom own edits work with.
type stage struct {
	pending  []uint64
	uses     int // of regions
	tiles    int // held
	noTiles  bool
	silent   bool   // there is no connection
	strange  bool   // the region is not subscribed to
	holds    uint64 // the entry that regions hold
	sent     []uint64
	changes  int
	level    uint8
	unhold   int
	requests []lattice.Region
}

func (s *stage) Level() uint8 { return s.level }

func (s *stage) Predict(id uint64, _ edit.Checked) brick.Change {
	s.pending = append(s.pending, id)
	return brick.Change{}
}

func (s *stage) Refuse(id uint64) brick.Change {
	s.pending = slices.DeleteFunc(s.pending, func(p uint64) bool { return p == id })
	return brick.Change{}
}

func (s *stage) Use(id lattice.Region) {
	s.uses++
	s.requests = append(s.requests, id)
}

func (s *stage) Subscribed(lattice.Region) bool            { return !s.strange }
func (s *stage) Holds(_ edit.Checked, seq uint64) bool     { return s.holds >= seq }
func (s *stage) HoldEdit(lattice.Box) ([]asset.Hash, bool) { s.tiles++; return nil, !s.noTiles }
func (s *stage) Greeted() bool                             { return !s.silent }
func (s *stage) Changed(lattice.Box)                       { s.changes++ }

func (s *stage) Send(m wire.ClientMessage) { s.sent = append(s.sent, m.(wire.SubmitEdit).Counter) }

// regions and tiles have a Release each.
type (
	regions struct{ *stage }
	tiles   struct{ *stage }
)

func (r regions) Release(lattice.Region) { r.uses-- }
func (t tiles) Release([]asset.Hash)     { t.unhold++ }

func edits(limits Limits) (*Edits, *stage) {
	s := &stage{}
	o := New(limits, Tally{})
	o.Join(Cast{World: s, Regions: regions{s}, Tiles: tiles{s}, Server: s, View: s, Budget: &budget.Budget{}})
	return o, s
}

var many = Limits{Pending: 100, PerSecond: 25, Burst: 100}

func dig(x int32) edit.Checked {
	return edit.Must(edit.Edit{
		Op: edit.Dig, Shape: edit.Ball, Radius: 3, Place: lattice.Place{Sample: lattice.Sample{X: x}},
	})
}

func TestMadeAndConfirmed(t *testing.T) {
	o, s := edits(many)
	n, err := o.Make(dig(0))
	if err != nil || n != 1 || !o.Predicted(1) || o.Predicted(2) || o.Pending() != 1 || s.uses != 1 || s.changes != 1 {
		t.Fatalf("edit %d, %v; %d pending, %d regions, %d changes", n, err, o.Pending(), s.uses, s.changes)
	}
	o.Send(0)
	o.Send(0)
	if !slices.Equal(s.sent, []uint64{1}) {
		t.Fatalf("sent %v", s.sent)
	}
	o.Acknowledged(1, 7) // alone it changes nothing on the screen
	if !o.Predicted(1) || o.Pending() != 0 || o.Tally().Acked != 1 || s.changes != 1 {
		t.Errorf("acknowledged: pending %v, tally %+v, %d changes", o.Predicted(1), o.Tally(), s.changes)
	}
	o.Confirmed(1, 7)
	o.Confirmed(1, 7) // again
	if o.Len() != 0 || o.Tally().Acked != 1 || s.uses != 0 || s.unhold != 1 {
		t.Errorf("%d left, tally %+v, %d regions used, %d holds given back", o.Len(), o.Tally(), s.uses, s.unhold)
	}
}

func TestNotTaken(t *testing.T) {
	o, s := edits(Limits{Pending: 1, PerSecond: 1, Burst: 1})
	s.noTiles = true
	if _, err := o.Make(dig(0)); !errors.Is(err, ErrNoGround) || o.Len() != 0 || s.uses != 0 {
		t.Errorf("%v with %d edits, %d regions", err, o.Len(), s.uses)
	}
	s.noTiles = false
	o.Make(dig(0))
	if _, err := o.Make(dig(0)); !errors.Is(err, ErrTooMany) {
		t.Errorf("the second of one: %v", err)
	}
}

func TestRefused(t *testing.T) {
	o, s := edits(many)
	o.Make(dig(0))
	if o.Refused(9) || !o.Refused(1) || o.Refused(1) || o.Tally().Refused != 1 || len(s.pending) != 0 || s.uses != 0 || s.changes != 2 {
		t.Errorf("tally %+v, pending %v, %d regions, %d changes", o.Tally(), s.pending, s.uses, s.changes)
	}
}

// TestCovered drops a durable edit once a snapshot holds it, and not before.
func TestCovered(t *testing.T) {
	o, s := edits(many)
	o.Make(dig(0))
	s.holds = 5
	o.Advanced() // it is not durable: the snapshot may be from before it
	if o.Len() != 1 {
		t.Fatal("an edit that is not durable was dropped")
	}
	if o.Acknowledged(1, 6); o.Len() != 1 {
		t.Fatal("it was dropped before the bricks hold it")
	}
	s.holds = 6
	if o.Advanced(); o.Len() != 0 || len(s.pending) != 0 {
		t.Error("it stays though the bricks hold it")
	}
}

// TestReconnect keeps edits over a lost connection: those that the server has are durable, the others are sent again.
func TestReconnect(t *testing.T) {
	o, s := edits(many)
	for range 3 {
		o.Make(dig(0))
	}
	o.Send(time.Hour)
	s.silent = true
	o.Disconnected()
	o.Make(dig(0))
	o.Send(time.Hour)
	if o.Pending() != 4 || o.Unsent() != 4 || len(s.sent) != 3 {
		t.Fatalf("%d pending, %d unsent, sent %v", o.Pending(), o.Unsent(), s.sent)
	}
	s.silent = false
	o.Welcome(2, 10)
	o.Send(time.Hour)
	if !slices.Equal(s.sent, []uint64{1, 2, 3, 3, 4}) || o.Tally().Acked != 2 || o.Len() != 4 {
		t.Errorf("sent %v, tally %+v, %d left", s.sent, o.Tally(), o.Len())
	}
	if o.Acknowledged(3, 0); o.list[2].by != 10 { // as of the welcome
		t.Errorf("durable by %d, want 10", o.list[2].by)
	}
	if o.Welcome(50, 10); o.tally.Counter != 50 {
		t.Error("counters that the server knows are used again")
	}
}

func TestPace(t *testing.T) {
	o, s := edits(Limits{Pending: 1000, PerSecond: 10, Burst: 5})
	for range 100 {
		o.Make(dig(0))
	}
	s.strange = true
	if o.Send(time.Hour); len(s.sent) != 0 {
		t.Fatal("sent to a region that is not subscribed to")
	}
	s.strange = false
	o.Send(time.Hour)
	if n := len(s.sent); n < 5 || n > 6 {
		t.Errorf("%d sent at once, want a burst of 5", n)
	}
	for i := range 100 {
		o.Send(time.Hour + time.Duration(i)*100*time.Millisecond)
	}
	if len(s.sent) != window || !slices.IsSorted(s.sent) {
		t.Errorf("%d sent and not answered, want %d, in order", len(s.sent), window)
	}
}

// TestLevel works at the world's level.
func TestLevel(t *testing.T) {
	o, s := edits(many)
	s.level = 2
	o.Make(dig(3000))
	if want := lattice.RegionOf(lattice.Sample{X: 3000}, 2); s.requests[0] != want {
		t.Errorf("region %v, want %v", s.requests[0], want)
	}
}
