package worldlog

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// A Seq numbers the entries of a world from 1, without gaps. 0 is before the first.
type Seq uint64

// A Kind says what an entry's payload is.
type Kind uint8

// The kinds of entries. Their numbers are stored.
const (
	KindEdit Kind = 1 // payload: edit.Checked.AppendBinary
)

// An EditID names an edit for ever: the client session that made it and its count in that session.
type EditID struct{ Session, Counter uint64 }

// An Entry is one operation in the world's log.
type Entry struct {
	// Set by the caller of Append.
	ID       EditID
	Author   string // who: a display name, up to MaxAuthor bytes of UTF-8
	Kind     Kind
	Payload  []byte           // up to MaxPayload bytes
	Regions  []lattice.Region // distinct level-0 regions that hold a chunk the entry touches, 1 … MaxRegions
	Contents []asset.Hash     // content that the payload names, stored before and kept for ever; up to MaxContents
	// Set by Append.
	Seq  Seq
	Time time.Time // when it was ordered, UTC to the millisecond, never before its predecessor's
	Prev [8]byte   // the hash of the previous entry's record, cut short: the chain
}

// The limits of entries and content. What exceeds them is refused with ErrTooLarge before any work.
const (
	MaxPayload   = 1 << 20   // bytes of an entry's payload
	MaxAuthor    = 64        // bytes of an author's name
	MaxRegions   = 64        // regions of an entry
	MaxContents  = 4096      // content hashes of an entry
	MaxBatch     = 1024      // entries of one Append
	MaxBatchSize = 16 << 20  // bytes of all payloads of one Append
	MaxContent   = 256 << 20 // bytes of one content
	MaxPieces    = 1 << 22   // pieces of a snapshot
)

// An Appended is the result of Store.Append for one entry.
type Appended struct {
	Seq       Seq
	Time      time.Time
	Duplicate bool // the session's high-water mark was at or past the counter: nothing was written for it
	// Of a duplicate, Seq and Time are those of the entry it repeats if that is the session's latest, else zero.
}

// A SnapshotPiece is one brick of a snapshot: its encoded form is stored as content under its hash.
type SnapshotPiece struct {
	Brick   lattice.Brick
	Content asset.Hash
}

// A Snapshot is all edited bricks of the world at one level as of an entry.
type Snapshot struct {
	Seq    Seq
	Level  uint8
	Pieces []SnapshotPiece
}

// Meta describes what a world is made from. It is written once, by Create.
type Meta struct {
	World     [16]byte // names the world, random
	Name      string
	Created   time.Time
	Document  asset.Hash        // the compact graph, stored as content
	Assets    []asset.Hash      // the files that the graph uses, stored as content
	Semantics []graph.Semantics // ascending by kind
	Settings  []byte            // what the world was created with, as its creator encodes it (shown, compared, never interpreted here)
}

// The errors of a store, wrapped with where and what.
var (
	ErrNotFound = errors.New("worldlog: not found")
	ErrCorrupt  = errors.New("worldlog: damaged")
	ErrLost     = errors.New("worldlog: acknowledged entries are missing")
	ErrVersion  = errors.New("worldlog: written by a newer version")
	ErrNotWorld = errors.New("worldlog: not a world file")
	ErrInUse    = errors.New("worldlog: in use by another process")
	ErrTooLarge = errors.New("worldlog: too large")
	ErrClosed   = errors.New("worldlog: closed")
	ErrInvalid  = errors.New("worldlog: invalid")
	ErrFailed   = errors.New("worldlog: writing failed, and the world must be opened again")
	ErrReadOnly = errors.New("worldlog: open for reading only")
)

// A Store keeps one world. Its methods may be called from many goroutines.
type Store interface {
	Meta() Meta

	// Append adds entries to the log in order, all or none, and returns once they are durable. An entry
	// whose session's high-water mark is at or past its counter is a duplicate: it is skipped, and its
	// result says so, so a retry is harmless for ever. Concurrent calls share a commit. An error that wraps
	// ctx's means that nothing was written; after any other error than those of the values handed over
	// (ErrInvalid, ErrTooLarge, ErrNotFound, ErrClosed) the entries may turn out to be in the log later:
	// retry to find out.
	Append(ctx context.Context, entries []Entry) ([]Appended, error)

	// Read yields the entries after the given one in order, at most to the head at the time of the call. A
	// non-nil error ends the sequence.
	Read(ctx context.Context, after Seq) iter.Seq2[Entry, error]

	// Head returns the last entry's number.
	Head() Seq

	// HighWater returns the highest counter of the session in the log, 0 if none.
	HighWater(ctx context.Context, session uint64) (uint64, error)

	// Content returns what was stored under the hash, or ErrNotFound.
	Content(ctx context.Context, h asset.Hash) ([]byte, error)

	// PutContent stores data under its hash, durably, and returns the hash. Content that nothing names when
	// the world is next opened (Meta, an entry, a snapshot) may be gone.
	PutContent(ctx context.Context, data []byte) (asset.Hash, error)

	// PutSnapshot records a snapshot whose pieces have been stored, else ErrNotFound; it replaces the one of
	// its level unless that is newer, and content that only the replaced one named is dropped.
	PutSnapshot(ctx context.Context, s Snapshot) error

	// LatestSnapshot returns the newest snapshot of the level that is whole, or ErrNotFound.
	LatestSnapshot(ctx context.Context, level uint8) (Snapshot, error)

	// Close waits for the appends under way and releases the world. Later calls answer ErrClosed; closing
	// again does nothing.
	Close() error
}
