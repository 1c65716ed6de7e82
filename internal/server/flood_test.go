package server

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// TestFlood is case 17, shortened: one client sends edits at random far places as fast as it can while nine
// others work as people do. Nothing is made far away, memory stays, and the others do not notice. Under
// TERRANE_SOAK it runs for the ten seconds of the case.
func TestFlood(t *testing.T) {
	length := time.Second
	if soak() {
		length = 10 * time.Second
	}
	w := serve(t, newStore(t), nil)
	var honest []*client
	for i := range int32(9) {
		honest = append(honest, w.joinAt(lattice.Region{X: i}))
	}
	flooder := w.joinAt(home)
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var running sync.WaitGroup
	running.Go(func() { flood(ctx, flooder.ws) })
	answers := make(map[wire.Code]int)
	running.Go(func() { // it reads the answers, else it would be dropped for being slow
		for {
			_, frame, err := flooder.ws.Read(ctx)
			if err != nil {
				return
			}
			switch m, _ := wire.ParseServer(frame); m := m.(type) {
			case wire.EditRefused:
				answers[m.Code]++
			case wire.Ack:
				t.Errorf("a far edit is acknowledged: %+v", m)
			}
		}
	})
	heap := heapSize()
	took := make([][]time.Duration, len(honest))
	for i, c := range honest {
		running.Go(func() { took[i] = work(ctx, c, int32(i)*256+100) })
	}
	running.Wait()

	all := slices.Concat(took...)
	slices.Sort(all)
	if len(all) < 9 {
		t.Fatalf("only %d honest edits were acknowledged", len(all))
	}
	p95 := all[len(all)*95/100]
	t.Logf("%d honest edits, median %v, p95 %v, worst %v; the flooder was answered %v", len(all), all[len(all)/2], p95, all[len(all)-1], answers)
	limit := 500 * time.Millisecond // for a second on a machine that runs other tests
	if soak() {
		limit = 100 * time.Millisecond
	}
	if p95 > limit && !testing.Short() { // the race detector runs it with -short
		t.Errorf("honest edits take %v (p95)", p95)
	}
	if grown := heapSize() - heap; grown > 32<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
	o := w.server.owner
	o.ask(func() {
		for id := range o.layer.All() {
			if id.X < 0 || id.X > 9*8 || id.Z < 0 || id.Z > 8 {
				t.Errorf("%v was made", id)
			}
		}
	})
}

// flood sends edits at random far places without waiting for anything.
func flood(ctx context.Context, ws *websocket.Conn) {
	rng := rand.New(rand.NewPCG(17, 17))
	var frame []byte
	for n := uint64(1); ; n++ {
		far := func() int32 { return rng.Int32N(1<<30) - 1<<29 }
		frame = wire.AppendClient(frame[:0], wire.SubmitEdit{Counter: n, Edit: ball(edit.Dig, 8, far(), far(), far()).AppendBinary(nil)})
		if ws.Write(ctx, websocket.MessageBinary, frame) != nil {
			return
		}
	}
}

// work makes five edits a second, each after the last one's acknowledgement, and returns how long those took.
func work(ctx context.Context, c *client, x int32) (took []time.Duration) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for i := int32(0); ; i++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return took
		}
		began := time.Now()
		n := c.edit(ball(edit.Dig, 3, x+i%16, 0, 100))
		for {
			if a, ok := c.next().(wire.Ack); ok && a.Counter == n {
				break
			}
		}
		took = append(took, time.Since(began))
	}
}

func heapSize() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestRate refuses what one connection sends too much of, in number and in size, and forgives it in time.
func TestRate(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) {
		c.Limits.EditBurst, c.Limits.EditsPerSecond = 3, 1e-9
		c.Limits.SampleBurst, c.Limits.SamplesPerSecond = 2000, 1e-9
	})
	rate := func(c *client, e edit.Checked) {
		t.Helper()
		n := c.edit(e)
		if m := expect[wire.EditRefused](c); m.Counter != n || m.Code != wire.CodeRate {
			t.Errorf("refusal %+v", m)
		}
	}
	number, size := w.joinAt(home), w.joinAt(lattice.Region{X: 5})
	for range 3 {
		number.settled(number.edit(ball(edit.Dig, 1, 10, 0, 10)))
	}
	rate(number, ball(edit.Dig, 1, 10, 0, 10))
	rate(size, ball(edit.Dig, 8, 5*256, 0, 10)) // 4,189 samples
	size.settled(size.edit(ball(edit.Dig, 3, 5*256, 0, 10)))
}
