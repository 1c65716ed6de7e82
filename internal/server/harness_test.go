package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/server/servertest"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/memlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// soak reports whether long cases are to run whole.
func soak() bool { return os.Getenv("TERRANE_SOAK") != "" }

// patience is how long a test waits for what must come. It is never waited out when all is well.
const patience = 20 * time.Second

// newStore returns the store of a fresh flat world.
func newStore(t testing.TB) *memlog.Store {
	t.Helper()
	store := servertest.NewStore(t, template.Flat())
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// A site is a running server.
type site struct {
	t      testing.TB
	server *Server
	http   *httptest.Server
}

// serve starts a server on a free port. change may be nil.
func serve(t testing.TB, store worldlog.Store, change func(*Config)) *site {
	t.Helper()
	config := Config{Store: store, Log: slog.New(slog.NewTextHandler(logWriter{t}, nil))}
	if change != nil {
		change(&config)
	}
	s, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewUnstartedServer(s)
	h.Listener = smallBuffers{h.Listener}
	h.Start()
	w := &site{t: t, server: s, http: h}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, worldlog.ErrClosed) {
			t.Error(err)
		}
		h.Client().CloseIdleConnections()
		h.Close()
	})
	return w
}

// unlimited lifts the limits of rate, for tests that do in a second what people do in an hour.
func unlimited(c *Config) {
	c.Limits.FramesPerSecond, c.Limits.EditsPerSecond, c.Limits.SamplesPerSecond = 1e6, 1e6, 1e12
	c.Limits.EditBurst, c.Limits.SampleBurst = 1e6, 1e9
}

// logWriter writes a server's log where the test's goes.
type logWriter struct{ t testing.TB }

func (w logWriter) Write(b []byte) (int, error) {
	if w.t.Context().Err() == nil { // the test may be over
		w.t.Logf("%s", bytes.TrimSpace(b))
	}
	return len(b), nil
}

// smallBuffers is a listener whose connections fill up soon, so that slow clients show.
type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		_ = c.(*net.TCPConn).SetWriteBuffer(16 << 10)
	}
	return c, err
}

// get fetches a path and returns its status and body.
func (w *site) get(path string) (int, []byte) {
	w.t.Helper()
	r, err := w.http.Client().Get(w.http.URL + path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.StatusCode, body
}

// world fetches /v1/world.
func (w *site) world() (state struct {
	Name          string
	Head, Entries uint64
	Hash, Version string
	Bricks        int
	People        int
}) {
	w.t.Helper()
	status, body := w.get("/v1/world")
	if err := json.Unmarshal(body, &state); err != nil || status != http.StatusOK {
		w.t.Fatalf("%d %s: %v", status, body, err)
	}
	return state
}

// A client is one connection as a test sees it.
type client struct {
	t       testing.TB
	site    *site
	ws      *websocket.Conn
	session uint64
	counter uint64
	welcome wire.Welcome
}

// dial connects without a hello.
func (w *site) dial() *client {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(w.http.URL, "http")+"/v1/ws", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	ws.SetReadLimit(wire.MaxServerFrame)
	w.t.Cleanup(func() { _ = ws.CloseNow() })
	return &client{t: w.t, site: w, ws: ws}
}

func helloOf(session uint64, name string) wire.Hello {
	return wire.Hello{Protocol: wire.Protocol, Session: session, Name: name, Semantics: graph.EngineSemantics()}
}

// join connects with a new session, rejoin with a known one.
func (w *site) join() *client { return w.rejoin(rand.Uint64() | 1) }

func (w *site) rejoin(session uint64) *client {
	w.t.Helper()
	c := w.dial()
	c.session = session
	c.send(helloOf(session, fmt.Sprintf("test %x", session>>48)))
	c.welcome = expect[wire.Welcome](c)
	c.counter = c.welcome.Counter
	return c
}

// joinAt also subscribes to regions and takes their snapshots.
func (w *site) joinAt(regions ...lattice.Region) *client {
	w.t.Helper()
	c := w.join()
	for _, r := range regions {
		c.subscribe(r)
	}
	return c
}

func (c *client) subscribe(r lattice.Region) wire.Snapshot {
	c.t.Helper()
	c.send(wire.Subscribe{Region: r})
	return expect[wire.Snapshot](c)
}

func (c *client) send(m wire.ClientMessage) { c.sendFrame(wire.AppendClient(nil, m)) }

func (c *client) sendFrame(frame []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = c.ws.Write(ctx, websocket.MessageBinary, frame) // an error shows when the answer is read
}

// edit submits an edit and returns its counter.
func (c *client) edit(e edit.Checked) uint64 {
	c.counter++
	c.send(wire.SubmitEdit{Counter: c.counter, Edit: e.AppendBinary(nil)})
	return c.counter
}

// read returns the next message.
func (c *client) read() (wire.ServerMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, frame, err := c.ws.Read(ctx)
	if err != nil {
		return nil, err
	}
	return wire.ParseServer(frame)
}

// next returns the next message that is not about people.
func (c *client) next() wire.ServerMessage {
	c.t.Helper()
	for {
		m := c.mustRead()
		if _, ok := m.(wire.People); !ok {
			return m
		}
	}
}

// mustRead returns the next message, of whatever kind.
func (c *client) mustRead() wire.ServerMessage {
	c.t.Helper()
	m, err := c.read()
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// expect returns the next message, which must be of kind M, people aside.
func expect[M wire.ServerMessage](c *client) M {
	c.t.Helper()
	got := c.next()
	m, ok := got.(M)
	if !ok {
		c.t.Fatalf("got %T %+v, want %T", got, got, m)
	}
	return m
}

// expectRefused wants the connection to end with a code and a text.
func (c *client) expectRefused(code wire.Code, text string) {
	c.t.Helper()
	m := expect[wire.Refused](c)
	if m.Code != code || !strings.Contains(m.Message, text) {
		c.t.Errorf("refused with %d %q, want %d %q", m.Code, m.Message, code, text)
	}
	if _, err := c.read(); websocket.CloseStatus(err) != closeStatus(code) {
		c.t.Errorf("after the refusal: %v, want close status %v", err, closeStatus(code))
	}
}

// settled returns Entry and Ack of the edit with the counter, in that order, with nothing between.
func (c *client) settled(counter uint64) wire.Entry {
	c.t.Helper()
	e := expect[wire.Entry](c)
	a := expect[wire.Ack](c)
	if e.Counter != counter || a.Counter != counter || a.Seq != e.Seq {
		c.t.Fatalf("entry %+v and ack %+v for counter %d", e, a, counter)
	}
	return e
}

// ball returns an edit at a sample.
func ball(op edit.Op, radius float32, x, y, z int32) edit.Checked {
	return edit.Must(edit.Edit{
		Op: op, Shape: edit.Ball, Radius: radius,
		Place: lattice.Place{Sample: lattice.Sample{X: x, Y: y, Z: z}, Offset: geom.Vec3{X: 0.5, Y: 0.25}},
	})
}

var home = lattice.Region{}

// A mirror holds a region as a client would: its snapshot, then its entries.
type mirror struct {
	site   *site
	region lattice.Region
	layer  *brick.Layer
	seq    uint64 // as of
	pieces int
}

func newMirror(w *site, r lattice.Region) *mirror {
	graph, err := graph.Parse(template.Flat().AppendBinary(nil))
	if err != nil {
		w.t.Fatal(err)
	}
	terrain, err := field.Compile(graph, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return &mirror{site: w, region: r, layer: brick.NewLayer(terrain, 0)}
}

// take makes a message part of the mirror. It fails on a gap, on a piece that cannot be had and on a
// snapshot that does not have the hash it says.
func (m *mirror) take(msg wire.ServerMessage) {
	t := m.site.t
	t.Helper()
	switch msg := msg.(type) {
	case wire.Snapshot:
		for _, p := range msg.Pieces {
			m.fetch(p)
		}
		m.seq = msg.Seq
		if got := m.layer.RegionHash(m.region); !msg.More && got != msg.Hash {
			t.Fatalf("snapshot as of %d: hash %016x, said to be %016x", msg.Seq, got, msg.Hash)
		}
	case wire.Entry:
		if msg.Seq <= m.seq {
			t.Fatalf("entry %d after %d", msg.Seq, m.seq)
		}
		e, err := edit.ParseWhole(msg.Edit)
		if err != nil {
			t.Fatal(err)
		}
		m.layer.ApplyIn(e, func(r lattice.Region) bool { return r == m.region })
		m.seq = msg.Seq
	}
}

func (m *mirror) fetch(p wire.Piece) {
	t := m.site.t
	t.Helper()
	status, body := m.site.get("/v1/content/" + hex.EncodeToString(p.Content[:]))
	if status != http.StatusOK || sha256.Sum256(body) != p.Content {
		t.Fatalf("piece %+v: status %d, %d bytes", p, status, len(body))
	}
	b, err := brick.Parse(body)
	if err != nil || b.ID() != (lattice.Brick{X: p.X, Y: p.Y, Z: p.Z}) || b.ID().Region() != m.region {
		t.Fatalf("piece %+v: %v, %v", p, b, err)
	}
	m.layer.Put(b)
	m.pieces++
}

// hash returns the hash of a region as the server has it, and the entry as of which.
func (w *site) hash(r lattice.Region) (hash uint64, seq worldlog.Seq) {
	o := w.server.owner
	o.ask(func() { hash, seq = o.layer.RegionHash(r), o.applied })
	return hash, seq
}

// until waits until f, called as the owner, is true.
func (w *site) until(what string, f func(o *owner) bool) {
	w.t.Helper()
	o := w.server.owner
	for limit, is := time.Now().Add(patience), false; !is; {
		if time.Now().After(limit) {
			w.t.Fatalf("not within %v: %s", patience, what)
		}
		o.ask(func() { is = f(o) })
	}
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
