package session

import (
	"errors"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
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

	budget int    // what is left of the event's slice
	more   bool   // whether the last event left work for another slice
	frame  []byte // scratch of send

	link      link
	blueprint blueprint
	fetches   fetches
	tiles     tiles
	status    reporter

	// The world: nil until it is loaded.
	world   *world.World
	regions regions
	own     ownEdits

	// The view.
	view     view
	people   map[uint64]struct{}
	columns  map[lod.Column]*column
	waiting  []lod.Column // in view, not tracked yet, nearest first as far as known
	rescan   bool         // whether one of waiting may have become ready
	chunks   map[lattice.Chunk]*chunk
	fresh    int // chunks whose newest version is shown
	queue    lod.Queue
	versions uint32 // the last one given to a chunk

	// What changes together, and what builders are at.
	groups groups
	jobs   jobs
}

// A view is what the viewer sees from where.
type view struct {
	known  bool // whether View was called
	eye    lattice.Place
	yaw    float32
	pitch  float32
	radius int
	mesher mesher.Kind
	set    lod.Set
	ranked lattice.Place // the eye for which the queue was ordered last

	sent     bool // whether the server knows of the above
	sentTime time.Duration
}

// The errors of Edit.
var (
	ErrNotLoaded = errors.New("the world is not loaded yet")
	ErrNoGround  = errors.New("the ground there is not loaded yet")
	ErrTooMany   = errors.New("too many edits wait for the server")
	ErrClosed    = errors.New("there is no connection, and there will be none")
)

// New returns a session that gives its orders to h. It does nothing before Start.
func New(c Config, h Host) *Session {
	c = c.withDefaults()
	s := &Session{
		host:    h,
		conf:    c,
		people:  make(map[uint64]struct{}),
		columns: make(map[lod.Column]*column),
		chunks:  make(map[lattice.Chunk]*chunk),
	}
	s.link.random = c.Seed
	s.view.mesher, s.view.radius = c.Mesher, c.Radius
	s.fetches.init()
	s.regions.init()
	s.groups.init()
	s.jobs.init(c.Builders)
	return s
}

// withDefaults returns c with its zero values replaced and the others brought into range.
func (c Config) withDefaults() Config {
	or := func(v *int, d, most int) {
		if *v <= 0 {
			*v = d
		}
		*v = min(*v, most)
	}
	if c.Seed == 0 {
		c.Seed = c.Session
	}
	if c.Builders < 0 {
		c.Builders = 0
	}
	c.Radius = min(max(c.Radius, 0), lod.MaxRadius)
	or(&c.JobsPerBuilder, 2, 16)
	or(&c.MaxUnshown, 8, 1<<10)
	or(&c.MaxFetches, 8, 1<<10)
	or(&c.MaxPending, 1024, 4096) // builder.MaxPending bounds a job's
	or(&c.MaxPeople, 1024, wire.MaxPeople)
	or(&c.EditsPerSecond, 25, 1e6)
	or(&c.EditBurst, 100, 1e6)
	or(&c.Slice, 64, 1<<20)
	return c
}

// Start connects.
func (s *Session) Start(now time.Duration) {
	s.begin(now)
	if s.link.state == Offline {
		s.link.state, s.status.urgent = Connecting, true
		s.host.Connect(0)
	}
	s.end()
}

// Close disconnects for good. Pending edits are lost.
func (s *Session) Close(now time.Duration) {
	s.begin(now)
	if s.link.state != Offline && s.link.state != Rejected {
		s.host.Disconnect()
	}
	s.offline()
	s.link.state, s.status.urgent = Offline, true
	s.end()
}

// Opened tells that the socket asked for by Connect is open.
func (s *Session) Opened(now time.Duration) {
	s.begin(now)
	s.opened()
	s.end()
}

// Closed tells that the socket failed or was closed, and why, for people.
func (s *Session) Closed(now time.Duration, reason string) {
	s.begin(now)
	s.lost(reason)
	s.end()
}

// Receive takes a frame from the server. The session may keep it: the host must not use it again.
func (s *Session) Receive(now time.Duration, frame []byte) {
	s.begin(now)
	if s.link.open {
		s.link.heard = now
		if m, err := wire.ParseServer(frame); err != nil {
			s.drop("the server sent what is no message: " + err.Error())
		} else {
			s.receive(m)
		}
	}
	s.end()
}

// receive does what a message says.
func (s *Session) receive(m wire.ServerMessage) {
	if w, ok := m.(wire.Welcome); ok {
		s.welcome(w)
		return
	}
	if r, ok := m.(wire.Refused); ok {
		s.refused(r)
		return
	}
	if !s.link.welcomed {
		s.drop("the server spoke before its welcome")
		return
	}
	switch m := m.(type) {
	case wire.Snapshot:
		s.snapshot(m)
	case wire.Entry:
		s.entry(m)
	case wire.Ack:
		s.acknowledged(m)
	case wire.EditRefused:
		s.editRefused(m)
	case wire.People:
		s.peopleMoved(m)
	case wire.Pong:
		s.regions.head = max(s.regions.head, m.Head)
	}
}

// Fetched takes the content asked for by Fetch, whose SHA-256 the session checks. It may keep data.
func (s *Session) Fetched(now time.Duration, hash asset.Hash, data []byte) {
	s.begin(now)
	s.fetched(hash, data)
	s.end()
}

// FetchFailed tells that a Fetch failed and why. It is tried again later.
func (s *Session) FetchFailed(now time.Duration, hash asset.Hash, reason string) {
	s.begin(now)
	s.fetchFailed(hash, reason)
	s.end()
}

// Built takes the result of a job: its header, at least the first 64 bytes of what builder.Build returned. The
// host keeps the whole until Show or Discard names the ticket.
func (s *Session) Built(now time.Duration, ticket uint32, header []byte) {
	s.begin(now)
	s.built(ticket, header)
	s.end()
}

// BuildFailed tells that a job failed and why. It is tried again a few times.
func (s *Session) BuildFailed(now time.Duration, ticket uint32, reason string) {
	s.begin(now)
	s.buildFailed(ticket, reason)
	s.end()
}

// Shown tells that the group has been drawn.
func (s *Session) Shown(now time.Duration, group uint64) {
	s.begin(now)
	s.groups.shown(group)
	s.end()
}

// View tells where the viewer's eye is and where it looks. Call it whenever that changed.
func (s *Session) View(now time.Duration, eye lattice.Place, yaw, pitch float32) {
	s.begin(now)
	if eye.Valid() && geom.Finite(yaw) && geom.Finite(pitch) {
		v := &s.view
		if !v.known || v.eye != eye || v.yaw != yaw || v.pitch != pitch {
			v.known, v.eye, v.yaw, v.pitch, v.sent = true, eye, yaw, pitch, false
		}
		s.look()
		s.sendPresence()
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

// Aim returns where a ray from a place along dir meets the ground within reach meters. Pending edits count.
func (s *Session) Aim(from lattice.Place, dir geom.Vec3, reach float32) (Hit, bool) {
	if s.world == nil || !s.sees(from, dir, reach) {
		return Hit{}, false
	}
	return s.world.Ray(from, dir, reach)
}

// Ground returns the height in meters of the generated ground at the column x, z, and false while the world
// or the raster there is not loaded; then it is fetched.
func (s *Session) Ground(x, z int32) (float32, bool) {
	if s.world == nil {
		return 0, false
	}
	if b := (lattice.Box{Min: lattice.Sample{X: x, Z: z}, Max: lattice.Sample{X: x, Z: z}.Add(1, 1, 1)}); !s.tiles.have(b) {
		s.glance(s.tiles.in(b))
		return 0, false
	}
	return s.world.Ground(x, z), true
}

// At returns the density of a sample as it is shown, and false while it is not known: the world is not
// loaded, or the sample's region is not live.
func (s *Session) At(p lattice.Sample) (float32, bool) {
	if s.world == nil || !p.InLimit() {
		return 0, false
	}
	if r := s.regions.all[lattice.RegionOf(p, s.world.Level())]; r == nil || !r.present() {
		return 0, false
	}
	return s.world.At(p), true
}

// SetMesher builds every chunk anew with another mesher. Old meshes stay until the new ones are there.
func (s *Session) SetMesher(now time.Duration, k mesher.Kind) {
	s.begin(now)
	if k.Valid() && k != s.view.mesher {
		s.view.mesher = k
		s.raiseAll()
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
	s.look()
	s.end()
}

// Tick does what time brings and what was put off. Call it at least every 50 ms; if it reports true there is
// more to do, and it should be called again as soon as other events have had their turn.
func (s *Session) Tick(now time.Duration) (more bool) {
	s.begin(now)
	s.tickLink()
	s.fetches.retry(now)
	s.sendPresence()
	s.end()
	return s.more
}

// begin starts an event. now never goes back, even if the host's clock does.
func (s *Session) begin(now time.Duration) {
	s.now = max(s.now, now)
	s.budget = s.conf.Slice
}

// end does what the event made possible, and what was put off, as far as the slice lasts.
func (s *Session) end() {
	s.startFetches()
	s.more = false
	if s.world != nil {
		s.sync()
		s.sendOwn()
		s.trackColumns()
		// However much comes in, a quarter of a slice is left for what goes to builders and the screen.
		s.more = s.budget <= 0
		s.budget = max(s.budget, s.conf.Slice/4+1)
		s.flushDrops()
		s.pump()
		s.more = s.more || s.budget <= 0
	}
	s.report()
}

// spend takes n units from the slice and reports whether there was one left.
func (s *Session) spend(n int) bool {
	if s.budget <= 0 {
		return false
	}
	s.budget -= n
	return true
}

// send writes m to the server. Without a connection it is lost, so callers check first.
func (s *Session) send(m wire.ClientMessage) {
	s.frame = wire.AppendClient(s.frame[:0], m)
	s.host.Send(s.frame)
}
