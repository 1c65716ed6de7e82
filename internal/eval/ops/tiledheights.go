package ops

import (
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
)

// tiledHeights are the samples of a raster in tiles. A few tiles are kept.
type tiledHeights struct {
	info    *raster.Tiled
	shift   int // of a sample number, to that of its tile
	across  int
	open    func(hash asset.Hash) ([]byte, error)
	pyramid *raster.Pyramid  // over whole tiles
	tiles   [keptTiles]*tile // the last used first
	Ready   bool             // the terrain is made; before, nothing is read
}

// keptTiles is how many tiles a terrain keeps. A chunk reads four at most; a viewer's surroundings, 500 m of ground a
// meter between samples, nine. With 512 samples a side they take 8 MB.
const keptTiles = 16

type tile struct {
	number int
	*wholeHeights
}

func newTiledHeights(data []byte, open Files) (*tiledHeights, error) {
	info, err := raster.ParseTiled(data)
	if err != nil {
		return nil, err
	}
	t := &tiledHeights{info: info, across: info.Across(), open: open}
	for 1<<t.shift < info.Side {
		t.shift++
	}
	finest := raster.NewPatches(info.Across(), info.Down())
	for i, e := range info.Tiles {
		finest.Add(i%t.across, i/t.across, geom.Interval{Lo: e.Low, Hi: e.High})
	}
	t.pyramid = raster.PyramidOver(finest)
	return t, nil
}

// at returns the tile with a number.
func (t *tiledHeights) at(number int) *tile {
	for i, k := range t.tiles {
		if k != nil && k.number == number {
			copy(t.tiles[1:], t.tiles[:i])
			t.tiles[0] = k
			return k
		}
	}
	k := t.read(number)
	copy(t.tiles[1:], t.tiles[:])
	t.tiles[0] = k
	return k
}

// read reads a tile.
func (t *tiledHeights) read(number int) *tile {
	e := &t.info.Tiles[number]
	v, err := t.info.ReadTile(number, t.open)
	if err != nil {
		panic(&raster.AssetError{Hash: e.Hash, Err: err})
	}
	return &tile{number, newWholeHeights(v, geom.Interval{Lo: e.Low, Hi: e.High})}
}

// TilesIn appends to dst the hashes of the tiles that may be read in the columns of b, none twice.
func (h *Heightmap) TilesIn(dst []asset.Hash, b *lattice.Box) []asset.Hash {
	r := h.Raster.InTiles()
	// A slope reads the columns beside its own.
	x0, x1 := splineAt(widened(b.Min.X, -1), h.dx, h.width), splineAt(widened(b.Max.X-1, 1), h.dx, h.width)
	z0, z1 := splineAt(widened(b.Min.Z, -1), h.dz, h.height), splineAt(widened(b.Max.Z-1, 1), h.dz, h.height)
	ax, _, _, _ := x0.neighbors(h.width)
	_, _, _, bx := x1.neighbors(h.width)
	az, _, _, _ := z0.neighbors(h.height)
	_, _, _, bz := z1.neighbors(h.height)
	for z := az >> r.shift; z <= bz>>r.shift; z++ {
		for x := ax >> r.shift; x <= bx>>r.shift; x++ {
			if hash := r.info.Tiles[z*r.across+x].Hash; !slices.Contains(dst, hash) {
				dst = append(dst, hash)
			}
		}
	}
	return dst
}

// widened returns a sample number moved, where that is one.
func widened(v, by int32) int32 {
	return int32(max(min(int64(v)+int64(by), math.MaxInt32), math.MinInt32))
}

// fork returns the tiles for another reader, which keeps its own few.
func (t *tiledHeights) fork() heights {
	return &tiledHeights{info: t.info, shift: t.shift, across: t.across, open: t.open, pyramid: t.pyramid, Ready: t.Ready}
}

func (t *tiledHeights) InTiles() *tiledHeights { return t }

// sample returns the sample x, z.
func (t *tiledHeights) sample(x, z int) float32 {
	k := t.tiles[0]
	if number := z>>t.shift*t.across + x>>t.shift; k == nil || k.number != number {
		k = t.at(number)
	}
	mask := t.info.Side - 1
	return k.Meters(z&mask*k.Width + x&mask)
}

func (t *tiledHeights) along(z, a, b, c, d int) (float32, float32, float32, float32) {
	return t.sample(a, z), t.sample(b, z), t.sample(c, z), t.sample(d, z)
}

// extremes looks into tiles only if the samples lie in two by two of them at most.
func (t *tiledHeights) extremes(x0, z0, x1, z1 int) geom.Interval {
	tx0, tz0, tx1, tz1 := x0>>t.shift, z0>>t.shift, x1>>t.shift, z1>>t.shift
	if tx1-tx0 > 1 || tz1-tz0 > 1 || !t.Ready {
		return t.pyramid.OfPatches(tx0, tz0, tx1, tz1)
	}
	all := geom.Interval{Lo: raster.MaxHeight, Hi: -raster.MaxHeight}
	for z := tz0; z <= tz1; z++ {
		for x := tx0; x <= tx1; x++ {
			all = all.Union(t.extremesIn(z*t.across+x, x0-x<<t.shift, z0-z<<t.shift, x1-x<<t.shift, z1-z<<t.shift))
		}
	}
	return all
}

// extremesIn returns the extremes of a tile's samples from x0, z0 to x1, z1, counted from its own first one. It reads
// none for all of them.
func (t *tiledHeights) extremesIn(number, x0, z0, x1, z1 int) geom.Interval {
	w := min(t.info.Side, t.info.Width-number%t.across<<t.shift)
	h := min(t.info.Side, t.info.Height-number/t.across<<t.shift)
	x0, z0, x1, z1 = max(x0, 0), max(z0, 0), min(x1, w-1), min(z1, h-1)
	if x0 == 0 && z0 == 0 && x1 == w-1 && z1 == h-1 {
		return geom.Interval{Lo: t.info.Tiles[number].Low, Hi: t.info.Tiles[number].High}
	}
	return t.at(number).extremes(x0, z0, x1, z1)
}
