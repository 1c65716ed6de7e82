package worldlog

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
)

const (
	metaMagic   = "TRME"
	metaVersion = 1
	metaHeader  = 80

	// The limits of a meta.
	MaxName      = 256     // bytes of a world's name
	MaxSettings  = 1 << 20 // bytes of settings
	MaxAssets    = 1 << 12
	MaxSemantics = 1 << 16
)

// Validate returns an error if m is invalid.
func (m *Meta) Validate() error {
	switch {
	case m.World == [16]byte{}:
		return fmt.Errorf("%w: world without an identity", ErrInvalid)
	case len(m.Name) > MaxName:
		return fmt.Errorf("%w: world's name of %d bytes; up to %d", ErrTooLarge, len(m.Name), MaxName)
	case !utf8.ValidString(m.Name):
		return fmt.Errorf("%w: world's name %q is not UTF-8", ErrInvalid, m.Name)
	case len(m.Settings) > MaxSettings:
		return fmt.Errorf("%w: settings of %d bytes; up to %d", ErrTooLarge, len(m.Settings), MaxSettings)
	case len(m.Assets) > MaxAssets:
		return fmt.Errorf("%w: %d assets; up to %d", ErrTooLarge, len(m.Assets), MaxAssets)
	case len(m.Semantics) > MaxSemantics:
		return fmt.Errorf("%w: %d semantics; up to %d", ErrTooLarge, len(m.Semantics), MaxSemantics)
	}
	for i := 1; i < len(m.Semantics); i++ {
		if m.Semantics[i-1].Kind >= m.Semantics[i].Kind {
			return fmt.Errorf("%w: semantics of kind %d after %d; they ascend", ErrInvalid, m.Semantics[i].Kind, m.Semantics[i-1].Kind)
		}
	}
	return nil
}

// CheckContents says whether contents hold the document and all assets of m; ErrNotFound names the first missing.
func (m *Meta) CheckContents(contents [][]byte) error {
	have := make(map[asset.Hash]bool, len(contents))
	for _, c := range contents {
		if len(c) > MaxContent {
			return fmt.Errorf("%w: content of %d bytes; up to %d", ErrTooLarge, len(c), MaxContent)
		}
		have[asset.Of(c)] = true
	}
	if !have[m.Document] {
		return fmt.Errorf("%w: the world's document %v", ErrNotFound, m.Document)
	}
	for _, a := range m.Assets {
		if !have[a] {
			return fmt.Errorf("%w: the world's asset %v", ErrNotFound, a)
		}
	}
	return nil
}

// AppendBinary appends the form of m to dst. m must be valid; Created is kept to the millisecond.
func (m *Meta) AppendBinary(dst []byte) []byte {
	start := len(dst)
	le := binary.LittleEndian
	dst = append(dst, metaMagic...)
	dst = append(dst, metaVersion, 0, 0, 0)
	dst = append(dst, m.World[:]...)
	dst = le.AppendUint64(dst, uint64(m.Created.UnixMilli()))
	dst = append(dst, m.Document[:]...)
	for _, n := range [4]int{len(m.Assets), len(m.Semantics), len(m.Name), len(m.Settings)} {
		dst = le.AppendUint32(dst, uint32(n))
	}
	for i := range m.Assets {
		dst = append(dst, m.Assets[i][:]...)
	}
	for _, s := range m.Semantics {
		dst = le.AppendUint16(dst, s.Kind)
		dst = le.AppendUint16(dst, s.Version)
	}
	dst = append(dst, m.Name...)
	dst = append(dst, m.Settings...)
	return appendChecksum(dst, start)
}

// MetaSize returns the size of the meta that starts with the given bytes, read from its header alone: ok is false if
// they are no meta's.
func MetaSize(head []byte) (size int, ok bool) {
	if len(head) < metaHeader || string(head[:4]) != metaMagic {
		return 0, false
	}
	n := func(at int) uint64 { return uint64(binary.LittleEndian.Uint32(head[at:])) }
	if n(64) > MaxAssets || n(68) > MaxSemantics || n(72) > MaxName || n(76) > MaxSettings {
		return 0, false
	}
	return int(metaHeader + n(64)*sha256.Size + n(68)*4 + n(72) + n(76) + crcSize), true
}

// ParseMeta reads the meta that data is, whole.
func ParseMeta(data []byte) (Meta, error) {
	if err := checkFrame(data, metaMagic, metaVersion, metaHeader+crcSize, "world's meta"); err != nil {
		return Meta{}, err
	}
	size, ok := MetaSize(data)
	if !ok || size != len(data) || data[5] != 0 || data[6] != 0 || data[7] != 0 {
		return Meta{}, fmt.Errorf("%w: world's meta of %d bytes whose parts do not add up", ErrCorrupt, len(data))
	}
	le := binary.LittleEndian
	assets, semantics, name := le.Uint32(data[64:]), le.Uint32(data[68:]), le.Uint32(data[72:])
	m := Meta{
		World:    [16]byte(data[8:24]),
		Created:  time.UnixMilli(int64(le.Uint64(data[24:]))).UTC(),
		Document: asset.Hash(data[32:64]),
	}
	data = data[metaHeader : len(data)-crcSize]
	for range assets {
		m.Assets = append(m.Assets, asset.Hash(data[:sha256.Size]))
		data = data[sha256.Size:]
	}
	for range semantics {
		m.Semantics = append(m.Semantics, graph.Semantics{Kind: le.Uint16(data), Version: le.Uint16(data[2:])})
		data = data[4:]
	}
	m.Name = string(data[:name])
	m.Settings = append([]byte{}, data[name:]...)
	if err := m.Validate(); err != nil {
		return Meta{}, fmt.Errorf("%w: world's meta: %w", ErrCorrupt, err)
	}
	return m, nil
}

// Link returns the Prev of the world's first entry.
func (m *Meta) Link() Link { return LinkOf(m.AppendBinary(nil)) }
