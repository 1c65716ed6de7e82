package builders

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
)

// laneShift is the base-2 logarithm of the side, in chunks, of the cubes whose chunks go to one builder: neighbors
// share bricks and samples. With smaller cubes most bricks would be sent to two builders; with larger ones an edit
// would keep one builder busy while the others idle.
const laneShift = 3

// A lane is a builder, as far as the session knows.
type lane struct {
	jobs int
	// sent holds the hash of each brick as it was last sent. A builder that no longer has it says so, and
	// gets it again.
	sent  map[lattice.Brick]uint64
	bytes int // about what sent takes in the builder's cache
	// tiles holds those that were sent, likewise.
	tiles     map[asset.Hash]struct{}
	tileBytes int
}

// reset makes l a builder that was sent nothing and has no job.
func (l *lane) reset() {
	*l = lane{sent: make(map[lattice.Brick]uint64), tiles: make(map[asset.Hash]struct{})}
}

// forget makes l a builder that was sent nothing.
func (l *lane) forget() {
	clear(l.sent)
	clear(l.tiles)
}

// pick returns the builder for a chunk: the one of its cube, or the one that has least to do if that has limit
// jobs already.
func (p *Pool) pick(c lattice.Chunk, limit int) uint32 {
	h := uint64(uint32(c.X>>laneShift))*0x9e3779b97f4a7c15 ^ uint64(uint32(c.Y>>laneShift))*0xbb67ae8584caa73b ^
		uint64(uint32(c.Z>>laneShift))*0xa54ff53a5f1d36f1
	first := uint32((h ^ h>>32) * 0x9e3779b97f4a7c15 >> 32 % uint64(len(p.lanes)))
	if p.lanes[first].jobs < limit {
		return first
	}
	for i := range p.lanes {
		if p.lanes[i].jobs < p.lanes[first].jobs {
			first = uint32(i)
		}
	}
	return first
}

// appendBricks appends to dst what a job says of its bricks, with the data of those that the builder is not believed to
// have, or of all if whole. The data are appended to data, which the bricks share.
func (l *lane) appendBricks(dst []builder.JobBrick, data []byte, bricks []*brick.Brick, whole bool) ([]builder.JobBrick, []byte) {
	for _, b := range bricks {
		jb := builder.JobBrick{ID: b.ID(), Hash: b.Hash()}
		if whole || !l.has(b) {
			from := len(data)
			data = b.AppendBinary(data)
			jb.Data = data[from:]
			l.note(b)
		}
		dst = append(dst, jb)
	}
	return dst, data
}

// has reports whether the builder was sent b.
func (l *lane) has(b *brick.Brick) bool {
	hash, ok := l.sent[b.ID()]
	return ok && hash == b.Hash()
}

// note remembers that the builder was sent b. When about as much was sent as it keeps, everything is forgotten:
// sending a brick twice costs less than building in two rounds.
func (l *lane) note(b *brick.Brick) {
	if l.bytes += b.SizeBytes(); l.bytes > builder.CacheBytes {
		clear(l.sent)
		l.bytes = b.SizeBytes()
	}
	l.sent[b.ID()] = b.Hash()
}

// appendTiles appends to dst what a job says of its tiles: all of a tile the first time that the builder hears of it.
func (l *lane) appendTiles(dst, list []builder.JobTile, whole bool) []builder.JobTile {
	for _, k := range list {
		if _, ok := l.tiles[k.Hash]; ok && !whole {
			dst = append(dst, builder.JobTile{Hash: k.Hash})
			continue
		}
		if l.tileBytes += len(k.Data); l.tileBytes > builder.TileBytes {
			clear(l.tiles)
			l.tileBytes = len(k.Data)
		}
		l.tiles[k.Hash] = struct{}{}
		dst = append(dst, k)
	}
	return dst
}
