package session

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/template"
)

// A stopwatch takes the times of a session's events, with builders that answer at once with an empty mesh.
type stopwatch struct {
	c     *client
	times map[string][]time.Duration
}

func (w *stopwatch) time(name string, f func()) {
	start := time.Now()
	f()
	w.times[name] = append(w.times[name], time.Since(start))
}

// rest lets everything happen until nothing is left to do.
func (w *stopwatch) rest() {
	for c := w.c; ; c.now += 5 * time.Millisecond {
		switch {
		case c.connect >= 0:
			c.open()
		case len(c.conn.in) > 0:
			c.conn.handle(c.t)
		case len(c.conn.out) > 0:
			frame := c.conn.out[0]
			c.conn.out = c.conn.out[1:]
			w.time("receive", func() { c.s.Receive(c.now, frame) })
		case len(c.fetches) > 0:
			hash := c.fetches[0]
			c.fetches = c.fetches[1:]
			w.time("fetched", func() { c.s.Fetched(c.now, hash, c.server.content[hash]) })
		case len(c.jobs) > 0:
			j := c.jobs[0]
			c.jobs = c.jobs[1:]
			header := emptyResult(j.job)
			w.time("built", func() { c.s.Built(c.now, j.ticket, header) })
		case len(c.shows) > 0:
			id := c.shows[0].ID
			c.shows = c.shows[1:]
			w.time("shown", func() { c.s.Shown(c.now, id) })
		default:
			more := false
			w.time("tick", func() { more = c.s.Tick(c.now) })
			if !more && len(c.jobs)+len(c.shows)+len(c.fetches)+len(c.conn.in) == 0 {
				return
			}
		}
	}
}

// BenchmarkEvents loads the hills at view radius 8, walks, and edits, and reports how long the session's own
// events take: the slowest is what a user could feel.
func BenchmarkEvents(b *testing.B) {
	for b.Loop() {
		sv := newServer(b, template.Hills(1))
		r := rand.New(rand.NewPCG(1, 1))
		c := newClient(b, sv, Config{Builders: 4, Radius: 8})
		w := stopwatch{c, map[string][]time.Duration{}}
		c.s.Start(0)
		c.s.View(0, place(0, 100, 0), 0, 0)
		w.rest()
		for i := range 100 {
			x := float64(i) * 8
			w.time("view", func() { c.s.View(c.now, place(x, 100, 0), 0, 0) })
			w.rest()
			y, _ := c.s.Ground(int32(x), 0)
			e := dig(x, float64(y), r.Float64()*20, 1.5+6.5*r.Float64())
			if i%2 == 0 {
				w.time("edit", func() { c.do(e) })
			} else {
				sv.append(record{edit: edit.Must(e)}, 0)
			}
			w.rest()
		}
		for name, list := range w.times {
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
	h := append([]byte("TRMB"), 2, 0, 0, 0)
	for _, v := range []uint32{uint32(j.Chunk.X), uint32(j.Chunk.Y), uint32(j.Chunk.Z), 0, j.Version, uint32(j.Mesher), 0, 0, 2, 1} {
		h = le.AppendUint32(h, v)
	}
	return append(h, make([]byte, builder.HeaderSize-len(h))...)
}
