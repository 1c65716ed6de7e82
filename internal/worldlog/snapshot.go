package worldlog

import (
	"fmt"

	"github.com/terrane/terrane/lattice"
)

// Validate says what is wrong with s, a snapshot of a log whose last entry is head, if anything.
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
