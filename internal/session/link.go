package session

import (
	"slices"
	"strconv"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

const (
	// firstWait and maxWait bound the wait before a new connection. Less than the first makes a restarting
	// server's clients hammer it; more than the last keeps people waiting for a server that is back.
	firstWait = 500 * time.Millisecond
	maxWait   = 30 * time.Second
	// steady is how long a connection must have held for the next loss to start from firstWait again: a
	// server that accepts and then throws the client out is not asked twice a second.
	steady = 10 * time.Second
	// pingEvery and deadAfter find a connection that is dead but was never closed, as after a change of
	// network.
	pingEvery = 10 * time.Second
	deadAfter = 30 * time.Second
	// presenceEvery bounds presence messages to ten a second, half of what the protocol allows.
	presenceEvery = 100 * time.Millisecond
)

// A link is the state of the connection.
type link struct {
	state    State
	open     bool // the socket is
	welcomed bool // the server has greeted on this socket
	client   uint64

	tries    int           // connections lost in a row
	wait     time.Duration // the current wait in all
	welcome  time.Duration // when the server greeted
	heard    time.Duration // when the last frame came
	pinged   time.Duration // when the last ping went
	random   uint64        // state of the jitter
	tokens   uint64        // of pings
	messages string        // the last thing that went wrong, for people
}

// A blueprint is what a world is made from, as far as it has been fetched.
type blueprint struct {
	welcome wire.Welcome
	have    map[asset.Hash][]byte
	missing int
}

// opened greets the server.
func (s *Session) opened() {
	l := &s.link
	if l.state == Offline || l.state == Rejected || l.open {
		return
	}
	l.open, l.welcomed, l.heard, l.pinged = true, false, s.now, s.now
	if l.state == Waiting {
		l.state, s.status.urgent = Connecting, true
	}
	hello := wire.Hello{Protocol: wire.Protocol, Session: s.conf.Session, Name: s.conf.Name}
	for _, n := range graph.EngineSemantics() {
		hello.Semantics = append(hello.Semantics, wire.Semantics{Kind: uint16(n.Kind), Version: n.Version})
	}
	s.send(hello)
}

// welcome checks what the server is and begins or takes up work.
func (s *Session) welcome(w wire.Welcome) {
	l := &s.link
	if l.welcomed {
		s.drop("the server greeted twice")
		return
	}
	if w.Protocol != wire.Protocol {
		s.reject("the server speaks version " + strconv.Itoa(int(w.Protocol)) + " of the protocol, this client version " +
			strconv.Itoa(wire.Protocol) + ": reload the page")
		return
	}
	if text := mismatch(w.Semantics); text != "" {
		s.reject(text)
		return
	}
	l.welcomed, l.welcome, l.client, l.messages = true, s.now, w.Client, ""
	old := s.blueprint.welcome
	known := s.blueprint.have != nil && old.World == w.World && old.Document == w.Document && slices.Equal(old.Assets, w.Assets)
	s.blueprint.welcome = w
	s.regions.head = max(s.regions.head, w.Head)
	if s.view.radius == 0 {
		s.view.radius = min(int(w.ViewRadius), lod.MaxRadius)
	}
	s.view.sent = false
	switch {
	case !known:
		s.forget()
		s.own.counter = max(s.own.counter, w.Counter)
		s.load()
	case s.world != nil:
		l.state = Live
		s.ownWelcome(w)
	default:
		l.state = Loading
	}
	s.look()
	s.status.urgent = true
}

// mismatch says in which kind of node this engine and the world differ, "" if in none.
func mismatch(world []wire.Semantics) string {
	d, ok := graph.SemanticsDiff(world, graph.EngineSemantics())
	if ok {
		return ""
	}
	const advice = ": reload the page, or run a client and a server of the same version"
	kind, want := strconv.Itoa(int(d.Kind)), strconv.Itoa(int(d.Want))
	if d.Unknown {
		return "the world uses field node kind " + kind + " (version " + want + "), which this client does not know" + advice
	}
	return "the world uses field node kind " + kind + " in version " + want + ", this client computes version " +
		strconv.Itoa(int(d.Have)) + advice
}

// load fetches what the world is made from.
func (s *Session) load() {
	w := &s.blueprint.welcome
	s.link.state = Loading
	s.blueprint.have, s.blueprint.missing = make(map[asset.Hash][]byte), 0
	for _, h := range append([]asset.Hash{w.Document}, w.Assets...) {
		if _, ok := s.blueprint.have[h]; !ok {
			s.blueprint.have[h] = nil
			s.blueprint.missing++
			s.fetches.want(h, nil)
		}
	}
}

// loaded takes a part of the blueprint and, once it is whole, makes the world.
func (s *Session) loaded(hash asset.Hash, data []byte) {
	b := &s.blueprint
	if have, ok := b.have[hash]; !ok || have != nil {
		return
	}
	b.have[hash] = data
	if b.missing--; b.missing > 0 {
		return
	}
	document := b.have[b.welcome.Document]
	assets := make(map[asset.Hash][]byte, len(b.welcome.Assets))
	for _, h := range b.welcome.Assets {
		assets[h] = b.have[h]
	}
	graph, err := graph.Parse(document)
	if err != nil {
		s.reject("the world's document cannot be read: " + err.Error())
		return
	}
	terrain, err := field.Compile(graph, func(h asset.Hash) ([]byte, error) {
		if data, ok := assets[h]; ok {
			return data, nil
		}
		return s.asset(h)
	})
	if err == nil {
		s.tiles, err = newTiles(terrain, assets)
	}
	if err != nil {
		s.reject("the world's document does not compile: " + err.Error())
		return
	}
	clear(b.have) // the builders have it; what is left says only that this world is known
	s.world = world.New(terrain)
	if s.conf.Builders > 0 {
		s.host.Ready(document, assets, graph.Materials)
	}
	if s.link.welcomed {
		s.link.state = Live
		s.ownWelcome(b.welcome)
	}
	s.status.urgent = true
	s.look()
}

// refused takes the server's farewell.
func (s *Session) refused(r wire.Refused) {
	text := r.Message
	if text == "" {
		text = "the server refused this client (code " + strconv.Itoa(int(r.Code)) + ")"
	}
	switch r.Code {
	case wire.CodeClosing, wire.CodeSlow, wire.CodeRate, wire.CodeInternal:
		s.drop(text)
	default:
		if s.link.welcomed {
			s.drop(text)
		} else {
			s.reject(text) // the next try would say the same
		}
	}
}

// reject gives up for good.
func (s *Session) reject(text string) {
	s.host.Disconnect()
	s.offline()
	s.link.state, s.link.messages, s.status.urgent = Rejected, text, true
}

// drop closes the connection and tries again.
func (s *Session) drop(text string) {
	s.host.Disconnect()
	s.lost(text)
}

// lost takes the end of a connection, or of an attempt at one, and plans the next.
func (s *Session) lost(reason string) {
	l := &s.link
	if l.state == Offline || l.state == Rejected {
		return
	}
	if l.welcomed && s.now-l.welcome >= steady {
		l.tries = 0
	}
	s.offline()
	l.wait = s.backoff()
	l.tries++
	l.state, l.messages, s.status.urgent = Waiting, reason, true
	s.host.Connect(l.wait)
}

// backoff returns the next wait: doubled with each try, and at random in the upper half of that, so that a
// server's clients do not come back in step.
func (s *Session) backoff() time.Duration {
	d := maxWait
	if s.link.tries < 16 {
		d = min(firstWait<<s.link.tries, maxWait)
	}
	return d/2 + time.Duration(s.link.next()%uint64(d/2+1))
}

// next returns the next random number: a counter, scrambled (splitmix64).
func (l *link) next() uint64 {
	l.random += 0x9e3779b97f4a7c15
	v := l.random
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// offline ends what belongs to a connection.
func (s *Session) offline() {
	s.link.open, s.link.welcomed = false, false
	s.everybodyGone()
	s.regions.offline()
	s.own.offline()
}

// tickLink keeps the connection alive and finds it dead.
func (s *Session) tickLink() {
	l := &s.link
	if !l.open {
		return
	}
	if s.now-l.heard >= deadAfter {
		s.drop("the server has not answered for " + strconv.Itoa(int(deadAfter/time.Second)) + " seconds")
		return
	}
	if l.welcomed && s.now-max(l.heard, l.pinged) >= pingEvery {
		l.tokens++
		l.pinged = s.now
		s.send(wire.Ping{Token: l.tokens})
	}
}

// sendPresence tells the server where the viewer is, if that changed.
func (s *Session) sendPresence() {
	v := &s.view
	if !s.link.welcomed || !v.known || v.sent || v.sentTime != 0 && s.now-v.sentTime < presenceEvery {
		return
	}
	v.sent, v.sentTime = true, s.now
	s.send(wire.Presence{Eye: v.eye, Yaw: v.yaw, Pitch: v.pitch})
}

// peopleMoved tells the host of others.
func (s *Session) peopleMoved(m wire.People) {
	moved := make([]Person, 0, len(m.People))
	for _, p := range m.People {
		if _, ok := s.people[p.Client]; !ok && len(s.people) >= s.conf.MaxPeople {
			continue
		}
		s.people[p.Client] = struct{}{}
		moved = append(moved, Person(p))
	}
	for _, id := range m.Gone {
		delete(s.people, id)
	}
	s.host.People(moved, m.Gone)
}

// everybodyGone tells the host that nobody is known to be near any more.
func (s *Session) everybodyGone() {
	if len(s.people) == 0 {
		return
	}
	gone := make([]uint64, 0, len(s.people))
	for id := range s.people {
		gone = append(gone, id)
	}
	clear(s.people)
	slices.Sort(gone)
	s.host.People(nil, gone)
}
