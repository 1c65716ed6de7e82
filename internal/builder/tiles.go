package builder

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/terrane/terrane/asset"
)

// TileBytes bounds the tiles of rasters that a builder keeps: 64 of the usual size, twice what a view of radius 16 is
// over at a meter between samples.
const TileBytes = 32 << 20

// A tileCache keeps the tiles that were used last, and those of the job in hand however large they are.
type tileCache struct {
	now  []keptTile // of the job
	kept []keptTile // the one used last at the end
	size int        // bytes
}

type keptTile struct {
	hash asset.Hash
	data []byte
}

// get returns a tile, nil if it is not there.
func (c *tileCache) get(hash asset.Hash) []byte {
	for _, list := range [2][]keptTile{c.now, c.kept} {
		if i := slices.IndexFunc(list, func(k keptTile) bool { return k.hash == hash }); i >= 0 {
			return list[i].data
		}
	}
	return nil
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

// take makes the tiles of a job the ones at hand, and keeps them. lacks is true if one has no data and is not kept.
func (c *tileCache) take(tiles []JobTile) (lacks bool, err error) {
	if len(tiles) == 0 {
		c.now = c.now[:0]
		return false, nil
	}
	now := make([]keptTile, 0, len(tiles)) // what get finds is in the old one
	for _, t := range tiles {
		data := c.get(t.Hash)
		switch {
		case data != nil:
			c.drop(t.Hash)
		case len(t.Data) == 0:
			lacks = true // read on: the others are kept for the next time
			continue
		case sha256.Sum256(t.Data) != t.Hash:
			return false, fmt.Errorf("%w: tile %x has other content", ErrCorrupt, t.Hash[:8])
		default:
			data = bytes.Clone(t.Data) // it shares the job's memory
		}
		now = append(now, keptTile{t.Hash, data})
		c.kept, c.size = append(c.kept, keptTile{t.Hash, data}), c.size+len(data)
	}
	c.now = now
	for c.size > TileBytes && len(c.kept) > 0 {
		c.drop(c.kept[0].hash)
	}
	return lacks, nil
}

// drop forgets a tile, but for the job in hand.
func (c *tileCache) drop(hash asset.Hash) {
	if i := slices.IndexFunc(c.kept, func(k keptTile) bool { return k.hash == hash }); i >= 0 {
		c.size -= len(c.kept[i].data)
		c.kept = slices.Delete(c.kept, i, i+1)
	}
}
