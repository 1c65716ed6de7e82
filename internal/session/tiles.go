package session

import (
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/world"
)

const (
	// idleTileBytes bounds the tiles that are kept though nothing needs them any more: someone who walks to and fro
	// along the edge of one does not fetch it each time.
	idleTileBytes = 16 << 20
	// tileMargin is how far in samples beyond a region its entries reach: a brush of the greatest reach has its far
	// side there, and the bricks that it lies in end there.
	tileMargin = 2*edit.MaxReach + 2*lattice.BrickSamples
	// maxRegionTiles bounds the tiles of a region. A world with more has smaller ones than any that this engine makes.
	maxRegionTiles = 1 << 10
)

// Tiles are the parts of rasters that are fetched when they are needed. A region is joined once the tiles round it are
// there, and they stay for as long as it does, so nothing that the session computes ever lacks one: chunks, entries
// and what is at a sample are looked at in regions that are there, and everything else asks first.
type tiles struct {
	terrain field.Tiler // nil if the world has none
	rasters []*field.TiledRaster
	all     map[asset.Hash]*tile // in use, or idle
	idle    []*tile              // that nothing needs and that are there, the one left longest ago first
	bytes   int                  // of idle
	there   int                  // of all, those that are there
}

// A tile is one that something needs, or did not long ago.
type tile struct {
	hash asset.Hash
	data []byte // nil until it is there
	uses int    // regions, own edits
}

// newTiles finds the tiles of a world's assets.
func newTiles(terrain field.Terrain, assets map[asset.Hash][]byte) (tiles, error) {
	t := tiles{all: make(map[asset.Hash]*tile)}
	for _, data := range assets {
		parts, err := field.AssetParts(data)
		if err != nil {
			return t, err
		}
		if parts == nil {
			continue
		}
		r, err := field.ParseTiledRaster(data)
		if err != nil {
			return t, err
		}
		t.rasters = append(t.rasters, r)
	}
	if len(t.rasters) > 0 {
		t.terrain, _ = terrain.(field.Tiler)
	}
	return t, nil
}

// in returns the hashes of the tiles that the columns of b need.
func (t *tiles) in(b lattice.Box) []asset.Hash {
	if t.terrain == nil {
		return nil
	}
	return t.terrain.Tiles(nil, b)
}

// have reports whether all tiles are there that the columns of b need.
func (t *tiles) have(b lattice.Box) bool {
	return !slices.ContainsFunc(t.in(b), func(hash asset.Hash) bool { return t.all[hash] == nil || t.all[hash].data == nil })
}

// widened returns b with n samples more on each side, within what is numbered.
func widened(b lattice.Box, n int32) lattice.Box {
	const edge = lattice.Limit + 1<<12
	b.Min.X, b.Min.Z = max(b.Min.X-n, -edge), max(b.Min.Z-n, -edge)
	b.Max.X, b.Max.Z = min(b.Max.X+n, edge), min(b.Max.Z+n, edge)
	return b
}

// roundRegion returns the columns whose tiles a region needs.
func roundRegion(id lattice.Region) lattice.Box {
	side := int32(lattice.ChunkCells) << (lattice.RegionShift + id.Level)
	b := lattice.Box{Min: lattice.Sample{X: id.X * side, Z: id.Z * side}, Max: lattice.Sample{X: id.X*side + side, Z: id.Z*side + side}}
	return widened(b, tileMargin)
}

// roundEdit returns the columns whose tiles an edit needs: of the bricks that it reaches.
func roundEdit(e edit.Checked) lattice.Box { return widened(e.Box(0), 2*lattice.BrickSamples) }

// hold has tiles fetched, if they are not there, and kept until they are let go.
func (s *Session) hold(hashes []asset.Hash) {
	t := &s.tiles
	for _, hash := range hashes {
		k := t.all[hash]
		if k == nil {
			k = &tile{hash: hash}
			t.all[hash] = k
			s.fetches.want(hash, nil)
		}
		if k.uses == 0 && k.data != nil {
			t.idle = slices.DeleteFunc(t.idle, func(o *tile) bool { return o == k })
			t.bytes -= len(k.data)
		}
		k.uses++
	}
}

// letGo takes back a hold. The newest of the tiles that nothing needs are kept.
func (s *Session) letGo(hashes []asset.Hash) {
	t := &s.tiles
	for _, hash := range hashes {
		k := t.all[hash]
		if k.uses--; k.uses > 0 {
			continue
		}
		if k.data == nil {
			delete(t.all, hash)
			s.fetches.cancel(hash)
			continue
		}
		t.rest(k)
	}
}

// rest makes a tile one of those that nothing needs.
func (t *tiles) rest(k *tile) {
	t.idle = append(t.idle, k)
	for t.bytes += len(k.data); t.bytes > idleTileBytes && len(t.idle) > 1; t.idle = t.idle[1:] {
		t.bytes -= len(t.idle[0].data)
		t.there--
		delete(t.all, t.idle[0].hash)
	}
}

// glance asks for the tiles of a column that nothing needs yet: where the viewer is to stand.
func (s *Session) glance(hashes []asset.Hash) {
	for _, hash := range hashes {
		if s.tiles.all[hash] == nil {
			s.tiles.all[hash] = &tile{hash: hash}
			s.fetches.want(hash, nil)
		}
	}
	s.startFetches()
}

// tileFetched takes a tile, whose hash was checked. It returns false if the content is none that is waited for.
func (s *Session) tileFetched(hash asset.Hash, data []byte) bool {
	t := &s.tiles
	k := t.all[hash]
	if k == nil || k.data != nil {
		return false
	}
	for _, r := range t.rasters {
		if err := r.CheckTile(hash, data); err != nil {
			s.reject("a part of the world's ground is not what the world says: " + err.Error())
			return true
		}
	}
	k.data = data
	t.there++
	if k.uses == 0 {
		t.rest(k)
	}
	s.status.urgent = true
	return true
}

// asset returns a file of the world, or a tile that is there.
func (s *Session) asset(hash asset.Hash) ([]byte, error) {
	if k := s.tiles.all[hash]; k != nil && k.data != nil {
		return k.data, nil
	}
	return nil, errAsset
}

// holdRegion has the tiles round a region fetched and kept for as long as it is there.
func (s *Session) holdRegion(r *region) {
	r.tiles = s.tiles.in(roundRegion(r.id))
	s.hold(r.tiles)
	if len(r.tiles) > maxRegionTiles {
		s.reject("the world's ground is cut into tiles too small for this client")
	}
}

// grounded reports whether the tiles of a region are there.
func (s *Session) grounded(r *region) bool {
	return !slices.ContainsFunc(r.tiles, func(hash asset.Hash) bool { return s.tiles.all[hash].data == nil })
}

// captureTiles returns the tiles that a chunk's mesh is made from.
func (s *Session) captureTiles(c lattice.Chunk) (list []*tile) {
	b, h := c.Box(), int32(1)<<c.Level
	for _, hash := range s.tiles.in(widened(b, 2*h)) {
		if len(list) < builder.MaxTiles { // a builder says what it lacks
			list = append(list, s.tiles.all[hash])
		}
	}
	return list
}

// appendTiles appends to js.tiles what a job says of its tiles: all of a tile the first time that a builder hears of it.
func (js *jobs) appendTiles(l *lane, list []*tile, whole bool) {
	js.tiles = js.tiles[:0]
	for _, k := range list {
		jt := builder.JobTile{Hash: k.hash}
		if _, ok := l.tiles[k.hash]; !ok || whole {
			jt.Data = k.data
			if l.tileBytes += len(k.data); l.tileBytes > builder.TileBytes {
				clear(l.tiles)
				l.tileBytes = len(k.data)
			}
			l.tiles[k.hash] = struct{}{}
		}
		js.tiles = append(js.tiles, jt)
	}
}

// sees reports whether the ground is there that a ray from a place along dir passes within reach meters.
func (s *Session) sees(from lattice.Place, dir geom.Vec3, reach float32) bool {
	if s.tiles.terrain == nil || !from.Valid() || !dir.Finite() || dir == (geom.Vec3{}) || !(reach >= 0) {
		return true // World.Ray refuses what is none
	}
	reach = min(reach, world.MaxRay)
	dir = dir.Unit()
	end := from.Sample.Add(int32(dir.X*reach), 0, int32(dir.Z*reach))
	b := lattice.Box{Min: from.Sample, Max: from.Sample.Add(1, 1, 1)}.Union(lattice.Box{Min: end, Max: end.Add(1, 1, 1)})
	return s.tiles.have(widened(b, 2*lattice.BrickSamples)) // it reads whole bricks
}
