package raster

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/terrane/terrane/asset"
)

// The errors of the parsers, wrapped with what was found.
var (
	ErrCorrupt  = errors.New("raster: corrupt")
	ErrVersion  = errors.New("raster: unknown version")
	ErrTooLarge = errors.New("raster: too large")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const checksumBytes = 4

// Open returns the content of a file by its hash, which it checks. read may be nil if there are no files.
func Open(read func(hash asset.Hash) ([]byte, error), hash asset.Hash) ([]byte, error) {
	if read == nil {
		return nil, fmt.Errorf("reads asset %x, and none are there", hash[:8])
	}
	data, err := read(hash)
	if err != nil {
		return nil, fmt.Errorf("asset %x: %w", hash[:8], err)
	}
	if sha256.Sum256(data) != hash {
		return nil, fmt.Errorf("asset %x: its content has another hash", hash[:8])
	}
	return data, nil
}
