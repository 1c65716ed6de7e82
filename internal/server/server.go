package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/terrane/terrane/asset"
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
	fixed   map[asset.Hash][]byte // the document and its assets, without tiles
	tiles   *tiles
	named   []asset.Hash // the assets that the document names
	palette int          // the number of the world's materials, which edits may paint with
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
	s.fixed, s.tiles, s.named, s.palette = l.fixed, l.tiles, l.named, l.palette
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

// Serve serves HTTP on ln, with time limits, until ctx ends. Then it closes the server and lets requests under
// way finish. It returns nil after an orderly end.
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
	err := s.Close()
	if errors.Is(h.Shutdown(grace), context.DeadlineExceeded) {
		err = errors.Join(err, h.Close())
	}
	<-failed
	return err
}

// A Config says what to serve. Only Store is needed.
type Config struct {
	Store  worldlog.Store // of the world; Close leaves it open
	Client fs.FS          // the built page with index.html at its root; nil or empty serves a note instead
	Log    *slog.Logger   // nil logs to slog.Default

	Version    string   // the program's, shown under /v1/world
	ViewRadius int      // chunks, suggested to clients; 0 is 8
	Origins    []string // host patterns of other sites whose pages may connect; the page's own host always may

	// SnapshotEvery is the number of entries after which a snapshot of the log is written. A start replays at
	// most about as many entries, some ten thousand a second or more; a snapshot writes every changed brick. 0 is 5,000.
	SnapshotEvery int

	Limits Limits
}

// Limits bound what clients may cost. Zero values take the defaults.
type Limits struct {
	Connections   int // at once; 0 is 256
	Subscriptions int // of a connection at once; 0 is 256, a view radius of about 55 chunks
	Pending       int // edits of a connection on their way into the log; reading waits when there are more; 0 is 64

	// Edits of a connection. A tool held down makes 8.3 edits a second; a client that was offline sends what
	// it kept at once.
	EditsPerSecond float64 // 0 is 30
	EditBurst      int     // 0 is 128
	// Samples that those edits may reach, since the work is theirs. A ball of radius 8 reaches 4,169, of
	// radius 64 1.2 million.
	SamplesPerSecond float64 // 0 is 250,000
	SampleBurst      int     // 0 is 2,500,000

	// Frames of a connection, of any kind; a subscription counts four. Reading waits when there are more.
	FramesPerSecond float64 // 0 is 300
	FrameBurst      int     // 0 is 1,000

	// What may wait for a slow client before it is dropped. Snapshots do not count: they are made when their
	// turn comes.
	QueueFrames int // 0 is 8,192
	QueueBytes  int // 0 is 2 MiB

	HelloTimeout time.Duration // for the first message; 0 is 10 s
	WriteTimeout time.Duration // for one frame; 0 is 10 s
	PingInterval time.Duration // between keep-alives, and for their answers; 0 is 20 s
	CloseTimeout time.Duration // for a client to take its farewell; 0 is 2 s
	KeepPieces   time.Duration // how long a named piece stays at hand; 0 is 3 min
}

// or returns v, or the default d for zero.
func or[T int | float64 | time.Duration](v, d T) T {
	if v == 0 {
		return d
	}
	return v
}

// withDefaults returns the configuration with every zero value replaced.
func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	c.ViewRadius = or(c.ViewRadius, 8)
	c.SnapshotEvery = or(c.SnapshotEvery, 5000)
	l := &c.Limits
	l.Connections = or(l.Connections, 256)
	l.Subscriptions = or(l.Subscriptions, 256)
	l.Pending = or(l.Pending, 64)
	l.EditsPerSecond = or(l.EditsPerSecond, 30)
	l.EditBurst = or(l.EditBurst, 128)
	l.SamplesPerSecond = or(l.SamplesPerSecond, 250_000)
	l.SampleBurst = or(l.SampleBurst, 2_500_000)
	l.FramesPerSecond = or(l.FramesPerSecond, 300)
	l.FrameBurst = or(l.FrameBurst, 1000)
	l.QueueFrames = or(l.QueueFrames, 8192)
	l.QueueBytes = or(l.QueueBytes, 2<<20)
	l.HelloTimeout = or(l.HelloTimeout, 10*time.Second)
	l.WriteTimeout = or(l.WriteTimeout, 10*time.Second)
	l.PingInterval = or(l.PingInterval, 20*time.Second)
	l.CloseTimeout = or(l.CloseTimeout, 2*time.Second)
	l.KeepPieces = or(l.KeepPieces, 3*time.Minute)
	return c
}
