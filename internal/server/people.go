package server

import (
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A crowd says who is where and who has been told. It belongs to the owner.
type crowd struct {
	changed map[*conn]struct{}           // who moved, or whose audience may have changed, since the last tick
	gone    map[*conn][]*conn            // by receiver: who left
	people  map[*conn]*person            // who has said where they are
	sees    map[*conn]map[*conn]struct{} // by receiver: of whom they know
}

// A person is the avatar of a client: its place, and the clients that were told of it.
type person struct {
	wire.Person
	region   lattice.Region
	moved    bool // since the last tick
	audience map[*conn]struct{}
}

func newCrowd() crowd {
	return crowd{
		changed: make(map[*conn]struct{}),
		gone:    make(map[*conn][]*conn),
		people:  make(map[*conn]*person),
		sees:    make(map[*conn]map[*conn]struct{}),
	}
}

// move notes where c is.
func (o *owner) move(c *conn, m wire.Presence) {
	if o.sessions[c.session] != c {
		return
	}
	p := o.crowd.people[c]
	r := lattice.RegionOf(m.Eye.Sample, 0)
	if p == nil {
		p = &person{Client: c.id, Name: c.name, region: r, audience: make(map[*conn]struct{})}
		o.crowd.people[c] = p
		o.region(r).people[c] = struct{}{}
	} else if r != p.region {
		delete(o.regions[p.region].people, c)
		o.tidy(p.region)
		p.region = r
		o.region(r).people[c] = struct{}{}
	}
	p.Eye, p.Yaw, p.Pitch, p.moved = m.Eye, m.Yaw, m.Pitch, true
	o.crowd.changed[c] = struct{}{}
}

// near calls f for the regions around r, r included.
func near(r lattice.Region, f func(lattice.Region)) {
	for z := r.Z - 1; z <= r.Z+1; z++ {
		for x := r.X - 1; x <= r.X+1; x++ {
			f(lattice.Region{X: x, Z: z, Level: r.Level})
		}
	}
}

// lookAgain notes that the subscribers of r have changed, and with them the audience of those near.
func (k *crowd) lookAgain(o *owner, r lattice.Region) {
	near(r, func(r lattice.Region) {
		if state := o.regions[r]; state != nil {
			for c := range state.people {
				k.changed[c] = struct{}{}
			}
		}
	})
}

// leave forgets c; those who knew of c are told with the next tick.
func (k *crowd) leave(o *owner, c *conn) {
	for seen := range k.sees[c] {
		delete(k.people[seen].audience, c)
	}
	delete(k.sees, c)
	delete(k.gone, c)
	delete(k.changed, c)
	p := k.people[c]
	if p == nil {
		return
	}
	for to := range p.audience {
		delete(k.sees[to], c)
		k.gone[to] = append(k.gone[to], c)
	}
	delete(k.people, c)
	delete(o.regions[p.region].people, c)
	o.tidy(p.region)
}

// tellPeople tells everyone who moved, came or left near them since it was last called.
func (o *owner) tellPeople() {
	k := &o.crowd
	if len(k.changed) == 0 && len(k.gone) == 0 {
		return
	}
	news := make(map[*conn]*wire.People)
	of := func(to *conn) *wire.People {
		m := news[to]
		if m == nil {
			m = new(wire.People)
			news[to] = m
		}
		return m
	}
	for to, list := range k.gone {
		for _, c := range list {
			of(to).Gone = append(of(to).Gone, c.id)
		}
	}
	clear(k.gone)
	for c := range k.changed {
		p := k.people[c]
		audience := o.audience(c, p)
		for to := range audience {
			if _, knows := p.audience[to]; p.moved || !knows {
				of(to).People = append(of(to).People, p.Person)
			}
			k.see(to, c)
		}
		for to := range p.audience {
			if _, still := audience[to]; !still {
				of(to).Gone = append(of(to).Gone, c.id)
				delete(k.sees[to], c)
			}
		}
		p.audience, p.moved = audience, false
	}
	clear(k.changed)
	for to, m := range news {
		sendPeople(to, m)
	}
}

func (k *crowd) see(to, c *conn) {
	if k.sees[to] == nil {
		k.sees[to] = make(map[*conn]struct{})
	}
	k.sees[to][c] = struct{}{}
}

// audience returns who is told of p: the subscribers of the regions around p's eye.
func (o *owner) audience(c *conn, p *person) map[*conn]struct{} {
	to := make(map[*conn]struct{})
	near(p.region, func(r lattice.Region) {
		if state := o.regions[r]; state != nil {
			for s := range state.subscribers {
				if s != c {
					to[s] = struct{}{}
				}
			}
		}
	})
	return to
}

// sendPeople sends m in as many messages as it takes.
func sendPeople(to *conn, m *wire.People) {
	for len(m.People) > 0 || len(m.Gone) > 0 {
		n, g := min(len(m.People), wire.MaxPeople), min(len(m.Gone), wire.MaxPeople)
		to.send(wire.People{People: m.People[:n], Gone: m.Gone[:g]})
		m.People, m.Gone = m.People[n:], m.Gone[g:]
	}
}
