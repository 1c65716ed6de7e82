package session

import (
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/session/group"
	"github.com/terrane/terrane/internal/session/link"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

// A Host does what a session asks for: it owns the socket, the fetches, the builders and the screen. Its
// methods are called from within the session's, so they must not call the session back before they return;
// answers come later, as calls of the Session method named with each. Slices that the session hands over
// are its own and may be read only until the method returns, unless a comment says otherwise.
type Host interface {
	// Connect opens the WebSocket after a wait. Answered by Opened, or by Closed if it fails.
	Connect(after time.Duration)
	// Disconnect closes the socket, or gives up a Connect that is under way. It is not answered, and nothing
	// of that socket may reach the session afterwards.
	Disconnect()
	// Send sends one binary frame.
	Send(frame []byte)
	// Fetch gets content by its SHA-256: GET /v1/content/{hash in hex}. Answered by Fetched or FetchFailed.
	Fetch(hash asset.Hash)

	// Ready hands over what builders are made from (builder.New), before the first Build, and the materials
	// that meshes are of, if any. It is called again only after a restart of the server with another world, when
	// earlier builders are to be thrown away with their jobs, which need no answer. The host may keep the
	// arguments; it must not change them.
	Ready(graph []byte, assets map[asset.Hash][]byte, palette []graph.Material)
	// Build hands a job to the builder numbered lane, which is below Config.Builders; the host may give it to
	// another one that is idle. The ticket is never 0 and never used twice. Answered by Built or BuildFailed.
	Build(ticket, lane uint32, job []byte)
	// Discard tells that the result of a ticket will not be shown: the host may free it.
	Discard(ticket uint32)

	// Show changes the screen, all of the group in one frame. Groups are shown in the order in which they
	// come. Answered by Shown once the frame is drawn.
	Show(g Group)
	// People tells who near the viewer moved, came or left since the last call.
	People(moved []Person, gone []uint64)
	// Status tells what the head-up display shows. It comes at once when the state changes and otherwise at
	// most ten times a second, when something in it changed.
	Status(s Status)
}

// A Group is a set of changes that belong into one frame.
type Group = group.Frame

// A Result names the mesh of a chunk by the ticket of the job that built it.
type Result = group.Result

// A Person is another client near the viewer.
type Person struct {
	Client     uint64
	Name       string
	Eye        lattice.Place
	Yaw, Pitch float32 // radians, as in wire.Presence
}

// A State says how far a session has come.
type State = link.State

// The states.
const (
	Offline    = link.Offline
	Connecting = link.Connecting
	Loading    = link.Loading
	Live       = link.Live
	Waiting    = link.Waiting
	Rejected   = link.Rejected
)

// A Status describes a session to its user.
type Status struct {
	State   State
	Message string        // the last thing that went wrong, for people; "" if nothing
	RetryIn time.Duration // in state Waiting, how long the current wait is in all

	World [16]byte // names the world; zero before the first Welcome
	Name  string   // the world's name
	Head  uint64   // the last entry that the session knows of
	Hash  uint64   // xor of the hashes of the live regions, confirmed edits only

	Regions int // live
	Syncing int // subscribed, not live yet

	Loaded   int // chunks in view that are shown or known to have no surface
	Waiting  int // chunks in view that are not loaded, or whose shown mesh is not of the newest version
	Building int // jobs with builders
	Unshown  int // groups handed to Show and not yet answered

	Pending int    // own edits that are not in the log yet, as far as the session knows
	Acked   uint64 // own edits that are durable
	Refused uint64 // own edits that the server refused

	Mesher mesher.Kind
	Radius int // in chunks
	Eye    lattice.Place
	People int // others in sight
	Tiles  int // of rasters, at hand: with each, Ground may know more
}

// HashHex returns the hash as 16 hexadecimal digits.
func (s Status) HashHex() string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[i] = digits[s.Hash>>(60-4*i)&15]
	}
	return string(b[:])
}

// A Hit is the place at which a ray meets the ground.
type Hit = world.Hit

// Config holds the settings of a session. Its zero value, with a Session number, works.
type Config struct {
	Session uint64 // names this client to the server for ever: random and secret, kept over reconnects
	Name    string // shown to others; up to 64 bytes
	Seed    uint64 // of the jitter in reconnects; 0 takes Session

	// Builders is the number of builder lanes. With 0 nothing is built or shown: the session only keeps the
	// confirmed bricks, as bots do.
	Builders int
	Mesher   mesher.Kind
	Radius   int // view radius in chunks; 0 takes what the server suggests

	JobsPerBuilder int // jobs a builder may have at once; more hide the way there and back, and delay edits. 0: 2
	MaxUnshown     int // groups that may wait for the screen before loading pauses. 0: 8
	MaxFetches     int // fetches under way at once. 0: 8
	MaxPending     int // own edits that may wait for the server; more are refused. 0: 1024
	EditsPerSecond int // own edits sent to the server, which refuses more than 30. 0: 25
	EditBurst      int // own edits sent at once after a pause, of which the server takes 128. 0: 100
	MaxPeople      int // others kept in sight. 0: 1024
	// Slice bounds what one event or Tick does of the work that can be put off, in units of roughly 50 µs in
	// WebAssembly (a job made, a few kilobytes of a brick parsed or hashed). 0: 64
	Slice int
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
