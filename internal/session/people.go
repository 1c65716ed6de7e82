package session

import (
	"slices"

	"github.com/terrane/terrane/wire"
)

// people are the others near the viewer.
type people struct {
	host  Host
	most  int
	known map[uint64]struct{}
}

// moved tells the host of others.
func (p *people) moved(m wire.People) {
	moved := make([]Person, 0, len(m.People))
	for _, q := range m.People {
		if _, ok := p.known[q.Client]; !ok && len(p.known) >= p.most {
			continue
		}
		p.known[q.Client] = struct{}{}
		moved = append(moved, Person(q))
	}
	for _, id := range m.Gone {
		delete(p.known, id)
	}
	p.host.People(moved, m.Gone)
}

// gone tells the host that nobody is known to be near any more.
func (p *people) gone() {
	if len(p.known) == 0 {
		return
	}
	gone := make([]uint64, 0, len(p.known))
	for id := range p.known {
		gone = append(gone, id)
	}
	clear(p.known)
	slices.Sort(gone) // map order reaches no host: tests replay what a session orders
	p.host.People(nil, gone)
}
