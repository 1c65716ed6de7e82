package session

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

// TestEditIsOneGroup digs where four columns meet: all chunks change in one frame, at once, and the
// confirmation builds nothing.
func TestEditIsOneGroup(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2}, 32, 5, 32)
	before, groups := c.built, len(c.lastGroups)
	c.do(dig(32, 0, 32, 3))
	if len(c.jobs) == 0 {
		t.Fatal("no job was made with the edit")
	}
	if st := c.s.Status(); st.Pending != 1 || st.Waiting != 8 {
		t.Errorf("%d pending edits and %d chunks waiting, want 1 and 8", st.Pending, st.Waiting)
	}
	for len(c.jobs) > 0 { // the server knows nothing yet
		c.build(0)
	}
	for len(c.shows) > 0 {
		c.show()
	}
	if n := len(c.lastGroups) - groups; n != 1 {
		t.Fatalf("the edit came in %d groups, want 1", n)
	}
	g := c.lastGroups[groups]
	if len(g.Results) != 8 || !g.Edit {
		t.Errorf("the group has %d chunks (edit: %v), want 8", len(g.Results), g.Edit)
	}
	if n := c.built - before; n != 8 {
		t.Errorf("%d chunks were built, want 8", n)
	}
	settle(c)
	c.verify()
	if st := c.s.Status(); c.built-before != 8 || st.Acked != 1 || st.Pending != 0 {
		t.Errorf("after the confirmation: %d built, %d acknowledged, %d pending; want 8, 1, 0", c.built-before, st.Acked, st.Pending)
	}
}

// TestBornFromAir builds a ball high up, in chunks that had no surface and were not tracked: they come with the
// group.
func TestBornFromAir(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2}, 16, 5, 16)
	groups := len(c.lastGroups)
	c.do(build(32, 96, 32, 3))
	settle(c)
	c.verify()
	if n := len(c.lastGroups) - groups; n != 1 || len(c.lastGroups[groups].Results) != 8 {
		t.Errorf("%d groups; want 1 with 8 chunks", n)
	}
	// And one that lies across the border of a chunk that is shown and one that is not.
	groups = len(c.lastGroups)
	c.do(build(16, 31, 16, 4))
	settle(c)
	c.verify()
	if n := len(c.lastGroups) - groups; n != 1 {
		t.Errorf("%d groups, want 1", n)
	}
}

// TestNoChangeBuildsNothing makes an edit in thin air: it goes to the log and builds nothing.
func TestNoChangeBuildsNothing(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1}, 16, 5, 16)
	before := c.built
	c.do(dig(16, 200, 16, 5))
	sv.append(record{edit: edit.Must(dig(16, 300, 16, 5))}, 0)
	settle(c)
	c.verify()
	if c.built != before || len(sv.log) != 2 || c.status.Acked != 1 {
		t.Errorf("%d built, %d in the log, %d acknowledged; want 0, 2, 1", c.built-before, len(sv.log), c.status.Acked)
	}
}

// TestForeignEdit shows another's edit, with exactly the chunks that it touches.
func TestForeignEdit(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	before := c.built
	sv.append(record{edit: edit.Must(dig(16, 0, 16, 3))}, 9)
	settle(c)
	c.verify()
	if n := c.built - before; n != 2 { // below and above y = 0
		t.Errorf("%d chunks built, want 2", n)
	}
	// What another digs where we have already dug as much changes nothing.
	c.do(dig(16, 0, 16, 6))
	for len(c.jobs) > 0 {
		c.build(0)
	}
	before = c.built
	sv.append(record{edit: edit.Must(dig(16, 0, 16, 5))}, 9)
	settle(c)
	c.verify()
	if c.built != before {
		t.Errorf("%d chunks built for an edit that is hidden by an own one", c.built-before)
	}
}

// TestOrderedBefore lets the server put another's edit before ours: what we saw was wrong, and is put right.
func TestOrderedBefore(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	c.do(dig(16, 0, 16, 4))
	if d, _ := c.s.At(lattice.Sample{X: 16, Z: 16}); solid(d) {
		t.Fatal("the own edit does not count at once")
	}
	sv.append(record{edit: edit.Must(build(18, 0, 16, 4))}, 9) // in the log before ours
	settle(c)
	c.verify()
	if d, _ := c.s.At(lattice.Sample{X: 16, Z: 16}); solid(d) {
		t.Error("another's ball, ordered before our dig, fills it")
	}
	// The other way round, ours is in the log first.
	c.do(dig(40, 0, 16, 4))
	c.conn.handle(t)
	sv.append(record{edit: edit.Must(build(42, 0, 16, 4))}, 9)
	settle(c)
	c.verify()
	if d, _ := c.s.At(lattice.Sample{X: 40, Z: 16}); !solid(d) {
		t.Error("another's ball, ordered after our dig, does not fill it")
	}
}

func TestRefusedEdit(t *testing.T) {
	sv := newServer(t, template.Flat())
	sv.refuse = func(edit.Checked) string { return "no digging here" }
	c := enter(t, sv, Config{Builders: 1}, 16, 5, 16)
	c.do(dig(16, 0, 16, 3))
	settle(c)
	c.verify()
	if st := c.status; st.Refused != 1 || st.Acked != 0 || !strings.Contains(st.Message, "no digging here") {
		t.Errorf("status %+v", st)
	}
	sv.refuse = nil
	c.do(dig(16, 0, 16, 3))
	settle(c)
	c.verify()
	if c.status.Acked != 1 || len(sv.log) != 1 {
		t.Errorf("%d acknowledged and %d in the log after the refusal, want 1 and 1", c.status.Acked, len(sv.log))
	}
}

func TestBadEdits(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := newClient(t, sv, Config{Builders: 1})
	try := func() error {
		_, err := c.s.Edit(0, dig(0, 0, 0, 3).Brush, place(0, 0, 0))
		return err
	}
	if err := try(); err != ErrClosed {
		t.Errorf("an edit before Start: %v, want %v", err, ErrClosed)
	}
	c.s.Start(0)
	if err := try(); err != ErrNotLoaded {
		t.Errorf("an edit before the world is there: %v, want %v", err, ErrNotLoaded)
	}
	c = enter(t, sv, Config{Builders: 1, MaxPending: 3}, 16, 5, 16)
	nan := float32(math.NaN())
	for _, b := range []edit.Brush{
		{}, {Op: edit.Dig, Shape: edit.Ball, Radius: nan}, {Op: edit.Dig, Shape: edit.Ball, Radius: -1},
		{Op: edit.Dig, Shape: edit.Ball, Radius: 1e6}, {Op: 9, Shape: edit.Ball, Radius: 3},
	} {
		if _, err := c.s.Edit(0, b, place(0, 0, 0)); err == nil {
			t.Errorf("%+v was taken", b)
		}
	}
	if _, err := c.s.Edit(0, dig(0, 0, 0, 3).Brush, lattice.Place{Offset: geom.Vec3{X: nan}}); err == nil {
		t.Error("a place that is no number was taken")
	}
	c.cut()
	for i := range 4 {
		_, err := c.s.Edit(0, dig(0, 0, 0, 3).Brush, place(0, 0, 0))
		if want := error(nil); i == 3 && err != ErrTooMany || i < 3 && err != want {
			t.Errorf("edit %d while offline: %v", i+1, err)
		}
	}
	settle(c)
	c.verify()
	if len(sv.log) != 3 {
		t.Errorf("%d edits in the log, want the 3 that were taken", len(sv.log))
	}
}

// TestTakenOver digs again and again at one place while builders are slow: what was begun is shown, and what
// came meanwhile is gathered into one group.
func TestTakenOver(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, JobsPerBuilder: 1, Radius: 2}, 16, 5, 16)
	groups := len(c.lastGroups)
	for i := range 40 {
		c.do(dig(30+float64(i)/8, 0, 30, 3))
		if len(c.jobs) > 0 { // one job in the time of an edit, which needs eight
			c.build(0)
		}
		for len(c.shows) > 0 {
			c.show()
		}
	}
	if len(c.lastGroups) == groups {
		t.Error("nothing was shown while edits came: they put off what was begun")
	}
	if open, sealed, _ := c.s.groups.Counts(); open+sealed > 2 {
		t.Errorf("%d groups round one place, want at most 2", open+sealed)
	}
	settle(c)
	c.verify()
}

// TestSmallBesideHuge digs beside somebody's hill, which changes fifty chunks: the dig is not the last to be
// seen.
func TestSmallBesideHuge(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 6}, 16, 5, 16)
	built, groups := c.built, len(c.lastGroups)
	sv.append(record{edit: edit.Must(build(-100, 0, 0, 60))}, 0)
	c.deliver()
	c.do(dig(120, 0, 16, 3))
	for len(c.shows) == 0 {
		settleOnce(c)
	}
	if n := len(c.shows[0].Results); n != 2 || c.built-built > 12 {
		t.Errorf("the first group has %d chunks and came after %d jobs", n, c.built-built)
	}
	settle(c)
	c.verify()
	if n := len(c.lastGroups[groups+1].Results); n < 30 || c.built-built < 50 {
		t.Errorf("the hill came with %d chunks, %d jobs", n, c.built-built)
	}
}

// TestHidden lets 500 edits be made while the screen draws nothing, as in a hidden tab: what waits is bounded, and
// comes when the screen is back.
func TestHidden(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2, MaxUnshown: 4}, 16, 5, 16)
	r := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		sv.append(record{edit: edit.Must(dig(r.Float64()*64, 0, r.Float64()*64, 2))}, 0)
		for len(c.conn.out) > 0 {
			c.deliver()
		}
		for len(c.jobs) > 0 {
			c.build(0)
		}
		c.now += 20 * time.Millisecond
		c.tick()
	}
	if n := len(c.shows); n > 2*4 {
		t.Errorf("%d groups wait for the screen", n)
	}
	if n := len(c.kept); n > 200 {
		t.Errorf("%d results wait for the screen", n)
	}
	settle(c)
	c.verify()
}

// TestDroppedFromGroup lets the viewer leave while a group is being built: it no longer waits for the chunks that
// were dropped.
func TestDroppedFromGroup(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	c.do(dig(96, 0, 16, 3)) // the border of columns 2 and 3: column 3 is out of view
	c.do(dig(64, 0, 16, 3)) // of columns 1 and 2
	c.s.View(c.now, place(-65, 5, 16), 0, 0)
	for _, id := range []lattice.Chunk{{X: 2}, {X: 1}} {
		if _, ok := c.s.residency.State(id); ok {
			t.Fatalf("%v is still tracked", id)
		}
	}
	settle(c)
	c.verify()
}

// TestStrike digs where the viewer looks, exactly there, and says what it does not reach.
func TestStrike(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := newClient(t, sv, Config{Builders: 1, Radius: 1})
	brush := dig(0, 0, 0, 3).Brush
	at := Sight{From: place(16, 20, 16), Dir: geom.Vec3{X: 0.1, Y: -1}.Unit(), Reach: 80}
	if _, err := c.s.Strike(0, Tool{Brush: brush}, at); !errors.Is(err, ErrOutOfReach) {
		t.Errorf("before the world is loaded: %v", err)
	}
	c = enter(t, sv, Config{Builders: 1}, 16, 20, 16)
	hit, _ := c.s.Aim(at)
	n, err := c.s.Strike(c.now, Tool{Brush: brush}, at)
	if n != 1 || err != nil || c.s.Status().Pending != 1 {
		t.Fatalf("edit %d, %v", n, err)
	}
	settle(c)
	c.verify()
	if got := sv.log[0].edit.Place(); got != hit.Place {
		t.Errorf("dug at %v, the sight meets %v", got, hit.Place)
	}
	if d, _ := c.s.At(lattice.Sample{X: 18, Z: 16}); solid(d) {
		t.Error("there is no hole")
	}
	at.Reach = 5
	if _, err := c.s.Strike(c.now, Tool{Brush: brush}, at); !errors.Is(err, ErrOutOfReach) || len(sv.log) != 1 {
		t.Errorf("out of reach: %v", err)
	}
	brush.Radius = -1
	at.Reach = 80
	if _, err := c.s.Strike(c.now, Tool{Brush: brush}, at); !errors.Is(err, edit.ErrInvalid) {
		t.Errorf("with a bad brush: %v", err)
	}
}

// TestStroke draws on from the last strike as long as that is near.
func TestStroke(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 3}, 16, 20, 16)
	tool := Tool{Brush: edit.Brush{Op: edit.Dig, Shape: edit.Stroke, Radius: 2}, Joined: true}
	for i, x := range []float64{16, 22, 90} {
		at := Sight{From: place(x, 20, 16), Dir: geom.Vec3{Y: -1}, Reach: 80}
		if tool.Joined = i > 0; i == 2 {
			tool.Brush.Radius = 60 // with a way of 68 m it would reach too far
		}
		if _, err := c.s.Strike(c.now, tool, at); err != nil {
			t.Fatal(err)
		}
	}
	settle(c)
	c.verify()
	for i, want := range []geom.Vec3{{}, {X: -6}, {}} {
		if got := sv.log[i].edit.Edit().Extent; got != want {
			t.Errorf("strike %d is drawn from %v, want %v", i, got, want)
		}
	}
}

func solid(d float32) bool { return d > 0 }
