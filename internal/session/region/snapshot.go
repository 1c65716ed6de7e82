package region

import (
	"crypto/sha256"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A snapshot is all bricks of a region at one entry of the log.
type snapshot struct {
	seq, hash uint64
	pieces    []piece
	same      bool // the bricks in the world are those of the snapshot
}

// A piece is one brick of a snapshot.
type piece struct {
	id      lattice.Brick
	content asset.Hash
	brick   *brick.Brick // nil until it is there
	box     lattice.Box  // of a stale region: the samples in which it differs from what is shown
}

// Snapshot takes a snapshot, or a part of one.
func (rs *Regions) Snapshot(m wire.Snapshot) {
	n := rs.asks[m.Region]
	if n == 0 {
		rs.server.Drop("the server sent a snapshot of a region that was not asked for")
		return
	}
	if !m.More {
		rs.asks[m.Region] = n - 1
		if n == 1 {
			delete(rs.asks, m.Region)
		}
	}
	// A region that was left and entered again was asked for twice. Only the answer to the last question counts: entries
	// between the two were sent to nobody, so on the first snapshot they would be missing for ever.
	r := rs.all[m.Region]
	if r == nil || n > 1 || r.phase != asked {
		return
	}
	if len(r.snap.pieces) > 0 && (m.Seq != r.snap.seq || m.Hash != r.snap.hash) {
		rs.server.Drop("the server mixed two snapshots")
		return
	}
	r.snap.seq, r.snap.hash = m.Seq, m.Hash
	for _, p := range m.Pieces {
		id := lattice.Brick{X: p.X, Y: p.Y, Z: p.Z, Level: m.Region.Level}
		if id.Region() != m.Region {
			rs.server.Drop("the server sent a snapshot with a brick of another region")
			return
		}
		r.snap.pieces = append(r.snap.pieces, piece{id: id, content: p.Content})
	}
	if m.More {
		return
	}
	r.held = slices.DeleteFunc(r.held, func(h Entry) bool { return h.Seq <= r.snap.seq })
	if r.phase = checking; r.stale && rs.world.Layer().RegionHash(r.id) == m.Hash {
		r.snap.same, r.phase = true, ready
	}
}

// check compares the snapshot of r with what is there, as far as the slice lasts, and asks for what is not.
func (rs *Regions) check(r *region) {
	for ; r.checked < len(r.snap.pieces); r.checked++ {
		if !rs.budget.Spend(1) {
			return
		}
		p := &r.snap.pieces[r.checked]
		if r.stale && rs.shows(p) {
			continue
		}
		if b := rs.pieces[p.content]; b != nil && b.ID() == p.id {
			rs.adopt(r, p, b)
			continue
		}
		if r.missing == nil {
			r.missing = make(map[asset.Hash]int)
		}
		r.missing[p.content] = r.checked
		rs.fetcher.Want(p.content, r)
	}
	if r.phase = fetching; len(r.missing) == 0 {
		r.phase = ready
	}
	rs.fetcher.Start()
}

// shows reports whether the world's brick is the piece's already, which then takes it.
func (rs *Regions) shows(p *piece) bool {
	b := rs.world.Layer().Brick(p.id)
	if b == nil {
		return false
	}
	rs.scratch = b.AppendBinary(rs.scratch[:0])
	rs.budget.Spend(len(rs.scratch) >> 13)
	if sha256.Sum256(rs.scratch) != p.content {
		return false
	}
	p.brick = b
	return true
}

// Take takes a piece of r.
func (r *region) Take(hash asset.Hash, data []byte) {
	rs := r.of
	b, err := brick.Parse(data)
	if err != nil {
		rs.server.Drop("the server's content is no brick: " + err.Error())
		return
	}
	if rs.pieces == nil {
		rs.pieces = make(map[asset.Hash]*brick.Brick)
	}
	rs.pieces[hash] = b
	i, ok := r.missing[hash]
	if !ok {
		return // from before the connection was lost: kept for when it is asked for again
	}
	p := &r.snap.pieces[i]
	if p.id != b.ID() {
		rs.server.Drop("the server's snapshot names a brick by the content of another")
		return
	}
	delete(r.missing, hash)
	rs.adopt(r, p, b)
	if r.phase == fetching && len(r.missing) == 0 {
		r.phase = ready
	}
}

// Unavailable subscribes to the region anew: a server keeps no piece that a newer snapshot has replaced.
func (r *region) Unavailable(asset.Hash) (gaveUp bool) {
	r.of.fetcher.Abandon(r)
	if r.phase != live {
		r.of.unsubscribe(r)
		r.reset()
	}
	return true
}

// adopt makes b the brick of a piece of r.
func (rs *Regions) adopt(r *region, p *piece, b *brick.Brick) {
	p.brick = b
	if r.stale {
		rs.budget.Spend(16)
		p.box = difference(rs.world.Layer(), b)
	}
}

// difference returns the samples whose values b would change if it were laid. It leaves out none; samples that are
// edited in the layer and not in b count as changed, whatever the field says.
func difference(layer *brick.Layer, b *brick.Brick) lattice.Box {
	old := layer.Brick(b.ID())
	if old != nil && old.Hash() == b.Hash() {
		return lattice.Box{}
	}
	var c brick.Change
	o, level := b.ID().Origin(), b.ID().Level
	for z := range int32(lattice.BrickSamples) {
		for y := range int32(lattice.BrickSamples) {
			for x := range int32(lattice.BrickSamples) {
				p := o.Add(x<<level, y<<level, z<<level)
				v, edited := b.At(p)
				var was float32
				wasEdited := false
				if old != nil {
					was, wasEdited = old.At(p)
				}
				if edited && !wasEdited {
					was = layer.At(p) // the field's
				}
				if edited && math.Float32bits(v) != math.Float32bits(was) || !edited && wasEdited {
					c.Add(p)
				}
			}
		}
	}
	return c.Box
}
