package builder

import (
	"container/list"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/lattice"
)

// CacheBytes bounds the memory of the bricks that a builder keeps. A brick takes 6 kB and 4 bytes a sample: 32
// MiB are 240 bricks that are edited everywhere, or 3,900 that a ball of radius 3 was dug from. Fewer would not
// hold what a view of radius 8 has round a busy place, and each miss costs a second round of the job.
const CacheBytes = 32 << 20

// A cache keeps the bricks that were used most recently, by number and hash.
type cache struct {
	limit int // bytes
	size  int
	items map[brickKey]*list.Element
	order list.List // of *brick.Brick, the most recently used in front
}

// A brickKey names a content of a brick.
type brickKey struct {
	id   lattice.Brick
	hash uint64
}

func newCache(limit int) *cache {
	return &cache{limit: limit, items: make(map[brickKey]*list.Element)}
}

// get returns the brick of the key, nil if it is not cached.
func (c *cache) get(k brickKey) *brick.Brick {
	e := c.items[k]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*brick.Brick)
}

// put adds b and evicts the bricks that were used least recently.
func (c *cache) put(b *brick.Brick) {
	k := brickKey{b.ID(), b.Hash()}
	if c.get(k) != nil {
		return
	}
	c.items[k] = c.order.PushFront(b)
	c.size += b.SizeBytes()
	for c.size > c.limit && c.order.Len() > 1 {
		e := c.order.Back()
		old := c.order.Remove(e).(*brick.Brick)
		delete(c.items, brickKey{old.ID(), old.Hash()})
		c.size -= old.SizeBytes()
	}
}
