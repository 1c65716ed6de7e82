package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// A Damage is a run of entries that a world file does not hold as they were acknowledged.
type Damage struct {
	From, To worldlog.Seq
	Err      error // wraps worldlog.ErrLost or worldlog.ErrCorrupt
}

func (d Damage) String() string {
	if d.From == d.To {
		return fmt.Sprintf("entry %d: %v", d.From, d.Err)
	}
	return fmt.Sprintf("entries %d to %d: %v", d.From, d.To, d.Err)
}

// A DamageError is why a world is not served: some of what it acknowledged is not there or not as it was. It wraps
// the errors of its damages. Repair saves what is left.
type DamageError struct {
	Path    string
	Damages []Damage // ascending
}

// Error names up to eight of the damages.
func (e *DamageError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "world %s is damaged", e.Path)
	for i, d := range e.Damages {
		if i == 8 {
			fmt.Fprintf(&b, "; and %d more", len(e.Damages)-i)
			break
		}
		b.WriteString("; ")
		b.WriteString(d.String())
	}
	return b.String()
}

// Unwrap returns the damages' errors.
func (e *DamageError) Unwrap() []error {
	errs := make([]error, len(e.Damages))
	for i, d := range e.Damages {
		errs[i] = d.Err
	}
	return errs
}

// scanner checks a log, entry by entry as its records come, against what has been acknowledged.
type scanner struct {
	index   *worldlog.Index
	acked   files.Head
	ackedOK bool // the record of acked.Seq was the acknowledged one
	last    worldlog.Seq
	damages []Damage
}

func newScanner(m *worldlog.Meta, acked files.Head) *scanner {
	s := &scanner{index: worldlog.NewIndex(m), acked: acked}
	s.ackedOK = acked.Seq == 0 && acked.Link == m.Link()
	return s
}

func (s *scanner) damage(from, to worldlog.Seq, err error) {
	s.damages = append(s.damages, Damage{from, to, err})
}

// add takes the next record, of the entry q. The index grows to the first damage.
func (s *scanner) add(q worldlog.Seq, record []byte) {
	if q <= s.last {
		s.damage(q, q, fmt.Errorf("%w: out of order", worldlog.ErrCorrupt))
		return
	}
	if q > s.last+1 {
		s.damage(s.last+1, q-1, s.missing(s.last+1))
	}
	s.last = q
	e, err := worldlog.ParseRecord(record)
	if err == nil && e.Seq != q {
		err = fmt.Errorf("%w: entry %d is in its place", worldlog.ErrCorrupt, e.Seq)
	}
	if err == nil && len(s.damages) == 0 {
		err = s.index.Add(&e, record)
	}
	if err != nil {
		s.damage(q, q, err)
	}
	if q == s.acked.Seq {
		s.ackedOK = worldlog.LinkOf(record) == s.acked.Link
	}
}

// missing returns the error of an entry that is not there.
func (s *scanner) missing(q worldlog.Seq) error {
	if q <= s.acked.Seq {
		return fmt.Errorf("%w", worldlog.ErrLost)
	}
	return fmt.Errorf("%w: missing", worldlog.ErrCorrupt)
}

// end ends the scan; err is what stopped it before the last record, if anything.
func (s *scanner) end(err error) []Damage {
	if err != nil {
		s.damage(s.last+1, max(s.last+1, s.acked.Seq), errors.Join(s.missing(s.last+1), err))
	} else if s.last < s.acked.Seq {
		s.damage(s.last+1, s.acked.Seq, s.missing(s.last+1))
	} else if !s.ackedOK && len(s.damages) == 0 {
		s.damage(s.acked.Seq, s.acked.Seq, fmt.Errorf("%w: another entry stands in its place", worldlog.ErrLost))
	}
	return s.damages
}
