// Package tile keeps the parts of rasters that a session needs. A region is joined once the tiles round it are there,
// and they stay for as long as it does, so nothing that the session computes ever lacks one: chunks, entries and what is
// at a sample are looked at in regions that are there, and everything else asks first. Without that promise a chunk, an
// edit or a ray would have to stop half way through its work and be taken up again once a tile has come.
package tile

import (
	"iter"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/internal/session/fetch"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
)

// MaxIdleBytes bounds the tiles that are kept though nothing needs them any more: someone who walks to and fro
// along the edge of one does not fetch it each time.
const MaxIdleBytes = 16 << 20

// A Fetcher fetches tiles; it is a fetch.Queue.
type Fetcher interface {
	Want(hash asset.Hash, t fetch.Taker)
	Cancel(hash asset.Hash)
	Start()
}

// An Owner hears what came of tiles.
type Owner interface {
	// TileArrived tells that a tile is there.
	TileArrived()
	// Reject tells that the world cannot be used, and why.
	Reject(reason string)
}

// A Store holds the tiles of a world.
type Store struct {
	fetcher Fetcher
	owner   Owner

	terrain field.Tiler // nil if the world has none
	rasters []*raster.Tiled
	all     map[asset.Hash]*tile // in use, prefetched, or idle
	idle    []*tile              // that nothing needs and that are there, the one released longest ago first
	bytes   int                  // of idle
	there   int                  // of all, those that are there
}

// A tile is one that something needs, or did not long ago.
type tile struct {
	hash asset.Hash
	data []byte // nil until it is there
	uses int    // regions, own edits
}

// New returns the store of a world's terrain, whose assets name the tiles, if they have any.
func New(terrain field.Terrain, assets map[asset.Hash][]byte, f Fetcher, o Owner) (*Store, error) {
	t := &Store{fetcher: f, owner: o, all: make(map[asset.Hash]*tile)}
	for _, data := range assets {
		parts, err := raster.Parts(data)
		if err != nil {
			return nil, err
		}
		if parts == nil {
			continue
		}
		r, err := raster.ParseTiled(data)
		if err != nil {
			return nil, err
		}
		t.rasters = append(t.rasters, r)
	}
	if len(t.rasters) > 0 {
		t.terrain, _ = terrain.(field.Tiler)
	}
	return t, nil
}

// In returns the hashes of the tiles that the columns of b need.
func (t *Store) In(b lattice.Box) []asset.Hash {
	if t.terrain == nil {
		return nil
	}
	return t.terrain.Tiles(nil, b)
}

// Covers reports whether all tiles are there that the columns of b need.
func (t *Store) Covers(b lattice.Box) bool { return t.Present(t.In(b)) }

// Present reports whether all of the tiles are there.
func (t *Store) Present(hashes []asset.Hash) bool {
	return !slices.ContainsFunc(hashes, func(hash asset.Hash) bool { return t.Data(hash) == nil })
}

// Data returns a tile, nil if it is not there.
func (t *Store) Data(hash asset.Hash) []byte {
	if k := t.all[hash]; k != nil {
		return k.data
	}
	return nil
}

// Len returns the number of tiles that are there.
func (t *Store) Len() int { return t.there }

// IdleBytes returns the size of the tiles that are there and that nothing needs.
func (t *Store) IdleBytes() int { return t.bytes }

// All yields the tiles, with the number of holds on each.
func (t *Store) All() iter.Seq2[asset.Hash, int] {
	return func(yield func(asset.Hash, int) bool) {
		for hash, k := range t.all {
			if !yield(hash, k.uses) {
				return
			}
		}
	}
}

// Hold has tiles fetched, if they are not there, and kept until Release takes the hold back.
func (t *Store) Hold(hashes []asset.Hash) {
	for _, hash := range hashes {
		k := t.all[hash]
		if k == nil {
			k = t.want(hash)
		}
		if k.uses == 0 && k.data != nil {
			t.idle = slices.DeleteFunc(t.idle, func(o *tile) bool { return o == k })
			t.bytes -= len(k.data)
		}
		k.uses++
	}
}

// want begins to fetch a tile.
func (t *Store) want(hash asset.Hash) *tile {
	k := &tile{hash: hash}
	t.all[hash] = k
	t.fetcher.Want(hash, t)
	return k
}

// Release takes back a hold. The newest of the tiles that nothing needs are kept.
func (t *Store) Release(hashes []asset.Hash) {
	for _, hash := range hashes {
		k := t.all[hash]
		if k.uses--; k.uses > 0 {
			continue
		}
		if k.data == nil {
			delete(t.all, hash)
			t.fetcher.Cancel(hash)
			continue
		}
		t.keepIdle(k)
	}
}

// keepIdle makes a tile one of those that nothing needs, and evicts those that were released longest ago.
func (t *Store) keepIdle(k *tile) {
	t.idle = append(t.idle, k)
	for t.bytes += len(k.data); t.bytes > MaxIdleBytes && len(t.idle) > 1; t.idle = t.idle[1:] {
		t.bytes -= len(t.idle[0].data)
		t.there--
		delete(t.all, t.idle[0].hash)
	}
}

// Prefetch asks for the tiles of columns that nothing needs yet: where the viewer is to stand.
func (t *Store) Prefetch(b lattice.Box) {
	for _, hash := range t.In(b) {
		if t.all[hash] == nil {
			t.want(hash)
		}
	}
	t.fetcher.Start()
}

// Take takes a tile, whose hash was checked.
func (t *Store) Take(hash asset.Hash, data []byte) {
	k := t.all[hash]
	if k == nil || k.data != nil {
		return
	}
	for _, r := range t.rasters {
		if err := r.CheckTile(hash, data); err != nil {
			t.owner.Reject("a part of the world's ground is not what the world says: " + err.Error())
			return
		}
	}
	k.data = data
	t.there++
	if k.uses == 0 {
		t.keepIdle(k)
	}
	t.owner.TileArrived()
}

// Unavailable has a tile asked for again, for ever: there is no newer one.
func (t *Store) Unavailable(asset.Hash) (gaveUp bool) { return false }

// Capture returns the tiles that a chunk's mesh is made from, as a builder's job names them. The chunk's regions are
// there, and so are they.
func (t *Store) Capture(c lattice.Chunk) (list []builder.JobTile) {
	for _, hash := range t.In(chunkFootprint(c)) {
		if len(list) < builder.MaxTiles { // a builder says what it lacks
			list = append(list, builder.JobTile{Hash: hash, Data: t.Data(hash)})
		}
	}
	return list
}
