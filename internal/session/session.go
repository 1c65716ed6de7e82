package session

import (
	"errors"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/session/budget"
	"github.com/terrane/terrane/internal/session/builders"
	"github.com/terrane/terrane/internal/session/fetch"
	"github.com/terrane/terrane/internal/session/group"
	"github.com/terrane/terrane/internal/session/link"
	"github.com/terrane/terrane/internal/session/own"
	"github.com/terrane/terrane/internal/session/region"
	"github.com/terrane/terrane/internal/session/residency"
	"github.com/terrane/terrane/internal/session/tile"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

// A Session is one client's connection to a world and everything derived from it. It is not safe for
// concurrent use. now is the time since any fixed moment and never goes back.
type Session struct {
	host Host
	conf Config
	now  time.Duration // of the event in hand

	budget budget.Budget // what is left of the event's slice
	more   bool          // whether the last event left work for another slice

	link      *link.Link
	blueprint blueprint
	fetches   *fetch.Queue
	builders  *builders.Pool
	screen    *group.Screen
	people    people
	status    reporter
	view      view
	struck    lattice.Place // by the last Strike
	tally     own.Tally     // of own edits, as of the last world that was left
	versions  uint32        // of chunks, likewise

	// The world: all nil until it is loaded.
	world     *world.World
	tiles     *tile.Store
	regions   *region.Regions
	own       *own.Edits
	residency *residency.Residency
	groups    *group.Groups
	source    *builders.Source
}

// A view is the place of the viewer and its view radius.
type view struct {
	known  bool // whether View was called
	eye    lattice.Place
	radius int
	mesher mesher.Kind
}

// The errors of Edit.
var (
	ErrNotLoaded = errors.New("the world is not loaded yet")
	ErrNoGround  = own.ErrNoGround
	ErrTooMany   = own.ErrTooMany
	ErrClosed    = errors.New("there is no connection, and there will be none")
)

// New returns a session that gives its orders to h. It does nothing before Start.
func New(c Config, h Host) *Session {
	c = c.withDefaults()
	s := &Session{host: h, conf: c, view: view{mesher: c.Mesher, radius: c.Radius}}
	s.people = people{host: h, most: c.MaxPeople, known: make(map[uint64]struct{})}
	s.link = link.New(link.Config{Session: c.Session, Name: c.Name, Seed: c.Seed}, h, (*wiring)(s))
	s.fetches = fetch.New(h, c.MaxFetches, &s.budget)
	s.builders = builders.New(c.Builders, c.JobsPerBuilder, h, (*wiring)(s), &s.budget)
	s.screen = group.NewScreen(h)
	return s
}

// Start connects.
func (s *Session) Start(now time.Duration) {
	s.begin(now)
	s.link.Start()
	s.end()
}

// Close disconnects for good. Pending edits are lost.
func (s *Session) Close(now time.Duration) {
	s.begin(now)
	s.link.Close()
	s.end()
}

// Opened tells that the socket asked for by Connect is open.
func (s *Session) Opened(now time.Duration) {
	s.begin(now)
	s.link.Opened()
	s.end()
}

// Closed tells that the socket failed or was closed, and why, for people.
func (s *Session) Closed(now time.Duration, reason string) {
	s.begin(now)
	s.link.Lost(reason)
	s.end()
}

// Receive takes a frame from the server. The session may keep it: the host must not use it again.
func (s *Session) Receive(now time.Duration, frame []byte) {
	s.begin(now)
	switch m := s.link.Receive(frame).(type) {
	case wire.Welcome:
		s.welcome(m)
	case wire.Snapshot:
		s.snapshot(m)
	case wire.Entry:
		s.entry(m)
	case wire.Ack:
		if s.world != nil {
			s.own.Acknowledged(m.Counter, m.Seq)
		}
	case wire.EditRefused:
		if s.world != nil && s.own.Refused(m.Counter) {
			s.status.report("edit refused: " + m.Message)
			s.status.urgent = true
		}
	case wire.People:
		s.people.moved(m)
	}
	s.end()
}

// Fetched takes the content asked for by Fetch, whose SHA-256 the session checks. It may keep data.
func (s *Session) Fetched(now time.Duration, hash asset.Hash, data []byte) {
	s.begin(now)
	if problem := s.fetches.Fetched(s.now, hash, data); problem != "" {
		s.status.report(problem)
	}
	s.end()
}

// FetchFailed tells that a Fetch failed and why. It is tried again later.
func (s *Session) FetchFailed(now time.Duration, hash asset.Hash, reason string) {
	s.begin(now)
	if s.fetches.Failed(s.now, hash) {
		s.status.report(reason)
	}
	s.end()
}

// Built takes the result of a job: its header, at least the first 64 bytes of what builder.Build returned. The
// host keeps the whole until Show or Discard names the ticket.
func (s *Session) Built(now time.Duration, ticket uint32, header []byte) {
	s.begin(now)
	s.builders.Built(ticket, header)
	s.end()
}

// BuildFailed tells that a job failed and why. It is tried again a few times.
func (s *Session) BuildFailed(now time.Duration, ticket uint32, reason string) {
	s.begin(now)
	s.builders.Failed(ticket, reason)
	s.end()
}

// Shown tells that the group has been drawn.
func (s *Session) Shown(now time.Duration, group uint64) {
	s.begin(now)
	s.screen.Shown(group)
	s.end()
}

// View tells where the viewer's eye is and where it looks. Call it whenever that changed.
func (s *Session) View(now time.Duration, eye lattice.Place, yaw, pitch float32) {
	s.begin(now)
	if eye.Valid() && geom.Finite(yaw) && geom.Finite(pitch) {
		s.view.known, s.view.eye = true, eye
		s.updateView()
		s.link.Present(wire.Presence{Eye: eye, Yaw: yaw, Pitch: pitch})
	}
	s.end()
}

// Edit makes an edit: it is shown at once and sent to the server. The error says why it was not taken.
func (s *Session) Edit(now time.Duration, b edit.Brush, at lattice.Place) (counter uint64, err error) {
	s.begin(now)
	counter, err = s.edit(edit.Edit{Brush: b, Place: at})
	s.end()
	return counter, err
}

// edit is the door for own edits: what is behind it is checked.
func (s *Session) edit(e edit.Edit) (counter uint64, err error) {
	if s.link.Ended() {
		return 0, ErrClosed
	}
	if s.world == nil {
		return 0, ErrNotLoaded
	}
	c, err := e.Check()
	if err == nil {
		err = c.CheckPalette(s.world.PaletteLen())
	}
	if err != nil {
		return 0, err
	}
	return s.own.Make(c)
}

// Aim returns where a sight meets the ground. Pending edits count.
func (s *Session) Aim(at Sight) (Hit, bool) {
	if s.world == nil || !s.tiles.CoversRay(at.From, at.Dir, at.Reach) {
		return Hit{}, false
	}
	return s.world.Ray(at.From, at.Dir, at.Reach)
}

// Ground returns the height in meters of the generated ground at the column x, z, and false while the world
// or the raster there is not loaded; then it is fetched.
func (s *Session) Ground(x, z int32) (float32, bool) {
	if s.world == nil {
		return 0, false
	}
	if b := (lattice.Box{Min: lattice.Sample{X: x, Z: z}, Max: lattice.Sample{X: x, Z: z}.Add(1, 1, 1)}); !s.tiles.Covers(b) {
		s.tiles.Prefetch(b)
		return 0, false
	}
	return s.world.Ground(x, z), true
}

// At returns the density of a sample as it is shown, and false while it is not known: the world is not
// loaded, or the sample's region is not live.
func (s *Session) At(p lattice.Sample) (float32, bool) {
	if s.world == nil || !p.InLimit() || !s.regions.Present(lattice.RegionOf(p, s.world.Level())) {
		return 0, false
	}
	return s.world.At(p), true
}

// SetMesher builds every chunk anew with another mesher. Old meshes stay until the new ones are there.
func (s *Session) SetMesher(now time.Duration, k mesher.Kind) {
	s.begin(now)
	if k.Valid() && k != s.view.mesher {
		s.view.mesher = k
		if s.world != nil {
			s.source.Mesher = k
			s.residency.RaiseAll()
		}
	}
	s.end()
}

// SetRadius changes the view radius, in chunks; 0 takes what the server suggests.
func (s *Session) SetRadius(now time.Duration, radius int) {
	s.begin(now)
	if radius == 0 {
		radius = int(s.blueprint.welcome.ViewRadius)
	}
	s.view.radius = min(max(radius, 0), lod.MaxRadius)
	s.updateView()
	s.end()
}

// updateView tells the residency of the view, once there are both.
func (s *Session) updateView() {
	if s.world != nil && s.view.known {
		s.residency.UpdateView(s.view.eye, s.view.radius)
	}
}

// Tick does what time brings and what was put off. Call it at least every 50 ms; if it reports true there is
// more to do, and it should be called again as soon as other events have had their turn.
func (s *Session) Tick(now time.Duration) (more bool) {
	s.begin(now)
	s.link.Tick()
	s.fetches.Tick(s.now)
	s.end()
	return s.more
}

// begin starts an event. now never goes back, even if the host's clock does.
func (s *Session) begin(now time.Duration) {
	s.now = max(s.now, now)
	s.link.Begin(s.now)
	s.budget.Reset(s.conf.Slice)
}

// end does what the event made possible, and what was put off, as far as the slice lasts.
func (s *Session) end() {
	s.fetches.Start()
	s.more = false
	if s.world != nil {
		s.regions.Sync()
		s.own.Send(s.now)
		s.residency.Discover()
		// However much comes in, a quarter of a slice is left for what goes to builders and the screen: a server that
		// sends without pause would otherwise keep the screen from ever changing.
		s.more = s.budget.Exhausted()
		s.budget.AtLeast(s.conf.Slice/4 + 1)
		s.groups.Pump()
		s.more = s.more || s.budget.Exhausted()
	}
	s.report()
}
