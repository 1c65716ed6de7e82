package wire

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// Each function here is the layout of one message, as terrane.proto has it: it writes m's fields, or returns m with
// those that it reads. Whoever adds a field adds one line. They are functions rather than methods because the type of
// every method is written into the WebAssembly, called or not.

func codeHello(c *coder, m Hello) Hello {
	for c.step() {
		c.uint32(1, &m.Protocol)
		c.fixed64(2, &m.Session)
		c.string(3, &m.Name, MaxName)
		c.semantics(4, &m.Semantics)
	}
	return m
}

func codeSubscribe(c *coder, m Subscribe) Subscribe {
	for c.step() {
		c.region(1, &m.Region)
	}
	return m
}

func codeUnsubscribe(c *coder, m Unsubscribe) Unsubscribe {
	return Unsubscribe(codeSubscribe(c, Subscribe(m)))
}

func codeSubmitEdit(c *coder, m SubmitEdit) SubmitEdit {
	for c.step() {
		c.uint64(1, &m.Counter)
		c.edit(2, &m.Edit)
	}
	return m
}

func codePresence(c *coder, m Presence) Presence {
	for c.step() {
		c.place(1, &m.Eye)
		c.float(2, &m.Yaw)
		c.float(3, &m.Pitch)
	}
	c.checkView(&m.Eye, m.Yaw, m.Pitch)
	return m
}

func codePing(c *coder, m Ping) Ping {
	for c.step() {
		c.uint64(1, &m.Token)
	}
	return m
}

func codeWelcome(c *coder, m Welcome) Welcome {
	for c.step() {
		c.uint32(1, &m.Protocol)
		c.hash(2, m.World[:])
		c.hash(3, m.Document[:])
		c.assets(4, &m.Assets)
		c.semantics(5, &m.Semantics)
		c.uint64(6, &m.Head)
		c.uint64(7, &m.Counter)
		c.uint64(8, &m.Client)
		c.level(9, &m.MaxLevel)
		c.uint32(10, &m.ViewRadius)
		c.string(11, &m.Name, MaxName)
	}
	return m
}

func codeRefused(c *coder, m Refused) Refused {
	for c.step() {
		c.uint32(1, (*uint32)(&m.Code))
		c.string(2, &m.Message, MaxMessage)
	}
	return m
}

func codeSnapshot(c *coder, m Snapshot) Snapshot {
	for c.step() {
		c.region(1, &m.Region)
		c.uint64(2, &m.Seq)
		c.pieces(3, &m.Pieces)
		c.fixed64(4, &m.Hash)
		c.bool(5, &m.More)
	}
	return m
}

func codeEntry(c *coder, m Entry) Entry {
	for c.step() {
		c.uint64(1, &m.Seq)
		c.uint64(2, &m.Counter)
		c.uint64(3, &m.Author)
		c.sint64(4, &m.TimeMS)
		c.edit(5, &m.Edit)
	}
	return m
}

func codeAck(c *coder, m Ack) Ack {
	for c.step() {
		c.uint64(1, &m.Counter)
		c.uint64(2, &m.Seq)
	}
	return m
}

func codeEditRefused(c *coder, m EditRefused) EditRefused {
	for c.step() {
		c.uint64(1, &m.Counter)
		c.uint32(2, (*uint32)(&m.Code))
		c.string(3, &m.Message, MaxMessage)
	}
	return m
}

func codePeople(c *coder, m People) People {
	for c.step() {
		c.people(1, &m.People)
		c.uint64s(2, &m.Gone, MaxPeople)
	}
	return m
}

func codePong(c *coder, m Pong) Pong {
	for c.step() {
		c.uint64(1, &m.Token)
		c.uint64(2, &m.Head)
	}
	return m
}

// The messages inside others. A list is read one element at a time, as its fields come. Writing, the elements are
// copied: several goroutines may write one list.

func (c *coder) semantics(num uint64, v *[]graph.Semantics) {
	if c.writing {
		for _, s := range *v {
			c.pair(num, &s)
		}
	} else if c.f.num == num && c.room(len(*v), MaxSemantics, "semantics") {
		var s graph.Semantics
		c.pair(num, &s)
		*v = append(*v, s)
	}
}

func (c *coder) pair(num uint64, s *graph.Semantics) {
	o, ok := c.enter(num)
	if !ok {
		return
	}
	for c.step() {
		c.uint16(1, &s.Kind)
		c.uint16(2, &s.Version)
	}
	c.leave(o)
}

func (c *coder) pieces(num uint64, v *[]Piece) {
	if c.writing {
		for _, p := range *v {
			c.piece(num, &p)
		}
	} else if c.f.num == num && c.room(len(*v), MaxPieces, "pieces") {
		var p Piece
		c.piece(num, &p)
		*v = append(*v, p)
	}
}

func (c *coder) piece(num uint64, p *Piece) {
	o, ok := c.enter(num)
	if !ok {
		return
	}
	named := false
	for c.step() {
		c.sint32(1, &p.X)
		c.sint32(2, &p.Y)
		c.sint32(3, &p.Z)
		named = c.hash(4, p.Content[:]) || named
	}
	if !named && c.err == nil {
		c.err = fail(ErrCorrupt, "a piece without its hash")
	}
	c.leave(o)
}

func (c *coder) people(num uint64, v *[]Person) {
	if c.writing {
		for _, p := range *v {
			c.person(num, &p)
		}
	} else if c.f.num == num && c.room(len(*v), MaxPeople, "people") {
		var p Person
		c.person(num, &p)
		*v = append(*v, p)
	}
}

func (c *coder) person(num uint64, p *Person) {
	o, ok := c.enter(num)
	if !ok {
		return
	}
	for c.step() {
		c.uint64(1, &p.Client)
		c.string(2, &p.Name, MaxName)
		c.place(3, &p.Eye)
		c.float(4, &p.Yaw)
		c.float(5, &p.Pitch)
	}
	c.checkView(&p.Eye, p.Yaw, p.Pitch)
	c.leave(o)
}

func (c *coder) assets(num uint64, v *[]asset.Hash) {
	if c.writing {
		for _, h := range *v {
			c.hash(num, h[:])
		}
	} else if c.f.num == num && c.room(len(*v), MaxAssets, "assets") {
		var h asset.Hash
		c.hash(num, h[:])
		*v = append(*v, h)
	}
}

// place writes or reads a place as it stands; checkView checks it.
func (c *coder) place(num uint64, p *lattice.Place) {
	o, ok := c.enter(num)
	if !ok {
		return
	}
	for c.step() {
		c.sint32(1, &p.Sample.X)
		c.sint32(2, &p.Sample.Y)
		c.sint32(3, &p.Sample.Z)
		c.float(4, &p.Offset.X)
		c.float(5, &p.Offset.Y)
		c.float(6, &p.Offset.Z)
	}
	c.leave(o)
}

func (c *coder) region(num uint64, r *lattice.Region) {
	o, ok := c.enter(num)
	if !ok {
		return
	}
	for c.step() {
		c.level(1, &r.Level)
		c.sint32(2, &r.X)
		c.sint32(3, &r.Z)
	}
	c.leave(o)
}

// checkView refuses, when reading, an eye outside the world and angles that are not numbers.
func (c *coder) checkView(eye *lattice.Place, yaw, pitch float32) {
	switch {
	case c.writing || c.err != nil:
	case !eye.Valid():
		c.err = fail(ErrInvalid, "an eye outside the world, or its offset outside [0, 1)")
	case !geom.Finite(yaw) || !geom.Finite(pitch):
		c.err = fail(ErrInvalid, "an angle that is not finite")
	}
}
