package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// headerSize is the size of the header of an SQLite file, where its two numbers of an application lie.
const (
	headerSize      = 100
	pagesAt         = 28
	versionAt       = 60
	applicationIDAt = 68
)

var sqliteMagic = []byte("SQLite format 3\x00")

// sniff says whether the file could be a world, from its first bytes, and what it is instead. It keeps files that
// are none from SQLite, which would make a database of an empty one.
func (y system) sniff(path string, size int64) error {
	if size == 0 {
		return fmt.Errorf("%w: the file is empty", worldlog.ErrNotWorld)
	}
	f, err := y.files.Open(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	data := make([]byte, 512)
	n, err := f.ReadAt(data, 0)
	if err != nil && err != io.EOF {
		return err
	}
	data = data[:n]
	if !bytes.HasPrefix(data, sqliteMagic) {
		return fmt.Errorf("%w: the file is %s", worldlog.ErrNotWorld, kindOf(data))
	}
	if n < headerSize {
		return fmt.Errorf("%w: the file ends after %d bytes", worldlog.ErrCorrupt, n)
	}
	be := binary.BigEndian
	return checkIDs(be.Uint32(data[applicationIDAt:]), be.Uint32(data[versionAt:]))
}

// noteCut adds to an error of damage that the file is shorter than its header says, if it is.
func (y system) noteCut(path string, err error) error {
	if !errors.Is(err, worldlog.ErrCorrupt) && !errors.Is(err, worldlog.ErrLost) {
		return err
	}
	f, openErr := y.files.Open(path, os.O_RDONLY)
	if openErr != nil {
		return err
	}
	defer f.Close()
	size, sizeErr := f.Size()
	header := make([]byte, headerSize)
	if _, readErr := f.ReadAt(header, 0); readErr != nil || sizeErr != nil {
		return err
	}
	if whole := int64(binary.BigEndian.Uint32(header[pagesAt:])) * pageSize; size < whole {
		return fmt.Errorf("%w (the file is cut: it has %d bytes of %d)", err, size, whole)
	}
	return err
}

// kindOf says in words what a file is that starts with data.
func kindOf(data []byte) string {
	for _, k := range []struct{ magic, name string }{
		{"\x89PNG", "a PNG image"},
		{"\xff\xd8\xff", "a JPEG image"},
		{"II*\x00", "a TIFF image"},
		{"MM\x00*", "a TIFF image"},
		{"\x1f\x8b", "compressed with gzip"},
		{"PK\x03\x04", "a ZIP archive"},
		{"\x28\xb5\x2f\xfd", "compressed with zstd"},
		{"%PDF", "a PDF document"},
		{"glTF", "a glTF model"},
		{"\x7fELF", "a program"},
		{files.HeadMagic, "the head file of a world, not the world"},
		{"\x37\x7f\x06\x82", "the write-ahead log of an SQLite database"},
		{"\x37\x7f\x06\x83", "the write-ahead log of an SQLite database"},
	} {
		if bytes.HasPrefix(data, []byte(k.magic)) {
			return k.name
		}
	}
	if len(bytes.Trim(data, "\x00")) == 0 {
		return "all zeros"
	}
	if utf8.Valid(data) && !bytes.ContainsRune(data, 0) {
		return "text"
	}
	return fmt.Sprintf("no SQLite database: it starts with % x", data[:min(len(data), 8)])
}
