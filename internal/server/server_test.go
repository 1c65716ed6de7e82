package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/server/servertest"
	"github.com/terrane/terrane/internal/worldlog/memlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

func TestHello(t *testing.T) {
	w := serve(t, newStore(t), nil)
	first := helloOf(7, "ann").Semantics[0]
	for _, c := range []struct {
		name string
		m    wire.ClientMessage
		code wire.Code
		text string
	}{
		{"something else first", wire.Ping{}, wire.CodeOrder, "first message must be a hello"},
		{"another protocol", wire.Hello{Protocol: 1, Session: 7, Semantics: helloOf(7, "").Semantics}, wire.CodeProtocol, "protocol 1 is not spoken here; this server speaks 2"},
		{"no session", helloOf(0, ""), wire.CodeInvalid, "session 0"},
		{"no semantics", wire.Hello{Protocol: wire.Protocol, Session: 7}, wire.CodeSemantics, fmt.Sprintf("node kind %d", first.Kind)},
		{"other semantics", wire.Hello{Protocol: wire.Protocol, Session: 7, Semantics: func() []graph.Semantics {
			s := helloOf(7, "").Semantics
			s[0].Version = 77
			return s
		}()}, wire.CodeSemantics, fmt.Sprintf("version %d of node kind %d", first.Version, first.Kind)},
		{"other semantics: the client's value", wire.Hello{Protocol: wire.Protocol, Session: 7, Semantics: func() []graph.Semantics {
			s := helloOf(7, "").Semantics
			s[0].Version = 77
			return s
		}()}, wire.CodeSemantics, "computes version 77"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := w.dial()
			cl.t = t
			cl.send(c.m)
			cl.expectRefused(c.code, c.text)
		})
	}
	c := w.join()
	if m := c.welcome; m.Protocol != wire.Protocol || m.World != servertest.World || m.Name != "test" || m.MaxLevel != 0 || m.ViewRadius != 8 ||
		m.Client == 0 || len(m.Semantics) != len(graph.EngineSemantics()) || m.Head != 0 || m.Counter != 0 {
		t.Errorf("welcome %+v", m)
	}
	c.send(helloOf(c.session, ""))
	c.expectRefused(wire.CodeOrder, "second hello")
}

func TestHelloInTime(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) { c.Limits.HelloTimeout = 1 })
	w.dial().expectRefused(wire.CodeOrder, "no hello came in time")
}

func TestRefusedFrames(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) { c.Limits.Subscriptions = 2 })
	edge := int32(lattice.Limit >> 8)
	frame := func(m wire.ClientMessage) []byte { return wire.AppendClient(nil, m) }
	for _, c := range []struct {
		name  string
		frame []byte
		code  wire.Code
		text  string
	}{
		{"garbage", []byte{0xff, 0xfe, 0xfd}, wire.CodeMalformed, "not a message"},
		{"empty", []byte{}, wire.CodeMalformed, "no message known"},
		{"unknown message", []byte{0x7a, 0}, wire.CodeMalformed, "no message known"},
		{"cut short", frame(wire.SubmitEdit{Counter: 1, Edit: ball(edit.Dig, 3, 0, 0, 0).AppendBinary(nil)})[:20], wire.CodeMalformed, "not a message"},
		{"oversize", make([]byte, wire.MaxClientFrame+1), wire.CodeTooLarge, "4096"},
		{"much oversize", make([]byte, 1<<20), wire.CodeTooLarge, "4096"},
		{"eye of NaN", frame(wire.Presence{Yaw: float32(math.NaN())}), wire.CodeInvalid, "angle"},
		{"eye outside", frame(wire.Presence{Eye: lattice.Place{Sample: lattice.Sample{X: math.MinInt32}}}), wire.CodeInvalid, "outside the world"},
		{"level 1", frame(wire.Subscribe{Region: lattice.Region{Level: 1}}), wire.CodeInvalid, "level 1 is not served"},
		{"level 200", []byte{0x12, 5, 0x0a, 3, 0x08, 0xc8, 0x01}, wire.CodeInvalid, "level"},
		{"region outside", frame(wire.Subscribe{Region: lattice.Region{X: edge}}), wire.CodeInvalid, "outside the world"},
		{"region far outside", frame(wire.Subscribe{Region: lattice.Region{Z: math.MinInt32}}), wire.CodeInvalid, "outside the world"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := w.join()
			cl.t = t
			cl.sendFrame(c.frame)
			cl.expectRefused(c.code, c.text)
		})
	}
	t.Run("text", func(t *testing.T) {
		cl := w.join()
		cl.t = t
		must(t, cl.ws.Write(t.Context(), websocket.MessageText, []byte("hello")))
		cl.expectRefused(wire.CodeMalformed, "binary")
	})
	t.Run("subscriptions", func(t *testing.T) {
		cl := w.joinAt(home, lattice.Region{X: -edge, Z: edge - 1})
		cl.t = t
		cl.subscribe(home) // again: no more than before
		cl.send(wire.Unsubscribe{Region: home})
		cl.send(wire.Unsubscribe{Region: home})
		cl.subscribe(lattice.Region{X: 1})
		cl.send(wire.Subscribe{Region: lattice.Region{X: 2}})
		cl.expectRefused(wire.CodeTooLarge, "more than 2 subscriptions")
	})
	if got := w.world(); got.Head != 0 || got.Bricks != 0 {
		t.Errorf("the world changed: %+v", got)
	}
}

// TestOneOrder lets several clients edit at once: all see the same entries in the same order, acknowledged
// after they are seen, and the server, the clients and a replay agree on the result.
func TestOneOrder(t *testing.T) {
	clients, edits := 4, 60
	if soak() {
		clients, edits = 16, 600
	}
	store := newStore(t)
	var slow sync.Mutex // makes appends of several clients overlap
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		if op == memlog.Append {
			slow.Lock()
			defer slow.Unlock()
		}
		return nil
	}})
	w := serve(t, store, unlimited)
	type seen struct {
		entries []wire.Entry
		hash    uint64
	}
	results := make([]seen, clients)
	var all []*client
	for range clients {
		all = append(all, w.joinAt(home))
	}
	var wg sync.WaitGroup
	for i, c := range all {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			m := newMirror(w, home)
			for range edits {
				c.edit(ball(edit.Op(1+rng.IntN(2)), 1.5+rng.Float32()*3, rng.Int32N(120), rng.Int32N(20)-10, rng.Int32N(120)))
			}
			acked := uint64(0)
			own := make(map[uint64]uint64) // counter to seq
			for len(results[i].entries) < clients*edits || acked < uint64(edits) {
				switch msg := c.next().(type) {
				case wire.Entry:
					m.take(msg)
					results[i].entries = append(results[i].entries, msg)
					if msg.Counter != 0 {
						own[msg.Counter] = msg.Seq
						if msg.Author != c.welcome.Client {
							t.Errorf("own entry by %d, not %d", msg.Author, c.welcome.Client)
						}
					} else if msg.Author == c.welcome.Client {
						t.Error("own entry without its counter")
					}
				case wire.Ack:
					acked++
					if msg.Counter != acked || own[msg.Counter] != msg.Seq {
						t.Errorf("ack %+v is number %d; its entry was %d", msg, acked, own[msg.Counter])
					}
				default:
					t.Errorf("got %T %+v", msg, msg)
					return
				}
			}
			results[i].hash = m.layer.RegionHash(home)
		})
	}
	wg.Wait()
	hash, seq := w.hash(home)
	if int(seq) != clients*edits {
		t.Errorf("the world is at entry %d", seq)
	}
	for i, r := range results {
		if r.hash != hash {
			t.Errorf("client %d has hash %016x, the server %016x", i, r.hash, hash)
		}
		for k, e := range r.entries {
			first := results[0].entries[k]
			if e.Seq != uint64(k+1) || !bytes.Equal(e.Edit, first.Edit) || e.Author != first.Author || e.TimeMS != first.TimeMS {
				t.Fatalf("client %d sees %+v as entry %d, client 0 %+v", i, e, k+1, first)
			}
		}
	}
	l, err := load(t.Context(), store, w.server.log)
	must(t, err)
	if got := l.layer.RegionHash(home); got != hash {
		t.Errorf("a replay has hash %016x, the server %016x", got, hash)
	}
}

// TestPanic lets one connection's code panic.
func TestPanic(t *testing.T) {
	store := newStore(t)
	w := serve(t, store, nil)
	c := w.joinAt(home)
	store.SetHooks(memlog.Hooks{Before: func(_ context.Context, op memlog.Op) error {
		switch op {
		case memlog.HighWater:
			panic("in the reader")
		case memlog.Append:
			panic("in the submitter")
		}
		return nil
	}})
	for range 2 {
		d := w.dial()
		d.send(helloOf(5, ""))
		d.expectRefused(wire.CodeInternal, "failed")
	}
	c.edit(ball(edit.Dig, 3, 0, 0, 0))
	c.expectRefused(wire.CodeInternal, "failed")
	store.SetHooks(memlog.Hooks{})
	e := w.joinAt(home)
	e.settled(e.edit(ball(edit.Dig, 3, 0, 0, 0)))
}

// TestHostileStreams sends frames that are garbage, and bytes that are not even frames, or break off.
func TestHostileStreams(t *testing.T) {
	w := serve(t, newStore(t), nil)
	for i := range 30 {
		c := w.dial()
		rng := rand.New(rand.NewPCG(16, uint64(i)))
		junk := make([]byte, rng.IntN(3000))
		for i := range junk {
			junk[i] = byte(rng.Uint32())
		}
		if i%2 == 0 {
			c.send(helloOf(uint64(i)+1, ""))
		}
		c.sendFrame(junk)
		if i%3 == 0 {
			_ = c.ws.CloseNow()
		}
	}
	hello := string(wire.AppendClient(nil, helloOf(9, "")))
	for _, raw := range []string{
		"",
		"\x82",                       // half a header
		"\x82\x05hello",              // not masked
		"\x82\x85\x00\x00\x00\x00he", // masked and cut short
		"\x8f\x80\x00\x00\x00\x00",   // an opcode that is none
		"\xf2\x80\x00\x00\x00\x00",   // reserved bits
		"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",                      // 2⁶⁴−1 bytes
		"\x82\xff\x00\x00\x00\x00\x7f\xff\xff\xff\x00\x00\x00\x00" + hello,              // 2 GiB
		"\x02\x81\x00\x00\x00\x00a" + strings.Repeat("\x00\x81\x00\x00\x00\x00a", 9000), // without end
		"\x89\xfe\x01\x00\x00\x00\x00\x00" + strings.Repeat("p", 256),                   // a ping of 256 bytes
		"GET / HTTP/1.1\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", w.http.Listener.Addr().String())
		must(t, err)
		fmt.Fprintf(conn, "GET /v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n%s", raw)
		must(t, conn.(*net.TCPConn).CloseWrite())
		answer, err := io.ReadAll(conn) // ends when the server closes
		if !strings.HasPrefix(string(answer), "HTTP/1.1 101") {
			t.Errorf("%.20q: %.30q, %v", raw, answer, err)
		}
		_ = conn.Close()
	}
	c := w.joinAt(home)
	c.settled(c.edit(ball(edit.Dig, 3, 10, 0, 10)))
}
