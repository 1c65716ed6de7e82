package importer

import (
	"crypto/sha256"
	"fmt"
	"io/fs"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/raster"
)

// Assets are the files that a graph reads, by their hash, in the order in which they came: what a world keeps.
type Assets struct {
	order  []asset.Hash
	byHash map[asset.Hash][]byte
}

// Add takes a file, unless it is there, and returns its hash. Tiles of level sea are all the same file.
func (a *Assets) Add(data []byte) asset.Hash {
	hash := sha256.Sum256(data)
	if _, ok := a.byHash[hash]; ok {
		return hash
	}
	if a.byHash == nil {
		a.byHash = map[asset.Hash][]byte{}
	}
	a.byHash[hash] = data
	a.order = append(a.order, hash)
	return hash
}

// Hashes returns the hashes of the files in the order in which they came. The caller must not change them.
func (a *Assets) Hashes() []asset.Hash { return a.order }

// Find returns a file by its hash.
func (a *Assets) Find(hash asset.Hash) ([]byte, error) {
	if data, ok := a.byHash[hash]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

// Whole returns an error if a file that another one names is missing or not what it should be: a world would stop
// where it is needed.
func (a *Assets) Whole() error {
	for _, hash := range a.order {
		if err := raster.CheckParts(a.byHash[hash], a.Find); err != nil {
			return fmt.Errorf("asset %x: %w", hash[:8], err)
		}
	}
	return nil
}

const (
	// wholeRaster is the number of samples up to which a heightmap becomes one asset: 8 MB, which a browser fetches
	// before it shows anything. Larger ones are cut into tiles, of which it fetches those that it looks at. With a
	// lower bound small worlds would pay for tiles (a few requests more, and no GPU meshes them); with a
	// higher one people with slow connections wait for ground that they may never see.
	wholeRaster = 1 << 22
	// tileSide is the usual size of a tile: half a megabyte of 16-bit samples. Smaller ones are more requests and more
	// that a world must name; larger ones are waited for longer.
	tileSide = 512
	// tileMeters is how wide tiles are at least, so that a chunk does not read dozens.
	tileMeters = 16
	// tiledBytes is what a sample of a large heightmap takes while it is made into tiles, in bytes: its height and what
	// becomes of it, at most as much again, and what the file was read through.
	tiledBytes = 16
)

// AddRaster takes a heightmap, whole or in tiles, and returns the hash that a graph names it by. scale is what the
// ground is about to be shrunk or enlarged by.
func (a *Assets) AddRaster(r *raster.Raster, scale float64) (asset.Hash, error) {
	if r.Width*r.Height <= wholeRaster {
		if err := r.Validate(); err != nil {
			return asset.Hash{}, err
		}
		return a.Add(r.AppendBinary(nil)), nil
	}
	side := tileSide
	for side < raster.MaxTileSide && (float64(side)*min(r.MetersX, r.MetersZ)*scale < tileMeters || tooMany(r, side)) {
		side *= 2
	}
	part := *r
	read := func(x, z, width, height int) (*raster.Raster, error) {
		part.Width, part.Height, part.Values = width, height, part.Values[:0]
		for i := range height {
			part.Values = append(part.Values, r.Values[(z+i)*r.Width+x:][:width]...)
		}
		return &part, nil
	}
	part.Values = make([]float32, 0, side*side)
	tiled, err := raster.Cut(r.Width, r.Height, side, r.MetersX, r.MetersZ, read, func(asset []byte) error { a.Add(asset); return nil })
	if err != nil {
		return asset.Hash{}, err
	}
	return a.Add(tiled.AppendBinary(nil)), nil
}

// tooMany reports whether a raster has too many tiles of a size for a world that may hold other files.
func tooMany(r *raster.Raster, side int) bool {
	across, down := (r.Width+side-1)/side, (r.Height+side-1)/side
	return across*down > raster.MaxTiles/2
}
