package bot

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/session"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// Config holds the settings of a bot. Only URL is needed.
type Config struct {
	URL     string // of the server: http://127.0.0.1:8080
	Name    string // shown to others; "" is "bot"
	Session uint64 // names the client to the server; 0 draws one
	Seed    uint64 // of the places it edits; 0 draws one

	Place  lattice.Place // where its eye is; the edits are made near it
	Radius int           // view radius in chunks; 0 is 2
	// Builders is the number of goroutines that build chunks. With 0 the bot keeps edited bricks only.
	Builders int

	// EditsPerSecond is how often the bot digs and builds. With 0 it only watches.
	EditsPerSecond float64
	Edits          int     // stop editing after so many; 0 never stops
	Spread         float64 // how far from Place edits are made along x and z, in meters; 0 is 32
	BrushRadius    float32 // meters; 0 is 3

	Log   *slog.Logger // nil is silent
	Trace Trace
}

// A Trace is called in the bot's goroutine as things happen; it must not wait. Functions may be nil.
type Trace struct {
	Sent  func(counter uint64)      // an own edit was handed to the socket
	Acked func(counter, seq uint64) // its acknowledgement came
	Entry func(seq, counter uint64) // an entry came; counter is 0 for others' edits
	Shown func(g session.Group)     // a group is complete
}

// Stats counts what a bot has done and received.
type Stats struct {
	Edits    uint64 // made
	Acked    uint64
	Refused  uint64
	Entries  uint64 // that came, own and others'
	Connects int
	Retries  int // attempts to connect after the first
	Fetched  int // contents
	Built    int // chunks
	Shown    int // groups

	Ack  Latency        // from sending an edit to its acknowledgement
	Back Latency        // from sending an edit to its entry, which others get at the same time
	Seen Latency        // from the order of another's edit, by the server's clock, to its entry here
	Last session.Status // as of Close, if the bot is closed
}

// A Bot is one client. Start returns one.
type Bot struct {
	config Config
	base   *url.URL
	client *http.Client
	start  time.Time
	life   context.Context // ends when the bot is to end
	cancel context.CancelFunc
	done   chan struct{} // closed when the owner has ended
	events chan func()   // run by the owner

	// The owner's.
	session  *session.Session
	net      network
	build    builders
	deferred []func() // calls of the session that its host put off while the session was at work
	random   *mathrand.Rand
	made     int
	due      time.Time // of the next edit
	sent     map[uint64]time.Time

	mu     sync.Mutex // guards the rest
	status session.Status
	stats  Stats
	change chan struct{} // closed and replaced when status or stats change
}

// ErrRejected is wrapped by the error of a bot that the server refused.
var ErrRejected = errors.New("bot: the server refused the client")

// Start starts a bot, which works until ctx ends or Close is called.
func Start(ctx context.Context, c Config) (*Bot, error) {
	base, err := url.Parse(c.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("bot: %q is no address of a server; want one like http://127.0.0.1:8080", c.URL)
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	c = c.withDefaults()
	ctx, cancel := context.WithCancel(ctx)
	b := &Bot{
		config: c,
		base:   base,
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute}},
		start:  time.Now(),
		life:   ctx,
		cancel: cancel,
		done:   make(chan struct{}),
		events: make(chan func()),
		random: mathrand.New(mathrand.NewPCG(c.Seed, 0)),
		sent:   make(map[uint64]time.Time),
		change: make(chan struct{}),
	}
	b.net.bot, b.build.bot = b, b
	b.session = session.New(session.Config{
		Session: c.Session, Name: c.Name, Seed: c.Seed, Builders: c.Builders, Radius: c.Radius,
		EditsPerSecond: max(25, int(2*c.EditsPerSecond)), EditBurst: max(100, int(2*c.EditsPerSecond)), MaxPending: 4096,
	}, host{b})
	go b.run()
	return b, nil
}

func (c Config) withDefaults() Config {
	if c.Name == "" {
		c.Name = "bot"
	}
	if c.Radius == 0 {
		c.Radius = 2
	}
	if c.Spread == 0 {
		c.Spread = 32
	}
	if c.BrushRadius == 0 {
		c.BrushRadius = 3
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for _, n := range []*uint64{&c.Session, &c.Seed} {
		for *n == 0 {
			var b [8]byte
			_, _ = rand.Read(b[:]) // never fails
			*n = binary.LittleEndian.Uint64(b[:])
		}
	}
	return c
}

// Run runs a bot until ctx ends or, if Config.Edits is set, until all edits are acknowledged or refused.
func Run(ctx context.Context, c Config) (Stats, error) {
	b, err := Start(ctx, c)
	if err != nil {
		return Stats{}, err
	}
	err = b.Wait(ctx, func(s session.Status) bool {
		return c.Edits > 0 && s.Acked+s.Refused >= uint64(c.Edits)
	})
	stats := b.Close()
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = nil
	}
	return stats, err
}

// Close ends the bot, waits for its goroutines and returns its final counts.
func (b *Bot) Close() Stats {
	b.cancel()
	<-b.done
	return b.Stats()
}

// Stats returns the counts so far.
func (b *Bot) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.stats
	s.Ack, s.Back, s.Seen = s.Ack.clone(), s.Back.clone(), s.Seen.clone()
	s.Last, s.Acked, s.Refused = b.status, b.status.Acked, b.status.Refused
	return s
}

// Status returns the session's status as of its last report.
func (b *Bot) Status() session.Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.status
}

// Wait returns once the session's status is as wanted, or with an error when ctx or the bot has ended or the
// server has refused the client.
func (b *Bot) Wait(ctx context.Context, wanted func(session.Status) bool) error {
	for {
		b.mu.Lock()
		status, change := b.status, b.change
		b.mu.Unlock()
		switch {
		case wanted(status):
			return nil
		case status.State == session.Rejected:
			return fmt.Errorf("%w: %s", ErrRejected, status.Message)
		}
		select {
		case <-change:
		case <-ctx.Done():
			return ctx.Err()
		case <-b.done:
			return errors.New("bot: closed")
		}
	}
}

// Do runs f in the bot's goroutine, with its session and the time to call it with, and waits for it. It
// returns false if the bot has ended.
func (b *Bot) Do(f func(s *session.Session, now time.Duration)) bool {
	done := make(chan struct{})
	if !b.post(func() { f(b.session, b.now()); close(done) }) {
		return false
	}
	select {
	case <-done:
		return true
	case <-b.done:
		return false
	}
}

// post hands the owner an event; false if it has ended.
func (b *Bot) post(f func()) bool {
	select {
	case b.events <- f:
		return true
	case <-b.done:
		return false
	}
}

func (b *Bot) now() time.Duration { return time.Since(b.start) }

// run is the owner.
func (b *Bot) run() {
	ctx := b.life
	defer close(b.done)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	b.session.Start(b.now())
	b.session.View(b.now(), b.config.Place, 0, 0)
	for ctx.Err() == nil {
		b.runDeferred()
		select {
		case <-ctx.Done():
		case f := <-b.events:
			f()
		case <-tick.C:
			b.edit()
			for b.session.Tick(b.now()) && ctx.Err() == nil {
				b.runDeferred()
			}
		}
	}
	last := b.session.Status() // before Close releases everything
	b.session.Close(b.now())
	b.update(func() { b.status = last })
	b.drain()
}

// drain waits for the other goroutines and discards their events.
func (b *Bot) drain() {
	b.build.stop()
	over := make(chan struct{})
	go func() {
		b.net.running.Wait()
		b.build.running.Wait()
		close(over)
	}()
	for {
		select {
		case <-b.events:
		case <-over:
			b.client.CloseIdleConnections()
			return
		}
	}
}

// runDeferred runs what the host put off while the session was at work: a host must not call the session back.
func (b *Bot) runDeferred() {
	for len(b.deferred) > 0 {
		list := b.deferred
		b.deferred = nil
		for _, f := range list {
			f()
		}
	}
}

// edit makes the next edit if it is due: where a ray from above meets the ground, a hole and a heap in turn.
func (b *Bot) edit() {
	c, now := &b.config, time.Now()
	if c.EditsPerSecond <= 0 || now.Before(b.due) {
		return
	}
	if c.Edits > 0 && b.made >= c.Edits || b.Status().State != session.Live || b.Status().Syncing > 0 {
		return
	}
	interval := time.Duration(float64(time.Second) / c.EditsPerSecond)
	for b.due = maxTime(b.due, now.Add(-time.Second)); !b.due.After(now); b.due = b.due.Add(interval) {
		x, _, z := c.Place.Meters()
		x += (2*b.random.Float64() - 1) * c.Spread
		z += (2*b.random.Float64() - 1) * c.Spread
		at, ok := b.ground(x, z)
		if !ok || c.Edits > 0 && b.made >= c.Edits {
			continue
		}
		brush := edit.Brush{Op: edit.Dig, Shape: edit.Ball, Radius: c.BrushRadius}
		if b.made%2 == 1 {
			brush.Op = edit.Build
		}
		if _, err := b.session.Edit(b.now(), brush, at); err != nil {
			c.Log.Debug("edit not taken", "err", err)
			return
		}
		b.made++
		b.update(func() { b.stats.Edits++ })
	}
}

func maxTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// ground returns the place where a ray from above meets the ground at x, z.
func (b *Bot) ground(x, z float64) (lattice.Place, bool) {
	column, ok := lattice.PlaceAt(x, 0, z)
	if !ok {
		return lattice.Place{}, false
	}
	y, ok := b.session.Ground(column.Sample.X, column.Sample.Z)
	if !ok {
		return lattice.Place{}, false
	}
	from, ok := lattice.PlaceAt(x, float64(y)+64, z)
	if !ok {
		return lattice.Place{}, false
	}
	hit, ok := b.session.Aim(session.Sight{From: from, Dir: down, Reach: 256})
	return hit.Place, ok
}

// update changes stats or status and wakes who waits for that.
func (b *Bot) update(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
	close(b.change)
	b.change = make(chan struct{})
}

// measure records the latencies that a message from the server shows.
func (b *Bot) measure(m wire.ServerMessage) {
	now := time.Now()
	switch m := m.(type) {
	case wire.Ack:
		if at, ok := b.sent[m.Counter]; ok {
			b.update(func() { b.stats.Ack.add(now.Sub(at)) })
		}
		delete(b.sent, m.Counter)
		if f := b.config.Trace.Acked; f != nil {
			f(m.Counter, m.Seq)
		}
	case wire.EditRefused:
		delete(b.sent, m.Counter)
	case wire.Entry:
		b.update(func() {
			b.stats.Entries++
			if at, ok := b.sent[m.Counter]; ok {
				b.stats.Back.add(now.Sub(at))
			} else if m.Counter == 0 {
				b.stats.Seen.add(now.Sub(time.UnixMilli(m.TimeMS)))
			}
		})
		if f := b.config.Trace.Entry; f != nil {
			f(m.Seq, m.Counter)
		}
	}
}
