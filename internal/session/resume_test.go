package session

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

// TestResume loses the connection and comes back: what is the same costs nothing, what changed is fetched and
// shown in one frame, and until then the screen stays.
func TestResume(t *testing.T) {
	sv := newServer(t, template.Flat())
	for x := range 5 {
		sv.append(record{edit: edit.Must(dig(float64(20*x), 0, 16, 3))}, 0)
	}
	c := enter(t, sv, Config{Builders: 1, Radius: 3}, 40, 5, 40)
	fetched, built, screen := sv.fetches, c.built, len(c.screen)
	c.cut()
	if st := c.status; st.State != Waiting || st.State.String() != "reconnecting" || st.Message != "cut" || st.RetryIn <= 0 {
		t.Errorf("status after the cut: %+v", st)
	}
	settle(c)
	c.verify()
	if sv.fetches != fetched || c.built != built || len(c.screen) != screen {
		t.Errorf("nothing had changed, and %d contents were fetched, %d chunks built, %d are shown instead of %d",
			sv.fetches-fetched, c.built-built, len(c.screen), screen)
	}

	c.cut()
	// Two edits that share no chunk, and one of what cannot be seen.
	sv.append(record{edit: edit.Must(dig(48, 0, 80, 3))}, 0)
	sv.append(record{edit: edit.Must(dig(112, 0, 16, 3))}, 0)
	sv.append(record{edit: edit.Must(dig(400, 0, 16, 3))}, 0)
	groups := len(c.lastGroups)
	settle(c)
	c.verify()
	if n := sv.fetches - fetched; n != 2+2 { // the bricks below and above the ground at each place
		t.Errorf("%d contents were fetched, want 4", n)
	}
	if n := len(c.lastGroups) - groups; n != 2 {
		t.Errorf("%d groups were shown, want one for each place", n)
	}
	if len(c.connects) != 3 {
		t.Errorf("%d connections, want 3", len(c.connects))
	}
}

// TestResumeWhileEditing keeps digging while offline, while others do too, and comes back.
func TestResumeWhileEditing(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2, EditBurst: 5, EditsPerSecond: 10}, 16, 5, 16)
	c.cut()
	for i := range 40 {
		c.do(dig(float64(i), 0, 16, 3))
		sv.append(record{edit: edit.Must(build(float64(i)+1, 0, 18, 3))}, 0)
	}
	for len(c.jobs)+len(c.shows) > 0 {
		settleOnceOffline(c)
	}
	if d, _ := c.s.At(lattice.Sample{X: 10, Z: 16}); solid(d) {
		t.Error("an edit made offline is not shown")
	}
	if st := c.s.Status(); st.Pending != 40 {
		t.Errorf("%d pending, want 40", st.Pending)
	}
	settle(c)
	c.verify()
	if len(sv.log) != 80 || c.status.Acked != 40 {
		t.Errorf("%d entries and %d acknowledged, want 80 and 40", len(sv.log), c.status.Acked)
	}
	for i, r := range sv.log[40:] {
		if r.counter != uint64(i+1) {
			t.Fatalf("entry %d has counter %d, want %d", 41+i, r.counter, i+1)
		}
	}
}

// settleOnceOffline builds and draws.
func settleOnceOffline(c *client) {
	switch {
	case len(c.jobs) > 0:
		c.build(0)
	case len(c.shows) > 0:
		c.show()
	}
}

// TestPace sends what was made offline no faster than the server takes it.
func TestPace(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{MaxPending: 400}, 16, 5, 16)
	c.cut()
	for range 300 {
		c.do(dig(16, 0, 16, 3))
	}
	c.open()
	start, sent := c.now, map[time.Duration]int{}
	for c.now-start < 20*time.Second {
		n := len(sv.log)
		for len(c.conn.in) > 0 {
			c.conn.handle(t)
		}
		sent[(c.now-start)/time.Second] += len(sv.log) - n
		for len(c.conn.out) > 0 {
			c.deliver()
		}
		c.now += 10 * time.Millisecond
		c.tick()
	}
	if len(sv.log) != 300 {
		t.Fatalf("%d edits of 300 arrived", len(sv.log))
	}
	for second, n := range sent {
		if limit := 27; second > 0 && n > limit || n > 128 {
			t.Errorf("%d edits in second %d", n, second)
		}
	}
}

// TestInFlight cuts the connection at every stage of an edit's way: it is in the log once.
func TestInFlight(t *testing.T) {
	for _, stage := range []string{"not sent", "sent, not received", "ordered, nothing came back", "entry came, acknowledgement did not", "both came"} {
		t.Run(stage, func(t *testing.T) {
			sv := newServer(t, template.Flat())
			c := enter(t, sv, Config{Builders: 1, Radius: 1}, 16, 5, 16)
			switch stage {
			case "not sent":
				c.cut()
				c.do(dig(16, 0, 16, 3))
				c.now += time.Hour
				c.open()
			case "sent, not received":
				c.do(dig(16, 0, 16, 3))
				c.cut()
			case "ordered, nothing came back":
				sv.silent = true
				c.do(dig(16, 0, 16, 3))
				c.conn.handle(t)
				c.cut()
				sv.silent = false
			case "entry came, acknowledgement did not":
				c.do(dig(16, 0, 16, 3))
				c.conn.handle(t)
				c.deliver()
				c.cut()
			case "both came":
				c.do(dig(16, 0, 16, 3))
				c.conn.handle(t)
				c.deliver()
				c.deliver()
				c.cut()
			}
			sv.append(record{edit: edit.Must(build(18, 0, 16, 2))}, 0)
			c.do(dig(20, 0, 16, 3))
			settle(c)
			c.verify()
			if len(sv.log) != 3 || c.status.Acked != 2 {
				t.Errorf("%d entries, %d acknowledged; want 3 and 2", len(sv.log), c.status.Acked)
			}
		})
	}
}

// TestSnapshotsOfDifferentEntries resumes with snapshots of two regions between which an edit of both was made:
// they are shown as of one entry.
func TestSnapshotsOfDifferentEntries(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 1, Slice: 1}, 0, 5, 100) // at the border of regions −1 and 0
	c.cut()
	c.open()
	c.conn.handle(t) // hello
	c.deliver()      // welcome
	c.conn.handle(t) // the first subscription
	sv.append(record{edit: edit.Must(dig(0, 0, 100, 5))}, 0)
	for len(c.conn.in) > 0 {
		c.conn.handle(t)
	}
	groups := len(c.lastGroups)
	settle(c)
	c.verify()
	if n := len(c.lastGroups) - groups; n != 1 {
		t.Errorf("the dig came in %d groups, want 1", n)
	}
}

// TestLeaveAndReturn leaves a region and enters it again before its snapshot came: the first is not the answer
// to the second subscription.
func TestLeaveAndReturn(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := newClient(t, sv, Config{Builders: 1, Radius: 1})
	c.s.Start(0)
	c.s.View(0, place(128, 5, 128), 0, 0)
	for c.s.world == nil {
		settleOnce(c)
	}
	here := lattice.Region{}
	if !c.s.regions.Subscribed(here) || c.s.regions.Present(here) {
		t.Fatal("the region was not asked for")
	}
	for len(c.conn.in) > 0 {
		c.conn.handle(t)
	}
	c.s.View(c.now, place(128+512, 5, 128), 0, 0)
	for len(c.conn.in) > 0 {
		c.conn.handle(t)
	}
	sv.append(record{edit: edit.Must(dig(128, 0, 128, 3))}, 0) // nobody tells the client
	c.s.View(c.now, place(128, 5, 128), 0, 0)
	settle(c)
	c.verify()
	if c.s.world.Layer().Len() == 0 {
		t.Error("the dig is missing")
	}
}

// TestUpdateLostWhileSubscribing is case 19: B comes into range while A edits, in a thousand interleavings; A
// also builds high up in the air. B ends with what the server has, without a second connection.
func TestUpdateLostWhileSubscribing(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 30
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 19))
		sv := newServer(t, template.Flat())
		a := enter(t, sv, Config{Session: 1, Radius: 1}, 16, 5, 16)
		builders := 0
		if seed%10 == 0 { // the others compare bricks only
			builders = 1
		}
		b := newClient(t, sv, Config{Session: 2, Radius: 1, Builders: builders})
		b.s.Start(0)
		b.s.View(0, place(16+5000, 5, 16), 0, 0)
		arrives := r.IntN(60)
		for i := range 80 {
			if i == arrives {
				b.s.View(b.now, place(16, 5, 16), 0, 0)
			}
			switch {
			case i == 40:
				a.do(build(16, 100, 16, 4))
			case i%4 == 0:
				a.do(edit.Edit{Op: edit.Op(1 + r.IntN(2)), Shape: edit.Ball, Radius: 2, Place: place(r.Float64()*32, 0, r.Float64()*32)})
			}
			a.step(r)
			b.step(r)
		}
		settle(a, b)
		b.verify()
		if len(b.connects) != 1 || b.s.Status().Hash != a.s.Status().Hash || b.s.world.Layer().Len() < 3 {
			t.Fatalf("seed %d: %d connections, hashes %s and %s, %d bricks", seed, len(b.connects), a.s.Status().HashHex(),
				b.s.Status().HashHex(), b.s.world.Layer().Len())
		}
	}
}

// TestAckBeforeEntry gets the acknowledgement of an edit first: the edit stays pending until its entry comes, or
// the ground would close for a moment.
func TestAckBeforeEntry(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 1}, 16, 5, 16)
	c.do(dig(16, 0, 16, 3))
	c.conn.handle(t)
	c.conn.out[0], c.conn.out[1] = c.conn.out[1], c.conn.out[0]
	c.deliver()
	if d, _ := c.s.At(lattice.Sample{X: 16, Z: 16}); solid(d) || c.s.Status().Acked != 1 || c.s.Status().Pending != 0 {
		t.Errorf("between acknowledgement and entry: density %v, status %+v", d, c.s.Status())
	}
	built := c.built + len(c.jobs)
	settle(c)
	c.verify()
	if c.built != built {
		t.Errorf("%d chunks were built for the confirmation", c.built-built)
	}
}

// TestDuplicateEntries gets entries again, late: they change nothing.
func TestDuplicateEntries(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 1}, 16, 5, 16)
	sv.append(record{edit: edit.Must(dig(16, 0, 16, 3))}, 0)
	first := c.conn.out[len(c.conn.out)-1]
	sv.append(record{edit: edit.Must(build(17, 0, 16, 3))}, 0)
	settle(c)
	built := c.built
	c.conn.out = append(c.conn.out, first, first)
	settle(c)
	c.verify()
	if c.built != built {
		t.Errorf("%d chunks were built for entries that came again", c.built-built)
	}
}
