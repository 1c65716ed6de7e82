package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A digger is the least client there can be: it digs, and keeps what it was told is durable.
type digger struct {
	t       *testing.T
	url     string
	conn    *websocket.Conn
	session uint64
	sent    uint64
	edits   map[uint64]edit.Checked // by their counters
	acked   map[uint64]uint64       // the entry of each counter that was acknowledged
}

// dial connects to the world at url; a session that has dug before goes on.
func (d *digger) dial(t *testing.T, url string) {
	t.Helper()
	if d.session == 0 {
		d.session = rand.Uint64() | 1
		d.edits, d.acked = map[uint64]edit.Checked{}, map[uint64]uint64{}
	}
	d.t, d.url = t, url
	conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(url, "http")+"/v1/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	d.conn = conn
	t.Cleanup(func() { conn.CloseNow() })
	hello := wire.Hello{Protocol: wire.Protocol, Session: d.session, Name: "digger", Semantics: graph.EngineSemantics()}
	d.send(hello)
	welcome, ok := d.receive().(wire.Welcome)
	if !ok {
		t.Fatal("no welcome")
	}
	for x := int32(-2); x < 2; x++ { // half a kilometer all round: who digs there watches it
		for z := int32(-2); z < 2; z++ {
			d.send(wire.Subscribe{Region: lattice.Region{X: x, Z: z}})
		}
	}
	for counter := range d.acked {
		if counter > welcome.Counter {
			t.Fatalf("edit %d was acknowledged; the server knows %d", counter, welcome.Counter)
		}
	}
}

func (d *digger) send(m wire.ClientMessage) {
	d.t.Helper()
	if err := d.conn.Write(d.t.Context(), websocket.MessageBinary, wire.AppendClient(nil, m)); err != nil {
		d.t.Fatal(err)
	}
}

// receive returns the next message, nil once the connection is lost.
func (d *digger) receive() wire.ServerMessage {
	d.t.Helper()
	_, frame, err := d.conn.Read(context.Background())
	if err != nil {
		return nil
	}
	m, err := wire.ParseServer(frame)
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}

// dig submits an edit.
func (d *digger) dig(e edit.Checked) {
	d.t.Helper()
	d.sent++
	d.edits[d.sent] = e
	d.send(wire.SubmitEdit{Counter: d.sent, Edit: e.AppendBinary(nil)})
}

// wait takes acknowledgements until there are n in all. It reports whether the connection held so long.
func (d *digger) wait(n int) bool {
	d.t.Helper()
	for len(d.acked) < n {
		switch m := d.receive().(type) {
		case nil:
			return false
		case wire.Ack:
			d.acked[m.Counter] = m.Seq
		case wire.EditRefused:
			d.t.Fatalf("edit %d was refused: %s", m.Counter, m.Message)
		}
	}
	return true
}

// A state is what /v1/world says.
type state struct {
	Document string
	Entries  uint64
	Head     uint64
	Hash     string
}

func worldState(t *testing.T, url string) (s state) {
	t.Helper()
	if err := json.Unmarshal([]byte(get(t, url+"/v1/world")), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// terrain compiles the world's document as a client does, from what the server hands out by hash.
func terrain(t *testing.T, url string) field.Terrain {
	t.Helper()
	graph, err := graph.Parse([]byte(get(t, url+"/v1/content/"+worldState(t, url).Document)))
	if err != nil {
		t.Fatal(err)
	}
	terrain, err := field.Compile(graph, func(hash asset.Hash) ([]byte, error) {
		return []byte(get(t, url+"/v1/content/"+hex.EncodeToString(hash[:]))), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return terrain
}

// hole returns a dig at the ground of a column.
func hole(terrain field.Terrain, x, z int32) edit.Checked {
	place, ok := lattice.PlaceAt(float64(x), float64(terrain.Ground(x, z)), float64(z))
	if !ok {
		panic("cli: the ground is outside the world")
	}
	place.Offset = geom.Vec3{X: 0.25, Y: place.Offset.Y, Z: 0.5}
	return edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 3, Place: place})
}

// replay returns the hash of the edits that were acknowledged, in the order of their entries.
func (d *digger) replay(terrain field.Terrain) uint64 {
	order := make([]edit.Checked, len(d.acked))
	for counter, seq := range d.acked {
		order[seq-1] = d.edits[counter]
	}
	layer := brick.NewLayer(terrain, 0)
	for _, e := range order {
		layer.Apply(e)
	}
	return layer.Hash()
}
