package session

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/internal/session/builders"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
)

// soak reports whether the long forms of tests are asked for.
func soak() bool { return os.Getenv("TERRANE_SOAK") != "" }

func TestMain(m *testing.M) {
	flag.Parse()
	checks := "40"
	switch {
	case soak():
		checks = "4000"
	case testing.Short():
		checks = "5"
	}
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(checks)
	}
	goleak.VerifyTestMain(m)
}

// brush draws an edit near the ground within a few chunks of the origin.
func brush(r *rand.Rand) edit.Edit {
	e := dig(r.Float64()*120-60, r.Float64()*16-8, r.Float64()*120-60, 1+r.Float64()*5)
	if r.IntN(2) == 0 {
		e.Op = edit.Build
	}
	if r.IntN(4) == 0 {
		e.Smooth = float32(r.Float64() * 3)
	}
	if r.IntN(10) == 0 { // so high or deep that it changes nothing, or opens chunks that had no surface
		e.Place.Sample.Y += int32(r.IntN(200) - 100)
	}
	return e
}

// act does one of the things that can happen to a client. The screen is checked with every group that is shown.
func (c *client) act(r *rand.Rand, what int) {
	switch what {
	case 0:
		e := brush(r)
		if _, err := c.s.Edit(c.now, e.Brush, e.Place); err != nil && c.s.world != nil {
			c.t.Fatal(err)
		}
	case 1:
		if len(c.server.conns) > 0 {
			c.server.append(record{edit: edit.Must(brush(r))}, 0)
		}
	case 2:
		c.s.View(c.now, place(r.Float64()*160-80, r.Float64()*40, r.Float64()*160-80), 0, 0)
	case 3:
		if c.conn != nil {
			c.cut()
		}
	case 4:
		c.s.SetMesher(c.now, mesher.Kind(r.IntN(3)))
	case 5:
		c.s.SetRadius(c.now, 1+r.IntN(2))
	case 6:
		if len(c.jobs) > 0 {
			i := r.IntN(len(c.jobs))
			w := c.jobs[i]
			j, err := builder.ParseJob(w.job)
			if err != nil {
				c.t.Fatal(err)
			}
			if c.fails[j.Chunk] == builders.MaxFailures-1 {
				return // a chunk that fails more often is given up, and looks like it
			}
			c.fails[j.Chunk]++
			c.jobs = append(c.jobs[:i], c.jobs[i+1:]...)
			c.s.BuildFailed(c.now, w.ticket, "the test wants it so")
		}
	case 7:
		if len(c.fetches) > 0 {
			i := r.IntN(len(c.fetches))
			hash := c.fetches[i]
			c.fetches = append(c.fetches[:i], c.fetches[i+1:]...)
			c.s.FetchFailed(c.now, hash, "the test wants it so")
		}
	default:
		c.step(r)
	}
}

// TestHistories lets two people edit one world while frames, contents, results and frames of the screen come in
// any order, connections break, views move, meshers switch, jobs and fetches fail and the server orders edits
// as it likes and refuses some. At every group the screen must hold one state of the world wherever two chunks
// share samples; at the end everybody must hold and show what the server has.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		sv := newServer(t, template.Flat())
		sv.reorder = r
		sv.refuse = func(e edit.Checked) string {
			if e.Place().Sample.X%7 == 0 {
				return "not here"
			}
			return ""
		}
		for range r.IntN(10) {
			sv.append(record{edit: edit.Must(brush(r))}, 0)
		}
		var clients []*client
		for i := range 2 {
			c := newClient(rt, sv, Config{
				Session: uint64(10 + i), Builders: 1 + r.IntN(3), JobsPerBuilder: 1 + r.IntN(2), MaxUnshown: 1 + r.IntN(4),
				MaxFetches: 1 + r.IntN(3), Slice: 1 + r.IntN(100), Radius: 1,
			})
			c.lose = func(work) bool { return r.IntN(8) == 0 }
			c.s.Start(0)
			c.s.View(0, place(0, 10, 0), 0, 0)
			clients = append(clients, c)
		}
		actions := rapid.SliceOfN(rapid.IntRange(0, 40), 100, 500).Draw(rt, "actions")
		for _, what := range actions {
			clients[r.IntN(2)].act(r, what)
		}
		for _, c := range clients {
			c.lose = nil
		}
		settle(clients...)
		for _, c := range clients {
			c.verify()
		}
	})
}
