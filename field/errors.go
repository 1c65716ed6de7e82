package field

import (
	"errors"
	"hash/crc32"
)

// The errors of the parsers, wrapped with what was found.
var (
	ErrRasterCorrupt  = errors.New("raster: corrupt")
	ErrRasterVersion  = errors.New("raster: unknown version")
	ErrRasterTooLarge = errors.New("raster: too large")
)

var rasterCastagnoli = crc32.MakeTable(crc32.Castagnoli)

const rasterChecksumBytes = 4
