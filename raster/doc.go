// Package raster holds the numbers that worlds read from files: heights over x and z ([Raster], and [Tiled] for one that
// is too large for a file) and numbers in space ([Volume]), with their binary forms. It knows how they are stored and
// where their extremes lie; how a surface runs between samples is for package field to say.
//
// # Who may share what
//
// Views read samples where they lie in a file's bytes, which must not change; they and the pyramids of extremes are
// read-only once made and may be shared by any number of goroutines.
//
// # Errors
//
// Parsers never panic, never allocate more than their input justifies, and give ErrCorrupt, ErrVersion or ErrTooLarge.
//
// # Raster format
//
// The canonical form of a heightmap, little-endian, with the same checksum at its end.
//
//	0   4  magic "TRRA"
//	4   2  version, 1
//	6   2  sample kind: 1 int16, 2 uint16, 3 float32
//	8   4  width
//	12  4  height
//	16  4  value scale, float32
//	20  4  value offset, float32: a sample v means offset + scale·v meters
//	24  8  meters between samples along x, float64
//	32  8  meters between samples along z, float64
//	40     width·height samples, row by row from the north-west: x grows east, z grows south
//	    4  checksum
//
// A large raster may be in tiles instead, which a terrain reads as it goes, and of which it keeps a few; the heights
// of a wide stretch of land are bounded without any. The asset that a heightmap names is then this, and each tile
// is a raster in the form above, of side × side samples, less at the east and south. A world keeps the tiles among
// its assets ([Parts]). A browser fetches those that it needs (field.Tiler), as it needs them:
//
//	0   4  magic "TRRT"
//	4   2  version, 1
//	6   2  reserved, 0
//	8   4  width
//	12  4  height
//	16  4  samples along each side of a tile, a power of two
//	20  4  reserved, 0
//	24  8  meters between samples along x, float64
//	32  8  meters between samples along z, float64
//	40     tiles, row by row from the north-west:
//	       32  hash of its asset
//	        4  its least height in meters, float32
//	        4  its greatest height
//	    4  checksum
//
// # Volume format
//
// The canonical form of a volume, little-endian, with the same checksum at its end.
//
//	0   4  magic "TRVO"
//	4   2  version, 1
//	6   2  sample kind: 1 int16, 2 uint16, 3 float32, 4 uint8
//	8  12  samples along x, y and z
//	20  4  value scale, float32
//	24  4  value offset, float32: a sample v means offset + scale·v
//	28 24  meters between samples along x, y and z, float64
//	52     samples, x fastest, then y, then z
//	    4  checksum
package raster
