package session

import (
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/session/link"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/wire"
)

func TestBackoff(t *testing.T) {
	sv := newServer(t, template.Flat())
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
	c.now += link.Steady
	c.cut()
	if d := c.connects[len(c.connects)-1]; d > 500*time.Millisecond {
		t.Errorf("after a steady connection the wait is %v, want at most 0.5 s", d)
	}
}

// TestDeadConnection finds out that a connection is dead, and not that a quiet one is.
func TestDeadConnection(t *testing.T) {
	sv := newServer(t, template.Flat())
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
		return wire.Welcome{Protocol: wire.Protocol, World: sv.id, Document: asset.Hash{1}, Client: 1}
	}
	tests := []struct {
		name  string
		m     func(sv *server) wire.ServerMessage
		want  string // in the message
		again bool   // whether there is another try
	}{
		{"protocol", func(sv *server) wire.ServerMessage { w := welcome(sv); w.Protocol = 3; return w }, "version 3", false},
		{"unknown kind", func(sv *server) wire.ServerMessage {
			w := welcome(sv)
			w.Semantics = []graph.Semantics{{Kind: 60000, Version: 3}}
			return w
		}, "60000", false},
		{"other version", func(sv *server) wire.ServerMessage {
			w, n := welcome(sv), graph.EngineSemantics()[0]
			w.Semantics = []graph.Semantics{{Kind: uint16(n.Kind), Version: 999}}
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
			sv := newServer(t, template.Flat())
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
		"second welcome": func(*client) []byte { return wire.AppendServer(nil, wire.Welcome{Protocol: wire.Protocol}) },
		"not asked for":  func(*client) []byte { return wire.AppendServer(nil, far) },
		"bad edit": func(*client) []byte {
			return wire.AppendServer(nil, wire.Entry{Seq: 1, Edit: []byte{1, 7, 1, 0}})
		},
	}
	for name, frame := range tests {
		t.Run(name, func(t *testing.T) {
			sv := newServer(t, template.Flat())
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
	sv := newServer(t, template.Flat())
	sv.append(record{edit: edit.Must(dig(16, 0, 16, 3))}, 0)
	c := newClient(t, sv, Config{Builders: 1, Radius: 1})
	c.s.Start(0)
	c.s.View(0, place(16, 5, 16), 0, 0)
	bad, asks := 0, map[asset.Hash]int{}
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
	sv := newServer(t, template.Flat())
	c := enter(t, sv, Config{Builders: 1, Radius: 1}, 16, 5, 16)
	c.do(dig(16, 0, 16, 3))
	settle(c)
	c.do(dig(20, 0, 16, 3)) // never gets there
	c.cut()
	other := newServer(t, template.Flat())
	other.id = [16]byte{2}
	other.append(record{edit: edit.Must(build(16, 0, 16, 3))}, 0)
	c.server = other
	settle(c)
	c.verify()
	if c.ready != 2 || len(other.log) != 1 {
		t.Errorf("ready %d times, %d entries in the other world's log; want 2 and 1", c.ready, len(other.log))
	}
}

func TestClose(t *testing.T) {
	sv := newServer(t, template.Flat())
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

// FuzzReceive feeds a session frames and contents that a hostile server could send: it must not panic, and
// never ask for more than its bounds.
func FuzzReceive(f *testing.F) {
	sv := newServer(f, template.Flat())
	sv.append(record{edit: edit.Must(dig(16, 0, 16, 3))}, 0)
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
		sv := newServer(t, template.Flat())
		sv.append(record{edit: edit.Must(dig(16, 0, 16, 3))}, 0)
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
