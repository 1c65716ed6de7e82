package worldlog

import (
	"encoding/binary"
	"fmt"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/lattice"
)

const (
	snapshotMagic   = "TRSN"
	snapshotVersion = 1
	snapshotHeader  = 20
	pieceSize       = 12 + 32
)

// Validate returns an error if s is no snapshot of a log whose last entry is head.
func (s *Snapshot) Validate(head Seq) error {
	switch {
	case s.Level > lattice.MaxLevel:
		return fmt.Errorf("%w: snapshot of level %d; up to %d", ErrInvalid, s.Level, lattice.MaxLevel)
	case s.Seq > head:
		return fmt.Errorf("%w: snapshot as of entry %d, but the log ends at %d", ErrInvalid, s.Seq, head)
	case len(s.Pieces) > MaxPieces:
		return fmt.Errorf("%w: snapshot of %d pieces; up to %d", ErrTooLarge, len(s.Pieces), MaxPieces)
	}
	seen := make(map[lattice.Brick]struct{}, len(s.Pieces))
	for _, p := range s.Pieces {
		if p.Brick.Level != s.Level {
			return fmt.Errorf("%w: %v in a snapshot of level %d", ErrInvalid, p.Brick, s.Level)
		}
		if _, twice := seen[p.Brick]; twice {
			return fmt.Errorf("%w: %v twice in a snapshot", ErrInvalid, p.Brick)
		}
		seen[p.Brick] = struct{}{}
	}
	return nil
}

// AppendBinary appends the form of s to dst. s must be valid.
func (s *Snapshot) AppendBinary(dst []byte) []byte {
	start := len(dst)
	le := binary.LittleEndian
	dst = append(dst, snapshotMagic...)
	dst = append(dst, snapshotVersion, s.Level, 0, 0)
	dst = le.AppendUint64(dst, uint64(s.Seq))
	dst = le.AppendUint32(dst, uint32(len(s.Pieces)))
	for i := range s.Pieces {
		p := &s.Pieces[i]
		for _, v := range [3]int32{p.Brick.X, p.Brick.Y, p.Brick.Z} {
			dst = le.AppendUint32(dst, uint32(v))
		}
		dst = append(dst, p.Content[:]...)
	}
	return appendChecksum(dst, start)
}

// ParseSnapshot reads the snapshot that data is, whole.
func ParseSnapshot(data []byte) (Snapshot, error) {
	if err := checkFrame(data, snapshotMagic, snapshotVersion, snapshotHeader+crcSize, "snapshot"); err != nil {
		return Snapshot{}, err
	}
	le := binary.LittleEndian
	n := uint64(le.Uint32(data[16:]))
	if n*pieceSize != uint64(len(data)-snapshotHeader-crcSize) || data[6] != 0 || data[7] != 0 {
		return Snapshot{}, fmt.Errorf("%w: snapshot of %d pieces in %d bytes", ErrCorrupt, n, len(data))
	}
	s := Snapshot{Seq: Seq(le.Uint64(data[8:])), Level: data[5], Pieces: make([]SnapshotPiece, n)}
	data = data[snapshotHeader:]
	for i := range s.Pieces {
		i32 := func(at int) int32 { return int32(le.Uint32(data[at:])) }
		s.Pieces[i] = SnapshotPiece{
			Brick:   lattice.Brick{X: i32(0), Y: i32(4), Z: i32(8), Level: s.Level},
			Content: asset.Hash(data[12:pieceSize]),
		}
		data = data[pieceSize:]
	}
	if err := s.Validate(s.Seq); err != nil {
		return Snapshot{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return s, nil
}
