package ingest

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
)

// A ByteOrder says which byte of a number comes first.
type ByteOrder uint8

// The byte orders.
const (
	AnyOrder     ByteOrder = iota // the one in which neighboring samples differ less
	LittleEndian                  // the low byte first
	BigEndian                     // the high byte first
)

func (b ByteOrder) String() string {
	switch b {
	case LittleEndian:
		return "little-endian"
	case BigEndian:
		return "big-endian"
	}
	return "any byte order"
}

// order returns the reader of a known byte order.
func (b ByteOrder) order() binary.ByteOrder {
	if b == BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

var nan = float32(math.NaN())

// dimsInName finds the size in names like ground_640x480.r16.
var dimsInName = regexp.MustCompile(`(\d{1,7})[x×](\d{1,7})`)

// readRaw16 reads unsigned 16-bit samples without a header.
func readRaw16(f File, o Options) (*Heightmap, error) {
	width, height, from, err := rawSize(f, o, 2)
	if err != nil {
		return nil, err
	}
	if err := o.checkSize(f.Name, width, height); err != nil {
		return nil, err
	}
	if want := width * height * 2; f.Size != want {
		return nil, fmt.Errorf("%s: %w: %d×%d samples of 2 bytes (%s) take %d bytes; the file has %d",
			f.Name, ErrCorrupt, width, height, from, want, f.Size)
	}
	data, err := f.readAll()
	if err != nil {
		return nil, err
	}
	h := &Heightmap{Width: int(width), Height: int(height), Kind: Uint16, Values: make([]float32, width*height)}
	h.note("%d×%d: %s", width, height, from)
	order := o.Order
	if order == AnyOrder {
		var little, big uint64
		order, little, big = guessOrder(data, h.Width)
		h.note("%s, guessed: neighbors differ by %.1f on average, by %.1f if it were the other way round",
			order, float64(min(little, big))/float64(len(h.Values)), float64(max(little, big))/float64(len(h.Values)))
	}
	h.Format = "raw 16-bit, " + order.String()
	bo := order.order()
	for i := range h.Values {
		h.Values[i] = float32(bo.Uint16(data[2*i:]))
	}
	return h, nil
}

// rawSize returns the width and height of a raw file of samples of the given size, and where they are from.
func rawSize(f File, o Options, sampleBytes int64) (width, height int64, from string, err error) {
	switch {
	case o.Width > 0 && o.Height > 0:
		return int64(o.Width), int64(o.Height), "as given", nil
	case o.Width > 0 || o.Height > 0:
		return 0, 0, "", fmt.Errorf("%s: %w: a raw file needs both its width and its height, not %d×%d", f.Name, ErrUnsupported, o.Width, o.Height)
	}
	if m := dimsInName.FindStringSubmatch(path.Base(f.Name)); m != nil {
		w, _ := strconv.ParseInt(m[1], 10, 64)
		h, _ := strconv.ParseInt(m[2], 10, 64)
		return w, h, "as its name says", nil
	}
	n := f.Size / sampleBytes
	side := int64(math.Sqrt(float64(n)))
	for side*side > n {
		side--
	}
	for (side+1)*(side+1) <= n {
		side++
	}
	if side*side*sampleBytes != f.Size {
		return 0, 0, "", fmt.Errorf("%s: %w: %d bytes are no square of %d-byte samples: %d×%d would be %d bytes and %d×%d %d; if it is no square, put its size into its name, like ground_640x480%s",
			f.Name, ErrCorrupt, f.Size, sampleBytes, side, side, side*side*sampleBytes, side+1, side+1, (side+1)*(side+1)*sampleBytes, path.Ext(f.Name))
	}
	return side, side, "the square of its length", nil
}

// guessOrder returns the byte order in which the samples along the rows differ less, little-endian if they
// differ alike, and the sums of those differences.
func guessOrder(data []byte, width int) (order ByteOrder, little, big uint64) {
	for row := 0; row+2*width <= len(data); row += 2 * width {
		r := data[row : row+2*width]
		for i := 2; i < len(r); i += 2 {
			little += absDiff(binary.LittleEndian.Uint16(r[i:]), binary.LittleEndian.Uint16(r[i-2:]))
			big += absDiff(binary.BigEndian.Uint16(r[i:]), binary.BigEndian.Uint16(r[i-2:]))
		}
	}
	if big < little {
		return BigEndian, little, big
	}
	return LittleEndian, little, big
}

func absDiff(a, b uint16) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a - b)
}
