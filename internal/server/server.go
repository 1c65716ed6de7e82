package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/wire"
)

// A Server serves one world. It is an http.Handler; Close ends it.
type Server struct {
	config  Config
	log     *slog.Logger
	store   worldlog.Store
	meta    worldlog.Meta
	started time.Time
	owner   *owner
	pieces  *pieces
	saver   *saver
	fixed   map[worldlog.Hash][]byte // the document and the assets
	handler http.Handler

	mu      sync.Mutex // guards the rest
	conns   map[*conn]struct{}
	records records
	nextID  uint64
	closing bool
	running sync.WaitGroup // connections

	closed    chan struct{} // closed when Close begins
	closeOnce sync.Once
	closeErr  error
}

// New loads the world of config.Store: its document and assets, the newest snapshot and the entries after it.
// It says in the log how far it is when that takes long; ctx ends it early.
func New(ctx context.Context, config Config) (*Server, error) {
	if config.Store == nil {
		panic("server: Config without a Store")
	}
	config = config.withDefaults()
	s := &Server{
		config:  config,
		log:     config.Log,
		store:   config.Store,
		meta:    config.Store.Meta(),
		started: time.Now(),
		pieces:  newPieces(config.Limits.KeepPieces),
		conns:   make(map[*conn]struct{}),
		records: make(records),
		closed:  make(chan struct{}),
	}
	if err := checkSemantics(s.meta.Semantics); err != nil {
		return nil, err
	}
	l, err := load(ctx, s.store, s.log)
	if err != nil {
		return nil, fmt.Errorf("world %q: %w", s.meta.Name, err)
	}
	s.fixed = l.fixed
	s.saver = newSaver(s.store, s.log, l)
	s.owner = newOwner(s, l)
	s.handler = s.routes()
	go s.owner.run()
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close tells the clients that the server stops, waits until the appends under way are durable, writes a
// snapshot and frees everything but the store. Closing again returns the same error.
func (s *Server) Close() error {
	s.closeOnce.Do(func() {
		close(s.closed)
		s.mu.Lock()
		s.closing = true
		for c := range s.conns {
			c.refuse(wire.CodeClosing, "the server stops; come back in a moment")
		}
		s.mu.Unlock()
		s.running.Wait()
		s.owner.stop()
		s.closeErr = s.saver.close(s.owner.image())
	})
	return s.closeErr
}

// Serve serves HTTP on ln until ctx ends, then lets requests under way finish and closes the server. It
// returns nil after an orderly end.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      5 * time.Minute, // an asset of 25 MB at 100 kB/s
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(ln) }()
	select {
	case err := <-failed:
		return errors.Join(fmt.Errorf("server: %w", err), s.Close())
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := h.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close()
	}
	<-failed
	return errors.Join(err, s.Close())
}

// Listen listens on a TCP address; a port that is taken is said in words.
func Listen(addr string) (net.Listener, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		if portInUse(err) {
			return nil, fmt.Errorf("server: %s is in use by another program; choose another port or stop that program", addr)
		}
		return nil, fmt.Errorf("server: %w", err)
	}
	return ln, nil
}
