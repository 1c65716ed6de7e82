package session

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lod"
)

// BenchmarkEvents loads the hills at view radius 8, walks, and edits, with builders that answer at once with an
// empty mesh, and reports how long the session's own events take: the slowest is what a user could feel.
func BenchmarkEvents(b *testing.B) {
	for b.Loop() {
		sv := newServer(b, field.Hills(1))
		r := rand.New(rand.NewPCG(1, 1))
		c := newClient(b, sv, Config{Builders: 4, Radius: 8})
		c.check = false
		times := map[string][]time.Duration{}
		timed := func(name string, f func()) {
			start := time.Now()
			f()
			times[name] = append(times[name], time.Since(start))
		}
		answer := func() {
			w := c.jobs[0]
			c.jobs = c.jobs[1:]
			header := emptyResult(w.job)
			timed("built", func() { c.s.Built(c.now, w.ticket, header) })
			delete(c.kept, w.ticket)
		}
		rest := func() {
			for {
				c.now += 5 * time.Millisecond
				switch {
				case c.connect >= 0:
					c.open()
				case len(c.conn.in) > 0:
					c.conn.handle(b)
				case len(c.conn.out) > 0:
					frame := c.conn.out[0]
					c.conn.out = c.conn.out[1:]
					timed("receive", func() { c.s.Receive(c.now, frame) })
				case len(c.fetches) > 0:
					hash := c.fetches[0]
					c.fetches = c.fetches[1:]
					timed("fetched", func() { c.s.Fetched(c.now, hash, sv.content[hash]) })
				case len(c.jobs) > 0:
					answer()
				case len(c.shows) > 0:
					id := c.shows[0].ID
					c.shows = c.shows[1:]
					timed("shown", func() { c.s.Shown(c.now, id) })
				default:
					more := false
					timed("tick", func() { more = c.s.Tick(c.now) })
					if !more && len(c.jobs)+len(c.shows)+len(c.fetches)+len(c.conn.in) == 0 {
						return
					}
				}
			}
		}
		c.s.Start(0)
		c.s.View(0, place(0, 100, 0), 0, 0)
		rest()
		for i := range 100 {
			x := float64(i) * 8
			timed("view", func() { c.s.View(c.now, place(x, 100, 0), 0, 0) })
			rest()
			y, _ := c.s.Ground(int32(x), 0)
			e := dig(x, float64(y), r.Float64()*20, 1.5+6.5*r.Float64())
			if i%2 == 0 {
				timed("edit", func() { c.do(e) })
			} else {
				sv.append(record{edit: e}, 0)
			}
			rest()
		}
		for name, list := range times {
			slices.Sort(list)
			b.ReportMetric(float64(list[len(list)-1].Microseconds()), name+"-max-µs")
			b.ReportMetric(float64(list[len(list)*99/100].Microseconds()), name+"-p99-µs")
		}
		if n := c.s.Status().Loaded; n < lod.Count(8) {
			b.Fatalf("%d chunks loaded", n)
		}
	}
}

// emptyResult returns the header of a result without a mesh.
func emptyResult(job []byte) []byte {
	j, err := builder.ParseJob(job)
	if err != nil {
		panic(err)
	}
	le := binary.LittleEndian
	h := append([]byte("TRMB"), 1, 0, 0, 0)
	for _, v := range []uint32{uint32(j.Chunk.X), uint32(j.Chunk.Y), uint32(j.Chunk.Z), 0, j.Version, uint32(j.Mesher), 0, 0, 2, 1} {
		h = le.AppendUint32(h, v)
	}
	return append(h, make([]byte, builder.HeaderSize-len(h))...)
}
