package session

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// TestResume loses the connection and comes back: what is the same costs nothing, what changed is fetched and
// shown in one frame, and until then the screen stays.
func TestResume(t *testing.T) {
	sv := newServer(t, field.Flat())
	for x := range 5 {
		sv.append(record{edit: dig(float64(20*x), 0, 16, 3)}, 0)
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
	sv.append(record{edit: dig(48, 0, 80, 3)}, 0)
	sv.append(record{edit: dig(112, 0, 16, 3)}, 0)
	sv.append(record{edit: dig(400, 0, 16, 3)}, 0)
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
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 2, EditBurst: 5, EditsPerSecond: 10}, 16, 5, 16)
	c.cut()
	for i := range 40 {
		c.do(dig(float64(i), 0, 16, 3))
		sv.append(record{edit: build(float64(i)+1, 0, 18, 3)}, 0)
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
	sv := newServer(t, field.Flat())
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
			sv := newServer(t, field.Flat())
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
			sv.append(record{edit: build(18, 0, 16, 2)}, 0)
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
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 1, Slice: 1}, 0, 5, 100) // at the border of regions −1 and 0
	c.cut()
	c.open()
	c.conn.handle(t) // hello
	c.deliver()      // welcome
	c.conn.handle(t) // the first subscription
	sv.append(record{edit: dig(0, 0, 100, 5)}, 0)
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
	sv := newServer(t, field.Flat())
	c := newClient(t, sv, Config{Builders: 1, Radius: 1})
	c.s.Start(0)
	c.s.View(0, place(128, 5, 128), 0, 0)
	for c.s.world == nil {
		settleOnce(c)
	}
	here := lattice.Region{}
	if c.s.regions.all[here] == nil || c.s.regions.all[here].phase != asked {
		t.Fatal("the region was not asked for")
	}
	for len(c.conn.in) > 0 {
		c.conn.handle(t)
	}
	c.s.View(c.now, place(128+512, 5, 128), 0, 0)
	for len(c.conn.in) > 0 {
		c.conn.handle(t)
	}
	sv.append(record{edit: dig(128, 0, 128, 3)}, 0) // nobody tells the client
	c.s.View(c.now, place(128, 5, 128), 0, 0)
	settle(c)
	c.verify()
	if c.s.world.Layer().Len() == 0 {
		t.Error("the dig is missing")
	}
}

func TestBackoff(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := newClient(t, sv, Config{Session: 5})
	c.s.Start(0)
	for range 12 {
		c.now += c.connect
		c.connect = -1
		c.s.Closed(c.now, "connection refused")
	}
	low, high := 250*time.Millisecond, 500*time.Millisecond
	for i, d := range c.connects[1:] {
		if d < low || d > high {
			t.Errorf("wait %d is %v, want %v … %v", i+1, d, low, high)
		}
		low, high = min(2*low, 15*time.Second), min(2*high, 30*time.Second)
	}
	other := newClient(t, sv, Config{Session: 6})
	other.s.Start(0)
	other.connect = -1
	other.s.Closed(0, "")
	if other.connects[1] == c.connects[1] {
		t.Error("two clients wait equally long")
	}
	// A connection that held for long starts over, one that did not goes on.
	c.open()
	settle(c)
	c.cut()
	if d := c.connects[len(c.connects)-1]; d < 15*time.Second {
		t.Errorf("after a short connection the wait is %v, want at least 15 s", d)
	}
	c.open()
	settle(c)
	c.now += steady
	c.cut()
	if d := c.connects[len(c.connects)-1]; d > 500*time.Millisecond {
		t.Errorf("after a steady connection the wait is %v, want at most 0.5 s", d)
	}
}

// TestDeadConnection finds out that a connection is dead, and not that a quiet one is.
func TestDeadConnection(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1}, 16, 5, 16)
	for range 100 { // quiet
		c.now += 5 * time.Second
		settle(c)
	}
	if len(c.connects) != 1 {
		t.Fatal("a quiet connection was given up")
	}
	start := c.now
	for c.conn != nil && c.now < start+time.Minute { // dead: nothing is delivered
		c.now += time.Second
		c.tick()
	}
	if d := c.now - start; d < 29*time.Second || d > 31*time.Second {
		t.Errorf("a dead connection was given up after %v, want 30 s", d)
	}
	settle(c)
	c.verify()
}

func TestRejected(t *testing.T) {
	welcome := func(sv *server) wire.Welcome {
		return wire.Welcome{Protocol: 1, World: sv.id, Document: [32]byte{1}, Client: 1}
	}
	tests := []struct {
		name  string
		m     func(sv *server) wire.ServerMessage
		want  string // in the message
		again bool   // whether there is another try
	}{
		{"protocol", func(sv *server) wire.ServerMessage { w := welcome(sv); w.Protocol = 2; return w }, "version 2", false},
		{"unknown kind", func(sv *server) wire.ServerMessage {
			w := welcome(sv)
			w.Semantics = []wire.Semantics{{Kind: 60000, Version: 3}}
			return w
		}, "60000", false},
		{"other version", func(sv *server) wire.ServerMessage {
			w, n := welcome(sv), field.Semantics()[0]
			w.Semantics = []wire.Semantics{{Kind: uint16(n.Kind), Version: 999}}
			return w
		}, "999", false},
		{"refused", func(*server) wire.ServerMessage {
			return wire.Refused{Code: wire.CodeSemantics, Message: "not the same"}
		}, "not the same", false},
		{"refused without a word", func(*server) wire.ServerMessage { return wire.Refused{Code: wire.CodeProtocol} }, "code 1", false},
		{"closing", func(*server) wire.ServerMessage {
			return wire.Refused{Code: wire.CodeClosing, Message: "back soon"}
		}, "back soon", true},
		{"no welcome", func(*server) wire.ServerMessage { return wire.Pong{} }, "welcome", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sv := newServer(t, field.Flat())
			c := newClient(t, sv, Config{Builders: 1})
			c.s.Start(0)
			c.open()
			c.s.Receive(c.now, wire.AppendServer(nil, tt.m(sv)))
			if st := c.status; !strings.Contains(st.Message, tt.want) || st.State != map[bool]State{false: Rejected, true: Waiting}[tt.again] {
				t.Errorf("status %v, %q", st.State, st.Message)
			}
			if tt.again != (c.connect >= 0) || c.conn != nil {
				t.Errorf("another try: %v, want %v", c.connect >= 0, tt.again)
			}
		})
	}
}

// TestNonsense sends frames that no server would: the connection is given up, nothing is lost.
func TestNonsense(t *testing.T) {
	far := wire.Snapshot{Region: lattice.Region{X: 99}}
	tests := map[string]func(c *client) []byte{
		"no message":     func(*client) []byte { return []byte{0xff, 1, 2} },
		"empty":          func(*client) []byte { return nil },
		"second welcome": func(*client) []byte { return wire.AppendServer(nil, wire.Welcome{Protocol: 1}) },
		"not asked for":  func(*client) []byte { return wire.AppendServer(nil, far) },
		"bad edit": func(*client) []byte {
			return wire.AppendServer(nil, wire.Entry{Seq: 1, Edit: wire.Edit{Op: 7, Shape: 1, Radius: 3}})
		},
	}
	for name, frame := range tests {
		t.Run(name, func(t *testing.T) {
			sv := newServer(t, field.Flat())
			c := enter(t, sv, Config{Builders: 1}, 16, 5, 16)
			c.s.Receive(c.now, frame(c))
			if c.status.State != Waiting || c.status.Message == "" {
				t.Errorf("status %+v", c.status)
			}
			settle(c)
			c.verify()
		})
	}
}

// TestWrongContent serves content that does not have its hash, then nothing, then the right one.
func TestWrongContent(t *testing.T) {
	sv := newServer(t, field.Flat())
	sv.append(record{edit: dig(16, 0, 16, 3)}, 0)
	c := newClient(t, sv, Config{Builders: 1, Radius: 1})
	c.s.Start(0)
	c.s.View(0, place(16, 5, 16), 0, 0)
	bad, asks := 0, map[[32]byte]int{}
	for range 5000 {
		if len(c.fetches) > 0 {
			hash := c.fetches[0]
			if asks[hash]++; asks[hash] <= 6 {
				bad++
				c.fetches = c.fetches[1:]
				if asks[hash]%2 == 0 {
					c.s.FetchFailed(c.now, hash, "503")
				} else {
					c.s.Fetched(c.now, hash, []byte("something else"))
				}
				continue
			}
		}
		settleOnce(c)
	}
	settle(c)
	c.verify()
	if bad != 6*3 { // the document and two bricks
		t.Errorf("%d answers were bad, want 18", bad)
	}
}

// TestAnotherWorld restarts the server with another world: everything is forgotten and loaded anew.
func TestAnotherWorld(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 1}, 16, 5, 16)
	c.do(dig(16, 0, 16, 3))
	settle(c)
	c.do(dig(20, 0, 16, 3)) // never gets there
	c.cut()
	other := newServer(t, field.Flat())
	other.id = [16]byte{2}
	other.append(record{edit: build(16, 0, 16, 3)}, 0)
	c.server = other
	settle(c)
	c.verify()
	if c.ready != 2 || len(other.log) != 1 {
		t.Errorf("ready %d times, %d entries in the other world's log; want 2 and 1", c.ready, len(other.log))
	}
}

func TestClose(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1}, 16, 5, 16)
	c.s.Close(c.now)
	if c.conn != nil || c.connect >= 0 || c.status.State != Offline {
		t.Errorf("after Close: connected %v, state %v", c.conn != nil, c.status.State)
	}
	c.s.Closed(c.now, "late")
	c.now += time.Hour
	c.tick()
	if c.connect >= 0 {
		t.Error("a closed session connects again")
	}
}

// TestUpdateLostWhileSubscribing is case 19: B comes into range while A edits, in a thousand interleavings; A
// also builds high up in the air. B ends with what the server has, without a second connection.
func TestUpdateLostWhileSubscribing(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 19))
		sv := newServer(t, field.Flat())
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
				a.do(edit.Edit{Brush: edit.Brush{Op: edit.Op(1 + r.IntN(2)), Shape: edit.Ball, Radius: 2}, Place: place(r.Float64()*32, 0, r.Float64()*32)})
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

// FuzzReceive feeds a session frames and contents that a hostile server could send: it must not panic, and
// never ask for more than its bounds.
func FuzzReceive(f *testing.F) {
	sv := newServer(f, field.Flat())
	sv.append(record{edit: dig(16, 0, 16, 3)}, 0)
	var frames [][]byte
	c := newClient(f, sv, Config{Builders: 1, Radius: 1})
	c.s.Start(0)
	c.s.View(0, place(16, 5, 16), 0, 0)
	for range 200 {
		if c.conn != nil && len(c.conn.out) > 0 {
			frames = append(frames, c.conn.out[0])
		}
		settleOnce(c)
	}
	for _, frame := range frames {
		f.Add(frame, true)
		f.Add(frame[:len(frame)/2], false)
	}
	f.Add(wire.AppendServer(nil, wire.Ack{Counter: 1, Seq: 1 << 60}), true)
	f.Add(wire.AppendServer(nil, wire.EditRefused{Counter: 1}), true)
	f.Fuzz(func(t *testing.T, frame []byte, edits bool) {
		sv := newServer(t, field.Flat())
		sv.append(record{edit: dig(16, 0, 16, 3)}, 0)
		c := newClient(t, sv, Config{Builders: 1, Radius: 1})
		c.check = false
		c.s.Start(0)
		c.s.View(0, place(16, 5, 16), 0, 0)
		for i := range 60 {
			if i%7 == 3 && c.conn != nil {
				if edits {
					_, _ = c.s.Edit(c.now, dig(16, 0, 16, 3).Brush, place(16, 0, 16))
				}
				c.s.Receive(c.now, frame)
			}
			settleOnce(c)
		}
	})
}

// TestAckBeforeEntry gets the acknowledgement of an edit first: the edit stays pending until its entry comes, or
// the ground would close for a moment.
func TestAckBeforeEntry(t *testing.T) {
	sv := newServer(t, field.Flat())
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
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 1}, 16, 5, 16)
	sv.append(record{edit: dig(16, 0, 16, 3)}, 0)
	first := c.conn.out[len(c.conn.out)-1]
	sv.append(record{edit: build(17, 0, 16, 3)}, 0)
	settle(c)
	built := c.built
	c.conn.out = append(c.conn.out, first, first)
	settle(c)
	c.verify()
	if c.built != built {
		t.Errorf("%d chunks were built for entries that came again", c.built-built)
	}
}
