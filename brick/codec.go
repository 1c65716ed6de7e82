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
	version    = 1
	headerSize = 28
	crcSize    = 4

	// MaxEncoded is the length of the longest encoded brick.
	MaxEncoded = headerSize + 4*side + 4*rows + 4*MaxLen + crcSize
)

// The errors of Parse, wrapped with what was found.
var (
	ErrCorrupt  = errors.New("brick: corrupt")
	ErrVersion  = errors.New("brick: unknown version")
	ErrTooLarge = errors.New("brick: too large")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBinary appends the encoded form of b to dst. id is the number of the brick; it panics if b has
// another.
func (b *Brick) AppendBinary(dst []byte, id lattice.Brick) []byte {
	if id != b.id {
		panic(fmt.Sprintf("brick: %v is encoded as %v", b.id, id))
	}
	le := binary.LittleEndian
	first := len(dst)
	dst = append(dst, magic...)
	dst = append(dst, version, id.Level, 0, 0)
	dst = le.AppendUint32(dst, uint32(id.X))
	dst = le.AppendUint32(dst, uint32(id.Y))
	dst = le.AppendUint32(dst, uint32(id.Z))
	dst = le.AppendUint32(dst, uint32(len(b.values)))
	dst = b.appendMask(dst)
	for shift := 0; shift < 32; shift += 8 {
		for _, v := range b.values {
			dst = append(dst, byte(math.Float32bits(v)>>shift))
		}
	}
	return le.AppendUint32(dst, crc32.Checksum(dst[first:], castagnoli))
}

// appendMask appends the bits of the layers, rows and samples that are edited.
func (b *Brick) appendMask(dst []byte) []byte {
	le := binary.LittleEndian
	at := len(dst)
	dst = le.AppendUint32(dst, 0)
	var layers uint32
	for z := range side {
		layer := b.mask[z*side : (z+1)*side]
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

// Parse reads a whole encoded brick and its number. It keeps no part of data.
func Parse(data []byte) (lattice.Brick, *Brick, error) {
	var id lattice.Brick
	fail := func(err error, format string, args ...any) (lattice.Brick, *Brick, error) {
		return lattice.Brick{}, nil, fmt.Errorf("%w: %s", err, fmt.Sprintf(format, args...))
	}
	le := binary.LittleEndian
	switch {
	case len(data) > MaxEncoded:
		return fail(ErrTooLarge, "%d bytes of at most %d", len(data), MaxEncoded)
	case len(data) < headerSize+crcSize:
		return fail(ErrCorrupt, "%d bytes, a brick has at least %d", len(data), headerSize+crcSize)
	case string(data[:4]) != magic:
		return fail(ErrCorrupt, "begins with %q, want %q", data[:4], magic)
	case data[4] != version:
		return fail(ErrVersion, "%d, know %d", data[4], version)
	}
	body := data[:len(data)-crcSize]
	if got, want := le.Uint32(data[len(body):]), crc32.Checksum(body, castagnoli); got != want {
		return fail(ErrCorrupt, "checksum %08x, want %08x", got, want)
	}
	id = lattice.Brick{
		X: int32(le.Uint32(data[8:])), Y: int32(le.Uint32(data[12:])), Z: int32(le.Uint32(data[16:])), Level: data[5],
	}
	if data[6]|data[7] != 0 || id.Level > lattice.MaxLevel {
		return fail(ErrCorrupt, "level %d, reserved bytes %x", id.Level, data[6:8])
	}
	if n := lattice.ChunkShift + id.Level; id.X<<n>>n != id.X || id.Y<<n>>n != id.Y || id.Z<<n>>n != id.Z {
		return fail(ErrCorrupt, "%v lies outside the lattice", id)
	}
	b := &Brick{id: id}
	rest, ok := b.parseMask(body[headerSize-4:])
	if !ok {
		return fail(ErrCorrupt, "mask is cut short or holds an empty row")
	}
	n := int(le.Uint32(data[20:]))
	edited := 0
	for _, m := range b.mask {
		edited += bits.OnesCount32(m)
	}
	if n == 0 || n != edited || len(rest) != 4*n {
		return fail(ErrCorrupt, "%d edited samples, %d bits, %d bytes of values", n, edited, len(rest))
	}
	if at, ok := b.parseValues(rest); !ok {
		return fail(ErrCorrupt, "value %d is −0, infinite or not a number", at)
	}
	return id, b, nil
}

// parseMask reads what appendMask wrote and returns the bytes after it. ok is false if data is cut short or
// names a layer or row without an edited sample.
func (b *Brick) parseMask(data []byte) (rest []byte, ok bool) {
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
			b.mask[z*side+bits.TrailingZeros32(filled)], ok = next()
		}
	}
	return data, ok
}

// parseValues reads the values from their four planes of bytes, and works out the rest of the brick. ok is
// false if the value at may not be stored.
func (b *Brick) parseValues(planes []byte) (at int, ok bool) {
	n := len(planes) / 4
	b.values = make([]float32, n)
	p0, p1, p2, p3 := planes[:n], planes[n:2*n], planes[2*n:3*n], planes[3*n:4*n]
	for i := range b.values {
		u := uint32(p0[i]) | uint32(p1[i])<<8 | uint32(p2[i])<<16 | uint32(p3[i])<<24
		v := math.Float32frombits(u)
		if u == 1<<31 || !geom.Finite(v) {
			return i, false
		}
		b.values[i] = v
	}
	i := 0
	for row, m := range b.mask {
		for ; m != 0; m &= m - 1 {
			s := b.sample(uint16(row*side + bits.TrailingZeros32(m)))
			b.hash ^= mix(s, b.id.Level, math.Float32bits(b.values[i]))
			i++
		}
	}
	b.index()
	return 0, true
}
