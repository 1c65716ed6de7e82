package session

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/lattice"
)

// A wiring is the session in the roles that its cast sees it in: the owner of the link and the tiles, the view that
// regions and own edits change, the taker of the world's files. The session only passes on what it hears.
type wiring Session

// Disconnected implements link.Owner.
func (w *wiring) Disconnected() {
	w.people.gone()
	if w.world != nil {
		w.regions.Disconnected()
		w.own.Disconnected()
	}
}

// StateChanged implements link.Owner.
func (w *wiring) StateChanged() { w.status.urgent = true }

// Report implements link.Owner, region.View and builders.Reporter.
func (w *wiring) Report(problem string) { w.status.report(problem) }

// Changed implements region.View and own.View.
func (w *wiring) Changed(b lattice.Box) {
	if w.conf.Builders > 0 {
		w.groups.Changed(b)
	}
}

// Arrived implements region.View.
func (w *wiring) Arrived() { w.residency.RegionArrived() }

// TileArrived implements tile.Owner.
func (w *wiring) TileArrived() { w.status.urgent = true }

// Reject implements tile.Owner.
func (w *wiring) Reject(reason string) { w.link.Reject(reason) }

// Take implements fetch.Taker: it takes a file of the world.
func (w *wiring) Take(hash asset.Hash, data []byte) { (*Session)(w).loaded(hash, data) }

// Unavailable implements fetch.Taker: without all of its files there is no world.
func (w *wiring) Unavailable(asset.Hash) (gaveUp bool) { return false }
