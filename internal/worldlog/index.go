package worldlog

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
)

// An Index is the part of its log that a store keeps in memory: the head, the chain, the contents that entries name and each
// session's high-water mark. It is derived: a store builds it by adding every entry when it opens a world, which
// checks the whole chain on the way. It takes about 50 bytes for a session.
// An Index is for one goroutine at a time.
type Index struct {
	tip   tip
	marks map[uint64]mark
	named map[asset.Hash]struct{}
}

// tip is the end of the log: number, link and time of the last entry.
type tip struct {
	seq  Seq
	link Link
	time int64 // milliseconds since 1970
}

// mark is a session's high-water mark: its latest entry.
type mark struct {
	counter uint64
	seq     Seq
	time    int64
}

// NewIndex returns the index of a world without entries.
func NewIndex(m *Meta) *Index {
	return &Index{
		tip:   tip{link: m.Link()},
		marks: make(map[uint64]mark),
		named: make(map[asset.Hash]struct{}),
	}
}

// Add takes in the entry of the next record of the log. It answers ErrCorrupt, and takes in nothing, if the
// record is not the next or not of this chain.
func (x *Index) Add(e *Entry, record []byte) error {
	if e.Seq != x.tip.seq+1 {
		return fmt.Errorf("%w: entry %d where %d belongs", ErrCorrupt, e.Seq, x.tip.seq+1)
	}
	if e.Prev != x.tip.link {
		return fmt.Errorf("%w: entry %d follows %x, but the one before it is %x", ErrCorrupt, e.Seq, e.Prev, x.tip.link)
	}
	ms := e.Time.UnixMilli()
	for _, h := range e.Contents {
		x.named[h] = struct{}{}
	}
	x.marks[e.ID.Session] = mark{e.ID.Counter, e.Seq, ms}
	x.tip = tip{e.Seq, LinkOf(record), max(ms, x.tip.time)}
	return nil
}

// Head returns the last entry's number.
func (x *Index) Head() Seq { return x.tip.seq }

// Link returns the link that follows the last record.
func (x *Index) Link() Link { return x.tip.link }

// HighWater returns the highest counter of the session, 0 if it has no entry.
func (x *Index) HighWater(session uint64) uint64 { return x.marks[session].counter }

// Names reports whether an entry names the content.
func (x *Index) Names(h asset.Hash) bool {
	_, ok := x.named[h]
	return ok
}

// A Batch is the addition of one commit to an Index: the records of any number of appends, none of them part of the
// index before Commit. A Batch may be used again after Reset, which keeps its memory.
type Batch struct {
	x     *Index
	tip   tip
	marks map[uint64]mark
	named []asset.Hash
	buf   []byte
	ends  []int // of the records in buf
}

// NewBatch returns an empty batch on top of x.
func (x *Index) NewBatch() *Batch {
	return &Batch{x: x, tip: x.tip, marks: make(map[uint64]mark)}
}

// Reset empties b: it stands on top of the index again.
func (b *Batch) Reset() {
	b.tip = b.x.tip
	clear(b.marks)
	b.named, b.buf, b.ends = b.named[:0], b.buf[:0], b.ends[:0]
}

// Append orders the entries of one Store.Append behind those already in b, gives each that is no duplicate its
// number, time and link, and appends what became of each to dst. It returns ErrNotFound if has, which tells what is
// stored, does not know a content that an entry names; b then holds nothing of it. CheckBatch has passed.
func (b *Batch) Append(dst []Appended, entries []Entry, now time.Time, has func(asset.Hash) bool) ([]Appended, error) {
	for i := range entries {
		for _, h := range entries[i].Contents {
			if !has(h) {
				return dst, fmt.Errorf("%w: content %v, which an entry names", ErrNotFound, h)
			}
		}
	}
	b.tip.time = max(b.tip.time, now.UnixMilli())
	for i := range entries {
		e := &entries[i]
		m := b.mark(e.ID.Session)
		switch {
		case e.ID.Counter > m.counter:
			dst = append(dst, b.add(e))
		case e.ID.Counter == m.counter:
			dst = append(dst, Appended{Seq: m.seq, Time: time.UnixMilli(m.time).UTC(), Duplicate: true})
		default:
			dst = append(dst, Appended{Duplicate: true})
		}
	}
	return dst, nil
}

// add gives the entry its place and encodes its record.
func (b *Batch) add(entry *Entry) Appended {
	e := *entry
	e.Seq, e.Time, e.Prev = b.tip.seq+1, time.UnixMilli(b.tip.time).UTC(), b.tip.link
	start := len(b.buf)
	b.buf = AppendRecord(b.buf, &e)
	b.ends = append(b.ends, len(b.buf))
	b.named = append(b.named, e.Contents...)
	b.marks[e.ID.Session] = mark{e.ID.Counter, e.Seq, b.tip.time}
	b.tip.seq, b.tip.link = e.Seq, LinkOf(b.buf[start:])
	return Appended{Seq: e.Seq, Time: e.Time}
}

func (b *Batch) mark(session uint64) mark {
	if m, ok := b.marks[session]; ok {
		return m
	}
	return b.x.marks[session]
}

// Names reports whether an entry of b names the content.
func (b *Batch) Names(h asset.Hash) bool { return slices.Contains(b.named, h) }

// Len returns the number of records in b.
func (b *Batch) Len() int { return len(b.ends) }

// Size returns the size of b's records in bytes.
func (b *Batch) Size() int { return len(b.buf) }

// First returns the number of b's first record.
func (b *Batch) First() Seq { return b.x.tip.seq + 1 }

// Head returns the number of the last entry, b's included.
func (b *Batch) Head() Seq { return b.tip.seq }

// Link returns the link that follows the last record, b's included.
func (b *Batch) Link() Link { return b.tip.link }

// Record returns the i-th record of b. It is overwritten after Reset.
func (b *Batch) Record(i int) []byte {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.buf[start:b.ends[i]:b.ends[i]]
}

// Commit makes b part of its index, once its records are durable, and resets b.
func (b *Batch) Commit() {
	x := b.x
	for _, h := range b.named {
		x.named[h] = struct{}{}
	}
	maps.Copy(x.marks, b.marks)
	x.tip = b.tip
	b.Reset()
}
