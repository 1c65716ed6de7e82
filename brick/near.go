package brick

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// nearBlocks bounds the blocks that a layer keeps: 64 of 128 KiB are 8 MB. A ball of radius 8 reaches up to 8, a
// ray of 80 m crosses about 10, a row of rows along the greatest brush 25; with fewer than that, the same
// samples would be computed again and again.
const nearBlocks = 64

// patience is the number of samples of a brick that are read one by one before the whole brick is filled. The
// hills fill a brick in the time of about 450 single samples. With less patience an edit in the middle of
// nowhere pays for a brick that nobody reads again; with more, a busy place pays twice.
const patience = 512

// A near keeps the field's densities of the bricks that were read last: edits and rays come in clusters.
type near struct {
	blocks map[lattice.Brick]*block
	last   *block // the one read last
	clock  uint64
	grid   *grid.Grid
}

// A block caches the bounds and samples of the field in one brick.
type block struct {
	id      lattice.Brick
	used    uint64
	reads   int           // samples read one by one
	bounds  geom.Interval // if bounded, of the corners of the brick's cells: its samples and the next on the high sides
	bounded bool
	samples []float32 // all densities, x fastest; empty until there were enough reads
}

// block returns what is known of the brick with the number id.
func (l *Layer) block(id lattice.Brick) *block {
	n := &l.near
	if n.last != nil && n.last.id == id {
		return n.last
	}
	b := n.blocks[id]
	if b == nil {
		if n.blocks == nil {
			n.blocks = make(map[lattice.Brick]*block)
		}
		b = new(block)
		if len(n.blocks) >= nearBlocks {
			b = n.oldest()
			delete(n.blocks, b.id)
		}
		*b = block{id: id, samples: b.samples[:0]}
		n.blocks[id] = b
	}
	n.clock++
	b.used, n.last = n.clock, b
	return b
}

// oldest returns the block that was used longest ago.
func (n *near) oldest() *block {
	var oldest *block
	for _, b := range n.blocks {
		if oldest == nil || b.used < oldest.used {
			oldest = b
		}
	}
	return oldest
}

// dense returns the field's densities of all samples of a brick, x fastest, for a caller who reads n of them. It
// returns nil when they are better read one by one.
func (l *Layer) dense(id lattice.Brick, n int) []float32 {
	b := l.block(id)
	if len(b.samples) == 0 {
		if b.reads += n; b.reads < patience {
			return nil
		}
		l.fill(b)
	}
	return b.samples
}

// fill sets b's samples, and its bounds to what they are.
func (l *Layer) fill(b *block) {
	if l.near.grid == nil {
		l.near.grid = grid.New(side)
	}
	g := l.near.grid
	g.Chunk = lattice.Chunk(b.id)
	l.base.Fill(g)
	if cap(b.samples) < MaxLen {
		b.samples = make([]float32, 0, MaxLen)
	}
	b.bounded = true
	b.bounds = geom.Interval{Lo: g.Samples[g.Index(0, 0, 0)], Hi: g.Samples[g.Index(0, 0, 0)]}
	for z := range side + 1 {
		for y := range side + 1 {
			at := g.Index(0, y, z)
			row := g.Samples[at : at+side+1]
			for _, d := range row {
				if d < b.bounds.Lo {
					b.bounds.Lo = d
				}
				if d > b.bounds.Hi {
					b.bounds.Hi = d
				}
			}
			if y < side && z < side {
				b.samples = append(b.samples, row[:side]...)
			}
		}
	}
}

// Near returns what At returns, for callers who ask for many samples close by: after some, the field is
// evaluated for the whole brick and kept for a while. s is a sample of the level.
func (l *Layer) Near(s lattice.Sample) float32 {
	id := lattice.BrickOf(s, l.level)
	x, y, z := inBrick(s, l.level)
	if l.bricks > 0 {
		if b := l.Brick(id); b != nil {
			if v, ok := b.density.at(x, y, z); ok {
				return v
			}
		}
	}
	if dense := l.dense(id, 1); dense != nil {
		return dense[(z*side+y)*side+x]
	}
	return l.base.At(s)
}

// CellBounds returns an interval that holds the densities of the corners of all cells whose low corner lies in
// the brick id, edits included. It keeps what it learns of the field for a while.
func (l *Layer) CellBounds(id lattice.Brick) geom.Interval {
	b := l.block(id)
	if !b.bounded {
		box, h := id.Box(), int32(1)<<id.Level
		box.Max = box.Max.Add(h, h, h)
		b.bounds, b.bounded = l.base.Bounds(box), true
	}
	iv := b.bounds
	if l.bricks == 0 {
		return iv
	}
	for i := range int32(8) {
		b := l.Brick(lattice.Brick{X: id.X + i&1, Y: id.Y + i>>1&1, Z: id.Z + i>>2, Level: id.Level})
		if b != nil {
			iv = iv.Union(b.bounds)
		}
	}
	return iv
}
