package link

import (
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A host is a socket that does nothing and an owner that remembers.
type host struct {
	t            *testing.T
	waits        []time.Duration
	closed       int // by the link
	sent         []wire.ClientMessage
	disconnected int
	problems     []string
}

func (h *host) Connect(after time.Duration) { h.waits = append(h.waits, after) }
func (h *host) Disconnect()                 { h.closed++ }
func (h *host) Disconnected()               { h.disconnected++ }
func (h *host) StateChanged()               {}
func (h *host) Report(problem string)       { h.problems = append(h.problems, problem) }

func (h *host) Send(frame []byte) {
	m, err := wire.ParseClient(frame)
	if err != nil {
		h.t.Fatal(err)
	}
	h.sent = append(h.sent, m)
}

func (h *host) last() string { return append([]string{""}, h.problems...)[len(h.problems)] }

// greeted returns a link that is welcome.
func greeted(t *testing.T) (*Link, *host) {
	h := &host{t: t}
	l := New(Config{Session: 5, Name: "ann", Seed: 1}, h, h)
	l.Start()
	l.Opened()
	if m := l.Receive(wire.AppendServer(nil, wire.Welcome{Protocol: wire.Protocol})); m == nil || !l.Greeted() {
		t.Fatal("not welcome")
	}
	l.Play()
	return l, h
}

// tick lets a link know of a time.
func tick(l *Link, now time.Duration) {
	l.Begin(now)
	l.Tick()
}

func TestGreeting(t *testing.T) {
	l, h := greeted(t)
	hello, ok := h.sent[0].(wire.Hello)
	if !ok || hello.Session != 5 || hello.Name != "ann" || len(hello.Semantics) == 0 || l.State() != Live {
		t.Errorf("greeted with %+v, state %v", h.sent[0], l.State())
	}
	l.Opened() // again
	if len(h.sent) != 1 {
		t.Error("greeted twice")
	}
}

func TestReconnect(t *testing.T) {
	l, h := greeted(t)
	l.Begin(time.Second)
	l.Lost("gone")
	if l.State() != Waiting || l.Greeted() || h.disconnected != 1 || h.last() != "gone" || l.RetryIn() != h.waits[1] {
		t.Errorf("state %v, live %v, disconnected %d times, %q, wait %v", l.State(), l.Greeted(), h.disconnected, h.last(), l.RetryIn())
	}
	if l.Receive(nil) != nil {
		t.Error("a frame of a lost socket was read")
	}
	l.Opened()
	if l.State() != Connecting {
		t.Errorf("state %v after the second socket opened", l.State())
	}
	for range 20 {
		l.Lost("again")
	}
	if d := h.waits[len(h.waits)-1]; d < maxWait/2 || d > maxWait {
		t.Errorf("after 20 losses the wait is %v", d)
	}
}

func TestEnded(t *testing.T) {
	l, h := greeted(t)
	l.Reject("no")
	for _, f := range []func(){func() { l.Lost("late") }, func() { l.Opened() }, l.Start} {
		if f(); l.State() != Rejected || !l.Ended() {
			t.Fatalf("state %v after a rejection", l.State())
		}
	}
	if l.Close(); l.State() != Offline || h.closed != 1 || len(h.waits) != 1 {
		t.Errorf("state %v, closed %d times, %d connections", l.State(), h.closed, len(h.waits))
	}
}

func TestFrames(t *testing.T) {
	tests := []struct {
		name  string
		live  bool
		m     wire.ServerMessage
		want  string // the problem; "" if the message is for the session
		state State
	}{
		{"pong", true, wire.Pong{Head: 3}, "", Live},
		{"too early", false, wire.Pong{}, "before its welcome", Waiting},
		{"twice", true, wire.Welcome{Protocol: wire.Protocol}, "twice", Waiting},
		{"protocol", false, wire.Welcome{Protocol: wire.Protocol + 1}, "reload", Rejected},
		{"kind", false, wire.Welcome{Protocol: wire.Protocol, Semantics: []graph.Semantics{{Kind: 60000}}}, "60000", Rejected},
		{"refused", false, wire.Refused{Code: wire.CodeProtocol}, "refused", Rejected},
		{"refused later", true, wire.Refused{Code: wire.CodeProtocol}, "refused", Waiting},
		{"busy", false, wire.Refused{Code: wire.CodeRate, Message: "busy"}, "busy", Waiting},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &host{t: t}
			l := New(Config{}, h, h)
			if tt.live {
				l, h = greeted(t)
			} else {
				l.Start()
				l.Opened()
			}
			m := l.Receive(wire.AppendServer(nil, tt.m))
			if (m != nil) != (tt.want == "") || !strings.Contains(h.last(), tt.want) || l.State() != tt.state {
				t.Errorf("message %v, problem %q, state %v", m, h.last(), l.State())
			}
		})
	}
}

func TestAlive(t *testing.T) {
	l, h := greeted(t)
	tick(l, pingEvery-1)
	if len(h.sent) != 1 {
		t.Fatal("pinged too early")
	}
	tick(l, pingEvery)
	tick(l, pingEvery+time.Second)
	if len(h.sent) != 2 {
		t.Fatalf("%d messages, want one ping", len(h.sent)-1)
	}
	if tick(l, deadAfter); l.State() != Waiting || h.closed != 1 || !strings.Contains(h.last(), "30 seconds") {
		t.Errorf("a dead connection: state %v, %q", l.State(), h.last())
	}
}

func TestPresence(t *testing.T) {
	l, h := greeted(t)
	see := func(now time.Duration, x int32) int {
		before := len(h.sent)
		l.Begin(now)
		l.Present(wire.Presence{Eye: lattice.Place{Sample: lattice.Sample{X: x}}})
		return len(h.sent) - before
	}
	if see(1, 1) != 1 || see(time.Second, 1) != 0 || see(time.Second, 2) != 1 || see(time.Second+1, 3) != 0 {
		t.Error("presence goes when it changed, ten times a second at most")
	}
	n := len(h.sent)
	if tick(l, 2*time.Second); len(h.sent) != n+1 {
		t.Error("what had to wait did not go with a tick")
	}
}
