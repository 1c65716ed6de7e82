package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A conn is one WebSocket connection. Its goroutines are the reader (the HTTP handler's own), the writer, the
// submitter, and two that watch: ping and cut.
type conn struct {
	s    *Server
	ws   *websocket.Conn
	raw  net.Conn // under ws
	out  *queue
	done chan struct{} // closed when the connection is over or the last word is said
	once sync.Once     // closes done

	id      uint64
	session uint64
	name    string
	record  *record // of the session
	submits *submits

	// The reader's.
	wants   map[lattice.Region]struct{} // what it is subscribed to, as of the frame being read
	seen    uint64                      // the highest counter
	frames  *rate.Limiter
	edits   *rate.Limiter
	samples *rate.Limiter

	images chan struct{} // holds a token for each snapshot that is asked for and not yet sent

	// The owner's.
	told       worldlog.Seq                // the last entry that was sent
	subscribed map[lattice.Region]struct{} // what it is subscribed to, as of now
}

// serveSocket is the handler of /v1/ws.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	c, status := s.admit()
	if c == nil {
		http.Error(w, status, http.StatusServiceUnavailable)
		return
	}
	defer s.dismiss(c)
	raw := &hijacker{ResponseWriter: w}
	ws, err := websocket.Accept(raw, r, &websocket.AcceptOptions{OriginPatterns: s.config.Origins})
	if err != nil {
		s.log.Debug("no WebSocket", "remote", r.RemoteAddr, "err", err) // Accept has answered
		return
	}
	c.ws, c.raw = ws, raw.conn
	ws.SetReadLimit(-1) // read stops after MaxClientFrame itself, so that it can answer
	var running sync.WaitGroup
	written := make(chan struct{})
	running.Go(func() {
		defer close(written)
		c.guard(c.write)
		c.over()
	})
	running.Go(func() { c.guard(c.submit) })
	running.Go(func() { c.guard(c.ping) })
	running.Go(func() { c.cut(written) })
	c.guard(c.read)
	c.over()
	c.submits.close()
	running.Wait()
	_ = ws.CloseNow()
}

// A hijacker keeps the connection that its ResponseWriter gives up: the only way to cut it off at once.
type hijacker struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements http.Hijacker.
func (h *hijacker) Hijack() (conn net.Conn, rw *bufio.ReadWriter, err error) {
	conn, rw, err = http.NewResponseController(h.ResponseWriter).Hijack()
	h.conn = conn
	return conn, rw, err
}

// admit makes a connection, or says why not.
func (s *Server) admit() (c *conn, problem string) {
	l := &s.config.Limits
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, "the server stops; come back in a moment"
	}
	if len(s.conns) >= l.Connections {
		return nil, fmt.Sprintf("all %d connections are taken; come back later", l.Connections)
	}
	s.nextID++
	c = &conn{
		s:          s,
		out:        newQueue(l.QueueFrames, l.QueueBytes),
		done:       make(chan struct{}),
		id:         s.nextID,
		wants:      make(map[lattice.Region]struct{}),
		frames:     rate.NewLimiter(rate.Limit(l.FramesPerSecond), l.FrameBurst),
		edits:      rate.NewLimiter(rate.Limit(l.EditsPerSecond), l.EditBurst),
		samples:    rate.NewLimiter(rate.Limit(l.SamplesPerSecond), l.SampleBurst),
		submits:    newSubmits(l.Pending),
		images:     make(chan struct{}, maxImages),
		subscribed: make(map[lattice.Region]struct{}),
	}
	s.conns[c] = struct{}{}
	s.running.Add(1)
	return c, ""
}

// dismiss forgets a connection that is over.
func (s *Server) dismiss(c *conn) {
	s.owner.do(func() { s.owner.leave(c) })
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.running.Done()
}

// guard runs one of the connection's goroutines. A panic ends the connection and nothing else.
func (c *conn) guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			c.s.log.Error("panic in a connection", "client", c.id, "panic", v, "stack", string(debug.Stack()))
			c.refuse(wire.CodeInternal, "the server failed; what happened is in its log")
		}
	}()
	f()
}

// over says that nothing more is to be read or submitted.
func (c *conn) over() { c.once.Do(func() { close(c.done) }) }

// refuse says why the connection ends, after what is already queued, and ends it. Only the first call counts.
func (c *conn) refuse(code wire.Code, message string) {
	c.out.end(wire.Refused{Code: code, Message: clip(message, wire.MaxMessage)}, code == wire.CodeSlow)
	c.over()
}

// ping finds out when nobody is there any more.
func (c *conn) ping() {
	interval := c.s.config.Limits.PingInterval
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-c.done:
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), interval)
		err := c.ws.Ping(ctx)
		cancel()
		if err != nil {
			_ = c.raw.Close() // ends reader and writer
			return
		}
	}
}

// cut leaves the writer of a connection that is over a moment to say so, then cuts the socket off, which ends
// whoever still waits for it.
func (c *conn) cut(written <-chan struct{}) {
	<-c.done
	grace := time.NewTimer(c.s.config.Limits.CloseTimeout)
	defer grace.Stop()
	select {
	case <-written:
	case <-grace.C:
	}
	_ = c.raw.Close()
}

// read reads frames until the connection ends.
func (c *conn) read() {
	hello := time.AfterFunc(c.s.config.Limits.HelloTimeout, func() {
		c.refuse(wire.CodeOrder, "no hello came in time; it must be the first message")
	})
	defer hello.Stop()
	if !c.readHello() {
		return
	}
	hello.Stop()
	for {
		m, ok := c.next()
		if !ok || !c.handle(m) {
			return
		}
	}
}

// next reads a frame. It refuses what is not a message and waits when there are too many.
func (c *conn) next() (m wire.ClientMessage, ok bool) {
	if !c.throttle(1) {
		return nil, false
	}
	typ, r, err := c.ws.Reader(context.Background())
	if err != nil {
		return nil, false
	}
	frame := make([]byte, 0, 128)
	frame, err = readUpTo(r, frame, wire.MaxClientFrame)
	switch {
	case errors.Is(err, wire.ErrTooLarge):
		c.refuse(wire.CodeTooLarge, fmt.Sprintf("a frame of more than %d bytes", wire.MaxClientFrame))
		return nil, false
	case err != nil:
		return nil, false
	case typ != websocket.MessageBinary:
		c.refuse(wire.CodeMalformed, "a text frame; messages are binary")
		return nil, false
	}
	if m, err = wire.ParseClient(frame); err != nil {
		c.refuse(parseCode(err), err.Error())
		return nil, false
	}
	return m, true
}

// readUpTo appends the whole of r to dst, or answers wire.ErrTooLarge if that is more than limit bytes.
func readUpTo(r io.Reader, dst []byte, limit int) ([]byte, error) {
	for {
		dst = slices.Grow(dst, 1)
		n, err := r.Read(dst[len(dst):cap(dst)])
		if dst = dst[:len(dst)+n]; len(dst) > limit {
			return nil, wire.ErrTooLarge
		}
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// throttle waits until n more frames may be read. ok is false when the connection is over.
func (c *conn) throttle(n int) (ok bool) {
	wait := c.frames.ReserveN(time.Now(), min(n, c.frames.Burst())).Delay()
	if wait == 0 {
		select {
		case <-c.done:
			return false
		default:
			return true
		}
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.done:
		return false
	}
}

func parseCode(err error) wire.Code {
	switch {
	case errors.Is(err, wire.ErrTooLarge):
		return wire.CodeTooLarge
	case errors.Is(err, wire.ErrInvalid):
		return wire.CodeInvalid
	}
	return wire.CodeMalformed
}

// readHello greets the client, or refuses it.
func (c *conn) readHello() (ok bool) {
	m, ok := c.next()
	if !ok {
		return false
	}
	hello, ok := m.(wire.Hello)
	if !ok {
		c.refuse(wire.CodeOrder, "the first message must be a hello")
		return false
	}
	if code, problem := c.s.checkHello(hello); problem != "" {
		c.refuse(code, problem)
		return false
	}
	c.session, c.name = hello.Session, printable(hello.Name)

	// The high-water mark is read before the head: what it counts is applied when the head is, so the client
	// never hears that an edit is durable before it can see it.
	ctx := context.Background()
	counter, err := c.s.store.HighWater(ctx, c.session)
	if err != nil {
		c.s.log.Error("cannot read a session's high-water mark", "err", err)
		c.refuse(wire.CodeInternal, "the world's log cannot be read")
		return false
	}
	c.s.mu.Lock()
	c.record = c.s.records.of(c.session, counter)
	c.s.mu.Unlock()
	o, head, welcomed := c.s.owner, c.s.store.Head(), make(chan struct{})
	o.do(func() {
		o.whenApplied(head, func() {
			o.welcome(c, c.s.welcome(c, counter))
			close(welcomed)
		})
	})
	select {
	case <-welcomed:
		c.s.log.Info("hello", "client", c.id, "name", c.name)
		return true
	case <-c.done: // also when the hello's time is over
		return false
	}
}

// checkHello says what keeps a client out, if anything.
func (s *Server) checkHello(m wire.Hello) (code wire.Code, problem string) {
	if m.Protocol != wire.Protocol {
		return wire.CodeProtocol, fmt.Sprintf("protocol %d is not spoken here; this server speaks %d", m.Protocol, wire.Protocol)
	}
	if m.Session == 0 {
		return wire.CodeInvalid, "session 0; it must be a random number"
	}
	switch d, ok := graph.SemanticsDiff(s.meta.Semantics, m.Semantics); {
	case ok:
	case d.Unknown:
		return wire.CodeSemantics, fmt.Sprintf("the world is made with node kind %d (%v) in version %d, which the client does not know; reload the page",
			uint16(d.Kind), d.Kind, d.Want)
	default:
		return wire.CodeSemantics, fmt.Sprintf("the world is made with version %d of node kind %d (%v), the client computes version %d; reload the page",
			d.Want, uint16(d.Kind), d.Kind, d.Have)
	}
	return 0, ""
}

// welcome is the answer to c's hello, but for what the owner knows.
func (s *Server) welcome(c *conn, counter uint64) wire.Welcome {
	w := wire.Welcome{
		Protocol:   wire.Protocol,
		World:      s.meta.World,
		Document:   asset.Hash(s.meta.Document),
		Counter:    counter,
		Client:     c.id,
		ViewRadius: uint32(s.config.ViewRadius),
		Name:       clip(s.meta.Name, wire.MaxName),
	}
	for _, a := range s.named { // tiles are for when they are needed
		w.Assets = append(w.Assets, asset.Hash(a))
	}
	for _, v := range s.meta.Semantics {
		w.Semantics = append(w.Semantics, wire.Semantics{Kind: v.Kind, Version: v.Version})
	}
	return w
}

// handle does what a message after the hello asks for; ok is false if the connection ends with it.
func (c *conn) handle(m wire.ClientMessage) (ok bool) {
	o := c.s.owner
	switch m := m.(type) {
	case wire.Hello:
		c.refuse(wire.CodeOrder, "a second hello")
		return false
	case wire.Subscribe:
		if code, problem := c.checkSubscribe(m.Region); problem != "" {
			c.refuse(code, problem)
			return false
		}
		// A client that asks for much at once gets it as fast as it takes it: reading waits, nobody else.
		select {
		case c.images <- struct{}{}:
		case <-c.done:
			return false
		}
		if !c.throttle(3) { // a subscription costs more than most messages
			return false
		}
		c.wants[m.Region] = struct{}{}
		o.do(func() { o.subscribe(c, m.Region) })
	case wire.Unsubscribe:
		delete(c.wants, m.Region)
		o.do(func() { o.unsubscribe(c, m.Region) })
	case wire.SubmitEdit:
		c.handleEdit(m)
	case wire.Presence:
		o.do(func() { o.move(c, m) })
	case wire.Ping:
		o.do(func() { c.send(wire.Pong{Token: m.Token, Head: uint64(o.applied)}) })
	}
	return true
}

// maxImages is the number of snapshots that may wait for one connection: enough to keep its socket busy, few
// enough to hold little of a world that is changing.
const maxImages = 8

// maxLevel is the coarsest level that may be subscribed to.
const maxLevel = 0

func (c *conn) checkSubscribe(r lattice.Region) (code wire.Code, problem string) {
	const edge = lattice.Limit >> (lattice.ChunkShift + lattice.RegionShift)
	switch _, again := c.wants[r]; {
	case r.Level > maxLevel:
		return wire.CodeInvalid, fmt.Sprintf("%v: level %d is not served; the coarsest is %d", r, r.Level, maxLevel)
	case r.X < -edge || r.X >= edge || r.Z < -edge || r.Z >= edge:
		return wire.CodeInvalid, fmt.Sprintf("%v lies outside the world, which ends at ±%d", r, edge)
	case !again && len(c.wants) >= c.s.config.Limits.Subscriptions:
		return wire.CodeTooLarge, fmt.Sprintf("more than %d subscriptions", c.s.config.Limits.Subscriptions)
	}
	return 0, ""
}

// printable returns a name without what would break a line of text.
func printable(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, name))
}

// clip cuts s to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
