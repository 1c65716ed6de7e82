package session

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/internal/session/tile"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/wire"
)

// A landscape is one heightmap, whole and in tiles.
type landscape struct {
	whole, tiled *server
	tiles        map[asset.Hash][]byte
}

// newLandscape makes a landscape of 2048² samples, a meter apart, in tiles of 64.
func newLandscape(t tester) landscape {
	const side = 2048
	r := &raster.Raster{Width: side, Height: side, MetersX: 1, MetersZ: 1, Scale: 0.25, Values: make([]float32, side*side)}
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range r.Values {
		x, z := i%side, i/side
		r.Values[i] = float32((x*z>>6)%37 + rnd.IntN(3))
	}
	l := landscape{tiles: map[asset.Hash][]byte{}}
	var contents [][]byte
	read := func(x, z, width, height int) (*raster.Raster, error) {
		part := *r
		part.Width, part.Height, part.Values = width, height, nil
		for i := range height {
			part.Values = append(part.Values, r.Values[(z+i)*side+x:][:width]...)
		}
		return &part, nil
	}
	tiled, err := raster.Cut(side, side, 64, 1, 1, read, func(asset []byte) error {
		l.tiles[sha256.Sum256(asset)] = asset
		contents = append(contents, asset)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	make := func(asset []byte, parts ...[]byte) *server {
		var b graph.Builder
		h := b.Heightmap(sha256.Sum256(asset), 1, 1, 1, 0)
		b.PaintedWorld(b.Height(h), h, b.Clamp(b.Slope(h), 0, 1), []graph.Material{{Name: "grass"}, {Name: "rock"}})
		s := newServer(t, b.Graph(), append(parts, asset)...)
		s.id[1] = byte(len(parts))
		return s
	}
	l.whole, l.tiled = make(r.AppendBinary(nil)), make(tiled.AppendBinary(nil), contents...)
	return l
}

// fetchedOf counts the bytes of tiles that a client fetches.
type fetchedOf struct {
	*landscape
	bytes int
	count map[asset.Hash]int
}

// meshes returns what a client's screen shows.
func meshes(c *client) map[lattice.Chunk][]byte {
	all := map[lattice.Chunk][]byte{}
	for id, s := range c.screen {
		all[id] = s.mesh
	}
	return all
}

// A world in tiles looks as it does whole, edits and walks included, and fetches each tile that it looks at once and
// no other.
func TestTiledWorld(t *testing.T) {
	l := newLandscape(t)
	f := fetchedOf{landscape: &l, count: map[asset.Hash]int{}}
	var shown [2]map[lattice.Chunk][]byte
	for i, sv := range []*server{l.whole, l.tiled} {
		c := newClient(t, sv, Config{Builders: 2, Radius: 2})
		c.onFetch = func(hash asset.Hash) {
			if data, ok := l.tiles[hash]; ok {
				f.count[hash]++
				f.bytes += len(data)
			}
		}
		c.s.Start(0)
		settle(c)
		if f.bytes != 0 {
			t.Errorf("%d bytes of tiles were fetched to join", f.bytes)
		}
		c.s.View(c.now, place(10, 12, 20), 0, 0)
		settle(c)
		atJoin := len(f.count)
		if n := len(l.tiles); i == 1 && (atJoin == 0 || atJoin > n/4) {
			t.Errorf("%d of %d tiles were fetched for a view of radius 2", atJoin, n)
		}
		c.do(dig(15, 9, 15, 6))
		settle(c)
		for x := 40.0; x < 400; x += 40 {
			c.s.View(c.now, place(x, 12, 20), 0, 0)
			settle(c)
		}
		if _, ok := c.s.Aim(Sight{place(400, 60, 20), geom.Vec3{Y: -1}, 128}); !ok {
			t.Error("the ground under the viewer is not met")
		}
		if len(c.screen) == 0 || c.s.status.problem != "" {
			t.Fatalf("%d chunks are shown, %q", len(c.screen), c.s.status.problem)
		}
		shown[i] = meshes(c)
		if i == 1 && len(f.count) <= atJoin {
			t.Error("a walk fetched no tile")
		}
	}
	if !maps.EqualFunc(shown[0], shown[1], bytes.Equal) {
		t.Errorf("%d chunks are shown of the raster, %d of its tiles, or they differ", len(shown[0]), len(shown[1]))
	}
	for hash, n := range f.count {
		if n != 1 {
			t.Errorf("tile %x was fetched %d times", hash[:8], n)
		}
	}
}

// Whatever comes in whatever order, a world in tiles ends as the server has it.
func TestTiledByChance(t *testing.T) {
	l := newLandscape(t)
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := newClient(t, l.tiled, Config{Builders: 3, Radius: 2, Session: seed + 1})
		c.lose = func(work) bool { return r.IntN(8) == 0 }
		c.s.Start(0)
		x, z := 0.0, 0.0
		for range 1500 {
			switch r.IntN(60) {
			case 0:
				x, z = min(max(x+r.Float64()*160-80, -400), 400), min(max(z+r.Float64()*160-80, -400), 400)
				c.s.View(c.now, place(x, 10, z), 0, 0)
			case 1:
				e := dig(x+r.Float64()*60-30, 6, z+r.Float64()*60-30, 2+r.Float64()*8)
				if _, err := c.s.Edit(c.now, e.Brush, e.Place); err != nil && !errors.Is(err, ErrNotLoaded) && !errors.Is(err, ErrNoGround) {
					t.Fatal(err)
				}
			case 2:
				c.s.Ground(r.Int32N(2000)-1000, r.Int32N(2000)-1000)
				c.s.Aim(Sight{place(x, 40, z), geom.Vec3{X: r.Float32() - 0.5, Y: -1, Z: r.Float32() - 0.5}, 300})
			case 3:
				if n := len(c.fetches); n > 0 {
					hash := c.fetches[n-1]
					c.fetches = c.fetches[:n-1]
					c.s.FetchFailed(c.now, hash, "the network is slow")
				}
			case 4:
				if c.conn != nil && r.IntN(4) == 0 {
					c.cut()
				}
			default:
				c.step(r)
			}
		}
		c.lose = nil
		settle(c)
		if c.status.State != Live || c.s.own.Len() != 0 {
			t.Fatalf("seed %d: %+v, %d own edits", seed, c.status, c.s.own.Len())
		}
		verifyTiles(t, c)
	}
}

// verifyTiles checks that a session holds what its regions need and little more.
func verifyTiles(t *testing.T, c *client) {
	t.Helper()
	uses := map[asset.Hash]int{}
	for _, tiles := range c.s.regions.All() {
		for _, h := range tiles {
			uses[h]++
		}
	}
	idle := 0
	all := 0
	for h, n := range c.s.tiles.All() {
		data := c.s.tiles.Data(h)
		if n != uses[h] || data == nil {
			t.Errorf("tile %x has %d uses, want %d; %d bytes", h[:8], n, uses[h], len(data))
		}
		if n == 0 {
			idle += len(data)
		}
		delete(uses, h)
		all++
	}
	if c.s.tiles.Len() != all || len(uses) != 0 || idle != c.s.tiles.IdleBytes() || idle > tile.MaxIdleBytes {
		t.Errorf("%d tiles are missing; %d idle bytes, counted %d", len(uses), idle, c.s.tiles.IdleBytes())
	}
}

// The ground where nobody is yet becomes known, since the viewer asks for it to stand there; edits wait for it.
func TestTiledGround(t *testing.T) {
	l := newLandscape(t)
	c := newClient(t, l.tiled, Config{Builders: 1, Radius: 1})
	c.s.Start(0)
	settle(c)
	if _, ok := c.s.Ground(100, 100); ok {
		t.Error("the ground is known before its tile is there")
	}
	e := dig(100, 5, 100, 3)
	if _, err := c.s.Edit(c.now, e.Brush, e.Place); !errors.Is(err, ErrNoGround) {
		t.Errorf("an edit of unknown ground: %v", err)
	}
	if _, ok := c.s.Aim(Sight{place(100, 50, 100), geom.Vec3{Y: -1}, 100}); ok {
		t.Error("unknown ground is met")
	}
	if c.status.Tiles != 0 {
		t.Errorf("%d tiles are said to be there", c.status.Tiles)
	}
	settle(c)
	if c.status.Tiles != 1 { // or nobody would ask again
		t.Errorf("%d tiles are said to be there, want 1", c.status.Tiles)
	}
	want := l.whole.world.Ground(100, 100)
	if y, ok := c.s.Ground(100, 100); !ok || y != want {
		t.Errorf("the ground is at %v, %v; want %v", y, ok, want)
	}
}

// A tile that is not to be had is asked for again until it is; one that is not what the world says is refused, even
// if its hash is right.
func TestTileFailsAndHostileTile(t *testing.T) {
	l := newLandscape(t)
	c := newClient(t, l.tiled, Config{Builders: 1, Radius: 1})
	fails := 0
	c.onFetch = func(hash asset.Hash) {
		if data, ok := l.tiles[hash]; ok && fails < 5 {
			fails++
			delete(l.tiled.content, hash)
			c.later = append(c.later, func() { l.tiled.content[hash] = data })
		}
	}
	c.s.Start(0)
	c.s.View(0, place(0, 10, 0), 0, 0)
	settle(c)
	if fails != 5 || len(c.screen) == 0 || c.status.State != Live {
		t.Fatalf("%d fetches failed, %d chunks are shown, %+v", fails, len(c.screen), c.status)
	}

	// The server's world names tiles whose heights are others than it says.
	var whole *raster.Tiled
	for _, h := range l.tiled.assets {
		r, err := raster.ParseTiled(l.tiled.content[h])
		if err != nil {
			t.Fatal(err)
		}
		whole = r
	}
	for i := range whole.Tiles {
		whole.Tiles[i].Low, whole.Tiles[i].High = 0, 0.125
	}
	lie := whole.AppendBinary(nil)
	contents := [][]byte{lie}
	for _, data := range l.tiles {
		contents = append(contents, data)
	}
	bad := newServer(t, template.Heightmap(sha256.Sum256(lie), template.HeightmapParams{MetersX: 1, MetersZ: 1}), contents...)
	c = newClient(t, bad, Config{Builders: 1, Radius: 1})
	c.s.Start(0)
	c.s.View(0, place(0, 10, 0), 0, 0)
	settle(c)
	if c.status.State != Rejected || !strings.Contains(c.status.Message, "a part of the world's ground is not what the world says") {
		t.Errorf("%+v", c.status)
	}
}

// A hostile server that orders another edit, somewhere else, than the one that was sent does not get the session to
// look at ground that is not there.
func TestTiledHostileOrder(t *testing.T) {
	l := newLandscape(t)
	c := enter(t, l.tiled, Config{Builders: 1, Radius: 1}, 0, 10, 0)
	n := c.do(dig(2, 8, 2, 3))
	far := dig(-900, 8, -900, 3)
	c.s.Receive(c.now, wire.AppendServer(nil, wire.Entry{Seq: 1, Counter: n, Edit: edit.Must(far).AppendBinary(nil)}))
	if c.conn != nil {
		t.Error("the connection goes on")
	}
	settle(c)
	if c.status.State != Live || c.status.Pending != 0 || c.status.Syncing != 0 {
		t.Errorf("%+v", c.status)
	}
}

// A builder that has forgotten a tile says so, and gets it again.
func TestBuilderForgetsTiles(t *testing.T) {
	l := newLandscape(t)
	c := enter(t, l.tiled, Config{Builders: 1, Radius: 1}, 0, 10, 0)
	sent := 0
	c.onBuild = func(j *builder.Job) {
		for _, k := range j.Tiles {
			sent += len(k.Data)
		}
	}
	c.do(dig(2, 8, 2, 3))
	settle(c)
	if sent != 0 {
		t.Errorf("%d bytes of tiles were sent again", sent)
	}
	c.builder = nil // a new one
	c.do(dig(4, 8, 2, 3))
	settle(c)
	if sent == 0 || c.status.Pending != 0 || c.s.status.problem != "" {
		t.Errorf("%d bytes sent to a new builder, %+v", sent, c.status)
	}
}
