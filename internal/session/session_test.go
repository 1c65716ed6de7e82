package session

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

func TestLoad(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2}, 16, 20, 16)
	c.verify()
	if c.ready != 1 || len(c.screen) != 13 || len(c.connects) != 1 {
		t.Errorf("ready %d times, %d chunks shown, connected %d times; want 1, 13, 1", c.ready, len(c.screen), len(c.connects))
	}
	if st := c.status; st.Name != "test" || st.Radius != 2 || st.State.String() != "live" {
		t.Errorf("status %+v", st)
	}
	if h, ok := c.s.Aim(Sight{place(16, 20, 16), geom.Vec3{Y: -1}, 80}); !ok || math.Abs(float64(h.Distance)-19.5) > 0.01 {
		t.Errorf("a ray down from 20 m hits at %v, %v; the ground is 19.5 m below", h.Distance, ok)
	}
	if _, ok := c.s.Aim(Sight{place(16, 20, 16), geom.Vec3{Y: -1}, 10}); ok {
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
	sv := newServer(t, template.Flat())
	c := newClient(t, sv, Config{Builders: 1})
	c.s.Start(0)
	c.s.View(0, place(0, 5, 0), 0, 0)
	settle(c)
	c.verify()
	if columns, _, _, _ := c.s.residency.Counts(); columns != lod.Count(2) {
		t.Errorf("%d columns, want %d", columns, lod.Count(2))
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
	sv := newServer(t, template.Flat())
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
	for c.s.world == nil || c.s.Status().Syncing > 0 || c.s.residency.Discovering() {
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
	sv := newServer(t, template.Flat())
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

func TestMesherSwitch(t *testing.T) {
	sv := newServer(t, template.Flat())
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
	_, _, chunks, _ = c.s.residency.Counts()
	if n := c.built - before; n != kinds[mesher.Blocks] || n != chunks {
		t.Errorf("%d built, %v by mesher; want each of %d once, as blocks", n, kinds, chunks)
	}
	c.s.SetMesher(c.now, 99)
	if c.s.Status().Mesher != mesher.Blocks {
		t.Error("a mesher that is none was taken")
	}
}

// TestBuilderLacksBricks answers jobs with "bricks are missing" whenever a brick came without its data.
func TestBuilderLacksBricks(t *testing.T) {
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	sent, again := 0, 0
	c.onBuild = func(j *builder.Job) {
		for _, b := range j.Bricks {
			if len(b.Data) > 0 {
				sent++
			}
		}
	}
	sv.append(record{edit: edit.Must(dig(30, 0, 30, 3))}, 0)
	settle(c)
	if sent != 8 { // the eight bricks of the dig, once each: there is one builder
		t.Errorf("bricks were sent %d times, want 8", sent)
	}
	c.lose = func(work) bool { again++; return true }
	sv.append(record{edit: edit.Must(dig(30, 0, 30, 5))}, 0)
	settle(c)
	c.verify()
	if again == 0 {
		t.Error("no job relied on bricks that had been sent before")
	}
}

// TestFailedJobs lets a chunk's job fail: twice, and it comes; always, and it is given up, says why and holds
// nobody back.
func TestFailedJobs(t *testing.T) {
	sv := newServer(t, template.Flat())
	for _, fails := range []int{2, 100} {
		c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
		sv.append(record{edit: edit.Must(dig(30, 0, 30, 3+float64(fails)/100))}, 0)
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
	sv := newServer(t, template.Flat())
	for x := range 40 {
		sv.append(record{edit: edit.Must(dig(float64(x*64), 0, 16, 3))}, 0)
	}
	c := enter(t, sv, Config{Builders: 1, Radius: 2}, 16, 5, 16)
	sizes := func() [6]int {
		live, syncing := c.s.regions.Counts()
		columns, _, chunks, _ := c.s.residency.Counts()
		return [6]int{live + syncing, chunks, columns, len(c.screen), c.s.world.Layer().Len(), c.s.fetches.Len()}
	}
	start := sizes()
	for lap := range 2 {
		for x := range 60 {
			if testing.Short() && x%4 != 0 {
				continue
			}
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
	if len(c.s.people.known)+c.s.screen.Unshown()+c.s.builders.Len() > 0 {
		t.Error("something is left behind")
	}
}

// TestSlices opens a world with many edited bricks under a slice of one unit: all the same comes, and no event
// does much.
func TestSlices(t *testing.T) {
	sv := newServer(t, template.Flat())
	for x := range 30 {
		sv.append(record{edit: edit.Must(dig(float64(x*9-130), 0, float64(x*5-70), 4))}, 0)
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
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Radius: 4}, 16, 5, 16)
	c.do(dig(16, 0, 16, 3))
	sv.append(record{edit: edit.Must(build(20, 0, 16, 3))}, 0)
	settle(c)
	c.verify()
	if _, _, chunks, _ := c.s.residency.Counts(); c.ready != 0 || c.built != 0 || chunks != 0 || c.groups != 0 {
		t.Errorf("ready %d, built %d, %d chunks, %d groups; want none", c.ready, c.built, chunks, c.groups)
	}
}

func TestPeople(t *testing.T) {
	sv := newServer(t, template.Flat())
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
	sv := newServer(t, template.Flat())
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
	sv := newServer(t, template.Flat())
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
