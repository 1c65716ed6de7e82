// Package tiff reads the samples of TIFF files that hold heights, and where they lie (GeoTIFF): one band, in strips or
// tiles, unpacked or with LZW or deflate.
package tiff

import (
	"encoding/binary"
	"fmt"
	"github.com/terrane/terrane/ingest/internal/fault"
	"io"
	"math"
	"strconv"
	"strings"
)

// The tags of a TIFF that are read (TIFF 6.0; GeoTIFF 1.1; GDAL's nodata).
const (
	TagSubfileType    = 254
	TagWidth          = 256
	TagHeight         = 257
	TagBits           = 258
	TagCompression    = 259
	TagPhotometric    = 262
	TagStripOffsets   = 273
	TagSamples        = 277
	TagRowsPerStrip   = 278
	TagStripBytes     = 279
	TagPredictor      = 317
	TagTileWidth      = 322
	TagTileHeight     = 323
	TagTileOffsets    = 324
	TagTileBytes      = 325
	TagSampleFormat   = 339
	TagPixelScale     = 33550
	TagTiepoint       = 33922
	TagTransformation = 34264
	TagGeoKeys        = 34735
	TagNoData         = 42113
)

// Limits of a TIFF's directories. Real files have a dozen overviews of 30 tags; chunk lists are bounded by
// the file's length.
const (
	maxIFDs    = 64
	maxTags    = 1024
	maxTileDim = 1 << 15
)

// A File is the structure of a TIFF file.
type File struct {
	name  string
	size  int64
	r     io.ReaderAt
	order binary.ByteOrder
	ifds  []ifd
}

// An ifd is an image of a TIFF: its tags.
type ifd map[uint16]tiffEntry

// A tiffEntry says where a tag's values are.
type tiffEntry struct {
	kind  uint16
	count uint32
	raw   [4]byte // the values, if they fit, else their offset
}

// kindBytes holds the size of a value of each kind, 0 for those that are not known.
var kindBytes = [...]int64{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8}

// Is reports whether a file with this beginning claims to be a TIFF, or a BigTIFF.
func Is(head []byte) bool {
	return len(head) >= 4 && (string(head[:2]) == "II" || string(head[:2]) == "MM") &&
		(head[2] == 42 && head[3] == 0 || head[2] == 0 && head[3] == 42 || head[2] == 43 && head[3] == 0 || head[2] == 0 && head[3] == 43)
}

// Parse reads the directories of a file of the given size that Is holds for. name begins its errors.
func Parse(name string, r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, min(8, size))
	got, _ := r.ReadAt(head, 0)
	head = head[:got]
	if !Is(head) {
		return nil, fmt.Errorf("%s: %w: it is no TIFF", name, fault.ErrUnsupported)
	}
	t := &File{name: name, size: size, r: r, order: binary.LittleEndian}
	if head[0] == 'M' {
		t.order = binary.BigEndian
	}
	switch t.order.Uint16(head[2:]) {
	case 43:
		return nil, fmt.Errorf("%s: %w: BigTIFF is not read; convert it with gdal_translate -co BIGTIFF=NO", name, fault.ErrUnsupported)
	case 42:
	default:
		return nil, fmt.Errorf("%s: %w: TIFF: version %d", name, fault.ErrCorrupt, t.order.Uint16(head[2:]))
	}
	if len(head) < 8 {
		return nil, t.corrupt("the file ends in its header")
	}
	seen := map[uint32]bool{}
	for at := t.order.Uint32(head[4:]); at != 0; {
		if seen[at] || len(t.ifds) == maxIFDs {
			return nil, t.corrupt("its directories run in a circle, or are more than %d", maxIFDs)
		}
		seen[at] = true
		dir, next, err := t.readIFD(int64(at))
		if err != nil {
			return nil, err
		}
		t.ifds, at = append(t.ifds, dir), next
	}
	if len(t.ifds) == 0 {
		return nil, t.corrupt("it has no image")
	}
	return t, nil
}

func (t *File) corrupt(format string, args ...any) error {
	return fmt.Errorf("%s: %w: TIFF: %s", t.name, fault.ErrCorrupt, fmt.Sprintf(format, args...))
}

// bytes reads n bytes at an offset. n is checked against the file before anything is allocated.
func (t *File) bytes(at, n int64, what string) ([]byte, error) {
	if at < 0 || n < 0 || at > t.size || n > t.size-at {
		return nil, t.corrupt("%s lies at bytes %d … %d of a file of %d", what, at, at+n, t.size)
	}
	data := make([]byte, n)
	if got, err := t.r.ReadAt(data, at); int64(got) < n {
		return nil, fmt.Errorf("%s: reading at byte %d: %w", t.name, at, err)
	}
	return data, nil
}

// readIFD reads the directory at an offset and returns where the next one is.
func (t *File) readIFD(at int64) (dir ifd, next uint32, err error) {
	data, err := t.bytes(at, 2, "a directory")
	if err != nil {
		return nil, 0, err
	}
	n := int64(t.order.Uint16(data))
	if n == 0 || n > maxTags {
		return nil, 0, t.corrupt("a directory of %d tags", n)
	}
	data, err = t.bytes(at+2, 12*n+4, "a directory")
	if err != nil {
		return nil, 0, err
	}
	dir = make(ifd, n)
	for ; n > 0; n-- {
		e := tiffEntry{kind: t.order.Uint16(data[2:]), count: t.order.Uint32(data[4:])}
		copy(e.raw[:], data[8:12])
		dir[t.order.Uint16(data)] = e
		data = data[12:]
	}
	return dir, t.order.Uint32(data), nil
}

// raw returns the bytes of a tag's values, nil if it is not there.
func (t *File) raw(dir ifd, tag uint16) (tiffEntry, []byte, error) {
	e, ok := dir[tag]
	if !ok || int(e.kind) >= len(kindBytes) || kindBytes[e.kind] == 0 {
		return e, nil, nil
	}
	n := kindBytes[e.kind] * int64(e.count)
	if n <= 4 {
		return e, e.raw[:n], nil
	}
	data, err := t.bytes(int64(t.order.Uint32(e.raw[:])), n, fmt.Sprintf("tag %d", tag))
	return e, data, err
}

// ints returns a tag's values as integers, nil if it is not there.
func (t *File) ints(dir ifd, tag uint16) ([]int64, error) {
	e, data, err := t.raw(dir, tag)
	if err != nil || data == nil {
		return nil, err
	}
	list := make([]int64, e.count)
	for i := range list {
		switch e.kind {
		case 1, 7:
			list[i] = int64(data[i])
		case 3:
			list[i] = int64(t.order.Uint16(data[2*i:]))
		case 4:
			list[i] = int64(t.order.Uint32(data[4*i:]))
		default:
			return nil, t.corrupt("tag %d has values of kind %d", tag, e.kind)
		}
	}
	return list, nil
}

// int returns a tag's first value, or the other value if it is not there.
func (t *File) int(dir ifd, tag uint16, other int64) (int64, error) {
	list, err := t.ints(dir, tag)
	if err != nil || len(list) == 0 {
		return other, err
	}
	return list[0], nil
}

// doubles returns a tag's values as float64, nil if it is not there.
func (t *File) doubles(dir ifd, tag uint16) ([]float64, error) {
	e, data, err := t.raw(dir, tag)
	if err != nil || data == nil || e.kind != 12 {
		return nil, err
	}
	list := make([]float64, e.count)
	for i := range list {
		list[i] = math.Float64frombits(t.order.Uint64(data[8*i:]))
	}
	return list, nil
}

// noData returns the sample value that marks voids. ok is false if the file has none.
func (t *File) noData(dir ifd) (v float64, ok bool, err error) {
	_, data, err := t.raw(dir, TagNoData)
	if err != nil || data == nil {
		return 0, false, err
	}
	text := strings.TrimSpace(strings.TrimRight(string(data), "\x00"))
	v, err = strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false, t.corrupt("its nodata value is %.40q", text)
	}
	return v, true, nil
}
