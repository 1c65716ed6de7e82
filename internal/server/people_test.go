package server

import (
	"slices"
	"testing"

	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// people returns the next message about people.
func (c *client) people() wire.People {
	c.t.Helper()
	for {
		if p, ok := c.mustRead().(wire.People); ok {
			return p
		}
	}
}

// sees waits until c has been told of other at x, sees' counterpart loses until other is gone.
func (c *client) sees(other *client, x int32) wire.Person {
	c.t.Helper()
	for {
		for _, p := range c.people().People {
			if p.Client == c.welcome.Client {
				c.t.Fatal("a client is told of itself")
			}
			if p.Client == other.welcome.Client && p.Eye.Sample.X == x {
				return p
			}
		}
	}
}

func (c *client) loses(other *client) {
	c.t.Helper()
	for !slices.Contains(c.people().Gone, other.welcome.Client) {
	}
}

func at(x int32, yaw float32) wire.Presence {
	return wire.Presence{Eye: lattice.Place{Sample: lattice.Sample{X: x, Y: 20, Z: 9}}, Yaw: yaw, Pitch: -0.5}
}

func TestPeople(t *testing.T) {
	w := serve(t, newStore(t), nil)
	a, b, far := w.joinAt(home), w.joinAt(lattice.Region{X: 1}), w.joinAt(lattice.Region{X: 40})

	b.send(at(300, 1))
	p := a.sees(b, 300) // b stands in the next region
	if p.Yaw != 1 || p.Pitch != -0.5 || p.Name == "" {
		t.Errorf("person %+v", p)
	}
	a.send(at(10, 2))
	b.sees(a, 10)
	far.send(at(40*256, 0))

	a.send(at(30*256, 2)) // out of b's sight, not yet in far's
	b.loses(a)
	a.send(at(39*256, 2))
	far.sees(a, 39*256)
	b.send(at(301, 1))
	a.sees(b, 301) // what a subscribes to has not changed

	far.send(wire.Unsubscribe{Region: lattice.Region{X: 40}})
	far.loses(a)
	far.subscribe(lattice.Region{X: 38})
	far.sees(a, 39*256) // at once, though a stands still

	_ = b.ws.CloseNow()
	a.loses(b)
	if got := w.world().People; got != 2 {
		t.Errorf("%d people, want 2", got)
	}

	// A session that connects again is another client in the same place.
	c := w.rejoin(a.session)
	far.loses(a)
	c.send(at(39*256, 3))
	far.sees(c, 39*256)

	for _, cl := range []*client{c, far} {
		_ = cl.ws.CloseNow()
	}
	w.until("nothing is kept of those who left", func(o *owner) bool {
		k := &o.crowd
		return len(o.regions)+len(o.sessions)+len(k.people)+len(k.sees)+len(k.changed)+len(k.gone) == 0
	})
}
