package builder

import "github.com/terrane/terrane/lattice"

// CacheBytes bounds the memory of the bricks that a builder keeps. A brick takes 6 kB and 4 bytes a sample: 32
// MiB are 240 bricks that are edited everywhere, or 3,900 that a ball of radius 3 was dug from. Fewer would not
// hold what a view of radius 8 has round a busy place, and each miss costs a second round of the job.
const CacheBytes = 32 << 20

// A brickKey names a content of a brick.
type brickKey struct {
	id   lattice.Brick
	hash uint64
}
