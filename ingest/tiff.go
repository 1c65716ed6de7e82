package ingest

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The tags of a TIFF that are read (TIFF 6.0; GeoTIFF 1.1; GDAL's nodata).
const (
	tagSubfileType    = 254
	tagWidth          = 256
	tagHeight         = 257
	tagBits           = 258
	tagCompression    = 259
	tagPhotometric    = 262
	tagStripOffsets   = 273
	tagSamples        = 277
	tagRowsPerStrip   = 278
	tagStripBytes     = 279
	tagPredictor      = 317
	tagTileWidth      = 322
	tagTileHeight     = 323
	tagTileOffsets    = 324
	tagTileBytes      = 325
	tagSampleFormat   = 339
	tagPixelScale     = 33550
	tagTiepoint       = 33922
	tagTransformation = 34264
	tagGeoKeys        = 34735
	tagNoData         = 42113
)

// Limits of a TIFF's directories. Real files have a dozen overviews of 30 tags; chunk lists are bounded by
// the file's length.
const (
	maxIFDs    = 64
	maxTags    = 1024
	maxTileDim = 1 << 15
)

// A tiff is the structure of a TIFF file.
type tiff struct {
	f     File
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

func isTIFF(head []byte) bool {
	return len(head) >= 4 && (string(head[:2]) == "II" || string(head[:2]) == "MM") &&
		(head[2] == 42 && head[3] == 0 || head[2] == 0 && head[3] == 42 || head[2] == 43 && head[3] == 0 || head[2] == 0 && head[3] == 43)
}

// parseTIFF reads the directories of a file that isTIFF holds for.
func parseTIFF(f File) (*tiff, error) {
	head := f.head(8)
	t := &tiff{f: f, order: binary.LittleEndian}
	if head[0] == 'M' {
		t.order = binary.BigEndian
	}
	switch t.order.Uint16(head[2:]) {
	case 43:
		return nil, fmt.Errorf("%s: %w: BigTIFF is not read; convert it with gdal_translate -co BIGTIFF=NO", f.Name, ErrUnsupported)
	case 42:
	default:
		return nil, fmt.Errorf("%s: %w: TIFF: version %d", f.Name, ErrCorrupt, t.order.Uint16(head[2:]))
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

func (t *tiff) corrupt(format string, args ...any) error {
	return fmt.Errorf("%s: %w: TIFF: %s", t.f.Name, ErrCorrupt, fmt.Sprintf(format, args...))
}

// bytes reads n bytes at an offset. n is checked against the file before anything is allocated.
func (t *tiff) bytes(at, n int64, what string) ([]byte, error) {
	if at < 0 || n < 0 || at > t.f.Size || n > t.f.Size-at {
		return nil, t.corrupt("%s lies at bytes %d … %d of a file of %d", what, at, at+n, t.f.Size)
	}
	data := make([]byte, n)
	if got, err := t.f.ReadAt(data, at); int64(got) < n {
		return nil, fmt.Errorf("%s: reading at byte %d: %w", t.f.Name, at, err)
	}
	return data, nil
}

// readIFD reads the directory at an offset and returns where the next one is.
func (t *tiff) readIFD(at int64) (dir ifd, next uint32, err error) {
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
func (t *tiff) raw(dir ifd, tag uint16) (tiffEntry, []byte, error) {
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
func (t *tiff) ints(dir ifd, tag uint16) ([]int64, error) {
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
func (t *tiff) int(dir ifd, tag uint16, other int64) (int64, error) {
	list, err := t.ints(dir, tag)
	if err != nil || len(list) == 0 {
		return other, err
	}
	return list[0], nil
}

// doubles returns a tag's values as float64, nil if it is not there.
func (t *tiff) doubles(dir ifd, tag uint16) ([]float64, error) {
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

// noData returns the sample value that stands for none. ok is false if there is no such value.
func (t *tiff) noData(dir ifd) (v float64, ok bool, err error) {
	_, data, err := t.raw(dir, tagNoData)
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
