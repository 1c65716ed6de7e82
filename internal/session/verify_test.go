package session

import (
	"math"

	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// verify checks, once all is at rest, that the client holds and shows what the server has.
func (c *client) verify() {
	c.t.Helper()
	st := c.s.Status()
	if st.State != Live || st.Waiting != 0 || st.Building != 0 || st.Unshown != 0 || st.Pending != 0 || st.Syncing != 0 {
		c.t.Fatalf("not at rest: %+v", st)
	}
	open, sealed, marks := c.s.groups.Counts()
	if edits, queued := c.s.own.Len(), c.s.residency.Queued(); open+sealed+marks+edits+queued != 0 {
		c.t.Fatalf("at rest with %d open and %d sealed groups, %d marks, %d own edits, %d queued", open, sealed, marks, edits, queued)
	}
	if len(c.kept) != 0 {
		c.t.Fatalf("%d results were neither shown nor discarded", len(c.kept))
	}
	var want uint64
	for id := range c.s.regions.All() {
		want ^= c.server.world.Layer().RegionHash(id)
	}
	if st.Hash != want {
		c.t.Fatalf("hash %016x, the server's is %016x", st.Hash, want)
	}
	if got := c.s.world.Layer().Hash(); got != want {
		c.t.Fatalf("bricks of regions that are not subscribed to are kept: %016x, want %016x", got, want)
	}
	if c.s.conf.Builders > 0 {
		c.verifyScreen()
	}
}

// verifyScreen checks that the screen shows every chunk in view that has surface, as the server has it.
func (c *client) verifyScreen() {
	c.t.Helper()
	shown := 0
	for at, tracked := range c.s.residency.Columns() {
		if !tracked {
			c.t.Fatalf("column %v is not tracked", at)
		}
		for _, span := range c.server.world.Columns(nil, at.X, at.Z) {
			for y := span.Lo; y < span.Hi; y++ {
				got, ok := c.screen[at.Chunk(y)]
				c.fill.grid.Chunk = at.Chunk(y)
				if !ok {
					if c.server.world.Build(new(mesh.Mesh), c.fill.grid, at.Chunk(y), mesher.New(c.s.view.mesher), 0) {
						c.t.Fatalf("%v has surface and is not shown", at.Chunk(y))
					}
					continue
				}
				c.server.world.Fill(c.fill.grid)
				shown++
				if i := differAt(got.samples, c.fill.grid.Samples); i >= 0 {
					c.t.Fatalf("%v is shown as of another state (sample %d: %v, the server has %v)", at.Chunk(y), i,
						got.samples[i], c.fill.grid.Samples[i])
				}
			}
		}
	}
	if shown != len(c.screen) {
		c.t.Fatalf("%d chunks on the screen, of which %d are in view", len(c.screen), shown)
	}
}

func differAt(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
}
