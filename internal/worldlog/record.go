package worldlog

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/lattice"
)

const (
	recordMagic   = "TRLE"
	recordVersion = 1
	recordHeader  = 56
	crcSize       = 4

	// MaxRecord is the size of the largest record in bytes.
	MaxRecord = recordHeader + MaxAuthor + 8*MaxRegions + sha256.Size*MaxContents + MaxPayload + crcSize
	// MinRecord is the size of the smallest record in bytes: one region and nothing else.
	MinRecord = recordHeader + 8 + crcSize
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Link is the first bytes of a record's SHA-256: what the next record's Prev must be.
type Link = [8]byte

// LinkOf returns the link that follows a record.
func LinkOf(record []byte) Link {
	sum := sha256.Sum256(record)
	return Link(sum[:8])
}

// AppendRecord appends the record of e to dst. e must be valid.
func AppendRecord(dst []byte, e *Entry) []byte {
	start := len(dst)
	le := binary.LittleEndian
	dst = append(dst, recordMagic...)
	dst = append(dst, recordVersion, byte(e.Kind), byte(len(e.Author)), byte(len(e.Regions)))
	dst = le.AppendUint64(dst, uint64(e.Seq))
	dst = le.AppendUint64(dst, uint64(e.Time.UnixMilli()))
	dst = append(dst, e.Prev[:]...)
	dst = le.AppendUint64(dst, e.ID.Session)
	dst = le.AppendUint64(dst, e.ID.Counter)
	dst = le.AppendUint32(dst, uint32(len(e.Payload)))
	dst = le.AppendUint16(dst, uint16(len(e.Contents)))
	dst = append(dst, 0, 0)
	dst = append(dst, e.Author...)
	for _, r := range e.Regions {
		dst = le.AppendUint32(dst, uint32(r.X))
		dst = le.AppendUint32(dst, uint32(r.Z))
	}
	for i := range e.Contents {
		dst = append(dst, e.Contents[i][:]...)
	}
	dst = append(dst, e.Payload...)
	return appendChecksum(dst, start)
}

// appendChecksum ends the form that starts at start.
func appendChecksum(dst []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// RecordSize returns the size of the record that starts with the given bytes, read from its header alone: ok is
// false if they are no record's.
func RecordSize(head []byte) (size int, ok bool) {
	if len(head) < recordHeader || string(head[:4]) != recordMagic {
		return 0, false
	}
	author, regions := int(head[6]), int(head[7])
	payload := int64(binary.LittleEndian.Uint32(head[48:]))
	contents := int(binary.LittleEndian.Uint16(head[52:]))
	if author > MaxAuthor || regions < 1 || regions > MaxRegions || contents > MaxContents || payload > MaxPayload {
		return 0, false
	}
	return recordHeader + author + 8*regions + sha256.Size*contents + int(payload) + crcSize, true
}

// ParseRecord reads the record that data is, whole. The entry shares no memory with data.
func ParseRecord(data []byte) (Entry, error) {
	if err := checkFrame(data, recordMagic, recordVersion, MinRecord, "record"); err != nil {
		return Entry{}, err
	}
	size, ok := RecordSize(data)
	if !ok || size != len(data) || data[54] != 0 || data[55] != 0 {
		return Entry{}, fmt.Errorf("%w: record of %d bytes whose parts do not add up", ErrCorrupt, len(data))
	}
	e := parseBody(data)
	if err := e.Validate(); err != nil {
		return Entry{}, fmt.Errorf("%w: record: %w", ErrCorrupt, err)
	}
	return e, nil
}

// parseBody reads a record whose size and checksum are right.
func parseBody(data []byte) Entry {
	le := binary.LittleEndian
	e := Entry{
		ID:   EditID{Session: le.Uint64(data[32:]), Counter: le.Uint64(data[40:])},
		Kind: Kind(data[5]),
		Seq:  Seq(le.Uint64(data[8:])),
		Time: time.UnixMilli(int64(le.Uint64(data[16:]))).UTC(),
		Prev: Link(data[24:32]),
	}
	author, regions, contents := int(data[6]), int(data[7]), int(le.Uint16(data[52:]))
	data = data[recordHeader : len(data)-crcSize]
	e.Author, data = string(data[:author]), data[author:]
	e.Regions = make([]lattice.Region, regions)
	for i := range e.Regions {
		e.Regions[i] = lattice.Region{X: int32(le.Uint32(data)), Z: int32(le.Uint32(data[4:]))}
		data = data[8:]
	}
	if contents > 0 {
		e.Contents = make([]asset.Hash, contents)
		for i := range e.Contents {
			data = data[copy(e.Contents[i][:], data):]
		}
	}
	e.Payload = append([]byte{}, data...)
	return e
}

// checkFrame checks what records and metas have in common: magic, version, smallest size and checksum.
func checkFrame(data []byte, magic string, version byte, least int, what string) error {
	switch {
	case len(data) < least:
		return fmt.Errorf("%w: %s of %d bytes, need %d", ErrCorrupt, what, len(data), least)
	case string(data[:4]) != magic:
		return fmt.Errorf("%w: %s starts with %q instead of %q", ErrCorrupt, what, data[:4], magic)
	}
	body := data[:len(data)-crcSize]
	want, found := binary.LittleEndian.Uint32(data[len(body):]), crc32.Checksum(body, castagnoli)
	if want != found {
		return fmt.Errorf("%w: %s with checksum %08x instead of %08x", ErrCorrupt, what, found, want)
	}
	if data[4] != version { // after the checksum: a flipped bit is damage, not a newer version
		return fmt.Errorf("%w: %s of version %d; this program reads %d", ErrVersion, what, data[4], version)
	}
	return nil
}

// Validate returns an error if a field that the caller of Append sets is invalid.
func (e *Entry) Validate() error {
	switch {
	case e.Kind != KindEdit:
		return fmt.Errorf("%w: entry of kind %d; 1 is an edit", ErrInvalid, e.Kind)
	case e.ID.Counter == 0:
		return fmt.Errorf("%w: entry with counter 0; counters start at 1", ErrInvalid)
	case len(e.Author) > MaxAuthor:
		return fmt.Errorf("%w: author of %d bytes; up to %d", ErrTooLarge, len(e.Author), MaxAuthor)
	case !utf8.ValidString(e.Author):
		return fmt.Errorf("%w: author %q is not UTF-8", ErrInvalid, e.Author)
	case len(e.Payload) > MaxPayload:
		return fmt.Errorf("%w: payload of %d bytes; up to %d", ErrTooLarge, len(e.Payload), MaxPayload)
	case len(e.Contents) > MaxContents:
		return fmt.Errorf("%w: entry names %d contents; up to %d", ErrTooLarge, len(e.Contents), MaxContents)
	case len(e.Regions) == 0:
		return fmt.Errorf("%w: entry without a region", ErrInvalid)
	case len(e.Regions) > MaxRegions:
		return fmt.Errorf("%w: entry with %d regions; up to %d", ErrTooLarge, len(e.Regions), MaxRegions)
	}
	for i, r := range e.Regions {
		if r.Level != 0 {
			return fmt.Errorf("%w: %v of an entry is not of level 0", ErrInvalid, r)
		}
		if slices.Contains(e.Regions[:i], r) {
			return fmt.Errorf("%w: entry names %v twice", ErrInvalid, r)
		}
	}
	return nil
}

// CheckBatch returns an error if the arguments of Append are invalid. Every store calls it before any work.
func CheckBatch(entries []Entry) error {
	if len(entries) > MaxBatch {
		return fmt.Errorf("%w: %d entries in one append; up to %d", ErrTooLarge, len(entries), MaxBatch)
	}
	size := 0
	for i := range entries {
		if err := entries[i].Validate(); err != nil {
			return fmt.Errorf("entry %d of %d: %w", i+1, len(entries), err)
		}
		size += len(entries[i].Payload)
	}
	if size > MaxBatchSize {
		return fmt.Errorf("%w: payloads of %d bytes in one append; up to %d", ErrTooLarge, size, MaxBatchSize)
	}
	return nil
}
