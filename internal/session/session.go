package session

import (
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesher"
)

// A Session is one client's connection to a world and everything derived from it. It is not safe for
// concurrent use. now is the time since any fixed moment and never goes back.
type Session struct {
	host Host
	conf Config
}

// New returns a session that gives its orders to h. It does nothing before Start.
func New(c Config, h Host) *Session { return &Session{host: h, conf: c} }

// Start connects.
func (s *Session) Start(now time.Duration) {}

// Close disconnects for good. Pending edits are lost.
func (s *Session) Close(now time.Duration) {}

// Opened tells that the socket asked for by Connect is open.
func (s *Session) Opened(now time.Duration) {}

// Closed tells that the socket failed or was closed, and why, for people.
func (s *Session) Closed(now time.Duration, reason string) {}

// Receive takes a frame from the server. The session may keep it: the host must not use it again.
func (s *Session) Receive(now time.Duration, frame []byte) {}

// Fetched takes the content asked for by Fetch, whose SHA-256 the session checks. It may keep data.
func (s *Session) Fetched(now time.Duration, hash [32]byte, data []byte) {}

// FetchFailed tells that a Fetch failed and why. It is tried again later.
func (s *Session) FetchFailed(now time.Duration, hash [32]byte, reason string) {}

// Built takes the result of a job: its header, at least the first 64 bytes of what builder.Build returned. The
// host keeps the whole until Show or Discard names the ticket.
func (s *Session) Built(now time.Duration, ticket uint32, header []byte) {}

// BuildFailed tells that a job failed and why. It is tried again a few times.
func (s *Session) BuildFailed(now time.Duration, ticket uint32, reason string) {}

// Shown tells that the group has been drawn.
func (s *Session) Shown(now time.Duration, group uint64) {}

// View tells where the viewer's eye is and where it looks. Call it whenever that changed.
func (s *Session) View(now time.Duration, eye lattice.Place, yaw, pitch float32) {}

// Edit makes an edit: it is shown at once and sent to the server. The error says why it was not taken.
func (s *Session) Edit(now time.Duration, b edit.Brush, at lattice.Place) (counter uint64, err error) {
	return 0, nil
}

// Aim returns where a ray from a place along dir, of length 1, meets the ground within reach meters. Pending
// edits count.
func (s *Session) Aim(from lattice.Place, dir geom.Vec3, reach float32) (Hit, bool) {
	return Hit{}, false
}

// Ground returns the height in meters of the generated ground at the column x, z, and false while the world
// is not loaded.
func (s *Session) Ground(x, z int32) (float32, bool) { return 0, false }

// SetMesher builds every chunk anew with another mesher. Old meshes stay until the new ones are there.
func (s *Session) SetMesher(now time.Duration, k mesher.Kind) {}

// SetRadius changes the view radius, in chunks.
func (s *Session) SetRadius(now time.Duration, radius int) {}

// Tick does what time brings and what was put off. Call it at least every 50 ms; if it reports true there is
// more to do, and it should be called again as soon as other events have had their turn.
func (s *Session) Tick(now time.Duration) (more bool) { return false }

// Status returns the current status.
func (s *Session) Status() Status { return Status{} }
