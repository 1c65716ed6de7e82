package builder

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesher"
)

const (
	jobMagic    = "TRJB"
	jobVersion  = 2
	jobHeader   = 32
	tileHeader  = 36
	brickHeader = 24

	// MaxBricks is the greatest number of bricks that a chunk's grid reads.
	MaxBricks = 27
	// MaxPending bounds the pending edits of a job. At one edit every 120 ms it is 8 minutes without an answer.
	MaxPending = 4096
	// MaxTiles is the greatest number of a raster's tiles that a chunk's grid reads: ground of more has tiles narrower
	// than any that this engine makes.
	MaxTiles = 64
	// MaxTileBytes bounds the tiles that a job brings: four of the largest, of 16-bit samples.
	MaxTileBytes = 4 * (32<<20 + 64)
	// MaxJob is the length of the longest job.
	MaxJob = jobHeader + MaxTiles*tileHeader + MaxTileBytes + MaxBricks*(brickHeader+brick.MaxEncoded) + MaxPending*edit.MaxEncoded
)

// The errors of ParseJob and ParseResult, wrapped with what was found.
var (
	ErrCorrupt  = errors.New("builder: corrupt")
	ErrVersion  = errors.New("builder: unknown version")
	ErrTooLarge = errors.New("builder: too large")
)

// A Job asks for the mesh of a chunk.
type Job struct {
	Chunk   lattice.Chunk
	Version uint32 // of the chunk; the result carries it
	Mesher  mesher.Kind
	Finer   lattice.Faces  // 0 until there are levels of detail
	Bricks  []JobBrick     // the edited ones that the chunk's grid reads, at most MaxBricks, in any order
	Tiles   []JobTile      // those of rasters that the chunk's grid reads, at most MaxTiles
	Pending []edit.Checked // those that reach the chunk's grid, in order, at most MaxPending
}

// A JobBrick is an edited brick of a job.
type JobBrick struct {
	ID   lattice.Brick
	Hash uint64
	Data []byte // encoded; empty if the builder is believed to have it
}

// A JobTile is a tile of a job.
type JobTile struct {
	Hash asset.Hash
	Data []byte // empty if the builder is believed to have it
}

// AppendBinary appends the encoding of j to dst. It panics if j has more bricks, tiles or edits than a job may.
func (j *Job) AppendBinary(dst []byte) []byte {
	if len(j.Bricks) > MaxBricks || len(j.Pending) > MaxPending || len(j.Tiles) > MaxTiles {
		panic(fmt.Sprintf("builder: job with %d bricks, %d tiles and %d edits", len(j.Bricks), len(j.Tiles), len(j.Pending)))
	}
	le := binary.LittleEndian
	dst = append(dst, jobMagic...)
	dst = append(dst, jobVersion, j.Chunk.Level, byte(j.Mesher), byte(j.Finer))
	dst = appendInts(dst, j.Chunk.X, j.Chunk.Y, j.Chunk.Z)
	dst = le.AppendUint32(dst, j.Version)
	dst = le.AppendUint16(dst, uint16(len(j.Bricks)))
	dst = le.AppendUint16(dst, uint16(len(j.Pending)))
	dst = le.AppendUint32(dst, uint32(len(j.Tiles)))
	for _, t := range j.Tiles {
		dst = append(dst, t.Hash[:]...)
		dst = le.AppendUint32(dst, uint32(len(t.Data)))
		dst = append(dst, t.Data...)
	}
	for _, b := range j.Bricks {
		dst = appendInts(dst, b.ID.X, b.ID.Y, b.ID.Z)
		dst = le.AppendUint64(dst, b.Hash)
		dst = le.AppendUint32(dst, uint32(len(b.Data)))
		dst = append(dst, b.Data...)
	}
	for _, e := range j.Pending {
		dst = e.AppendBinary(dst)
	}
	return dst
}

func appendInts(dst []byte, x, y, z int32) []byte {
	le := binary.LittleEndian
	return le.AppendUint32(le.AppendUint32(le.AppendUint32(dst, uint32(x)), uint32(y)), uint32(z))
}

// ParseJob returns the job that data encodes, or an error that wraps ErrCorrupt, ErrVersion or ErrTooLarge. The data of
// its bricks share the memory of data and are not checked.
func ParseJob(data []byte) (*Job, error) {
	j := new(Job)
	if err := j.parse(data); err != nil {
		return nil, err
	}
	return j, nil
}

// parse is ParseJob into a job whose memory is reused.
func (j *Job) parse(data []byte) error {
	switch {
	case len(data) > MaxJob:
		return fmt.Errorf("%w: job of %d bytes, at most %d", ErrTooLarge, len(data), MaxJob)
	case len(data) < jobHeader:
		return fmt.Errorf("%w: job of %d bytes, at least %d", ErrCorrupt, len(data), jobHeader)
	case string(data[:4]) != jobMagic:
		return fmt.Errorf("%w: job begins with %q, want %q", ErrCorrupt, data[:4], jobMagic)
	case data[4] != jobVersion:
		return fmt.Errorf("%w: job version %d, know %d", ErrVersion, data[4], jobVersion)
	}
	le := binary.LittleEndian
	j.Chunk = lattice.Chunk{
		X: int32(le.Uint32(data[8:])), Y: int32(le.Uint32(data[12:])), Z: int32(le.Uint32(data[16:])), Level: data[5],
	}
	j.Mesher, j.Finer, j.Version = mesher.Kind(data[6]), lattice.Faces(data[7]), le.Uint32(data[20:])
	bricks, edits, tiles := int(le.Uint16(data[24:])), int(le.Uint16(data[26:])), le.Uint32(data[28:])
	switch {
	case j.Chunk.Level > lattice.MaxLevel || !inWorld(j.Chunk):
		return fmt.Errorf("%w: %v lies outside the world", ErrCorrupt, j.Chunk)
	case !j.Mesher.Valid():
		return fmt.Errorf("%w: mesher %d is unknown", ErrCorrupt, j.Mesher)
	case j.Finer != 0:
		return fmt.Errorf("%w: finer faces %b, know none", ErrCorrupt, j.Finer)
	case bricks > MaxBricks || edits > MaxPending || tiles > MaxTiles:
		return fmt.Errorf("%w: %d bricks of at most %d, %d tiles of at most %d, %d edits of at most %d",
			ErrTooLarge, bricks, MaxBricks, tiles, MaxTiles, edits, MaxPending)
	}
	data, err := j.parseTiles(data[jobHeader:], int(tiles))
	if err != nil {
		return err
	}
	data, err = j.parseBricks(data, bricks)
	if err != nil {
		return err
	}
	j.Pending = j.Pending[:0]
	for range edits {
		var e edit.Checked
		if e, data, err = edit.Parse(data); err != nil {
			return fmt.Errorf("%w: pending edit %d: %w", ErrCorrupt, len(j.Pending), err)
		}
		j.Pending = append(j.Pending, e)
	}
	if len(data) > 0 {
		return fmt.Errorf("%w: %d bytes follow the job", ErrCorrupt, len(data))
	}
	return nil
}

// inWorld reports whether c's cells lie within lattice.Limit.
func inWorld(c lattice.Chunk) bool {
	n := int32(lattice.Limit) >> (lattice.ChunkShift + c.Level)
	in := func(v int32) bool { return v >= -n && v < n }
	return in(c.X) && in(c.Y) && in(c.Z)
}

// parseTiles reads n tiles of a job and returns the bytes after them.
func (j *Job) parseTiles(data []byte, n int) ([]byte, error) {
	j.Tiles = j.Tiles[:0]
	for i := range n {
		if len(data) < tileHeader {
			return nil, fmt.Errorf("%w: job is cut short in tile %d", ErrCorrupt, i)
		}
		var t JobTile
		copy(t.Hash[:], data)
		size := binary.LittleEndian.Uint32(data[32:])
		data = data[tileHeader:]
		if uint64(size) > uint64(len(data)) {
			return nil, fmt.Errorf("%w: tile %x has %d bytes, %d are there", ErrCorrupt, t.Hash[:8], size, len(data))
		}
		t.Data = data[:size:size]
		j.Tiles = append(j.Tiles, t)
		data = data[size:]
	}
	return data, nil
}

// parseBricks reads n bricks of a job and returns the bytes after them.
func (j *Job) parseBricks(data []byte, n int) ([]byte, error) {
	le := binary.LittleEndian
	j.Bricks = j.Bricks[:0]
	var seen [MaxBricks]bool
	for i := range n {
		if len(data) < brickHeader {
			return nil, fmt.Errorf("%w: job is cut short in brick %d", ErrCorrupt, i)
		}
		id := lattice.Brick{
			X: int32(le.Uint32(data)), Y: int32(le.Uint32(data[4:])), Z: int32(le.Uint32(data[8:])), Level: j.Chunk.Level,
		}
		dx, dy, dz := id.X-j.Chunk.X+1, id.Y-j.Chunk.Y+1, id.Z-j.Chunk.Z+1
		if uint32(dx) > 2 || uint32(dy) > 2 || uint32(dz) > 2 {
			return nil, fmt.Errorf("%w: %v is not read by %v", ErrCorrupt, id, j.Chunk)
		}
		if at := (dz*3+dy)*3 + dx; seen[at] {
			return nil, fmt.Errorf("%w: %v twice", ErrCorrupt, id)
		} else {
			seen[at] = true
		}
		hash, size := le.Uint64(data[12:]), le.Uint32(data[20:])
		data = data[brickHeader:]
		if uint64(size) > uint64(min(len(data), brick.MaxEncoded)) {
			return nil, fmt.Errorf("%w: %v has %d bytes, %d are there", ErrCorrupt, id, size, len(data))
		}
		j.Bricks = append(j.Bricks, JobBrick{ID: id, Hash: hash, Data: data[:size:size]})
		data = data[size:]
	}
	return data, nil
}
