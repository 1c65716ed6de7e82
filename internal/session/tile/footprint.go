package tile

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/world"
)

const (
	// brickMargin is how far in samples from a place the bricks end that are read round it: the brick that it lies in,
	// and that brick's neighbor.
	brickMargin = 2 * lattice.BrickSamples
	// regionMargin is how far beyond a region its entries reach: a brush of the greatest reach has its far side there,
	// and the bricks that it lies in end there.
	regionMargin = 2*edit.MaxReach + brickMargin
	// maxRegionTiles bounds the tiles of a region. A world with more has smaller ones than any that this engine makes.
	maxRegionTiles = 1 << 10
)

// regionFootprint returns the columns whose tiles a region needs.
func regionFootprint(id lattice.Region) lattice.Box {
	side := int32(lattice.ChunkCells) << (lattice.RegionShift + id.Level)
	b := lattice.Box{Min: lattice.Sample{X: id.X * side, Z: id.Z * side}, Max: lattice.Sample{X: id.X*side + side, Z: id.Z*side + side}}
	return widened(b, regionMargin)
}

// editFootprint returns the columns whose tiles an edit needs whose samples lie in b: those of the bricks that it
// reaches, since a brick that is made anew is filled from the field.
func editFootprint(b lattice.Box) lattice.Box { return widened(b, brickMargin) }

// chunkFootprint returns the columns whose tiles a chunk's grid needs: its margin reaches a cell beyond the chunk, and
// the normals on it read one sample more.
func chunkFootprint(c lattice.Chunk) lattice.Box { return widened(c.Box(), 2<<c.Level) }

// widened returns b with n samples more on each side, within what is numbered.
func widened(b lattice.Box, n int32) lattice.Box {
	const edge = lattice.Limit + 1<<12
	b.Min.X, b.Min.Z = max(b.Min.X-n, -edge), max(b.Min.Z-n, -edge)
	b.Max.X, b.Max.Z = min(b.Max.X+n, edge), min(b.Max.Z+n, edge)
	return b
}

// HoldRegion holds the tiles round a region and returns them.
func (t *Store) HoldRegion(id lattice.Region) []asset.Hash {
	hashes := t.In(regionFootprint(id))
	t.Hold(hashes)
	if len(hashes) > maxRegionTiles {
		t.owner.Reject("the world's ground is cut into tiles too small for this client")
	}
	return hashes
}

// HoldEdit holds the tiles of an edit whose samples lie in b and returns them. ok is false if one of them is not there;
// then nothing is held.
func (t *Store) HoldEdit(b lattice.Box) (hashes []asset.Hash, ok bool) {
	hashes = t.In(editFootprint(b))
	if !t.Present(hashes) {
		return nil, false
	}
	t.Hold(hashes)
	return hashes, true
}

// CoversEdit reports whether the tiles are there of an edit whose samples lie in b.
func (t *Store) CoversEdit(b lattice.Box) bool { return t.Covers(editFootprint(b)) }

// CoversRay reports whether the tiles are there of the columns that a ray passes within reach meters. It does so for
// what is no ray, which world.World.Ray refuses.
func (t *Store) CoversRay(from lattice.Place, dir geom.Vec3, reach float32) bool {
	if t.terrain == nil || !from.Valid() || !dir.Finite() || dir == (geom.Vec3{}) || !(reach >= 0) {
		return true
	}
	reach = min(reach, world.MaxRay)
	dir = dir.Unit()
	end := from.Sample.Add(int32(dir.X*reach), 0, int32(dir.Z*reach))
	b := lattice.Box{Min: from.Sample, Max: from.Sample.Add(1, 1, 1)}.Union(lattice.Box{Min: end, Max: end.Add(1, 1, 1)})
	return t.Covers(widened(b, brickMargin)) // it reads whole bricks
}
