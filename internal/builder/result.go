package builder

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// HeaderSize is the length of a result's header in bytes.
const HeaderSize = 4 * HeaderWords

// The words of a result's header by their number. client/protocolgen hands them and the constants below to the page.
const (
	WordMagic = iota
	WordFormat
	WordX
	WordY
	WordZ
	WordLevel
	WordVersion
	WordMesher
	WordVertices
	WordIndices
	WordIndexBytes
	WordFlags
	WordMicros

	HeaderWords = 16 // those past WordMicros are 0
)

// ResultMagic and ResultFormat are the first words of every result.
const (
	ResultMagic  = "TRMB"
	ResultFormat = 2
)

// The bits of WordFlags.
const (
	FlagEmpty     = 1 << iota // the chunk has no surface
	FlagMissing               // send the job again with the data of all bricks
	FlagMaterials             // the vertices, or the samples, have materials
	FlagSamples               // it holds the chunk's samples in place of a mesh
	knownFlags    = 1<<iota - 1
)

// The bytes that a vertex takes in each part of a mesh.
const (
	PositionBytes = 12
	NormalBytes   = 4
	DepthBytes    = 4
	MaterialBytes = 4 // with FlagMaterials
)

// A ResultHeader describes the mesh that follows it in a result.
type ResultHeader struct {
	Chunk      lattice.Chunk
	Version    uint32 // of the chunk, from the job
	Mesher     mesher.Kind
	Vertices   int
	Indices    int    // three a triangle
	IndexBytes int    // 2 or 4
	Empty      bool   // the chunk has no surface
	Missing    bool   // send the job again with the data of all bricks
	Materials  bool   // the vertices, or the samples, have materials
	Samples    bool   // it holds the chunk's samples in place of a mesh
	Micros     uint32 // microseconds that the build took
}

// appendResult appends a result to dst, word by word: h, but for its counts, and the mesh m, which may be nil.
// bytesOf makes bytes of the words. Appended byte by byte, a result takes WebAssembly half as long as its mesh.
func appendResult(dst []uint32, h ResultHeader, m *mesh.Mesh) []uint32 {
	h.IndexBytes = 2
	if m != nil {
		h.Vertices, h.Indices, h.Materials = m.Vertices(), len(m.Indices), len(m.Materials) != 0
		if h.Vertices > math.MaxUint16 {
			h.IndexBytes = 4
		}
	}
	var flags uint32
	if h.Empty {
		flags |= FlagEmpty
	}
	if h.Missing {
		flags |= FlagMissing
	}
	if h.Materials {
		flags |= FlagMaterials
	}
	if h.Samples {
		flags |= FlagSamples
	}
	words := [HeaderWords]uint32{
		WordMagic: binary.LittleEndian.Uint32([]byte(ResultMagic)), WordFormat: ResultFormat,
		WordX: uint32(h.Chunk.X), WordY: uint32(h.Chunk.Y), WordZ: uint32(h.Chunk.Z), WordLevel: uint32(h.Chunk.Level),
		WordVersion: h.Version, WordMesher: uint32(h.Mesher),
		WordVertices: uint32(h.Vertices), WordIndices: uint32(h.Indices), WordIndexBytes: uint32(h.IndexBytes),
		WordFlags: flags, WordMicros: h.Micros,
	}
	dst = append(dst, words[:]...)
	if m != nil {
		dst = appendMesh(dst, m, h.IndexBytes)
	}
	return dst
}

// GridSide is the number of samples along a side of a chunk's grid.
const GridSide = lattice.ChunkCells + 3

// appendSamples appends a result that holds what g was filled with.
func appendSamples(dst []uint32, h ResultHeader, g *grid.Grid) []uint32 {
	h.Samples = true
	h.Materials = len(g.Materials) != 0
	dst = appendResult(dst, h, nil)
	dst = append(dst, bitsOf(g.Samples)...)
	dst = append(dst, bitsOf(g.Ground)...)
	if !h.Materials {
		return dst
	}
	whole := len(g.Materials) &^ 3
	dst = appendMaterials(dst, g.Materials[:whole])
	var last [4]byte
	copy(last[:], g.Materials[whole:])
	return append(dst, binary.LittleEndian.Uint32(last[:]))
}

// appendMesh appends the parts of m.
func appendMesh(dst []uint32, m *mesh.Mesh, indexBytes int) []uint32 {
	dst = append(dst, bitsOf(m.Positions)...)
	at, n := len(dst), m.Vertices()
	dst = slices.Grow(dst, 3*n+len(m.Indices))[:at+n]
	packNormals(dst[at:], m.Normals)
	dst = append(dst, bitsOf(m.Depths)...)
	dst = append(dst, make([]uint32, n-len(m.Depths))...) // unknown depths are 0
	if len(m.Materials) != 0 {
		dst = appendMaterials(dst, m.Materials[:4*n])
	}
	if indexBytes == 4 {
		return append(dst, m.Indices...)
	}
	at, n = len(dst), (len(m.Indices)+1)/2
	dst = dst[:at+n]
	packIndices(dst[at:], m.Indices)
	return dst
}

// appendMaterials appends four bytes a word.
func appendMaterials(dst []uint32, materials []uint8) []uint32 {
	for i := 0; i < len(materials); i += 4 {
		dst = append(dst, binary.LittleEndian.Uint32(materials[i:i+4]))
	}
	return dst
}

// packNormals sets each word of dst to the normal x, y, z as three signed bytes and a zero.
func packNormals(dst []uint32, normals []float32) {
	for i := range dst[:min(len(dst), len(normals)/3)] {
		n := normals[3*i : 3*i+3 : 3*i+3]
		dst[i] = snorm(n[0]) | snorm(n[1])<<8 | snorm(n[2])<<16
	}
}

// packIndices sets each word of dst to two indices, the first in its low half.
func packIndices(dst, indices []uint32) {
	for i := range dst[:len(indices)/2] {
		pair := indices[2*i : 2*i+2 : 2*i+2]
		dst[i] = pair[0] | pair[1]<<16
	}
	if n := len(indices); n%2 != 0 {
		dst[n/2] = indices[n-1]
	}
}

// snorm returns v, −1 … 1, as a signed byte times 127, rounded to the nearest; what is beyond as ±1, NaN as 0.
func snorm(v float32) uint32 {
	half := float32(0.5)
	if v < 0 {
		half = -half
	}
	if !(v >= -1 && v <= 1) { // rare
		switch {
		case v > 1:
			v = 1
		case v < -1:
			v = -1
		default:
			return 0
		}
	}
	return uint32(int32(float32(v*127)+half)) & 0xff
}

// bitsOf returns the bits of list in the memory of list.
func bitsOf(list []float32) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(list))), len(list))
}

// bytesOf returns the memory of words as bytes, which TestBytesOf requires to be little-endian.
func bytesOf(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// ParseResult reads the header of a result and checks that data has the length it says.
func ParseResult(data []byte) (ResultHeader, error) {
	h, err := ParseHeader(data)
	if err != nil {
		return ResultHeader{}, err
	}
	if uint64(len(data)) != h.Size() {
		return ResultHeader{}, fmt.Errorf("%w: result of %d bytes, its header says %d", ErrCorrupt, len(data), h.Size())
	}
	return h, nil
}

// Size returns the length in bytes of a result with the header h.
func (h ResultHeader) Size() uint64 {
	if h.Samples {
		size := HeaderSize + 4*uint64(GridSide*GridSide*GridSide+GridSide*GridSide)
		if h.Materials {
			size += (GridSide*GridSide*GridSide + 3) &^ 3
		}
		return size
	}
	vertex := uint64(PositionBytes + NormalBytes + DepthBytes)
	if h.Materials {
		vertex += MaterialBytes
	}
	return HeaderSize + vertex*uint64(h.Vertices) + (uint64(h.Indices)*uint64(h.IndexBytes)+3)&^3
}

// ParseHeader reads the header of a result from its first HeaderSize bytes.
func ParseHeader(data []byte) (ResultHeader, error) {
	le := binary.LittleEndian
	u := func(i int) uint32 { return le.Uint32(data[4*i:]) }
	if len(data) < HeaderSize {
		return ResultHeader{}, fmt.Errorf("%w: result of %d bytes, at least %d", ErrCorrupt, len(data), HeaderSize)
	}
	flags := u(WordFlags)
	switch {
	case string(data[:4]) != ResultMagic:
		return ResultHeader{}, fmt.Errorf("%w: result begins with %q, want %q", ErrCorrupt, data[:4], ResultMagic)
	case u(WordFormat) != ResultFormat:
		return ResultHeader{}, fmt.Errorf("%w: result version %d, know %d", ErrVersion, u(WordFormat), ResultFormat)
	case u(WordLevel) > lattice.MaxLevel || !mesher.Kind(min(u(WordMesher), math.MaxUint8)).Valid():
		return ResultHeader{}, fmt.Errorf("%w: result of level %d, mesher %d", ErrCorrupt, u(WordLevel), u(WordMesher))
	case u(WordIndexBytes) != 2 && u(WordIndexBytes) != 4 || flags&^knownFlags != 0 || u(WordMicros+1)|u(WordMicros+2)|u(WordMicros+3) != 0:
		return ResultHeader{}, fmt.Errorf("%w: result header %x", ErrCorrupt, data[:HeaderSize])
	}
	return ResultHeader{
		Chunk: lattice.Chunk{
			X: int32(u(WordX)), Y: int32(u(WordY)), Z: int32(u(WordZ)), Level: uint8(u(WordLevel)),
		},
		Version: u(WordVersion), Mesher: mesher.Kind(u(WordMesher)),
		Vertices: int(u(WordVertices)), Indices: int(u(WordIndices)), IndexBytes: int(u(WordIndexBytes)),
		Empty: flags&FlagEmpty != 0, Missing: flags&FlagMissing != 0, Materials: flags&FlagMaterials != 0,
		Samples: flags&FlagSamples != 0, Micros: u(WordMicros),
	}, nil
}
