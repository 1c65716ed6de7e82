package session

import (
	"errors"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/session/builders"
	"github.com/terrane/terrane/internal/session/group"
	"github.com/terrane/terrane/internal/session/own"
	"github.com/terrane/terrane/internal/session/region"
	"github.com/terrane/terrane/internal/session/residency"
	"github.com/terrane/terrane/internal/session/tile"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/wire"
	"github.com/terrane/terrane/world"
)

// errAsset cannot come up while the server names every asset of its document.
var errAsset = errors.New("the document uses an asset that the server does not name")

// A blueprint holds the files that a world is made from, as far as they have been fetched.
type blueprint struct {
	welcome wire.Welcome
	have    map[asset.Hash][]byte
	missing int
}

// isOf reports whether the blueprint is of the world that a server welcomes to.
func (b *blueprint) isOf(w wire.Welcome) bool {
	old := &b.welcome
	return b.have != nil && old.World == w.World && old.Document == w.Document && slices.Equal(old.Assets, w.Assets)
}

// welcome begins or takes up work.
func (s *Session) welcome(w wire.Welcome) {
	s.status.report("")
	s.status.urgent = true
	known := s.blueprint.isOf(w)
	s.blueprint.welcome = w
	if s.view.radius == 0 {
		s.view.radius = min(int(w.ViewRadius), lod.MaxRadius)
	}
	switch {
	case !known:
		s.forget()
		s.tally.Counter = max(s.tally.Counter, w.Counter)
		s.load()
	case s.world != nil:
		s.link.Play()
		s.own.Welcome(w.Counter, w.Head)
	default:
		s.link.Load()
	}
	s.updateView()
}

// load fetches what the world is made from.
func (s *Session) load() {
	b := &s.blueprint
	s.link.Load()
	b.have, b.missing = make(map[asset.Hash][]byte), 0
	for _, h := range append([]asset.Hash{b.welcome.Document}, b.welcome.Assets...) {
		if _, ok := b.have[h]; !ok {
			b.have[h] = nil
			b.missing++
			s.fetches.Want(h, (*wiring)(s))
		}
	}
}

// loaded takes a part of the blueprint and, once it is whole, makes the world.
func (s *Session) loaded(hash asset.Hash, data []byte) {
	b := &s.blueprint
	if have, ok := b.have[hash]; !ok || have != nil {
		return
	}
	b.have[hash] = data
	if b.missing--; b.missing > 0 {
		return
	}
	document := b.have[b.welcome.Document]
	assets := make(map[asset.Hash][]byte, len(b.welcome.Assets))
	for _, h := range b.welcome.Assets {
		assets[h] = b.have[h]
	}
	g, err := graph.Parse(document)
	if err != nil {
		s.link.Reject("the world's document cannot be read: " + err.Error())
		return
	}
	var tiles *tile.Store // of the terrain that is being compiled, which looks into it later
	terrain, err := field.Compile(g, func(h asset.Hash) ([]byte, error) {
		if data, ok := assets[h]; ok {
			return data, nil
		}
		if tiles != nil {
			if data := tiles.Data(h); data != nil {
				return data, nil
			}
		}
		return nil, errAsset
	})
	if err == nil {
		tiles, err = tile.New(terrain, assets, s.fetches, (*wiring)(s))
	}
	if err != nil {
		s.link.Reject("the world's document does not compile: " + err.Error())
		return
	}
	clear(b.have) // the builders have it; what is left says only that this world is known
	s.join(world.New(terrain), tiles)
	if s.conf.Builders > 0 {
		s.host.Ready(document, assets, g.Materials)
	}
	if s.link.Greeted() {
		s.link.Play()
		s.own.Welcome(b.welcome.Counter, b.welcome.Head)
	}
	s.status.urgent = true
	s.updateView()
}

// join makes the cast that plays in a world, and tells each of them whom it works with. The world's level is the one
// that all of them work at.
func (s *Session) join(w *world.World, tiles *tile.Store) {
	s.world, s.tiles = w, tiles
	s.regions = region.New()
	s.own = own.New(own.Limits{Pending: s.conf.MaxPending, PerSecond: s.conf.EditsPerSecond, Burst: s.conf.EditBurst}, s.tally)
	s.residency = residency.New(s.conf.Builders > 0, s.versions)
	s.groups = group.New()
	s.source = &builders.Source{World: w, Tiles: tiles, Mesher: s.view.mesher}
	b := &s.budget
	s.regions.Join(region.Cast{Server: s.link, World: w, Fetcher: s.fetches, Tiles: tiles, Own: s.own, View: (*wiring)(s), Budget: b})
	s.own.Join(own.Cast{World: w, Regions: s.regions, Tiles: tiles, Server: s.link, View: (*wiring)(s), Budget: b})
	s.residency.Join(residency.Cast{Regions: s.regions, Ground: w, Work: s.groups, Budget: b})
	s.groups.Join(group.Cast{
		Chunks: s.residency, Queue: s.residency, Builders: s.builders, Source: s.source,
		Screen: s.screen, MaxUnshown: s.conf.MaxUnshown, Budget: b,
	})
}

// forget throws away the world and everything derived from it. Own edits go with it: they were made in another world.
func (s *Session) forget() {
	s.fetches.AbandonAll()
	if s.world == nil {
		return
	}
	s.residency.Clear()
	s.screen.Flush()
	s.builders.Reset()
	s.tally, s.versions = s.own.Tally(), s.residency.Version()
	s.world, s.tiles, s.regions, s.own, s.residency, s.groups, s.source = nil, nil, nil, nil, nil, nil, nil
}

// snapshot passes a snapshot on.
func (s *Session) snapshot(m wire.Snapshot) {
	if s.world == nil {
		s.link.Drop("the server sent a snapshot before anything was asked for")
		return
	}
	s.regions.Snapshot(m)
}

// entry passes an entry of the log on.
func (s *Session) entry(m wire.Entry) {
	e, err := edit.ParseWhole(m.Edit)
	if err != nil {
		s.link.Drop("the server sent an edit that no client may make: " + err.Error())
		return
	}
	if s.world != nil {
		s.regions.Entry(region.Entry{Seq: m.Seq, Counter: m.Counter, Edit: e})
	}
}
