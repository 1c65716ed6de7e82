package session

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/world"
)

// A client is a session with a host that does nothing by itself: tests choose what happens next.
type client struct {
	t       tester
	s       *Session
	server  *server
	conn    *conn // nil while there is none
	now     time.Duration
	ready   int
	builder []*builder.Builder

	connect   time.Duration // when a connection is asked for, −1 for never
	connects  []time.Duration
	fetches   []asset.Hash
	jobs      []work
	built     int
	fails     map[lattice.Chunk]int // jobs that failed since the last that did not
	discarded int
	kept      map[uint32][]byte // results by ticket
	shows     []Group           // handed over, not on the screen yet
	groups    int               // shown so far
	status    Status
	screen    map[lattice.Chunk]sight
	people    map[uint64]Person

	fill       *fill
	bricks     map[uint64]*brick.Brick
	lose       func(work) bool // whether a builder claims to lack bricks
	check      bool            // compare every chunk that is shown with its neighbors
	onBuild    func(*builder.Job)
	onFetch    func(hash asset.Hash)
	later      []func() // done once the fetch in hand has failed
	lastGroups []Group
}

type work struct {
	ticket, lane uint32
	job          []byte
}

// A sight is what the screen shows of a chunk: here, the samples that its mesh was made from.
type sight struct {
	version uint32
	samples []float32
	mesh    []byte // the result without its header

	vertices, indices int
}

// fill builds chunks: it fills their grids, which decides their meshes.
type fill struct {
	base field.Terrain
	grid *grid.Grid
}

func newClient(t tester, sv *server, c Config) *client {
	if c.Session == 0 {
		c.Session = 77
	}
	cl := &client{
		t: t, server: sv, connect: -1, kept: map[uint32][]byte{}, screen: map[lattice.Chunk]sight{},
		people: map[uint64]Person{}, bricks: map[uint64]*brick.Brick{}, fails: map[lattice.Chunk]int{}, fill: &fill{sv.terrain(t), grid.New(lattice.ChunkCells)}, check: true,
	}
	cl.s = New(c, cl)
	return cl
}

// Host.

func (c *client) Connect(after time.Duration) {
	if c.conn != nil || c.connect >= 0 {
		c.t.Fatal("Connect while there is a connection")
	}
	c.connect = c.now + after
	c.connects = append(c.connects, after)
}

func (c *client) Disconnect() {
	if c.conn != nil {
		c.server.disconnect(c.conn)
	}
	c.conn, c.connect = nil, -1
}

func (c *client) Send(frame []byte) {
	if c.conn == nil {
		c.t.Fatal("Send without a connection")
	}
	c.conn.in = append(c.conn.in, slices.Clone(frame))
}

func (c *client) Fetch(hash asset.Hash) {
	if slices.Contains(c.fetches, hash) {
		c.t.Fatal("a content is asked for twice at once")
	}
	c.fetches = append(c.fetches, hash)
}

func (c *client) Ready([]byte, map[asset.Hash][]byte, []graph.Material) { c.ready++ }

func (c *client) Build(ticket, lane uint32, job []byte) {
	if int(lane) >= c.s.conf.Builders {
		c.t.Fatalf("lane %d of %d", lane, c.s.conf.Builders)
	}
	c.jobs = append(c.jobs, work{ticket, lane, slices.Clone(job)})
}

func (c *client) Discard(ticket uint32) {
	delete(c.kept, ticket)
	c.discarded++
}

func (c *client) Show(g Group) {
	g.Results, g.Drop = slices.Clone(g.Results), slices.Clone(g.Drop)
	c.shows = append(c.shows, g)
}

func (c *client) People(moved []Person, gone []uint64) {
	for _, p := range moved {
		c.people[p.Client] = p
	}
	for _, id := range gone {
		delete(c.people, id)
	}
}

func (c *client) Status(s Status) { c.status = s }

// What a test can make happen.

func (c *client) tick() bool { return c.s.Tick(c.now) }

// open opens the connection that the session asked for.
func (c *client) open() {
	c.now = max(c.now, c.connect)
	c.connect = -1
	c.conn = c.server.connect()
	c.s.Opened(c.now)
}

// cut loses the connection and everything on its way.
func (c *client) cut() {
	c.server.disconnect(c.conn)
	c.server.waiting = slices.DeleteFunc(c.server.waiting, func(s submission) bool { return s.conn == c.conn })
	c.conn = nil
	c.s.Closed(c.now, "cut")
}

// deliver hands the session the oldest frame from the server.
func (c *client) deliver() {
	frame := c.conn.out[0]
	c.conn.out = c.conn.out[1:]
	c.s.Receive(c.now, frame)
}

// fetch answers the fetch at i.
func (c *client) fetch(i int) {
	hash := c.fetches[i]
	c.fetches = slices.Delete(c.fetches, i, i+1)
	if c.onFetch != nil {
		c.onFetch(hash)
	}
	data, ok := c.server.content[hash]
	if !ok {
		c.s.FetchFailed(c.now, hash, "no such content")
		for _, f := range c.later {
			f()
		}
		c.later = nil
		return
	}
	c.server.fetches++
	c.s.Fetched(c.now, hash, slices.Clone(data))
}

// build does the job at i.
func (c *client) build(i int) {
	w := c.jobs[i]
	c.jobs = slices.Delete(c.jobs, i, i+1)
	j, err := builder.ParseJob(w.job)
	if err != nil {
		c.t.Fatalf("job: %v", err)
	}
	for i := 0; c.check && i < len(j.Bricks); i++ {
		c.brick(j.Bricks[i]) // learn its data
	}
	if c.onBuild != nil {
		c.onBuild(j)
	}
	missing := c.lose != nil && slices.ContainsFunc(j.Bricks, func(b builder.JobBrick) bool { return len(b.Data) == 0 }) && c.lose(w)
	result, err := c.builderOf(w.lane).Build(w.job)
	if err != nil {
		c.t.Fatalf("build: %v", err)
	}
	result = slices.Clone(result)
	if missing {
		binary.LittleEndian.PutUint32(result[44:], 2)
		clear(result[32:40])
	}
	c.built++
	if !missing {
		delete(c.fails, j.Chunk)
	}
	c.kept[w.ticket] = append(result, w.job...) // the job tells what the mesh shows
	c.s.Built(c.now, w.ticket, result[:builder.HeaderSize])
}

func (c *client) builderOf(lane uint32) *builder.Builder {
	for int(lane) >= len(c.builder) {
		b, err := builder.New(c.server.graph, func(hash asset.Hash) ([]byte, error) {
			if slices.Contains(c.server.assets, hash) {
				return c.server.asset(hash)
			}
			return nil, errAsset // tiles come with jobs
		})
		if err != nil {
			c.t.Fatal(err)
		}
		c.builder = append(c.builder, b)
	}
	return c.builder[lane]
}

// brick returns the brick of a job, by its hash if the data were not sent.
func (c *client) brick(jb builder.JobBrick) *brick.Brick {
	if len(jb.Data) == 0 {
		return c.bricks[jb.Hash]
	}
	b, err := brick.Parse(jb.Data)
	if err != nil {
		c.t.Fatal(err)
	}
	c.bricks[jb.Hash] = b
	return b
}

// samples returns the samples that a job's mesh is made from.
func (c *client) samples(job []byte) []float32 {
	j, err := builder.ParseJob(job)
	if err != nil {
		c.t.Fatal(err)
	}
	w := world.New(c.fill.base)
	for _, jb := range j.Bricks {
		w.Layer().Put(c.brick(jb))
	}
	for i, e := range j.Pending {
		w.Pend(uint64(i), e)
	}
	c.fill.grid.Chunk = j.Chunk
	w.Fill(c.fill.grid)
	return slices.Clone(c.fill.grid.Samples)
}

// show draws the oldest group, and checks that nothing on the screen contradicts it.
func (c *client) show() {
	g := c.shows[0]
	c.shows = c.shows[1:]
	for _, r := range g.Results {
		result := c.kept[r.Ticket]
		delete(c.kept, r.Ticket)
		old := c.screen[r.Chunk]
		if r.Version <= old.version {
			c.t.Fatalf("%v: version %d shown after %d", r.Chunk, r.Version, old.version)
		}
		if r.Empty {
			delete(c.screen, r.Chunk)
			continue
		}
		h, err := builder.ParseHeader(result)
		if err != nil || h.Version != r.Version || h.Chunk != r.Chunk || h.Missing || h.Empty {
			c.t.Fatalf("%v version %d is shown by the result %+v, %v", r.Chunk, r.Version, h, err)
		}
		size := h.Size()
		s := sight{version: r.Version, mesh: result[builder.HeaderSize:size], vertices: h.Vertices, indices: h.Indices}
		if c.check {
			s.samples = c.samples(result[size:])
		}
		c.screen[r.Chunk] = s
	}
	for _, d := range g.Drop {
		delete(c.screen, d)
	}
	c.groups++
	c.lastGroups = append(c.lastGroups, g)
	if c.check {
		for _, r := range g.Results {
			c.compare(r.Chunk)
		}
	}
	c.s.Shown(c.now, g.ID)
}

// compare checks that the samples which a chunk's grid shares with its neighbors' on the screen are the same.
func (c *client) compare(id lattice.Chunk) {
	a, ok := c.screen[id]
	if !ok {
		return
	}
	for dz := int32(-1); dz <= 1; dz++ {
		for dy := int32(-1); dy <= 1; dy++ {
			for dx := int32(-1); dx <= 1; dx++ {
				n := lattice.Chunk{X: id.X + dx, Y: id.Y + dy, Z: id.Z + dz}
				b, ok := c.screen[n]
				if !ok || n == id {
					continue
				}
				if at, bad := differ(a.samples, b.samples, dx, dy, dz); bad {
					c.t.Fatalf("%v (version %d) and %v (version %d) are shown with different samples at %v of the first",
						id, a.version, n, b.version, at)
				}
			}
		}
	}
}

// differ finds a sample that two grids, the second dx, dy, dz chunks from the first, share and do not agree on.
func differ(a, b []float32, dx, dy, dz int32) (at [3]int32, bad bool) {
	const n = lattice.ChunkCells + 3
	axis := func(d int32) (lo, hi int32) { return max(0, 32*d), min(n, n+32*d) }
	x0, x1 := axis(dx)
	y0, y1 := axis(dy)
	z0, z1 := axis(dz)
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				u, v := a[(z*n+y)*n+x], b[((z-32*dz)*n+y-32*dy)*n+x-32*dx]
				if math.Float32bits(u) != math.Float32bits(v) {
					return [3]int32{x, y, z}, true
				}
			}
		}
	}
	return at, false
}

// settle lets everything happen, in a plain order, until nothing is left to do.
func settle(clients ...*client) {
	for range 50_000 {
		busy := false
		for _, c := range clients {
			switch {
			case c.connect >= 0:
				c.open()
			case c.conn != nil && len(c.conn.in) > 0:
				c.conn.handle(c.t)
			case len(c.server.waiting) > 0:
				c.server.orderOne()
			case c.conn != nil && len(c.conn.out) > 0:
				c.deliver()
			case len(c.fetches) > 0:
				c.fetch(0)
			case len(c.jobs) > 0:
				c.build(0)
			case len(c.shows) > 0:
				c.show()
			case c.s.fetches.Delayed() > 0 || c.s.world != nil && c.s.own.Unsent() > 0 && c.conn != nil:
				c.now += time.Second
				c.tick()
			default:
				c.now += 20 * time.Millisecond
				if !c.tick() && len(c.jobs)+len(c.shows)+len(c.fetches) == 0 && (c.conn == nil || len(c.conn.in) == 0) {
					continue
				}
			}
			busy = true
		}
		if !busy {
			for _, c := range clients {
				c.now += time.Second
				c.tick()
			}
			return
		}
	}
	panic("the clients do not come to rest")
}

// step lets one thing happen, chosen by chance. It returns false if there was nothing but time to pass.
func (c *client) step(r *rand.Rand) bool {
	c.now += time.Duration(r.IntN(20)) * time.Millisecond
	var choices []func()
	if c.connect >= 0 {
		choices = append(choices, c.open)
	}
	if c.conn != nil && len(c.conn.in) > 0 {
		choices = append(choices, func() { c.conn.handle(c.t) })
	}
	if len(c.server.waiting) > 0 {
		choices = append(choices, c.server.orderOne)
	}
	if c.conn != nil && len(c.conn.out) > 0 {
		choices = append(choices, c.deliver)
	}
	if n := len(c.fetches); n > 0 {
		choices = append(choices, func() { c.fetch(r.IntN(n)) })
	}
	if n := len(c.jobs); n > 0 {
		choices = append(choices, func() { c.build(r.IntN(n)) })
	}
	if len(c.shows) > 0 {
		choices = append(choices, c.show)
	}
	if i := r.IntN(len(choices) + 1); i < len(choices) {
		choices[i]()
		return true
	}
	c.tick()
	return len(choices) > 0
}

func place(x, y, z float64) lattice.Place {
	p, ok := lattice.PlaceAt(x, y, z)
	if !ok {
		panic(fmt.Sprint("no such place: ", x, y, z))
	}
	return p
}

func dig(x, y, z, r float64) edit.Edit {
	return edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: float32(r), Place: place(x, y, z)}
}

func build(x, y, z, r float64) edit.Edit {
	e := dig(x, y, z, r)
	e.Op = edit.Build
	return e
}

// do makes an own edit.
func (c *client) do(e edit.Edit) uint64 {
	c.t.Helper()
	n, err := c.s.Edit(c.now, e.Brush, e.Place)
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

// enter returns a client that has loaded everything round a place.
func enter(t tester, sv *server, c Config, x, y, z float64) *client {
	if c.Radius == 0 {
		c.Radius = 1
	}
	cl := newClient(t, sv, c)
	cl.s.Start(0)
	cl.s.View(0, place(x, y, z), 0, 0)
	settle(cl)
	return cl
}

// A tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}
