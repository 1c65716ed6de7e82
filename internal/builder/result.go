package builder

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// HeaderSize is the length of a result's header.
const HeaderSize = 64

const (
	resultMagic  = "TRMB"
	resultFormat = 1

	flagEmpty   = 1
	flagMissing = 2
)

// A ResultHeader is what a result says before its mesh.
type ResultHeader struct {
	Chunk      lattice.Chunk
	Version    uint32 // of the chunk, from the job
	Mesher     mesher.Kind
	Vertices   int
	Indices    int    // three a triangle
	IndexBytes int    // 2 or 4
	Empty      bool   // the chunk has no surface
	Missing    bool   // send the job again with the data of all bricks
	Micros     uint32 // microseconds that the build took
}

// appendResult appends a result to dst: h, but for its counts, and the mesh m, which may be nil.
func appendResult(dst []byte, h ResultHeader, m *mesh.Mesh) []byte {
	h.IndexBytes = 2
	if m != nil {
		h.Vertices, h.Indices = m.Vertices(), len(m.Indices)
		if h.Vertices > math.MaxUint16 {
			h.IndexBytes = 4
		}
	}
	le := binary.LittleEndian
	first := len(dst)
	dst = append(dst, resultMagic...)
	var flags uint32
	if h.Empty {
		flags |= flagEmpty
	}
	if h.Missing {
		flags |= flagMissing
	}
	for _, v := range [15]uint32{
		resultFormat, uint32(h.Chunk.X), uint32(h.Chunk.Y), uint32(h.Chunk.Z), uint32(h.Chunk.Level), h.Version,
		uint32(h.Mesher), uint32(h.Vertices), uint32(h.Indices), uint32(h.IndexBytes), flags, h.Micros,
	} {
		dst = le.AppendUint32(dst, v)
	}
	if m != nil {
		dst = appendMesh(dst, m, h.IndexBytes)
	}
	for (len(dst)-first)%4 != 0 {
		dst = append(dst, 0)
	}
	return dst
}

// appendMesh appends the parts of m. The indices are not yet padded.
func appendMesh(dst []byte, m *mesh.Mesh, indexBytes int) []byte {
	le := binary.LittleEndian
	for _, v := range m.Positions {
		dst = le.AppendUint32(dst, math.Float32bits(v))
	}
	for i := 0; i+3 <= len(m.Normals); i += 3 {
		dst = append(dst, snorm(m.Normals[i]), snorm(m.Normals[i+1]), snorm(m.Normals[i+2]), 0)
	}
	for i := range m.Vertices() {
		var depth float32
		if i < len(m.Depths) {
			depth = m.Depths[i]
		}
		dst = le.AppendUint32(dst, math.Float32bits(depth))
	}
	for _, v := range m.Indices {
		if indexBytes == 2 {
			dst = le.AppendUint16(dst, uint16(v))
		} else {
			dst = le.AppendUint32(dst, v)
		}
	}
	return dst
}

// snorm returns v, −1 … 1, as a signed byte times 127, rounded to the nearest.
func snorm(v float32) byte {
	switch {
	case v >= 1:
		return 127
	case v > 0:
		return byte(int8(float32(v*127) + 0.5))
	case v <= -1:
		return 256 - 127
	case v < 0:
		return byte(int8(float32(v*127) - 0.5))
	}
	return 0
}

// ParseResult reads the header of a result and checks that data has the length it says.
func ParseResult(data []byte) (ResultHeader, error) {
	h, err := ParseHeader(data)
	if err != nil {
		return ResultHeader{}, err
	}
	size := HeaderSize + 20*uint64(h.Vertices) + (uint64(h.Indices)*uint64(h.IndexBytes)+3)&^3
	if uint64(len(data)) != size {
		return ResultHeader{}, fmt.Errorf("%w: result of %d bytes, its header says %d", ErrCorrupt, len(data), size)
	}
	return h, nil
}

// ParseHeader reads the header of a result from its first HeaderSize bytes.
func ParseHeader(data []byte) (ResultHeader, error) {
	le := binary.LittleEndian
	u := func(i int) uint32 { return le.Uint32(data[4*i:]) }
	switch {
	case len(data) < HeaderSize:
		return ResultHeader{}, fmt.Errorf("%w: result of %d bytes, at least %d", ErrCorrupt, len(data), HeaderSize)
	case string(data[:4]) != resultMagic:
		return ResultHeader{}, fmt.Errorf("%w: result begins with %q, want %q", ErrCorrupt, data[:4], resultMagic)
	case u(1) != resultFormat:
		return ResultHeader{}, fmt.Errorf("%w: result version %d, know %d", ErrVersion, u(1), resultFormat)
	case u(5) > lattice.MaxLevel || !mesher.Kind(min(u(7), math.MaxUint8)).Valid():
		return ResultHeader{}, fmt.Errorf("%w: result of level %d, mesher %d", ErrCorrupt, u(5), u(7))
	case u(10) != 2 && u(10) != 4 || u(11)&^(flagEmpty|flagMissing) != 0 || u(13)|u(14)|u(15) != 0:
		return ResultHeader{}, fmt.Errorf("%w: result header %x", ErrCorrupt, data[:HeaderSize])
	}
	return ResultHeader{
		Chunk:   lattice.Chunk{X: int32(u(2)), Y: int32(u(3)), Z: int32(u(4)), Level: uint8(u(5))},
		Version: u(6), Mesher: mesher.Kind(u(7)),
		Vertices: int(u(8)), Indices: int(u(9)), IndexBytes: int(u(10)),
		Empty: u(11)&flagEmpty != 0, Missing: u(11)&flagMissing != 0, Micros: u(12),
	}, nil
}
