package raster

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
)

// A Tiled describes a raster that is too large for one file: its samples lie in tiles, each an asset of
// its own that is read when a place in it is first asked for. It gives the heights that one raster would, bit for
// bit.
type Tiled struct {
	Width, Height    int
	MetersX, MetersZ float64 // distance between neighboring samples
	Side             int     // samples along each side of a tile; the last of a row or column may be smaller
	Tiles            []Tile
}

// A Tile is a square of a Tiled.
type Tile struct {
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
func (t *Tiled) Across() int { return (t.Width + t.Side - 1) / t.Side }

// Down returns the number of tiles along z.
func (t *Tiled) Down() int { return (t.Height + t.Side - 1) / t.Side }

// Validate returns an error if t is invalid.
func (t *Tiled) Validate() error {
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
func (t *Tiled) AppendBinary(dst []byte) []byte {
	if err := t.Validate(); err != nil {
		panic("raster: " + err.Error())
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
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// IsTiled reports whether an asset is a raster in tiles.
func IsTiled(data []byte) bool { return len(data) >= 4 && string(data[:4]) == tiledMagic }

// ParseTiled reads the binary form of a raster in tiles and validates it.
func ParseTiled(data []byte) (*Tiled, error) {
	le := binary.LittleEndian
	if err := checkHeader(data, "tiled raster", tiledMagic, tiledVersion, tiledHeader); err != nil {
		return nil, err
	}
	switch {
	case le.Uint16(data[6:]) != 0 || le.Uint32(data[20:]) != 0:
		return nil, fmt.Errorf("%w: tiled raster has numbers in its reserved bytes, want 0", ErrCorrupt)
	case (len(data)-tiledHeader-checksumBytes)%tiledRecord != 0:
		return nil, fmt.Errorf("%w: tiled raster of %d bytes ends in a tile", ErrCorrupt, len(data))
	}
	body, err := checkedBody(data, "tiled raster")
	if err != nil {
		return nil, err
	}
	width, height, side := le.Uint32(data[8:]), le.Uint32(data[12:]), le.Uint32(data[16:])
	if max(width, height) > MaxTiledSide || side > MaxTileSide || len(data) > tiledHeader+MaxTiles*tiledRecord+checksumBytes {
		return nil, fmt.Errorf("%w: tiled raster of %d×%d samples in tiles of %d, at most %d a side in %d tiles of %d", ErrTooLarge,
			width, height, side, MaxTiledSide, MaxTiles, MaxTileSide)
	}
	t := &Tiled{Width: int(width), Height: int(height), Side: int(side),
		MetersX: math.Float64frombits(le.Uint64(data[24:])), MetersZ: math.Float64frombits(le.Uint64(data[32:]))}
	for rest := body[tiledHeader:]; len(rest) > 0; rest = rest[tiledRecord:] {
		e := Tile{Low: math.Float32frombits(le.Uint32(rest[32:])), High: math.Float32frombits(le.Uint32(rest[36:]))}
		copy(e.Hash[:], rest)
		t.Tiles = append(t.Tiles, e)
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return t, nil
}

// Parts returns the hashes of the assets that an asset names: the tiles of a tiled raster, nothing for any
// other. A world that reads the asset keeps these too.
func Parts(file []byte) ([]asset.Hash, error) {
	if !IsTiled(file) {
		return nil, nil
	}
	t, err := ParseTiled(file)
	if err != nil {
		return nil, err
	}
	hashes := make([]asset.Hash, len(t.Tiles))
	for i, e := range t.Tiles {
		hashes[i] = e.Hash
	}
	return hashes, nil
}

// Cut cuts a raster into tiles of side samples. It reads them through read, which returns the raster of
// width × height samples whose first is x, z of the whole and whose scale and offset may differ from tile to
// tile; it hands the asset of each tile to put. What it returns describes the whole, whose
// heights need not fit into memory at once.
func Cut(width, height, side int, metersX, metersZ float64, read func(x, z, width, height int) (*Raster, error),
	put func(asset []byte) error) (*Tiled, error) {
	t := &Tiled{Width: width, Height: height, Side: side, MetersX: metersX, MetersZ: metersZ}
	if side >= MinTileSide && width > 0 && height > 0 && width <= MaxTiledSide && height <= MaxTiledSide {
		t.Tiles = make([]Tile, min(t.Across()*t.Down(), MaxTiles+1))
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("raster: %w", err)
	}
	for i := range t.Tiles {
		x, z := i%t.Across()*side, i/t.Across()*side
		w, h := min(side, width-x), min(side, height-z)
		r, err := read(x, z, w, h)
		if err != nil {
			return nil, fmt.Errorf("raster: raster tile at %d, %d: %w", x, z, err)
		}
		if r.Width != w || r.Height != h {
			return nil, fmt.Errorf("raster: raster tile at %d, %d has %d×%d samples, want %d×%d", x, z, r.Width, r.Height, w, h)
		}
		if err := r.validate(1); err != nil {
			return nil, fmt.Errorf("raster: raster tile at %d, %d: %w", x, z, err)
		}
		asset := r.appendBinary(nil, 1)
		v, err := ParseView(asset, 1)
		if err != nil {
			return nil, fmt.Errorf("raster: raster tile at %d, %d: %w", x, z, err)
		}
		e := v.Extremes()
		t.Tiles[i] = Tile{sha256.Sum256(asset), e.Lo, e.Hi}
		if err := put(asset); err != nil {
			return nil, fmt.Errorf("raster: raster tile at %d, %d: %w", x, z, err)
		}
	}
	return t, nil
}

// An AssetError is the value that a terrain panics with if a tile that it reads as it goes is unavailable or is not what
// its hash says: whatever it answered instead would be a false world.
type AssetError struct {
	Hash asset.Hash
	Err  error
}

func (e *AssetError) Error() string { return fmt.Sprintf("raster: asset %x: %v", e.Hash[:8], e.Err) }

func (e *AssetError) Unwrap() error { return e.Err }

// ReadTile opens a tile and checks it.
func (t *Tiled) ReadTile(number int, open func(hash asset.Hash) ([]byte, error)) (View, error) {
	data, err := Open(open, t.Tiles[number].Hash)
	if err != nil {
		return View{}, err
	}
	return t.view(number, data)
}

// view returns the samples of a tile's asset, which it checks.
func (t *Tiled) view(number int, data []byte) (View, error) {
	v, err := ParseView(data, 1)
	if err != nil {
		return v, err
	}
	return v, t.fits(number, &v, v.Extremes())
}

// fits returns an error if samples are not those of a tile.
func (t *Tiled) fits(number int, v *View, all geom.Interval) error {
	e := &t.Tiles[number]
	x, z := number%t.Across()*t.Side, number/t.Across()*t.Side
	if w, h := min(t.Side, t.Width-x), min(t.Side, t.Height-z); v.Width != w || v.Height != h {
		return fmt.Errorf("%w: tile of %d×%d samples, want %d×%d", ErrCorrupt, v.Width, v.Height, w, h)
	}
	if all.Lo < e.Low || all.Hi > e.High {
		return fmt.Errorf("%w: tile runs from %v to %v m, outside %v … %v", ErrCorrupt, all.Lo, all.Hi, e.Low, e.High)
	}
	return nil
}

// CheckParts opens all that an asset names, the tiles of a tiled raster, and returns an [*AssetError] for the first
// that is unavailable or is not what the asset says of it. Compile does not, for there may be more of them than
// fit into memory; a terrain made of assets that passed does not panic on their account.
func CheckParts(asset []byte, open func(hash asset.Hash) ([]byte, error)) error {
	if !IsTiled(asset) {
		return nil
	}
	t, err := ParseTiled(asset)
	if err != nil {
		return err
	}
	for i, e := range t.Tiles {
		if _, err := t.ReadTile(i, open); err != nil {
			return &AssetError{e.Hash, err}
		}
	}
	return nil
}

// CheckTile returns an error if data, whose hash the caller has checked, is not the tiles of t that are named by hash: a terrain
// would panic over it.
func (t *Tiled) CheckTile(hash asset.Hash, data []byte) error {
	var v View
	var all geom.Interval
	for i := range t.Tiles { // level sea is many tiles of one hash
		if t.Tiles[i].Hash != hash {
			continue
		}
		var err error
		if v.data == nil {
			if v, err = ParseView(data, 1); err == nil {
				all = v.Extremes()
			}
		}
		if err == nil {
			err = t.fits(i, &v, all)
		}
		if err != nil {
			return fmt.Errorf("raster: raster tile %d,%d: %w", i%t.Across(), i/t.Across(), err)
		}
	}
	return nil
}
