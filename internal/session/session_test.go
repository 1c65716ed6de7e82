package session

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

func TestLoad(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2}, 16, 20, 16)
	c.verify()
	if c.ready != 1 || len(c.screen) != 13 || len(c.connects) != 1 {
		t.Errorf("ready %d times, %d chunks shown, connected %d times; want 1, 13, 1", c.ready, len(c.screen), len(c.connects))
	}
	if st := c.status; st.Name != "test" || st.Radius != 2 || st.State.String() != "live" {
		t.Errorf("status %+v", st)
	}
	if h, ok := c.s.Aim(place(16, 20, 16), geom.Vec3{Y: -1}, 80); !ok || math.Abs(float64(h.Distance)-19.5) > 0.01 {
		t.Errorf("a ray down from 20 m hits at %v, %v; the ground is 19.5 m below", h.Distance, ok)
	}
	if _, ok := c.s.Aim(place(16, 20, 16), geom.Vec3{Y: -1}, 10); ok {
		t.Error("a ray of 10 m reached the ground 19.5 m away")
	}
	if v, ok := c.s.At(lattice.Sample{X: 16, Z: 16}); !ok || v != 0.5 {
		t.Errorf("density %v, %v at the ground; want 0.5", v, ok)
	}
	if _, ok := c.s.At(lattice.Sample{X: 10000}); ok {
		t.Error("the density of a region that was never fetched is known")
	}
	if g, ok := c.s.Ground(0, 0); !ok || g != 0.5 {
		t.Errorf("ground at %v, %v; want 0.5", g, ok)
	}
}

// TestServerSuggestsRadius takes the radius from the welcome when the client has none of its own.
func TestServerSuggestsRadius(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := newClient(t, sv, Config{Builders: 1})
	c.s.Start(0)
	c.s.View(0, place(0, 5, 0), 0, 0)
	settle(c)
	c.verify()
	if len(c.s.columns) != lod.Count(2) {
		t.Errorf("%d columns, want %d", len(c.s.columns), lod.Count(2))
	}
	c.s.SetRadius(c.now, 1)
	settle(c)
	c.verify()
	if len(c.screen) != lod.Count(1)+8 { // those within 1 + 1.5 are kept
		t.Errorf("%d chunks kept after the radius went from 2 to 1, want 13", len(c.screen))
	}
}

// TestLoadOrder holds loading to the order of §6: what an edit changed first, then by distance.
func TestLoadOrder(t *testing.T) {
	sv := newServer(t, field.Flat())
	eye := place(16, 3, 16)
	c := newClient(t, sv, Config{Builders: 1, JobsPerBuilder: 1, Radius: 4})
	last, skip := lod.Rank{Edited: true}, 1 // the first job was made before all regions were there
	c.onBuild = func(j *builder.Job) {
		if skip > 0 {
			skip--
			return
		}
		r := lod.RankOf(j.Chunk, false, eye)
		if r.Before(last) {
			t.Errorf("%v, √%v away, was built after one √%v away", j.Chunk, r.Distance, last.Distance)
		}
		last = r
	}
	c.s.Start(0)
	c.s.View(0, eye, 0, 0)
	for c.s.world == nil || c.s.Status().Syncing > 0 || c.s.rescan {
		jobs := c.jobs
		c.jobs = nil
		settleOnce(c)
		c.jobs = append(jobs, c.jobs...)
	}
	for c.built < 20 {
		settleOnce(c)
	}
	// An edit of what is shown and of what is not: eight chunks, before all others.
	skip = 8 + len(c.jobs)
	c.do(dig(32, 0, 32, 3))
	for built := c.built; c.built < built+8; {
		settleOnce(c)
	}
	if skip != 1 && skip != 0 {
		t.Errorf("%d of the edit's jobs are yet to come", skip)
	}
	settle(c)
	c.verify()
}

// settleOnce lets one thing happen, in a plain order.
func settleOnce(c *client) {
	switch {
	case c.connect >= 0:
		c.open()
	case c.conn != nil && len(c.conn.in) > 0:
		c.conn.handle(c.t)
	case c.conn != nil && len(c.conn.out) > 0:
		c.deliver()
	case len(c.fetches) > 0:
		c.fetch(0)
	case len(c.jobs) > 0:
		c.build(0)
	case len(c.shows) > 0:
		c.show()
	default:
		c.now += 20 * time.Millisecond
		c.tick()
	}
}

// TestJobsBounded holds the session to its bounds on builders and on the screen while it loads.
func TestJobsBounded(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := newClient(t, sv, Config{Builders: 3, JobsPerBuilder: 2, MaxUnshown: 4, Radius: 6})
	c.s.Start(0)
	c.s.View(0, place(0, 5, 0), 0, 0)
	for range 2000 {
		lanes := map[uint32]int{}
		for _, j := range c.jobs {
			lanes[j.lane]++
			if lanes[j.lane] > 2 {
				t.Fatalf("builder %d has %d jobs", j.lane, lanes[j.lane])
			}
		}
		if len(c.shows) > 4+6 {
			t.Fatalf("%d groups wait for the screen, which draws none", len(c.shows))
		}
		switch { // never draw
		case c.connect >= 0:
			c.open()
		case len(c.conn.in) > 0:
			c.conn.handle(t)
		case len(c.conn.out) > 0:
			c.deliver()
		case len(c.fetches) > 0:
			c.fetch(0)
		case len(c.jobs) > 0:
			c.build(0)
		default:
			c.now += 20 * time.Millisecond
			c.tick()
		}
	}
	if len(c.shows) < 4 {
		t.Errorf("only %d groups were handed over", len(c.shows))
	}
	settle(c)
	c.verify()
}

// TestEditIsOneGroup digs where four columns meet: all chunks change in one frame, at once, and the
// confirmation builds nothing.
func TestEditIsOneGroup(t *testing.T) {
	sv := newServer(t, field.Flat())
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
	sv := newServer(t, field.Flat())
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
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1}, 16, 5, 16)
	before := c.built
	c.do(dig(16, 200, 16, 5))
	sv.append(record{edit: dig(16, 300, 16, 5)}, 0)
	settle(c)
	c.verify()
	if c.built != before || len(sv.log) != 2 || c.status.Acked != 1 {
		t.Errorf("%d built, %d in the log, %d acknowledged; want 0, 2, 1", c.built-before, len(sv.log), c.status.Acked)
	}
}

// TestForeignEdit shows another's edit, with exactly the chunks that it touches.
func TestForeignEdit(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	before := c.built
	sv.append(record{edit: dig(16, 0, 16, 3)}, 9)
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
	sv.append(record{edit: dig(16, 0, 16, 5)}, 9)
	settle(c)
	c.verify()
	if c.built != before {
		t.Errorf("%d chunks built for an edit that is hidden by an own one", c.built-before)
	}
}

// TestOrderedBefore lets the server put another's edit before ours: what we saw was wrong, and is put right.
func TestOrderedBefore(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	c.do(dig(16, 0, 16, 4))
	if d, _ := c.s.At(lattice.Sample{X: 16, Z: 16}); solid(d) {
		t.Fatal("the own edit does not count at once")
	}
	sv.append(record{edit: build(18, 0, 16, 4)}, 9) // in the log before ours
	settle(c)
	c.verify()
	if d, _ := c.s.At(lattice.Sample{X: 16, Z: 16}); solid(d) {
		t.Error("another's ball, ordered before our dig, fills it")
	}
	// The other way round, ours is in the log first.
	c.do(dig(40, 0, 16, 4))
	c.conn.handle(t)
	sv.append(record{edit: build(42, 0, 16, 4)}, 9)
	settle(c)
	c.verify()
	if d, _ := c.s.At(lattice.Sample{X: 40, Z: 16}); !solid(d) {
		t.Error("another's ball, ordered after our dig, does not fill it")
	}
}

func TestRefusedEdit(t *testing.T) {
	sv := newServer(t, field.Flat())
	sv.refuse = func(edit.Edit) string { return "no digging here" }
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
	sv := newServer(t, field.Flat())
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

func TestMesherSwitch(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2}, 16, 5, 16)
	c.do(dig(16, 0, 16, 3))
	settle(c)
	chunks, before := len(c.screen), c.built
	kinds := map[mesher.Kind]int{}
	c.onBuild = func(j *builder.Job) { kinds[j.Mesher]++ }
	c.s.SetMesher(c.now, mesher.Blocks)
	if len(c.screen) != chunks || c.s.Status().Loaded != 0 || c.s.Status().Mesher != mesher.Blocks {
		t.Errorf("%d chunks on the screen, %d of the newest version right after the switch; want %d, 0", len(c.screen), c.s.Status().Loaded, chunks)
	}
	for len(c.jobs) > 0 || len(c.shows) > 0 {
		settleOnce(c)
		if len(c.screen) != chunks {
			t.Fatalf("%d chunks on the screen while the new meshes come, want %d", len(c.screen), chunks)
		}
	}
	settle(c)
	c.verify()
	if n := c.built - before; n != kinds[mesher.Blocks] || n != len(c.s.chunks) {
		t.Errorf("%d built, %v by mesher; want each of %d once, as blocks", n, kinds, len(c.s.chunks))
	}
	c.s.SetMesher(c.now, 99)
	if c.s.Status().Mesher != mesher.Blocks {
		t.Error("a mesher that is none was taken")
	}
}

// TestTakenOver digs again and again at one place while builders are slow: what was begun is shown, and what
// came meanwhile is gathered into one group.
func TestTakenOver(t *testing.T) {
	sv := newServer(t, field.Flat())
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
	if n := len(c.s.groups.open) + len(c.s.groups.sealed); n > 2 {
		t.Errorf("%d groups round one place, want at most 2", n)
	}
	settle(c)
	c.verify()
}

// TestSmallBesideHuge digs beside somebody's hill, which changes fifty chunks: the dig is not the last to be
// seen.
func TestSmallBesideHuge(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 6}, 16, 5, 16)
	built, groups := c.built, len(c.lastGroups)
	sv.append(record{edit: build(-100, 0, 0, 60)}, 0)
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
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2, MaxUnshown: 4}, 16, 5, 16)
	r := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		sv.append(record{edit: dig(r.Float64()*64, 0, r.Float64()*64, 2)}, 0)
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
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	c.do(dig(96, 0, 16, 3)) // the border of columns 2 and 3: column 3 is out of view
	c.do(dig(64, 0, 16, 3)) // of columns 1 and 2
	c.s.View(c.now, place(-65, 5, 16), 0, 0)
	for _, id := range []lattice.Chunk{{X: 2}, {X: 1}} {
		if c.s.chunks[id] != nil {
			t.Fatalf("%v is still tracked", id)
		}
	}
	settle(c)
	c.verify()
}

// TestBuilderLacksBricks answers jobs with "bricks are missing" whenever a brick came without its data.
func TestBuilderLacksBricks(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	sent, again := 0, 0
	c.onBuild = func(j *builder.Job) {
		for _, b := range j.Bricks {
			if len(b.Data) > 0 {
				sent++
			}
		}
	}
	sv.append(record{edit: dig(30, 0, 30, 3)}, 0)
	settle(c)
	if sent != 8 { // the eight bricks of the dig, once each: there is one builder
		t.Errorf("bricks were sent %d times, want 8", sent)
	}
	c.lose = func(work) bool { again++; return true }
	sv.append(record{edit: dig(30, 0, 30, 5)}, 0)
	settle(c)
	c.verify()
	if again == 0 {
		t.Error("no job relied on bricks that had been sent before")
	}
}

// TestFailedJobs lets a chunk's job fail: twice, and it comes; always, and it is given up, says why and holds
// nobody back.
func TestFailedJobs(t *testing.T) {
	sv := newServer(t, field.Flat())
	for _, fails := range []int{2, 100} {
		c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
		sv.append(record{edit: dig(30, 0, 30, 3+float64(fails)/100)}, 0)
		failed := 0
		for range 500 {
			if len(c.jobs) > 0 && failed < fails {
				w := c.jobs[0]
				c.jobs = c.jobs[1:]
				failed++
				c.s.BuildFailed(c.now, w.ticket, "the builder fell over")
				continue
			}
			settleOnce(c)
		}
		if st := c.s.Status(); !strings.Contains(st.Message, "fell over") || st.Waiting != 0 || st.Building != 0 {
			t.Errorf("%d failures: status %+v", fails, st)
		}
		if fails == 2 {
			c.verify()
		}
	}
}

// TestMemoryIsBounded walks away and back: nothing of the regions left behind is kept.
func TestMemoryIsBounded(t *testing.T) {
	sv := newServer(t, field.Flat())
	for x := range 40 {
		sv.append(record{edit: dig(float64(x*64), 0, 16, 3)}, 0)
	}
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	sizes := func() [6]int {
		return [6]int{len(c.s.regions.all), len(c.s.chunks), len(c.s.columns), len(c.screen), c.s.world.Layer().Len(), len(c.s.fetches.all)}
	}
	start := sizes()
	for lap := range 2 {
		for x := range 60 {
			c.s.View(c.now, place(float64(x*40), 5, 16), 0, 0)
			settle(c)
			c.verify()
		}
		c.s.View(c.now, place(16, 5, 16), 0, 0)
		settle(c)
		c.verify()
		if got := sizes(); got != start {
			t.Errorf("lap %d: regions, chunks, columns, shown, bricks, fetches %v, at the start %v", lap, got, start)
		}
	}
	if len(c.s.people)+len(c.s.groups.unshown)+len(c.s.jobs.all) > 0 {
		t.Error("something is left behind")
	}
}

// TestSlices opens a world with many edited bricks under a slice of one unit: all the same comes, and no event
// does much.
func TestSlices(t *testing.T) {
	sv := newServer(t, field.Flat())
	for x := range 30 {
		sv.append(record{edit: dig(float64(x*9-130), 0, float64(x*5-70), 4)}, 0)
	}
	c := newClient(t, sv, Config{Builders: 2, Radius: 3, Slice: 1})
	c.s.Start(0)
	c.s.View(0, place(0, 5, 0), 0, 0)
	ticks := 0
	for range 5000 {
		if jobs := len(c.jobs); c.tick() {
			if ticks++; len(c.jobs)-jobs > 2 {
				t.Fatalf("one tick made %d jobs", len(c.jobs)-jobs)
			}
		}
		settleOnce(c)
	}
	if ticks < 30 {
		t.Errorf("only %d ticks asked for another", ticks)
	}
	settle(c)
	c.verify()
}

// TestLight has no builders: bricks and hashes, nothing else.
func TestLight(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Radius: 4}, 16, 5, 16)
	c.do(dig(16, 0, 16, 3))
	sv.append(record{edit: build(20, 0, 16, 3)}, 0)
	settle(c)
	c.verify()
	if c.ready != 0 || c.built != 0 || len(c.s.chunks) != 0 || c.groups != 0 {
		t.Errorf("ready %d, built %d, %d chunks, %d groups; want none", c.ready, c.built, len(c.s.chunks), c.groups)
	}
}

func TestPeople(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, MaxPeople: 2}, 16, 5, 16)
	person := func(id uint64) wire.Person { return wire.Person{Client: id, Name: "p", Eye: place(1, 2, 3)} }
	c.conn.answer(wire.People{People: []wire.Person{person(5), person(6), person(7)}})
	settle(c)
	if len(c.people) != 2 || c.people[5].Name != "p" || c.status.People != 2 {
		t.Errorf("people %v, status says %d; want 2 of 3", c.people, c.status.People)
	}
	c.conn.answer(wire.People{Gone: []uint64{5}})
	settle(c)
	if len(c.people) != 1 || c.status.People != 1 {
		t.Errorf("people %v after one left", c.people)
	}
	c.cut()
	if len(c.people) != 0 {
		t.Errorf("people %v while offline", c.people)
	}
}

// TestPresence bounds what the server hears of a viewer who moves all the time.
func TestPresence(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1}, 16, 5, 16)
	c.conn.in = nil
	for i := range 1000 {
		c.now += time.Millisecond
		c.s.View(c.now, place(16+float64(i)/1000, 5, 16), 0, 0)
	}
	if n := len(c.conn.in); n < 9 || n > 11 {
		t.Errorf("%d messages in a second, want 10", n)
	}
	settle(c)
	c.conn.in = nil
	for range 100 {
		c.now += 50 * time.Millisecond
		c.s.View(c.now, place(16+0.999, 5, 16), 0, 0)
		c.tick()
	}
	if n := len(c.conn.in); n != 0 {
		t.Errorf("%d messages while nothing moves", n)
	}
}

// TestSteadyState allocates nothing in a frame in which nothing changes, and little in one that moves.
func TestSteadyState(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 8}, 16, 5, 16)
	x := 0.0
	if n := testing.AllocsPerRun(100, func() {
		x += 0.001
		c.s.View(c.now, place(16+x, 5, 16), 0, 0)
		c.s.Tick(c.now)
	}); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// TestHit keeps the type of what Aim returns the world's own.
var _ Hit = world.Hit{}

func TestHashHex(t *testing.T) {
	if got := (Status{Hash: 0x0123456789abcdef}).HashHex(); got != "0123456789abcdef" {
		t.Error(got)
	}
}

func solid(d float32) bool { return d > 0 }
