package ingest

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
)

// dimsInName finds the size in names like ground_640x480.r16.
var dimsInName = regexp.MustCompile(`(\d{1,7})[x×](\d{1,7})`)

// readRaw reads samples of one kind without a header.
func readRaw(f File, o Options, kind Kind) (*Heightmap, error) {
	size := kind.Bytes()
	width, height, from, err := rawSize(f, o, size)
	if err != nil {
		return nil, err
	}
	if err := o.checkSize(f.Name, width, height); err != nil {
		return nil, err
	}
	if want := width * height * size; f.Size != want {
		return nil, fmt.Errorf("%s: %w: %d×%d samples of %d bytes (%s) take %d bytes; the file has %d",
			f.Name, ErrCorrupt, width, height, size, from, want, f.Size)
	}
	data, err := f.readAll()
	if err != nil {
		return nil, err
	}
	h := &Heightmap{Width: int(width), Height: int(height), Kind: kind, Values: make([]float32, width*height)}
	h.note("%d×%d: %s", width, height, from)
	order := o.Order
	switch {
	case order != AnyOrder:
	case kind == Float32:
		order = h.guessFloats(data)
	case kind == Uint16:
		order = h.guess16(data)
	default:
		if order = guessVolumeOrder(data, kind); size > 1 {
			h.note("%v, guessed from how much neighbors differ", order)
		}
	}
	h.Format = fmt.Sprintf("raw %v", kind)
	if size > 1 {
		h.Format += fmt.Sprintf(", %v", order)
	}
	kind.decode(h.Values, data, order.order())
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
		return 0, 0, "", fmt.Errorf("%s: %w: %d bytes are no square of %d-byte samples: %d×%d would be %d bytes and %d×%d %d; if it is no square, give its size, or put it into its name, like ground_640x480%s",
			f.Name, ErrCorrupt, f.Size, sampleBytes, side, side, side*side*sampleBytes, side+1, side+1, (side+1)*(side+1)*sampleBytes, path.Ext(f.Name))
	}
	return side, side, "the square of its length", nil
}

// guess16 returns the byte order in which the samples along the rows differ less, little-endian if they
// differ alike.
func (h *Heightmap) guess16(data []byte) ByteOrder {
	var little, big uint64
	for row := 0; row+2*h.Width <= len(data); row += 2 * h.Width {
		r := data[row : row+2*h.Width]
		for i := 2; i < len(r); i += 2 {
			little += absDiff(binary.LittleEndian.Uint16(r[i:]), binary.LittleEndian.Uint16(r[i-2:]))
			big += absDiff(binary.BigEndian.Uint16(r[i:]), binary.BigEndian.Uint16(r[i-2:]))
		}
	}
	order, less, more := LittleEndian, little, big
	if big < little {
		order, less, more = BigEndian, big, little
	}
	n := float64(len(h.Values))
	h.note("%v, guessed: neighbors differ by %.1f on average, by %.1f if it were the other way round", order, float64(less)/n, float64(more)/n)
	if less > more/2 { // real ground: a tenth and less
		h.note("that is hardly less: this may be no heightmap, or of another size")
	}
	return order
}

// guessFloats returns the byte order in which more samples look like heights, little-endian if as many do.
func (h *Heightmap) guessFloats(data []byte) ByteOrder {
	var little, big int
	plausible := func(bits uint32) int {
		if v := math.Abs(float64(math.Float32frombits(bits))); v == 0 || v > 1e-6 && v < 1e6 {
			return 1
		}
		return 0
	}
	for i := 0; i < len(data); i += 4 {
		little += plausible(binary.LittleEndian.Uint32(data[i:]))
		big += plausible(binary.BigEndian.Uint32(data[i:]))
	}
	order := LittleEndian
	if big > little {
		order = BigEndian
	}
	h.note("%v, guessed: %d of %d samples look like heights, %d the other way round", order, max(little, big), len(h.Values), min(little, big))
	return order
}

func absDiff(a, b uint16) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a - b)
}
