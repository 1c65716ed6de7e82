package brick

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

const (
	magic      = "TRBK"
	version    = 1 // of a brick that nobody painted
	painted    = 2 // of one with materials
	headerSize = 24
	crcSize    = 4
	maxMask    = 4 + 4*side + 4*rows

	// MaxEncoded is the length of the longest encoded brick.
	MaxEncoded = headerSize + 4 + maxMask + 4*MaxLen + maxMask + MaxLen + crcSize
)

// The errors of Parse, wrapped with what was found.
var (
	ErrCorrupt  = errors.New("brick: corrupt")
	ErrVersion  = errors.New("brick: unknown version")
	ErrTooLarge = errors.New("brick: too large")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBinary appends the encoding of b to dst.
func (b *Brick) AppendBinary(dst []byte) []byte {
	le, id := binary.LittleEndian, b.id
	first := len(dst)
	dst = append(dst, magic...)
	v := byte(version)
	if b.materials != nil {
		v = painted
	}
	dst = append(dst, v, id.Level, 0, 0)
	dst = le.AppendUint32(dst, uint32(id.X))
	dst = le.AppendUint32(dst, uint32(id.Y))
	dst = le.AppendUint32(dst, uint32(id.Z))
	dst = le.AppendUint32(dst, uint32(b.Len()))
	if b.materials != nil {
		dst = le.AppendUint32(dst, uint32(b.Painted()))
	}
	if p := b.density; p != nil {
		dst = appendMask(dst, &p.mask)
		for shift := 0; shift < 32; shift += 8 {
			for _, v := range p.values {
				dst = append(dst, byte(math.Float32bits(v)>>shift))
			}
		}
	}
	if p := b.materials; p != nil {
		dst = append(appendMask(dst, &p.mask), p.values...)
	}
	return le.AppendUint32(dst, crc32.Checksum(dst[first:], castagnoli))
}

// appendMask appends the bits of the layers, rows and samples that have a value.
func appendMask(dst []byte, mask *[rows]uint32) []byte {
	le := binary.LittleEndian
	at := len(dst)
	dst = le.AppendUint32(dst, 0)
	var layers uint32
	for z := range side {
		layer := mask[z*side : (z+1)*side]
		var filled uint32
		for y, m := range layer {
			if m != 0 {
				filled |= 1 << y
			}
		}
		if filled == 0 {
			continue
		}
		layers |= 1 << z
		dst = le.AppendUint32(dst, filled)
		for _, m := range layer {
			if m != 0 {
				dst = le.AppendUint32(dst, m)
			}
		}
	}
	le.PutUint32(dst[at:], layers)
	return dst
}

// Parse reads a whole encoded brick. It keeps no part of data.
func Parse(data []byte) (*Brick, error) {
	fail := func(err error, format string, args ...any) (*Brick, error) {
		return nil, fmt.Errorf("%w: %s", err, fmt.Sprintf(format, args...))
	}
	le := binary.LittleEndian
	switch {
	case len(data) > MaxEncoded:
		return fail(ErrTooLarge, "%d bytes of at most %d", len(data), MaxEncoded)
	case len(data) < headerSize+4+crcSize:
		return fail(ErrCorrupt, "%d bytes, a brick has at least %d", len(data), headerSize+4+crcSize)
	case string(data[:4]) != magic:
		return fail(ErrCorrupt, "begins with %q, want %q", data[:4], magic)
	case data[4] != version && data[4] != painted:
		return fail(ErrVersion, "%d, know %d and %d", data[4], version, painted)
	}
	body := data[:len(data)-crcSize]
	if got, want := le.Uint32(data[len(body):]), crc32.Checksum(body, castagnoli); got != want {
		return fail(ErrCorrupt, "checksum %08x, want %08x", got, want)
	}
	id := lattice.Brick{
		X: int32(le.Uint32(data[8:])), Y: int32(le.Uint32(data[12:])), Z: int32(le.Uint32(data[16:])), Level: data[5],
	}
	if data[6]|data[7] != 0 || id.Level > lattice.MaxLevel {
		return fail(ErrCorrupt, "level %d, reserved bytes %x", id.Level, data[6:8])
	}
	if n := lattice.ChunkShift + id.Level; id.X<<n>>n != id.X || id.Y<<n>>n != id.Y || id.Z<<n>>n != id.Z {
		return fail(ErrCorrupt, "%v lies outside the lattice", id)
	}
	b := &Brick{id: id, bounds: noDensities}
	edited, materials := le.Uint32(data[20:]), uint32(0)
	rest := body[headerSize:]
	if data[4] == painted {
		materials, rest = le.Uint32(rest), rest[4:]
	}
	if data[4] == version && edited == 0 || data[4] == painted && materials == 0 || edited > MaxLen || materials > MaxLen {
		return fail(ErrCorrupt, "version %d with %d densities and %d materials", data[4], edited, materials)
	}
	rest, err := b.parseDensities(rest, int(edited))
	if err == nil {
		rest, err = b.parseMaterials(rest, int(materials))
	}
	switch {
	case err != nil:
		return nil, err
	case len(rest) > 0:
		return fail(ErrCorrupt, "%d bytes follow", len(rest))
	}
	b.hashAll()
	return b, nil
}

// parseDensities reads n densities, 0 for none, with their mask, and returns the bytes after them.
func (b *Brick) parseDensities(data []byte, n int) ([]byte, error) {
	if n == 0 {
		return data, nil
	}
	p := new(plane[float32])
	rest, ok := parseMask(&p.mask, data)
	if !ok || p.index() != n || len(rest) < 4*n {
		return nil, fmt.Errorf("%w: the mask of %d densities is cut short or another", ErrCorrupt, n)
	}
	p.values = make([]float32, n)
	p0, p1, p2, p3 := rest[:n], rest[n:2*n], rest[2*n:3*n], rest[3*n:4*n]
	for i := range p.values {
		u := uint32(p0[i]) | uint32(p1[i])<<8 | uint32(p2[i])<<16 | uint32(p3[i])<<24
		v := math.Float32frombits(u)
		if u == 1<<31 || !geom.Finite(v) {
			return nil, fmt.Errorf("%w: density %d is −0, infinite or not a number", ErrCorrupt, i)
		}
		p.values[i] = v
	}
	b.density = p
	b.bound()
	return rest[4*n:], nil
}

// parseMaterials reads n materials, 0 for none, with their mask, and returns the bytes after them.
func (b *Brick) parseMaterials(data []byte, n int) ([]byte, error) {
	if n == 0 {
		return data, nil
	}
	p := new(plane[uint8])
	rest, ok := parseMask(&p.mask, data)
	if !ok || p.index() != n || len(rest) < n {
		return nil, fmt.Errorf("%w: the mask of %d materials is cut short or another", ErrCorrupt, n)
	}
	p.values = append(p.values, rest[:n]...)
	b.materials = p
	return rest[n:], nil
}

// parseMask reads what appendMask wrote and returns the bytes after it. ok is false if data is cut short or
// names a layer or row without a sample that has a value.
func parseMask(mask *[rows]uint32, data []byte) (rest []byte, ok bool) {
	next := func() (v uint32, ok bool) {
		if len(data) < 4 {
			return 0, false
		}
		v, data = binary.LittleEndian.Uint32(data), data[4:]
		return v, v != 0
	}
	layers, ok := next()
	for ; ok && layers != 0; layers &= layers - 1 {
		var filled uint32
		z := bits.TrailingZeros32(layers)
		for filled, ok = next(); ok && filled != 0; filled &= filled - 1 {
			mask[z*side+bits.TrailingZeros32(filled)], ok = next()
		}
	}
	return data, ok
}
