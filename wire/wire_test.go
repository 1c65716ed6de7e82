package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/wire/wirepb"
)

// TestAgainstProtobuf holds both directions of every message against protobuf-go.
func TestAgainstProtobuf(t *testing.T) {
	t.Run("client", rapid.MakeCheck(func(t *rapid.T) {
		m := clientMessages.Draw(t, "message")
		pb := clientPB(m)
		var got wirepb.ClientMessage
		if err := proto.Unmarshal(wire.AppendClient(nil, m), &got); err != nil || !proto.Equal(&got, pb) {
			t.Fatalf("protobuf-go reads %v, %v; want %v", &got, err, pb)
		}
		frame, err := proto.Marshal(pb)
		if err != nil {
			t.Fatal(err)
		}
		back, err := wire.ParseClient(frame)
		if err != nil || !sameClient(back, m) {
			t.Fatalf("got %+v, %v; want %+v", back, err, m)
		}
	}))
	t.Run("server", rapid.MakeCheck(func(t *rapid.T) {
		m := serverMessages.Draw(t, "message")
		pb := serverPB(m)
		var got wirepb.ServerMessage
		if err := proto.Unmarshal(wire.AppendServer(nil, m), &got); err != nil || !proto.Equal(&got, pb) {
			t.Fatalf("protobuf-go reads %v, %v; want %v", &got, err, pb)
		}
		frame, err := proto.Marshal(pb)
		if err != nil {
			t.Fatal(err)
		}
		back, err := wire.ParseServer(frame)
		if err != nil || !sameServer(back, m) {
			t.Fatalf("got %+v, %v; want %+v", back, err, m)
		}
	}))
}

// The messages are compared by their bytes: a float may be NaN.
func sameClient(a, b wire.ClientMessage) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && bytes.Equal(wire.AppendClient(nil, a), wire.AppendClient(nil, b))
}

func sameServer(a, b wire.ServerMessage) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && bytes.Equal(wire.AppendServer(nil, a), wire.AppendServer(nil, b))
}

// TestGolden fixes the bytes of one message of each kind: a change of them breaks everyone who is connected.
func TestGolden(t *testing.T) {
	place := lattice.Place{Sample: lattice.Sample{X: -3, Y: 70, Z: 1 << 20}, Offset: geom.Vec3{X: 0.5, Z: 0.25}}
	const placeHex = "0805108c01188080800125" + "0000003f" + "35" + "0000803e"
	ed := edit.Must(edit.Edit{Op: edit.Build, Shape: edit.Ball, Radius: 3, Smooth: 1.5, Place: place}).AppendBinary(nil)
	const editHex = "01020100" + "00004040" + "0000c03f" + "fdffffff" + "46000000" + "00001000" + "0000003f" + "00000000" + "0000803e"
	region := lattice.Region{X: -2, Z: 5}
	hash := asset.Hash{31: 7}
	const hashHex = "20" + "00000000000000000000000000000000000000000000000000000000000000" + "07"
	client := []struct {
		m    wire.ClientMessage
		want string
	}{
		{wire.Hello{Protocol: 1, Session: 0x0102030405060708, Name: "ann", Semantics: []graph.Semantics{{Kind: 3, Version: 1}}},
			"0a16" + "0801" + "110807060504030201" + "1a03616e6e" + "220408031001"},
		{wire.Subscribe{Region: region}, "1206" + "0a041003180a"},
		{wire.Unsubscribe{Region: region}, "1a06" + "0a041003180a"},
		{wire.SubmitEdit{Counter: 9, Edit: ed}, "2228" + "0809" + "1224" + editHex},
		{wire.Presence{Eye: place, Yaw: 1, Pitch: -1}, "2a20" + "0a14" + placeHex + "150000803f" + "1d000080bf"},
		{wire.Ping{Token: 300}, "3203" + "08ac02"},
	}
	for _, c := range client {
		if got := hex.EncodeToString(wire.AppendClient(nil, c.m)); got != c.want {
			t.Errorf("%T\n got %s\nwant %s", c.m, got, c.want)
		}
	}
	server := []struct {
		m    wire.ServerMessage
		want string
	}{
		{wire.Welcome{Protocol: 1, World: [16]byte{15: 1}, Document: hash, Assets: []asset.Hash{hash},
			Semantics: []graph.Semantics{{Kind: 1, Version: 2}}, Head: 5, Counter: 4, Client: 3, MaxLevel: 2, ViewRadius: 8, Name: "w"},
			"0a6b" + "0801" + "1210" + "00000000000000000000000000000001" + "1a" + hashHex + "22" + hashHex +
				"2a0408011002" + "3005" + "3804" + "4003" + "4802" + "5008" + "5a0177"},
		{wire.Refused{Code: wire.CodeSlow, Message: "slow"}, "1208" + "080a" + "1204736c6f77"},
		{wire.Snapshot{Region: region, Seq: 5, Pieces: []wire.Piece{{X: 1, Y: -1, Z: 2, Content: hash}}, Hash: 1, More: true},
			"1a3d" + "0a041003180a" + "1005" + "1a28" + "080210011804" + "22" + hashHex + "210100000000000000" + "2801"},
		{wire.Entry{Seq: 6, Counter: 2, Author: 3, TimeMS: 1000, Edit: ed}, "222f" + "0806" + "1002" + "1803" + "20d00f" + "2a24" + editHex},
		{wire.Ack{Counter: 2, Seq: 6}, "2a04" + "08021006"},
		{wire.EditRefused{Counter: 2, Code: wire.CodeRate, Message: "no"}, "3208" + "08021006" + "1a026e6f"},
		{wire.People{People: []wire.Person{{Client: 3, Name: "b", Eye: place, Yaw: 1}}, Gone: []uint64{4, 300}},
			"3a27" + "0a20" + "0803" + "120162" + "1a14" + placeHex + "250000803f" + "120304ac02"},
		{wire.Pong{Token: 300, Head: 6}, "4205" + "08ac02" + "1006"},
	}
	for _, c := range server {
		if got := hex.EncodeToString(wire.AppendServer(nil, c.m)); got != c.want {
			t.Errorf("%T\n got %s\nwant %s", c.m, got, c.want)
		}
	}
}

// nest wraps a body as the field num of an outer message.
func nest(num protowire.Number, body ...byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), body)
}

func TestRefused(t *testing.T) {
	bits := func(v float32) []byte { return protowire.AppendFixed32(nil, math.Float32bits(v)) }
	for _, c := range []struct {
		name  string
		frame []byte
		want  error
	}{
		{"empty", nil, wire.ErrUnknown},
		{"unknown message", nest(7, 1), wire.ErrUnknown},
		{"a cut tag", []byte{0x80}, wire.ErrCorrupt},
		{"field number 0", []byte{0x00, 0x00}, wire.ErrCorrupt},
		{"a length past the end", []byte{0x32, 0x7f, 0x08}, wire.ErrCorrupt},
		{"a length of 2⁶³", append([]byte{0x32}, protowire.AppendVarint(nil, 1<<63)...), wire.ErrCorrupt},
		{"a varint of eleven bytes", nest(6, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1), wire.ErrCorrupt},
		{"a message that is a number", []byte{0x30, 0x01}, wire.ErrCorrupt},
		{"two messages", append(nest(6), nest(6)...), wire.ErrCorrupt},
		{"a token of the wrong type", nest(6, 0x0d, 1, 2, 3, 4), wire.ErrCorrupt},
		{"an unclosed group", nest(6, 0x4b), wire.ErrCorrupt},
		{"an edit that is a number", nest(4, 0x10, 1), wire.ErrCorrupt},
		{"an edit of 257 bytes", nest(4, append([]byte{0x12, 0x81, 0x02}, make([]byte, 257)...)...), wire.ErrTooLarge},
		{"an oversize frame", nest(6, make([]byte, wire.MaxClientFrame)...), wire.ErrTooLarge},
		{"a protocol of 2³²", nest(1, append([]byte{8}, protowire.AppendVarint(nil, 1<<32)...)...), wire.ErrInvalid},
		{"a semantics kind of 65536", nest(1, append([]byte{0x22, 4, 8}, protowire.AppendVarint(nil, 1<<16)...)...), wire.ErrInvalid},
		{"a name of 65 bytes", nest(1, append([]byte{0x1a, 65}, strings.Repeat("a", 65)...)...), wire.ErrTooLarge},
		{"a name that is not UTF-8", nest(1, 0x1a, 1, 0xff), wire.ErrCorrupt},
		{"level 13", nest(2, nest(1, 8, 13)...), wire.ErrInvalid},
		{"a region beyond int32", nest(2, nest(1, append([]byte{0x10}, protowire.AppendVarint(nil, 1<<32)...)...)...), wire.ErrInvalid},
		{"an eye of NaN", nest(5, nest(1, append([]byte{0x25}, bits(float32(math.NaN()))...)...)...), wire.ErrInvalid},
		{"an eye at offset 1", nest(5, nest(1, append([]byte{0x25}, bits(1)...)...)...), wire.ErrInvalid},
		{"an eye at 2³⁰", nest(5, nest(1, append([]byte{0x08}, protowire.AppendVarint(nil, 1<<31)...)...)...), wire.ErrInvalid},
		{"an infinite yaw", nest(5, append([]byte{0x15}, bits(float32(math.Inf(1)))...)...), wire.ErrInvalid},
		{"257 semantics", nest(1, bytes.Repeat([]byte{0x22, 0}, 257)...), wire.ErrTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := wire.ParseClient(c.frame)
			if !errors.Is(err, c.want) || m != nil {
				t.Errorf("got %v, %v; want %v", m, err, c.want)
			}
		})
	}
}

// TestSkipsUnknownFields reads a message of a later protocol.
func TestSkipsUnknownFields(t *testing.T) {
	frame := append(nest(99, 1, 2, 3), nest(6, 0x78, 5, 8, 7, 0x7b, 0x7c)...) // fields 15 as a number and as a group
	m, err := wire.ParseClient(frame)
	if err != nil || m != (wire.Ping{Token: 7}) {
		t.Errorf("got %v, %v", m, err)
	}
}

// TestEveryPrefix cuts frames at every byte: nothing panics, and what is accepted is a message.
func TestEveryPrefix(t *testing.T) {
	for _, m := range clientSeeds() {
		frame := wire.AppendClient(nil, m)
		for n := range frame {
			if got, err := wire.ParseClient(frame[:n]); (got == nil) == (err == nil) {
				t.Errorf("%T cut at %d: %v, %v", m, n, got, err)
			}
		}
	}
	for _, m := range serverSeeds() {
		frame := wire.AppendServer(nil, m)
		for n := range frame {
			if got, err := wire.ParseServer(frame[:n]); (got == nil) == (err == nil) {
				t.Errorf("%T cut at %d: %v, %v", m, n, got, err)
			}
		}
	}
}

// TestAllocatesInProportion feeds frames that name as much as they can in few bytes.
func TestAllocatesInProportion(t *testing.T) {
	gone := nest(7, nest(2, bytes.Repeat([]byte{1}, wire.MaxPeople)...)...)
	for name, frame := range map[string][]byte{
		"empty people":       nest(7, bytes.Repeat([]byte{0x0a, 0}, wire.MaxPeople)...),
		"gone, packed":       gone,
		"gone, single":       nest(7, bytes.Repeat([]byte{0x10, 1}, wire.MaxPeople)...),
		"too many people":    nest(7, bytes.Repeat([]byte{0x0a, 0}, wire.MaxServerFrame/2-8)...),
		"empty pieces":       nest(3, bytes.Repeat([]byte{0x1a, 0}, wire.MaxServerFrame/2-8)...),
		"empty assets":       nest(1, bytes.Repeat([]byte{0x22, 0}, wire.MaxServerFrame/2-8)...),
		"empty semantics":    nest(1, bytes.Repeat([]byte{0x2a, 0}, wire.MaxServerFrame/2-8)...),
		"a text of a length": nest(2, 0x12, 0xff, 0xff, 0x3f),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = wire.ParseServer(frame)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 200*uint64(len(frame))+64<<10 || n > 4<<20 {
			t.Errorf("%s: %d bytes allocated for a frame of %d", name, n, len(frame))
		}
	}
}

func FuzzParseClient(f *testing.F) {
	for _, m := range clientSeeds() {
		f.Add(wire.AppendClient(nil, m))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := wire.ParseClient(frame)
		if err != nil {
			return
		}
		if err := proto.Unmarshal(frame, &wirepb.ClientMessage{}); err != nil {
			t.Errorf("protobuf-go refuses what is accepted here: %v", err)
		}
		again, err := wire.ParseClient(wire.AppendClient(nil, m))
		if err != nil || !sameClient(m, again) {
			t.Errorf("%+v came back as %+v, %v", m, again, err)
		}
		if e, ok := m.(wire.SubmitEdit); ok {
			if c, err := edit.ParseWhole(e.Edit); err == nil && !bytes.Equal(c.AppendBinary(nil), e.Edit) {
				t.Errorf("edit %x is encoded as %x", e.Edit, c.AppendBinary(nil))
			}
		}
	})
}

func FuzzParseServer(f *testing.F) {
	for _, m := range serverSeeds() {
		f.Add(wire.AppendServer(nil, m))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := wire.ParseServer(frame)
		if err != nil {
			return
		}
		if err := proto.Unmarshal(frame, &wirepb.ServerMessage{}); err != nil {
			t.Errorf("protobuf-go refuses what is accepted here: %v", err)
		}
		again, err := wire.ParseServer(wire.AppendServer(nil, m))
		if err != nil || !sameServer(m, again) {
			t.Errorf("%+v came back as %+v, %v", m, again, err)
		}
	})
}
