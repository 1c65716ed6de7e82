package server

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// TestManySubscriptions asks for more than the queue holds at once: it comes as fast as it is taken.
func TestManySubscriptions(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) {
		unlimited(c)
		c.Limits.QueueFrames, c.Limits.QueueBytes = 2*maxImages, 16<<10 // less than one of the snapshots
	})
	w.server.owner.ask(func() {
		for i := range int32(100) {
			w.server.owner.layer.Apply(ball(edit.Build, 1, 31+i%8*32, 31+i/8*64, 31))
		}
	})
	c := w.join()
	for range 300 {
		c.send(wire.Subscribe{Region: home})
	}
	for range 300 {
		expect[wire.Snapshot](c)
	}
}

// TestSubscribeWhileEditing is case 19: B enters a region while A edits it, again and again, every second
// time high in the air where no chunk held anything. B's region is the server's, without a gap.
func TestSubscribeWhileEditing(t *testing.T) {
	rounds := 1000
	if soak() {
		rounds = 20_000
	}
	store := newStore(t)
	w := serve(t, store, func(c *Config) {
		unlimited(c)
		c.SnapshotEvery = 300 // and snapshots of the log are written meanwhile
	})
	rng := rand.New(rand.NewPCG(19, 19))
	a, b := w.join(), w.join()
	tails := 0
	for round := range rounds {
		r := lattice.Region{X: int32(round - rounds/2), Z: int32(round % 7)}
		a.subscribe(r)
		y := int32(0)
		if round%2 == 1 {
			y = 2000
		}
		edits := 1 + rng.IntN(3)
		at := rng.IntN(edits + 1) // before which edit B comes
		for i := range edits + 1 {
			if i == at {
				b.send(wire.Subscribe{Region: r})
			}
			if i < edits {
				a.edit(ball(edit.Op(1+(y+int32(i))/2000%2), 2, r.X*256+rng.Int32N(256), y+rng.Int32N(8), r.Z*256+rng.Int32N(256)))
			}
		}
		if rng.IntN(4) == 0 {
			b.send(wire.Subscribe{Region: r}) // and once more
		}
		for i := range edits {
			a.settled(a.counter - uint64(edits-1-i))
		}
		a.send(wire.Unsubscribe{Region: r})
		m := newMirror(w, r)
		want, seq := w.hash(r)
		b.send(wire.Ping{Token: uint64(round)})
		for done := false; !done; {
			switch msg := b.next().(type) {
			case wire.Pong:
				done = true
			case wire.Snapshot:
				m = newMirror(w, r)
				m.take(msg)
			case wire.Entry:
				m.take(msg)
				tails++
			default:
				t.Fatalf("got %+v", msg)
			}
		}
		if got := m.layer.RegionHash(r); got != want || m.seq != uint64(seq) {
			t.Fatalf("round %d: hash %016x as of %d, the server's is %016x as of %d", round, got, m.seq, want, seq)
		}
		b.send(wire.Unsubscribe{Region: r})
	}
	if tails < rounds/4 {
		t.Errorf("only %d entries came after a snapshot: the test does not interleave", tails)
	}
}

// TestSlowClient subscribes and never reads: it is dropped, and nobody waits for it.
func TestSlowClient(t *testing.T) {
	w := serve(t, newStore(t), func(c *Config) {
		c.Limits.QueueFrames, c.Limits.QueueBytes, c.Limits.CloseTimeout = 64, 64<<10, 50*time.Millisecond
		unlimited(c)
	})
	c, slow := w.joinAt(home), w.join()
	for i := range int32(40) { // many bricks make a large snapshot
		c.settled(c.edit(ball(edit.Build, 2, 31+i%6*32, 100+32*i, 31)))
	}
	for range 1000 {
		slow.send(wire.Subscribe{Region: home}) // until its socket is full and its queue waits
	}
	there := true
	for limit := time.Now().Add(patience); there && time.Now().Before(limit); {
		c.settled(c.edit(ball(edit.Build, 2, 20, 20, 20))) // what others do adds up, and nothing holds them back
		w.server.owner.ask(func() { there = w.server.owner.sessions[slow.session] != nil })
	}
	if there {
		t.Fatal("the slow client was not dropped")
	}
	var last wire.ServerMessage
	for {
		m, err := slow.read()
		if err != nil {
			break
		}
		last = m
	}
	// The farewell is sent if the client takes it in time, which this one may not.
	if m, ok := last.(wire.Refused); ok && m.Code != wire.CodeSlow {
		t.Errorf("refused with %+v", m)
	}
	c.settled(c.edit(ball(edit.Build, 2, 20, 20, 20)))
}
