package files

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/terrane/terrane/internal/worldlog"
)

// HeadMagic is how a head file begins.
const HeadMagic = "TRHD"

const (
	headVersion = 1
	headSize    = 52
	headSpacing = 4096 // between the slots: no sector and no page of memory holds both
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Head is the end of what has been acknowledged.
type Head struct {
	World [16]byte
	Seq   worldlog.Seq
	Link  worldlog.Link // that follows the record of Seq
}

// A HeadFile is the world's head file, open and locked. Heads are written into its two slots in turn: one cut short
// leaves its predecessor.
type HeadFile struct {
	File
	generation uint64
	buf        []byte
}

// Write makes h durable.
func (f *HeadFile) Write(h Head) error {
	f.generation++
	f.buf = appendHead(f.buf[:0], h, f.generation)
	if _, err := f.File.WriteAt(f.buf, int64(f.generation%2)*headSpacing); err != nil {
		return fmt.Errorf("head file: %w", err)
	}
	if err := f.File.Sync(); err != nil {
		return fmt.Errorf("head file: %w", err)
	}
	return nil
}

// Fill makes h durable in both slots.
func (f *HeadFile) Fill(h Head) error {
	if err := f.Write(h); err != nil {
		return err
	}
	return f.Write(h)
}

// Read returns the newest head that is whole.
func (f *HeadFile) Read() (Head, error) {
	var newest Head
	var generation uint64
	var bad error
	for slot := range int64(2) {
		data := make([]byte, headSize)
		n, err := f.File.ReadAt(data, slot*headSpacing)
		if err != nil && err != io.EOF {
			return Head{}, fmt.Errorf("head file: %w", err)
		}
		h, g, err := parseHead(data[:n])
		if err != nil {
			bad = err
		} else if g > generation {
			newest, generation = h, g
		}
	}
	if generation == 0 {
		return Head{}, fmt.Errorf("head file: neither of its heads is whole: %w", bad)
	}
	f.generation = generation
	return newest, nil
}

func appendHead(dst []byte, h Head, generation uint64) []byte {
	start := len(dst)
	le := binary.LittleEndian
	dst = append(dst, HeadMagic...)
	dst = append(dst, headVersion, 0, 0, 0)
	dst = le.AppendUint64(dst, generation)
	dst = append(dst, h.World[:]...)
	dst = le.AppendUint64(dst, uint64(h.Seq))
	dst = append(dst, h.Link[:]...)
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

func parseHead(data []byte) (h Head, generation uint64, err error) {
	le := binary.LittleEndian
	switch {
	case len(data) != headSize:
		return h, 0, fmt.Errorf("%w: head of %d bytes, need %d", worldlog.ErrCorrupt, len(data), headSize)
	case string(data[:4]) != HeadMagic:
		return h, 0, fmt.Errorf("%w: head starts with %q instead of %q", worldlog.ErrCorrupt, data[:4], HeadMagic)
	case crc32.Checksum(data[:48], castagnoli) != le.Uint32(data[48:]):
		return h, 0, fmt.Errorf("%w: head with a wrong checksum", worldlog.ErrCorrupt)
	case data[4] != headVersion:
		return h, 0, fmt.Errorf("%w: head of version %d; this program reads %d", worldlog.ErrVersion, data[4], headVersion)
	}
	h = Head{World: [16]byte(data[16:32]), Seq: worldlog.Seq(le.Uint64(data[32:])), Link: worldlog.Link(data[40:48])}
	return h, le.Uint64(data[8:]), nil
}
