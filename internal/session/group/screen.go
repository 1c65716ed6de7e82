package group

import "github.com/terrane/terrane/lattice"

// A Host shows frames; session.Host tells more.
type Host interface {
	Show(f Frame)
	Discard(ticket uint32)
}

// A Frame is a set of changes that belong into one frame of the screen.
type Frame struct {
	ID      uint64
	Results []Result        // chunks that get a new mesh
	Drop    []lattice.Chunk // chunks that are no longer kept
	Edit    bool            // whether an edit caused it, so that the user waits for it
}

// A Result names the mesh of a chunk by the ticket of the job that built it.
type Result struct {
	Ticket  uint32
	Chunk   lattice.Chunk
	Version uint32
	Empty   bool // it has no triangle: whatever is shown of the chunk goes away
}

// A Screen hands frames to the host and counts those that are not drawn yet. It outlives the world: what was handed
// over before a world was left is still to be drawn.
type Screen struct {
	host    Host
	ids     uint64
	unshown map[uint64]struct{} // handed over and not answered
	drops   []lattice.Chunk     // meshes that the screen is to let go of
	results []Result            // of the next frame
}

// NewScreen returns a screen that shows nothing.
func NewScreen(h Host) *Screen { return &Screen{host: h, unshown: make(map[uint64]struct{})} }

// add makes a result part of the next frame.
func (s *Screen) add(r Result) { s.results = append(s.results, r) }

// drop has the mesh of a chunk taken off the screen with the next frame.
func (s *Screen) drop(id lattice.Chunk) { s.drops = append(s.drops, id) }

// publish hands the host what add has gathered.
func (s *Screen) publish(edit bool) {
	if len(s.results) == 0 {
		return
	}
	s.Flush()
	s.show(Frame{Results: s.results, Edit: edit})
	s.results = s.results[:0]
}

// Flush tells the host which meshes are no longer kept. They go before anything new: a chunk that was dropped and is
// tracked again may be among the results.
func (s *Screen) Flush() {
	if len(s.drops) == 0 {
		return
	}
	s.show(Frame{Drop: s.drops})
	s.drops = s.drops[:0]
}

func (s *Screen) show(f Frame) {
	s.ids++
	s.unshown[s.ids] = struct{}{}
	f.ID = s.ids
	s.host.Show(f)
}

// Shown takes the news that a frame was drawn.
func (s *Screen) Shown(id uint64) { delete(s.unshown, id) }

// Unshown returns the number of frames that were handed over and are not drawn.
func (s *Screen) Unshown() int { return len(s.unshown) }
