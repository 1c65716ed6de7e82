package lattice

import "iter"

// ChunkOf returns the chunk at the level whose cells have s as a sample inside or on their low sides.
func ChunkOf(s Sample, level uint8) Chunk {
	n := ChunkShift + level
	return Chunk{s.X >> n, s.Y >> n, s.Z >> n, level}
}

// BrickOf returns the brick at the level that spans s.
func BrickOf(s Sample, level uint8) Brick {
	n := ChunkShift + level
	return Brick{s.X >> n, s.Y >> n, s.Z >> n, level}
}

// RegionOf returns the region at the level that spans s.
func RegionOf(s Sample, level uint8) Region {
	n := ChunkShift + RegionShift + level
	return Region{s.X >> n, s.Z >> n, level}
}

// Region returns the region that c lies in.
func (c Chunk) Region() Region { return Region{c.X >> RegionShift, c.Z >> RegionShift, c.Level} }

// Region returns the region that b lies in.
func (b Brick) Region() Region { return Region{b.X >> RegionShift, b.Z >> RegionShift, b.Level} }

// Origin returns the low corner of c.
func (c Chunk) Origin() Sample {
	n := ChunkShift + c.Level
	return Sample{c.X << n, c.Y << n, c.Z << n}
}

// Origin returns the first sample of b.
func (b Brick) Origin() Sample {
	n := ChunkShift + b.Level
	return Sample{b.X << n, b.Y << n, b.Z << n}
}

// Box returns the samples that c's own cells span, their high sides excluded.
func (c Chunk) Box() Box {
	o, n := c.Origin(), int32(ChunkCells)<<c.Level
	return Box{o, o.Add(n, n, n)}
}

// Box returns the samples that b spans.
func (b Brick) Box() Box {
	o, n := b.Origin(), int32(BrickSamples)<<b.Level
	return Box{o, o.Add(n, n, n)}
}

// Chunks yields the chunks at the level whose grids, margins included, read a sample of b: per axis
// ceil((low−33)/32) … floor((high+1)/32) in units of the level, high being the last sample.
func (b Box) Chunks(level uint8) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		lo, hi, ok := b.chunkRange(level)
		if !ok {
			return
		}
		for z := lo.Z; z <= hi.Z; z++ {
			for y := lo.Y; y <= hi.Y; y++ {
				for x := lo.X; x <= hi.X; x++ {
					if !yield(Chunk{x, y, z, level}) {
						return
					}
				}
			}
		}
	}
}

// Regions yields the regions at the level that hold a chunk of b.Chunks(level).
func (b Box) Regions(level uint8) iter.Seq[Region] {
	return func(yield func(Region) bool) {
		lo, hi, ok := b.chunkRange(level)
		if !ok {
			return
		}
		for z := lo.Z >> RegionShift; z <= hi.Z>>RegionShift; z++ {
			for x := lo.X >> RegionShift; x <= hi.X>>RegionShift; x++ {
				if !yield(Region{x, z, level}) {
					return
				}
			}
		}
	}
}

// Bricks yields the bricks at the level that hold a sample of b.
func (b Box) Bricks(level uint8) iter.Seq[Brick] {
	return func(yield func(Brick) bool) {
		if b.Empty() {
			return
		}
		lo, hi := BrickOf(b.Min, level), BrickOf(b.Max.Add(-1, -1, -1), level)
		for z := lo.Z; z <= hi.Z; z++ {
			for y := lo.Y; y <= hi.Y; y++ {
				for x := lo.X; x <= hi.X; x++ {
					if !yield(Brick{x, y, z, level}) {
						return
					}
				}
			}
		}
	}
}

// chunkRange returns the first and last chunk of b.Chunks(level); ok is false when b holds no sample of the
// level.
func (b Box) chunkRange(level uint8) (lo, hi Chunk, ok bool) {
	axis := func(low, high int32) (int32, int32, bool) { // high is excluded
		low, high = -(-low >> level), (high-1)>>level // first and last sample of the level, in its own units
		return -((33 - low) >> ChunkShift), (high + 1) >> ChunkShift, low <= high
	}
	lo.Level, hi.Level = level, level
	var okX, okY, okZ bool
	lo.X, hi.X, okX = axis(b.Min.X, b.Max.X)
	lo.Y, hi.Y, okY = axis(b.Min.Y, b.Max.Y)
	lo.Z, hi.Z, okZ = axis(b.Min.Z, b.Max.Z)
	return lo, hi, okX && okY && okZ
}
