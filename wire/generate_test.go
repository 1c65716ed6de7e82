package wire_test

import (
	"math"

	"pgregory.net/rapid"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/wire/wirepb"
)

// Generators of random messages.

var clientMessages = rapid.Custom(func(t *rapid.T) wire.ClientMessage {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return wire.Hello{
			Protocol: rapid.Uint32().Draw(t, "protocol"), Session: rapid.Uint64().Draw(t, "session"),
			Name: text(t, "name", wire.MaxName), Semantics: semantics(t),
		}
	case 1:
		return wire.Subscribe{Region: region(t)}
	case 2:
		return wire.Unsubscribe{Region: region(t)}
	case 3:
		return wire.SubmitEdit{Counter: rapid.Uint64().Draw(t, "counter"), Edit: anEdit(t)}
	case 4:
		return wire.Presence{Eye: eye(t), Yaw: angle(t), Pitch: angle(t)}
	default:
		return wire.Ping{Token: rapid.Uint64().Draw(t, "token")}
	}
})

var serverMessages = rapid.Custom(func(t *rapid.T) wire.ServerMessage {
	u := func(name string) uint64 { return rapid.Uint64().Draw(t, name) }
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 0:
		w := wire.Welcome{
			Protocol: rapid.Uint32().Draw(t, "protocol"), Document: hash(t), Semantics: semantics(t),
			Head: u("head"), Counter: u("counter"), Client: u("client"),
			MaxLevel: uint8(rapid.IntRange(0, lattice.MaxLevel).Draw(t, "level")), ViewRadius: rapid.Uint32().Draw(t, "view"),
			Name: text(t, "name", wire.MaxName),
		}
		copy(w.World[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "world"))
		for range rapid.IntRange(0, 3).Draw(t, "assets") {
			w.Assets = append(w.Assets, hash(t))
		}
		return w
	case 1:
		return wire.Refused{Code: code(t), Message: text(t, "message", wire.MaxMessage)}
	case 2:
		s := wire.Snapshot{Region: region(t), Seq: u("seq"), Hash: u("hash"), More: rapid.Bool().Draw(t, "more")}
		for range rapid.IntRange(0, 4).Draw(t, "pieces") {
			i := rapid.Int32()
			s.Pieces = append(s.Pieces, wire.Piece{X: i.Draw(t, "x"), Y: i.Draw(t, "y"), Z: i.Draw(t, "z"), Content: hash(t)})
		}
		return s
	case 3:
		return wire.Entry{Seq: u("seq"), Counter: u("counter"), Author: u("author"), TimeMS: rapid.Int64().Draw(t, "time"), Edit: anEdit(t)}
	case 4:
		return wire.Ack{Counter: u("counter"), Seq: u("seq")}
	case 5:
		return wire.EditRefused{Counter: u("counter"), Code: code(t), Message: text(t, "message", wire.MaxMessage)}
	case 6:
		var p wire.People
		for range rapid.IntRange(0, 3).Draw(t, "people") {
			p.People = append(p.People, wire.Person{Client: u("client"), Name: text(t, "name", wire.MaxName), Eye: eye(t), Yaw: angle(t), Pitch: angle(t)})
		}
		p.Gone = rapid.SliceOfN(rapid.Uint64(), 0, 5).Draw(t, "gone")
		return p
	default:
		return wire.Pong{Token: u("token"), Head: u("head")}
	}
})

func text(t *rapid.T, label string, limit int) string {
	return rapid.StringN(0, limit, limit).Draw(t, label)
}

func code(t *rapid.T) wire.Code { return wire.Code(rapid.IntRange(0, 12).Draw(t, "code")) }

func hash(t *rapid.T) (h asset.Hash) {
	copy(h[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash"))
	return h
}

func semantics(t *rapid.T) []graph.Semantics {
	var s []graph.Semantics
	for range rapid.IntRange(0, 3).Draw(t, "semantics") {
		s = append(s, graph.Semantics{Kind: rapid.Uint16().Draw(t, "kind"), Version: rapid.Uint16().Draw(t, "version")})
	}
	return s
}

func region(t *rapid.T) lattice.Region {
	return lattice.Region{
		Level: uint8(rapid.IntRange(0, lattice.MaxLevel).Draw(t, "level")),
		X:     rapid.Int32().Draw(t, "x"), Z: rapid.Int32().Draw(t, "z"),
	}
}

// anEdit draws any bytes: edits are parsed as they stand.
func anEdit(t *rapid.T) []byte {
	return append([]byte(nil), rapid.SliceOfN(rapid.Byte(), 0, wire.MaxEdit).Draw(t, "edit")...)
}

func eye(t *rapid.T) lattice.Place {
	i := rapid.Int32Range(1-lattice.Limit, lattice.Limit-1)
	f := rapid.Float32Range(0, math.Nextafter32(1, 0))
	return lattice.Place{
		Sample: lattice.Sample{X: i.Draw(t, "x"), Y: i.Draw(t, "y"), Z: i.Draw(t, "z")},
		Offset: geom.Vec3{X: f.Draw(t, "dx"), Y: f.Draw(t, "dy"), Z: f.Draw(t, "dz")},
	}
}

func angle(t *rapid.T) float32 { return rapid.Float32Range(-4, 4).Draw(t, "angle") }

// One message of each kind, for the fuzzers and the cut frames.

func clientSeeds() []wire.ClientMessage {
	r := lattice.Region{X: -2, Z: 300}
	return []wire.ClientMessage{
		wire.Hello{Protocol: 1, Session: 1 << 60, Name: "zoë", Semantics: []graph.Semantics{{Kind: 1, Version: 1}, {Kind: 300, Version: 2}}},
		wire.Subscribe{Region: r}, wire.Unsubscribe{Region: r}, wire.SubmitEdit{Counter: 200, Edit: seedEdit()},
		wire.Presence{Eye: seedPlace, Yaw: 1, Pitch: -0.5}, wire.Ping{Token: 1 << 40},
	}
}

func serverSeeds() []wire.ServerMessage {
	r, h := lattice.Region{X: -2, Z: 300, Level: 1}, asset.Hash{1, 2, 3}
	return []wire.ServerMessage{
		wire.Welcome{
			Protocol: 1, World: [16]byte{9}, Document: h, Assets: []asset.Hash{h, h}, Semantics: []graph.Semantics{{Kind: 1, Version: 1}},
			Head: 300, Counter: 5, Client: 6, ViewRadius: 8, Name: "alps",
		},
		wire.Refused{Code: wire.CodeRate, Message: "too fast"},
		wire.Snapshot{Region: r, Seq: 300, Pieces: []wire.Piece{{X: 1, Y: -2, Z: 3, Content: h}, {Content: h}}, Hash: 1 << 63, More: true},
		wire.Entry{Seq: 301, Counter: 3, Author: 4, TimeMS: 1_700_000_000_000, Edit: seedEdit()},
		wire.Ack{Counter: 3, Seq: 301}, wire.EditRefused{Counter: 4, Code: wire.CodeInvalid, Message: "radius"},
		wire.People{People: []wire.Person{{Client: 1, Name: "ann", Eye: seedPlace, Yaw: 1}}, Gone: []uint64{7, 300}},
		wire.Pong{Token: 8, Head: 301},
	}
}

func seedEdit() []byte {
	return edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 3, Smooth: 0.5, Place: seedPlace}).AppendBinary(nil)
}

var seedPlace = lattice.Place{Sample: lattice.Sample{X: -40, Y: 12, Z: 1 << 20}, Offset: geom.Vec3{X: 0.5, Y: 0.25, Z: 0.125}}

// The same messages as protobuf-go's structs.

func clientPB(m wire.ClientMessage) *wirepb.ClientMessage {
	switch m := m.(type) {
	case wire.Hello:
		return &wirepb.ClientMessage{Message: &wirepb.ClientMessage_Hello{Hello: &wirepb.Hello{
			Protocol: m.Protocol, Session: m.Session, Name: m.Name, Semantics: semanticsPB(m.Semantics),
		}}}
	case wire.Subscribe:
		return &wirepb.ClientMessage{Message: &wirepb.ClientMessage_Subscribe{Subscribe: &wirepb.Subscribe{Region: regionPB(m.Region)}}}
	case wire.Unsubscribe:
		return &wirepb.ClientMessage{Message: &wirepb.ClientMessage_Unsubscribe{Unsubscribe: &wirepb.Unsubscribe{Region: regionPB(m.Region)}}}
	case wire.SubmitEdit:
		return &wirepb.ClientMessage{Message: &wirepb.ClientMessage_Edit{Edit: &wirepb.SubmitEdit{Counter: m.Counter, Edit: m.Edit}}}
	case wire.Presence:
		return &wirepb.ClientMessage{Message: &wirepb.ClientMessage_Presence{Presence: &wirepb.Presence{
			Eye: placePB(m.Eye), Yaw: m.Yaw, Pitch: m.Pitch,
		}}}
	case wire.Ping:
		return &wirepb.ClientMessage{Message: &wirepb.ClientMessage_Ping{Ping: &wirepb.Ping{Token: m.Token}}}
	}
	panic("no such message")
}

func serverPB(m wire.ServerMessage) *wirepb.ServerMessage {
	switch m := m.(type) {
	case wire.Welcome:
		pb := &wirepb.Welcome{
			Protocol: m.Protocol, World: m.World[:], Document: m.Document[:], Semantics: semanticsPB(m.Semantics), Head: m.Head,
			Counter: m.Counter, Client: m.Client, MaxLevel: uint32(m.MaxLevel), ViewRadius: m.ViewRadius, Name: m.Name,
		}
		for _, a := range m.Assets {
			pb.Assets = append(pb.Assets, a[:])
		}
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_Welcome{Welcome: pb}}
	case wire.Refused:
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_Refused{Refused: &wirepb.Refused{Code: wirepb.Code(m.Code), Message: m.Message}}}
	case wire.Snapshot:
		pb := &wirepb.Snapshot{Region: regionPB(m.Region), Seq: m.Seq, Hash: m.Hash, More: m.More}
		for _, p := range m.Pieces {
			pb.Pieces = append(pb.Pieces, &wirepb.Piece{X: p.X, Y: p.Y, Z: p.Z, Content: p.Content[:]})
		}
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_Snapshot{Snapshot: pb}}
	case wire.Entry:
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_Entry{Entry: &wirepb.Entry{
			Seq: m.Seq, Counter: m.Counter, Author: m.Author, TimeMs: m.TimeMS, Edit: m.Edit,
		}}}
	case wire.Ack:
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_Ack{Ack: &wirepb.Ack{Counter: m.Counter, Seq: m.Seq}}}
	case wire.EditRefused:
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_EditRefused{EditRefused: &wirepb.EditRefused{
			Counter: m.Counter, Code: wirepb.Code(m.Code), Message: m.Message,
		}}}
	case wire.People:
		pb := &wirepb.People{Gone: m.Gone}
		for _, p := range m.People {
			pb.People = append(pb.People, &wirepb.Person{Client: p.Client, Name: p.Name, Eye: placePB(p.Eye), Yaw: p.Yaw, Pitch: p.Pitch})
		}
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_People{People: pb}}
	case wire.Pong:
		return &wirepb.ServerMessage{Message: &wirepb.ServerMessage_Pong{Pong: &wirepb.Pong{Token: m.Token, Head: m.Head}}}
	}
	panic("no such message")
}

func semanticsPB(list []graph.Semantics) (out []*wirepb.Semantics) {
	for _, s := range list {
		out = append(out, &wirepb.Semantics{Kind: uint32(s.Kind), Version: uint32(s.Version)})
	}
	return out
}

func regionPB(r lattice.Region) *wirepb.Region {
	return &wirepb.Region{Level: uint32(r.Level), X: r.X, Z: r.Z}
}

func placePB(p lattice.Place) *wirepb.Place {
	return &wirepb.Place{X: p.Sample.X, Y: p.Sample.Y, Z: p.Sample.Z, Dx: p.Offset.X, Dy: p.Offset.Y, Dz: p.Offset.Z}
}
