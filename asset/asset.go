// Package asset names immutable files by their content: the rasters, volumes, documents and encoded bricks that
// graphs, logs and messages refer to. Whoever receives a file checks it against its name, so it may come from
// any server or cache.
package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// A Hash is the SHA-256 of a file, which is the file's name. The zero value names none.
type Hash [sha256.Size]byte

// Of returns the hash of data.
func Of(data []byte) Hash { return sha256.Sum256(data) }

// Parse reads a hash of 64 hexadecimal digits. It returns an error if s is anything else.
func Parse(s string) (Hash, error) {
	var h Hash
	if len(s) != hex.EncodedLen(len(h)) {
		return Hash{}, errHash
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil {
		return Hash{}, errHash
	}
	return h, nil
}

var errHash = errors.New("asset: a hash is 64 hexadecimal digits")

// String returns h as 64 hexadecimal digits in lower case.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }
