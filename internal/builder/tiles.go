package builder

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/lru"
)

// TileBytes bounds the tiles of rasters that a builder keeps: 64 of the usual size, twice what a view of radius 16 is
// over at a meter between samples.
const TileBytes = 32 << 20

// A tileCache keeps the tiles that were used most recently, and those of the current job however large they are: a field
// may look into any of them until the job is done.
type tileCache struct {
	now  []cachedTile // of the job
	kept *lru.Cache[asset.Hash, []byte]
}

type cachedTile struct {
	hash asset.Hash
	data []byte
}

func newTileCache() *tileCache {
	return &tileCache{kept: lru.New[asset.Hash, []byte](TileBytes)}
}

// get returns a tile, nil if it is not there.
func (c *tileCache) get(hash asset.Hash) []byte {
	if i := slices.IndexFunc(c.now, func(k cachedTile) bool { return k.hash == hash }); i >= 0 {
		return c.now[i].data
	}
	data, _ := c.kept.Get(hash)
	return data
}

// over returns a function that finds tiles here and other files through read, which may be nil.
func (c *tileCache) over(read func(hash asset.Hash) ([]byte, error)) func(hash asset.Hash) ([]byte, error) {
	return func(hash asset.Hash) ([]byte, error) {
		if data := c.get(hash); data != nil {
			return data, nil
		}
		if read == nil {
			return nil, fmt.Errorf("builder: no asset %x", hash[:8])
		}
		return read(hash)
	}
}

// begin makes the tiles of a job those that get finds, and caches them. missing is true if one has no data and is not
// cached.
func (c *tileCache) begin(tiles []JobTile) (missing bool, err error) {
	if len(tiles) == 0 {
		c.now = c.now[:0]
		return false, nil
	}
	now := make([]cachedTile, 0, len(tiles)) // what get finds is in the old one
	for _, t := range tiles {
		data := c.get(t.Hash)
		switch {
		case data != nil:
		case len(t.Data) == 0:
			missing = true // read on: the others are cached for the next time
			continue
		case sha256.Sum256(t.Data) != t.Hash:
			return false, fmt.Errorf("%w: tile %x has other content", ErrCorrupt, t.Hash[:8])
		default:
			data = bytes.Clone(t.Data) // it shares the job's memory
		}
		now = append(now, cachedTile{t.Hash, data})
	}
	c.now = now
	for _, t := range now { // only now: each may evict one that the job has too
		if len(t.data) <= TileBytes {
			c.kept.Put(t.hash, t.data, len(t.data))
		}
	}
	return missing, nil
}
