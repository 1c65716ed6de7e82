package session

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

// A server is a world server in memory: it does at once what a frame asks for and queues the answers, in the
// order of the protocol. Tests deliver them when they like.
type server struct {
	graph   []byte
	id      [16]byte
	world   *world.World
	log     []record
	high    map[uint64]uint64 // by session
	content map[asset.Hash][]byte
	assets  []asset.Hash // those that the graph names
	conns   map[*conn]struct{}
	numbers uint64
	radius  uint32
	refuse  func(edit.Checked) string // why an edit is refused, "" if not
	silent  bool                      // answers of edits are lost: the connection is about to break
	reorder *rand.Rand                // if set, submitted edits wait in waiting and are ordered by chance
	waiting []submission
	subs    int // Subscribe messages
	fetches int // contents asked for
}

type record struct {
	session, counter uint64
	edit             edit.Checked
}

type submission struct {
	conn    *conn
	counter uint64
	edit    edit.Checked
}

// A conn is a connection of one client.
type conn struct {
	server  *server
	session uint64
	number  uint64
	in      [][]byte // from the client, not handled yet
	out     [][]byte // to the client, not delivered yet
	subs    map[lattice.Region]struct{}
	seen    uint64
}

func newServer(t tester, g *graph.Graph, contents ...[]byte) *server {
	graph := g.AppendBinary(nil)
	s := &server{
		graph: graph, id: [16]byte{1}, high: map[uint64]uint64{},
		content: map[asset.Hash][]byte{}, conns: map[*conn]struct{}{}, radius: 2,
	}
	for _, c := range append(contents, graph) {
		s.content[sha256.Sum256(c)] = c
	}
	s.assets = g.Assets()
	s.world = world.New(s.terrain(t))
	return s
}

// asset returns a file that the graph names, or a part of it.
func (s *server) asset(hash asset.Hash) ([]byte, error) {
	if data, ok := s.content[hash]; ok {
		return data, nil
	}
	return nil, errAsset
}

func (s *server) terrain(t tester) field.Terrain {
	g, err := graph.Parse(s.graph)
	if err != nil {
		t.Fatal(err)
	}
	f, err := field.Compile(g, s.asset)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (s *server) connect() *conn {
	s.numbers++
	c := &conn{server: s, number: s.numbers, subs: map[lattice.Region]struct{}{}}
	s.conns[c] = struct{}{}
	return c
}

func (s *server) disconnect(c *conn) { delete(s.conns, c) }

func (c *conn) answer(m wire.ServerMessage) { c.out = append(c.out, wire.AppendServer(nil, m)) }

// handle does what the oldest frame of the client asks for.
func (c *conn) handle(t tester) {
	frame := c.in[0]
	c.in = c.in[1:]
	m, err := wire.ParseClient(frame)
	if err != nil {
		t.Fatalf("the client sent what is no message: %v", err)
	}
	s := c.server
	switch m := m.(type) {
	case wire.Hello:
		c.session = m.Session
		c.answer(wire.Welcome{
			Protocol: wire.Protocol, World: s.id, Document: sha256.Sum256(s.graph), Assets: s.assets, Semantics: graph.EngineSemantics(),
			Head: uint64(len(s.log)), Counter: s.high[m.Session], Client: c.number, ViewRadius: s.radius, Name: "test",
		})
	case wire.Subscribe:
		s.subs++
		c.subs[m.Region] = struct{}{}
		c.answer(s.snapshot(m.Region))
	case wire.Unsubscribe:
		if _, ok := c.subs[m.Region]; !ok {
			t.Fatalf("the client unsubscribed from %v, which it is not subscribed to", m.Region)
		}
		delete(c.subs, m.Region)
	case wire.SubmitEdit:
		c.submit(t, m)
	case wire.Ping:
		c.answer(wire.Pong{Token: m.Token, Head: uint64(len(s.log))})
	}
}

func (s *server) snapshot(r lattice.Region) wire.Snapshot {
	m := wire.Snapshot{Region: r, Seq: uint64(len(s.log)), Hash: s.world.Layer().RegionHash(r)}
	for id, b := range s.world.Layer().Region(r) {
		data := b.AppendBinary(nil)
		hash := sha256.Sum256(data)
		s.content[hash] = data
		m.Pieces = append(m.Pieces, wire.Piece{X: id.X, Y: id.Y, Z: id.Z, Content: hash})
	}
	return m
}

func (c *conn) submit(t tester, m wire.SubmitEdit) {
	s := c.server
	e, err := edit.ParseWhole(m.Edit)
	if err != nil {
		t.Fatalf("the client sent a bad edit: %v", err)
	}
	if m.Counter <= s.high[c.session] {
		c.answer(wire.Ack{Counter: m.Counter})
		return
	}
	if m.Counter <= c.seen {
		t.Fatalf("counter %d after %d", m.Counter, c.seen)
	}
	c.seen = m.Counter
	if _, ok := c.subs[lattice.RegionOf(e.Place().Sample, 0)]; !ok {
		t.Fatalf("edit %d is out of reach: its region is not subscribed to", m.Counter)
	}
	if s.refuse != nil {
		if why := s.refuse(e); why != "" {
			c.answer(wire.EditRefused{Counter: m.Counter, Code: wire.CodeInvalid, Message: why})
			return
		}
	}
	sub := submission{c, m.Counter, e}
	if s.reorder != nil {
		s.waiting = append(s.waiting, sub)
		return
	}
	s.order(sub)
}

// order puts the edit of a client into the log.
func (s *server) order(sub submission) {
	seq := s.append(record{sub.conn.session, sub.counter, sub.edit}, sub.conn.number)
	s.high[sub.conn.session] = sub.counter
	if !s.silent {
		sub.conn.answer(wire.Ack{Counter: sub.counter, Seq: seq})
	}
}

// orderOne orders one of the waiting edits: any client's next.
func (s *server) orderOne() {
	i := s.reorder.IntN(len(s.waiting))
	i = slices.IndexFunc(s.waiting, func(o submission) bool { return o.conn == s.waiting[i].conn })
	sub := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.order(sub)
}

// append applies an edit and tells all who are subscribed.
func (s *server) append(r record, author uint64) uint64 {
	s.log = append(s.log, r)
	s.world.Apply(r.edit)
	seq := uint64(len(s.log))
	for c := range s.conns {
		if s.silent && c.session == r.session {
			continue
		}
		for id := range r.edit.Regions(0) {
			if _, ok := c.subs[id]; !ok {
				continue
			}
			m := wire.Entry{Seq: seq, Author: author, TimeMS: 1, Edit: r.edit.AppendBinary(nil)}
			if c.session == r.session {
				m.Counter = r.counter
			}
			c.answer(m)
			break
		}
	}
	return seq
}
