package server

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/time/rate"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/server/static"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
)

// policy lets the page load what the server itself serves and nothing else. WebAssembly and the renderer's
// textures need the exceptions.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// routes returns the handler of everything.
func (s *Server) routes() http.Handler {
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.CompressionLevel(1))
	if err != nil {
		panic("server: " + err.Error())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/ws", s.serveSocket)
	mux.Handle("GET /v1/content/{hash}", compress(http.HandlerFunc(s.serveContent)))
	mux.HandleFunc("GET /v1/world", s.serveWorld)
	mux.HandleFunc("GET /healthz", s.serveHealth)
	mux.Handle("GET /", static.New(s.config.Client))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, 0) // nothing here reads a body
		mux.ServeHTTP(w, r)
	})
}

// serveContent serves the document, the assets and the pieces by the SHA-256 of their content.
func (s *Server) serveContent(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("hash")
	h, err := asset.Parse(name)
	if err != nil {
		http.Error(w, "a content is named by 64 hexadecimal digits", http.StatusBadRequest)
		return
	}
	data, err := s.content(r, h)
	switch {
	case errors.Is(err, worldlog.ErrNotFound):
		http.Error(w, "no such content, or no longer", http.StatusNotFound)
		return
	case err != nil:
		if r.Context().Err() == nil {
			s.log.Error("content cannot be read", "hash", name, "err", err)
		}
		http.Error(w, "the content cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.Header().Set("Cache-Control", static.Immutable)
	_, _ = w.Write(data)
}

// content returns what is named h: of the world, of a piece just named, or of the store.
func (s *Server) content(r *http.Request, h asset.Hash) ([]byte, error) {
	if data, ok := s.fixed[h]; ok {
		return data, nil
	}
	if data := s.pieces.content(h); data != nil {
		return data, nil
	}
	return s.store.Content(r.Context(), h)
}

// serveWorld says in JSON what is served and how it stands.
func (s *Server) serveWorld(w http.ResponseWriter, _ *http.Request) {
	var state struct {
		Name          string `json:"name"`
		World         string `json:"world"`
		Document      string `json:"document"`
		Head          uint64 `json:"head"`    // the last entry that is applied
		Entries       uint64 `json:"entries"` // in the log
		Hash          string `json:"hash"`    // of all edited bricks, 16 hexadecimal digits
		Bricks        int    `json:"bricks"`
		People        int    `json:"people"`
		ViewRadius    int    `json:"view_radius"`
		UptimeSeconds int64  `json:"uptime_seconds"`
		Version       string `json:"version"`
	}
	state.Name = s.meta.Name
	state.World = hex.EncodeToString(s.meta.World[:])
	state.Document = s.meta.Document.String()
	state.Entries = uint64(s.store.Head())
	state.ViewRadius = s.config.ViewRadius
	state.UptimeSeconds = int64(time.Since(s.started) / time.Second)
	state.Version = s.config.Version
	o := s.owner
	if !o.ask(func() {
		state.Head = uint64(o.applied)
		state.Hash = fmt.Sprintf("%016x", o.layer.Hash())
		state.Bricks = o.layer.Len()
		state.People = len(o.sessions)
	}) {
		http.Error(w, "the server has stopped", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(state)
}

// serveHealth answers 200 while the owner works, 503 when the server stops.
func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	s.mu.Lock()
	closing := s.closing
	s.mu.Unlock()
	if closing || !s.owner.ask(func() {}) {
		http.Error(w, "closing", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ok\n"))
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
