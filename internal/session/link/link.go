// Package link keeps a session's connection to its server: it connects, greets, checks who answers, keeps the
// connection alive, finds it dead, and tries again with growing waits. It knows no region and no edit.
package link

import (
	"strconv"
	"time"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/wire"
)

const (
	// firstWait and maxWait bound the wait before a new connection. Less than the first makes a restarting
	// server's clients hammer it; more than the last keeps people waiting for a server that is back.
	firstWait = 500 * time.Millisecond
	maxWait   = 30 * time.Second
	// Steady is how long a connection must have held for the next loss to start from firstWait again: a
	// server that accepts and then throws the client out is not asked twice a second.
	Steady = 10 * time.Second
	// pingEvery and deadAfter find a connection that is dead but was never closed, as after a change of
	// network. Two pings fit into deadAfter, so that one that is lost on a bad network does not end it.
	pingEvery = 10 * time.Second
	deadAfter = 30 * time.Second
	// presenceEvery bounds presence messages to ten a second, half of what the protocol allows.
	presenceEvery = 100 * time.Millisecond
)

// A Socket opens, closes and writes to the WebSocket; session.Host tells more.
type Socket interface {
	Connect(after time.Duration)
	Disconnect()
	Send(frame []byte)
}

// An Owner hears what becomes of a link.
type Owner interface {
	// Disconnected ends what belongs to one connection: nothing that was asked of the server will be answered.
	Disconnected()
	// StateChanged tells that the state changed.
	StateChanged()
	// Report tells people of a problem.
	Report(problem string)
}

// Config names the client to the server.
type Config struct {
	Session uint64 // names this client for ever
	Name    string // shown to others
	Seed    uint64 // of the jitter in reconnects
}

// A Link is the connection to a server, or the attempt at one.
type Link struct {
	socket Socket
	owner  Owner
	config Config

	now     time.Duration // of the event in hand
	state   State
	open    bool   // the socket is
	greeted bool   // the server has greeted on this socket
	head    uint64 // the last entry of the log that the server spoke of
	random  uint64 // state of the jitter
	frame   []byte // scratch of Send

	tries     int           // connections lost in a row
	wait      time.Duration // the current wait in all
	greetedAt time.Duration
	heard     time.Duration // when the last frame came
	pinged    time.Duration // when the last ping went
	tokens    uint64        // of pings

	presence presence
}

// A presence is the place of the viewer, for others to see.
type presence struct {
	known bool
	sent  bool // the server knows of it
	at    time.Duration
	wire.Presence
}

// New returns a link that is offline.
func New(c Config, s Socket, o Owner) *Link {
	return &Link{socket: s, owner: o, config: c, random: c.Seed}
}

// State returns how far the connection has come.
func (l *Link) State() State { return l.state }

// Greeted reports whether the server has greeted on this connection, so that messages may be sent.
func (l *Link) Greeted() bool { return l.greeted }

// Ended reports whether there is no connection and will be none.
func (l *Link) Ended() bool { return l.state == Offline || l.state == Rejected }

// Head returns the last entry of the log that the server spoke of.
func (l *Link) Head() uint64 { return l.head }

// RetryIn returns how long the current wait is in all, 0 if the link does not wait.
func (l *Link) RetryIn() time.Duration {
	if l.state != Waiting {
		return 0
	}
	return l.wait
}

// Begin tells the link the time of the event in hand. The link has no clock of its own.
func (l *Link) Begin(now time.Duration) { l.now = now }

// Start connects.
func (l *Link) Start() {
	if l.state == Offline {
		l.become(Connecting)
		l.socket.Connect(0)
	}
}

// Close disconnects for good.
func (l *Link) Close() {
	if !l.Ended() {
		l.socket.Disconnect()
	}
	l.disconnected()
	l.become(Offline)
}

// Load tells the link that the session fetches its world.
func (l *Link) Load() { l.become(Loading) }

// Play tells the link that the session follows the log.
func (l *Link) Play() { l.become(Live) }

// Opened greets the server: the socket is open.
func (l *Link) Opened() {
	if l.Ended() || l.open {
		return
	}
	l.open, l.greeted, l.heard, l.pinged = true, false, l.now, l.now
	if l.state == Waiting {
		l.become(Connecting)
	}
	l.Send(wire.Hello{Protocol: wire.Protocol, Session: l.config.Session, Name: l.config.Name, Semantics: graph.EngineSemantics()})
}

// Lost takes the end of a connection, or of an attempt at one, and plans the next.
func (l *Link) Lost(reason string) {
	if l.Ended() {
		return
	}
	if l.greeted && l.now-l.greetedAt >= Steady {
		l.tries = 0
	}
	l.disconnected()
	l.wait = l.backoff()
	l.tries++
	l.owner.Report(reason)
	l.become(Waiting)
	l.socket.Connect(l.wait)
}

// Drop closes the connection, because of what the server did, and tries again. Nothing of a message that no honest
// server sends may be applied: what the session shows afterwards would be neither this world nor another.
func (l *Link) Drop(reason string) {
	l.socket.Disconnect()
	l.Lost(reason)
}

// Reject gives up for good: another try would end the same way.
func (l *Link) Reject(reason string) {
	l.socket.Disconnect()
	l.disconnected()
	l.owner.Report(reason)
	l.become(Rejected)
}

// Send writes m to the server. Without a connection it is lost, so callers ask Greeted first.
func (l *Link) Send(m wire.ClientMessage) {
	l.frame = wire.AppendClient(l.frame[:0], m)
	l.socket.Send(l.frame)
}

// Present tells the server where the viewer is, at once or with a later Tick.
func (l *Link) Present(m wire.Presence) {
	if p := &l.presence; !p.known || p.Presence != m {
		p.known, p.sent, p.Presence = true, false, m
	}
	l.sendPresence()
}

// Tick keeps the connection alive, finds it dead, and sends what had to wait.
func (l *Link) Tick() {
	if l.open && l.now-l.heard >= deadAfter {
		l.Drop("the server has not answered for " + strconv.Itoa(int(deadAfter/time.Second)) + " seconds")
	}
	if l.greeted && l.now-max(l.heard, l.pinged) >= pingEvery {
		l.tokens++
		l.pinged = l.now
		l.Send(wire.Ping{Token: l.tokens})
	}
	l.sendPresence()
}

// sendPresence sends the presence if the server does not know of it and the last one is old enough.
func (l *Link) sendPresence() {
	p := &l.presence
	if !l.greeted || !p.known || p.sent || p.at != 0 && l.now-p.at < presenceEvery {
		return
	}
	p.sent, p.at = true, l.now
	l.Send(p.Presence)
}

// become changes the state.
func (l *Link) become(s State) {
	l.state = s
	l.owner.StateChanged()
}

// disconnected ends what belongs to a connection.
func (l *Link) disconnected() {
	l.open, l.greeted = false, false
	l.owner.Disconnected()
}

// backoff returns the next wait: doubled with each try, and at random in the upper half of that, so that a
// server's clients do not come back in step.
func (l *Link) backoff() time.Duration {
	d := maxWait
	if l.tries < 16 {
		d = min(firstWait<<l.tries, maxWait)
	}
	return d/2 + time.Duration(l.next()%uint64(d/2+1))
}

// next returns the next random number: a counter, scrambled (splitmix64).
func (l *Link) next() uint64 {
	l.random += 0x9e3779b97f4a7c15
	v := l.random
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}
