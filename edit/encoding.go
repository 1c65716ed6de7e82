package edit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// MaxEncoded is the greatest number of bytes that AppendBinary appends.
const MaxEncoded = 36

// AppendBinary appends the encoding of c to dst. It panics if c is the zero value.
func (c Checked) AppendBinary(dst []byte) []byte {
	if c.edit.Op == 0 {
		panic("edit: the zero Checked has no encoding")
	}
	le, e := binary.LittleEndian, &c.edit
	dst = append(dst, 1, byte(e.Op), byte(e.Shape), 0)
	dst = le.AppendUint32(dst, math.Float32bits(e.Radius))
	dst = le.AppendUint32(dst, math.Float32bits(e.Smooth))
	p := e.Place
	for _, v := range [3]int32{p.Sample.X, p.Sample.Y, p.Sample.Z} {
		dst = le.AppendUint32(dst, uint32(v))
	}
	for _, v := range [3]float32{p.Offset.X, p.Offset.Y, p.Offset.Z} {
		dst = le.AppendUint32(dst, math.Float32bits(v))
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
	if len(data) < MaxEncoded {
		return c, nil, fmt.Errorf("%w: %d bytes, need %d", ErrCorrupt, len(data), MaxEncoded)
	}
	if data[0] != 1 {
		return c, nil, fmt.Errorf("%w: %d, know 1", ErrVersion, data[0])
	}
	if data[3] != 0 {
		return c, nil, fmt.Errorf("%w: reserved byte is %d", ErrCorrupt, data[3])
	}
	u := func(i int) uint32 { return binary.LittleEndian.Uint32(data[i:]) }
	f := func(i int) float32 { return math.Float32frombits(u(i)) }
	var e Edit
	e.Op, e.Shape = Op(data[1]), Shape(data[2])
	e.Radius, e.Smooth = f(4), f(8)
	e.Place.Sample = lattice.Sample{X: int32(u(12)), Y: int32(u(16)), Z: int32(u(20))}
	e.Place.Offset = geom.Vec3{X: f(24), Y: f(28), Z: f(32)}
	if c, err = e.Check(); err != nil {
		return Checked{}, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return c, data[MaxEncoded:], nil
}

// ParseWhole is Parse for data that holds one edit and nothing else.
func ParseWhole(data []byte) (Checked, error) {
	c, rest, err := Parse(data)
	if err == nil && len(rest) > 0 {
		return Checked{}, fmt.Errorf("%w: %d bytes follow it", ErrCorrupt, len(rest))
	}
	return c, err
}
