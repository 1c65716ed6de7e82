package field

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// A TiledRaster describes a raster that is too large for one file: its samples lie in tiles, each an asset of
// its own that is read when a place in it is first asked for. It gives the heights that one raster would, bit for
// bit.
type TiledRaster struct {
	Width, Height    int
	MetersX, MetersZ float64 // distance between neighboring samples
	Side             int     // samples along each side of a tile; the last of a row or column may be smaller
	Tiles            []RasterTile
}

// A RasterTile is a square of a TiledRaster.
type RasterTile struct {
	Hash      asset.Hash // of its asset, a raster
	Low, High float32    // its least and greatest height in meters
}

// Limits of a raster in tiles. A world may name 4,096 assets, of which the tiles are some.
const (
	MaxTiledSide = 1 << 18
	MaxTiles     = 4000
	MinTileSide  = 1 << 6
	MaxTileSide  = 1 << 12
)

const (
	tiledMagic   = "TRRT"
	tiledVersion = 1
	tiledHeader  = 40
	tiledRecord  = 40
)

// Across returns the number of tiles along x.
func (t *TiledRaster) Across() int { return (t.Width + t.Side - 1) / t.Side }

// Down returns the number of tiles along z.
func (t *TiledRaster) Down() int { return (t.Height + t.Side - 1) / t.Side }

// Validate says what is wrong with t, if anything.
func (t *TiledRaster) Validate() error {
	switch {
	case t.Width < 2 || t.Height < 2 || t.Width > MaxTiledSide || t.Height > MaxTiledSide:
		return fmt.Errorf("tiled raster of %d×%d samples, want 2 … %d a side", t.Width, t.Height, MaxTiledSide)
	case t.Side < MinTileSide || t.Side > MaxTileSide || t.Side&(t.Side-1) != 0:
		return fmt.Errorf("raster tiles of %d samples a side, want a power of two from %d to %d", t.Side, MinTileSide, MaxTileSide)
	case t.Across()*t.Down() > MaxTiles:
		return fmt.Errorf("tiled raster of %d×%d tiles, want at most %d in all", t.Across(), t.Down(), MaxTiles)
	case len(t.Tiles) != t.Across()*t.Down():
		return fmt.Errorf("tiled raster of %d×%d tiles names %d", t.Across(), t.Down(), len(t.Tiles))
	}
	for i, e := range t.Tiles {
		if !(e.Low >= -MaxHeight && e.Low <= e.High && e.High <= MaxHeight) { // false for NaN
			return fmt.Errorf("raster tile %d,%d runs from %v to %v m, want %v … %v in order", i%t.Across(), i/t.Across(),
				e.Low, e.High, -MaxHeight, MaxHeight)
		}
	}
	return checkRasterUnits(t.MetersX, t.MetersZ, 1, 0)
}

// AppendBinary appends the binary form of t, drawn in doc.go, to dst. It panics if Validate would fail.
func (t *TiledRaster) AppendBinary(dst []byte) []byte {
	if err := t.Validate(); err != nil {
		panic("field: " + err.Error())
	}
	le, start := binary.LittleEndian, len(dst)
	dst = append(dst, tiledMagic...)
	dst = le.AppendUint16(dst, tiledVersion)
	dst = le.AppendUint16(dst, 0)
	dst = le.AppendUint32(dst, uint32(t.Width))
	dst = le.AppendUint32(dst, uint32(t.Height))
	dst = le.AppendUint32(dst, uint32(t.Side))
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint64(dst, math.Float64bits(t.MetersX))
	dst = le.AppendUint64(dst, math.Float64bits(t.MetersZ))
	for _, e := range t.Tiles {
		dst = append(dst, e.Hash[:]...)
		dst = le.AppendUint32(dst, math.Float32bits(e.Low))
		dst = le.AppendUint32(dst, math.Float32bits(e.High))
	}
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], rasterCastagnoli))
}

// isTiled reports whether an asset is a raster in tiles.
func isTiled(data []byte) bool { return len(data) >= 4 && string(data[:4]) == tiledMagic }

// ParseTiledRaster reads the binary form of a raster in tiles and validates it.
func ParseTiledRaster(data []byte) (*TiledRaster, error) {
	le := binary.LittleEndian
	switch {
	case len(data) < tiledHeader+rasterChecksumBytes:
		return nil, fmt.Errorf("%w: tiled raster of %d bytes, at least %d", ErrRasterCorrupt, len(data), tiledHeader+rasterChecksumBytes)
	case !isTiled(data):
		return nil, fmt.Errorf("%w: tiled raster starts with %q, want %q", ErrRasterCorrupt, data[:4], tiledMagic)
	case le.Uint16(data[4:]) != tiledVersion:
		return nil, fmt.Errorf("%w: tiled raster of version %d, this engine reads %d", ErrRasterVersion, le.Uint16(data[4:]), tiledVersion)
	case le.Uint16(data[6:]) != 0 || le.Uint32(data[20:]) != 0:
		return nil, fmt.Errorf("%w: tiled raster has numbers in its reserved bytes, want 0", ErrRasterCorrupt)
	case (len(data)-tiledHeader-rasterChecksumBytes)%tiledRecord != 0:
		return nil, fmt.Errorf("%w: tiled raster of %d bytes ends in a tile", ErrRasterCorrupt, len(data))
	}
	body := data[:len(data)-rasterChecksumBytes]
	if want, got := le.Uint32(data[len(body):]), crc32.Checksum(body, rasterCastagnoli); want != got {
		return nil, fmt.Errorf("%w: tiled raster's checksum is %08x, its bytes give %08x", ErrRasterCorrupt, want, got)
	}
	width, height, side := le.Uint32(data[8:]), le.Uint32(data[12:]), le.Uint32(data[16:])
	if max(width, height) > MaxTiledSide || side > MaxTileSide || len(data) > tiledHeader+MaxTiles*tiledRecord+rasterChecksumBytes {
		return nil, fmt.Errorf("%w: tiled raster of %d×%d samples in tiles of %d, at most %d a side in %d tiles of %d", ErrRasterTooLarge,
			width, height, side, MaxTiledSide, MaxTiles, MaxTileSide)
	}
	t := &TiledRaster{Width: int(width), Height: int(height), Side: int(side),
		MetersX: math.Float64frombits(le.Uint64(data[24:])), MetersZ: math.Float64frombits(le.Uint64(data[32:]))}
	for rest := body[tiledHeader:]; len(rest) > 0; rest = rest[tiledRecord:] {
		e := RasterTile{Low: math.Float32frombits(le.Uint32(rest[32:])), High: math.Float32frombits(le.Uint32(rest[36:]))}
		copy(e.Hash[:], rest)
		t.Tiles = append(t.Tiles, e)
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRasterCorrupt, err)
	}
	return t, nil
}

// AssetParts returns the hashes of the assets that an asset names: the tiles of a tiled raster, nothing for any
// other. A world that reads the asset keeps these too.
func AssetParts(file []byte) ([]asset.Hash, error) {
	if !isTiled(file) {
		return nil, nil
	}
	t, err := ParseTiledRaster(file)
	if err != nil {
		return nil, err
	}
	hashes := make([]asset.Hash, len(t.Tiles))
	for i, e := range t.Tiles {
		hashes[i] = e.Hash
	}
	return hashes, nil
}

// TileRaster cuts a raster into tiles of side samples. It reads them through read, which returns the raster of
// width × height samples whose first is x, z of the whole and whose scale and offset may differ from tile to
// tile; it hands the asset of each tile to put. What it returns describes the whole, whose
// heights need not fit into memory at once.
func TileRaster(width, height, side int, metersX, metersZ float64, read func(x, z, width, height int) (*Raster, error),
	put func(asset []byte) error) (*TiledRaster, error) {
	t := &TiledRaster{Width: width, Height: height, Side: side, MetersX: metersX, MetersZ: metersZ}
	if side >= MinTileSide && width > 0 && height > 0 && width <= MaxTiledSide && height <= MaxTiledSide {
		t.Tiles = make([]RasterTile, min(t.Across()*t.Down(), MaxTiles+1))
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("field: %w", err)
	}
	for i := range t.Tiles {
		x, z := i%t.Across()*side, i/t.Across()*side
		w, h := min(side, width-x), min(side, height-z)
		r, err := read(x, z, w, h)
		if err != nil {
			return nil, fmt.Errorf("field: raster tile at %d, %d: %w", x, z, err)
		}
		if r.Width != w || r.Height != h {
			return nil, fmt.Errorf("field: raster tile at %d, %d has %d×%d samples, want %d×%d", x, z, r.Width, r.Height, w, h)
		}
		if err := r.validate(1); err != nil {
			return nil, fmt.Errorf("field: raster tile at %d, %d: %w", x, z, err)
		}
		asset := r.appendBinary(nil, 1)
		v, err := parseRasterView(asset, 1)
		if err != nil {
			return nil, fmt.Errorf("field: raster tile at %d, %d: %w", x, z, err)
		}
		e := v.extremes()
		t.Tiles[i] = RasterTile{sha256.Sum256(asset), e.Lo, e.Hi}
		if err := put(asset); err != nil {
			return nil, fmt.Errorf("field: raster tile at %d, %d: %w", x, z, err)
		}
	}
	return t, nil
}

// tiledHeights are the samples of a raster in tiles. A few tiles are kept.
type tiledHeights struct {
	info    *TiledRaster
	shift   int // of a sample number, to that of its tile
	across  int
	open    func(hash asset.Hash) ([]byte, error)
	pyramid *pyramid         // over whole tiles
	tiles   [keptTiles]*tile // the last used first
	ready   bool             // the terrain is made; before, nothing is read
}

// keptTiles is how many tiles a terrain keeps. A chunk reads four at most; a viewer's surroundings, 500 m of ground a
// meter between samples, nine. With 512 samples a side they take 8 MB.
const keptTiles = 16

type tile struct {
	number int
	*wholeHeights
}

func newTiledHeights(data []byte, c *compiler) (*tiledHeights, error) {
	info, err := ParseTiledRaster(data)
	if err != nil {
		return nil, err
	}
	t := &tiledHeights{info: info, across: info.Across(), open: c.open}
	for 1<<t.shift < info.Side {
		t.shift++
	}
	finest := newTiles(info.Across(), info.Down())
	for i, e := range info.Tiles {
		finest.add(i%t.across, i/t.across, geom.Interval{Lo: e.Low, Hi: e.High})
	}
	t.pyramid = pyramidOver(finest)
	return t, nil
}

// An AssetError is what a terrain panics with if a tile that it reads as it goes is not to be had or is not what
// its hash says: whatever it answered instead would be a false world.
type AssetError struct {
	Hash asset.Hash
	Err  error
}

func (e *AssetError) Error() string { return fmt.Sprintf("field: asset %x: %v", e.Hash[:8], e.Err) }

func (e *AssetError) Unwrap() error { return e.Err }

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
	v, err := t.info.readTile(number, t.open)
	if err != nil {
		panic(&AssetError{e.Hash, err})
	}
	return &tile{number, newWholeHeights(v, geom.Interval{Lo: e.Low, Hi: e.High})}
}

// readTile opens a tile and checks it.
func (t *TiledRaster) readTile(number int, open func(hash asset.Hash) ([]byte, error)) (rasterView, error) {
	data, err := open(t.Tiles[number].Hash)
	if err != nil {
		return rasterView{}, err
	}
	return t.view(number, data)
}

// view returns the samples of a tile's asset, which it checks.
func (t *TiledRaster) view(number int, data []byte) (rasterView, error) {
	v, err := parseRasterView(data, 1)
	if err != nil {
		return v, err
	}
	return v, t.fits(number, &v, v.extremes())
}

// fits says what keeps samples from being those of a tile.
func (t *TiledRaster) fits(number int, v *rasterView, all geom.Interval) error {
	e := &t.Tiles[number]
	x, z := number%t.Across()*t.Side, number/t.Across()*t.Side
	if w, h := min(t.Side, t.Width-x), min(t.Side, t.Height-z); v.width != w || v.height != h {
		return fmt.Errorf("%w: tile of %d×%d samples, want %d×%d", ErrRasterCorrupt, v.width, v.height, w, h)
	}
	if all.Lo < e.Low || all.Hi > e.High {
		return fmt.Errorf("%w: tile runs from %v to %v m, outside %v … %v", ErrRasterCorrupt, all.Lo, all.Hi, e.Low, e.High)
	}
	return nil
}

// CheckParts opens all that an asset names, the tiles of a tiled raster, and returns an [*AssetError] for the first
// that is not to be had or is not what the asset says of it. Compile does not, for there may be more of them than
// fit into memory; a terrain made of assets that passed does not panic on their account.
func CheckParts(asset []byte, open func(hash asset.Hash) ([]byte, error)) error {
	if !isTiled(asset) {
		return nil
	}
	t, err := ParseTiledRaster(asset)
	if err != nil {
		return err
	}
	c := compiler{asset: open}
	for i, e := range t.Tiles {
		if _, err := t.readTile(i, c.open); err != nil {
			return &AssetError{e.Hash, err}
		}
	}
	return nil
}

// CheckTile says what keeps data, whose hash the caller has checked, from being the tiles of t that are named by
// hash, if anything: a terrain would panic over it.
func (t *TiledRaster) CheckTile(hash asset.Hash, data []byte) error {
	var v rasterView
	var all geom.Interval
	for i := range t.Tiles { // level sea is many tiles of one hash
		if t.Tiles[i].Hash != hash {
			continue
		}
		var err error
		if v.data == nil {
			if v, err = parseRasterView(data, 1); err == nil {
				all = v.extremes()
			}
		}
		if err == nil {
			err = t.fits(i, &v, all)
		}
		if err != nil {
			return fmt.Errorf("field: raster tile %d,%d: %w", i%t.Across(), i/t.Across(), err)
		}
	}
	return nil
}

// A Tiler is a terrain that reads tiles as it goes: every terrain that Compile makes.
type Tiler interface {
	// Tiles appends to dst the hashes of the tiles that may be read for anything in the columns x, z of b (b's
	// heights are ignored): its samples, heights, bounds and materials at any level. dst names none twice if it did not
	// before. Who has these at hand never meets an [AssetError] there.
	Tiles(dst []asset.Hash, b lattice.Box) []asset.Hash
}

// Tiles implements [Tiler].
func (t *terrain) Tiles(dst []asset.Hash, b lattice.Box) []asset.Hash {
	if b.Max.X <= b.Min.X || b.Max.Z <= b.Min.Z {
		return dst
	}
	for _, h := range t.tiled {
		r := h.raster.inTiles()
		// A slope reads the columns beside its own.
		x0, x1 := splineAt(widened(b.Min.X, -1), h.dx, h.width), splineAt(widened(b.Max.X-1, 1), h.dx, h.width)
		z0, z1 := splineAt(widened(b.Min.Z, -1), h.dz, h.height), splineAt(widened(b.Max.Z-1, 1), h.dz, h.height)
		ax, _, _, _ := x0.taps(h.width)
		_, _, _, bx := x1.taps(h.width)
		az, _, _, _ := z0.taps(h.height)
		_, _, _, bz := z1.taps(h.height)
		for z := az >> r.shift; z <= bz>>r.shift; z++ {
			for x := ax >> r.shift; x <= bx>>r.shift; x++ {
				if hash := r.info.Tiles[z*r.across+x].Hash; !slices.Contains(dst, hash) {
					dst = append(dst, hash)
				}
			}
		}
	}
	return dst
}

// widened returns a sample number moved, where that is one.
func widened(v, by int32) int32 {
	return int32(max(min(int64(v)+int64(by), math.MaxInt32), math.MinInt32))
}

// tiledOf returns the heightmaps of steps whose rasters are in tiles.
func tiledOf(steps []step) (list []*heightmap) {
	for i := range steps {
		if o, ok := steps[i].op.(tileReader); ok {
			list = append(list, o.tiled()...)
		}
	}
	return list
}

// fork returns the tiles for another reader, which keeps its own few.
func (t *tiledHeights) fork() heights {
	return &tiledHeights{info: t.info, shift: t.shift, across: t.across, open: t.open, pyramid: t.pyramid, ready: t.ready}
}

func (t *tiledHeights) inTiles() *tiledHeights { return t }

// sample returns the sample x, z.
func (t *tiledHeights) sample(x, z int) float32 {
	k := t.tiles[0]
	if number := z>>t.shift*t.across + x>>t.shift; k == nil || k.number != number {
		k = t.at(number)
	}
	mask := t.info.Side - 1
	return k.meters(z&mask*k.width + x&mask)
}

func (t *tiledHeights) along(z, a, b, c, d int) (float32, float32, float32, float32) {
	return t.sample(a, z), t.sample(b, z), t.sample(c, z), t.sample(d, z)
}

// extremes looks into tiles only if the samples lie in two by two of them at most.
func (t *tiledHeights) extremes(x0, z0, x1, z1 int) geom.Interval {
	tx0, tz0, tx1, tz1 := x0>>t.shift, z0>>t.shift, x1>>t.shift, z1>>t.shift
	if tx1-tx0 > 1 || tz1-tz0 > 1 || !t.ready {
		return t.pyramid.tiles(tx0, tz0, tx1, tz1)
	}
	all := geom.Interval{Lo: MaxHeight, Hi: -MaxHeight}
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
