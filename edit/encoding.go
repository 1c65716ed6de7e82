package edit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// The versions of the encoding and their lengths in bytes. The second is the first with the parameters behind it that
// the first worlds did not have.
const (
	size1 = 36
	size2 = 48

	// MaxEncoded is the greatest number of bytes that AppendBinary appends.
	MaxEncoded = size2
)

// first reports whether the first version holds all that e says. Such an edit has no other encoding: entries of old
// logs keep their bytes and their hashes.
func (e *Edit) first() bool { return e.Op <= Build && e.Shape == Ball }

// AppendBinary appends the encoding of c to dst. It panics if c is the zero value.
func (c Checked) AppendBinary(dst []byte) []byte {
	if c.edit.Op == 0 {
		panic("edit: the zero Checked has no encoding")
	}
	e := &c.edit
	version := byte(2)
	if e.first() {
		version = 1
	}
	dst = append(dst, version, byte(e.Op), byte(e.Shape), e.Material)
	dst = appendFloats(dst, e.Radius, e.Smooth)
	p := e.Place
	for _, v := range [3]int32{p.Sample.X, p.Sample.Y, p.Sample.Z} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	dst = appendFloats(dst, p.Offset.X, p.Offset.Y, p.Offset.Z)
	if version == 2 {
		dst = appendFloats(dst, e.Extent.X, e.Extent.Y, e.Extent.Z)
	}
	return dst
}

func appendFloats(dst []byte, values ...float32) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

// The errors of Parse, wrapped with what was found.
var (
	ErrVersion = errors.New("edit: unknown version")
	ErrCorrupt = errors.New("edit: corrupt")
)

// Parse reads one edit from the front of data, checks it and returns the rest.
func Parse(data []byte) (c Checked, rest []byte, err error) {
	if len(data) == 0 {
		return c, nil, fmt.Errorf("%w: 0 bytes", ErrCorrupt)
	}
	size := size1
	switch data[0] {
	case 1:
	case 2:
		size = size2
	default:
		return c, nil, fmt.Errorf("%w: %d, know 1 and 2", ErrVersion, data[0])
	}
	if len(data) < size {
		return c, nil, fmt.Errorf("%w: %d bytes, need %d", ErrCorrupt, len(data), size)
	}
	u := func(i int) uint32 { return binary.LittleEndian.Uint32(data[i:]) }
	f := func(i int) float32 { return math.Float32frombits(u(i)) }
	var e Edit
	e.Op, e.Shape, e.Material = Op(data[1]), Shape(data[2]), data[3]
	e.Radius, e.Smooth = f(4), f(8)
	e.Place.Sample = lattice.Sample{X: int32(u(12)), Y: int32(u(16)), Z: int32(u(20))}
	e.Place.Offset = geom.Vec3{X: f(24), Y: f(28), Z: f(32)}
	if size == size2 {
		e.Extent = geom.Vec3{X: f(36), Y: f(40), Z: f(44)}
	}
	if c, err = e.Check(); err != nil {
		return Checked{}, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if e.first() != (size == size1) {
		return Checked{}, nil, fmt.Errorf("%w: version %d of an edit that has the other", ErrCorrupt, data[0])
	}
	for i := 4; i < size; i += 4 {
		// −0 would be a second encoding of 0. Version 1 let it pass, and its logs are read as they are.
		if size == size2 && (i < 12 || i >= 24) && u(i) == 1<<31 {
			return Checked{}, nil, fmt.Errorf("%w: −0 at byte %d", ErrCorrupt, i)
		}
	}
	return c, data[size:], nil
}

// ParseWhole is Parse for data that holds one edit and nothing else.
func ParseWhole(data []byte) (Checked, error) {
	c, rest, err := Parse(data)
	if err == nil && len(rest) > 0 {
		return Checked{}, fmt.Errorf("%w: %d bytes follow it", ErrCorrupt, len(rest))
	}
	return c, err
}
