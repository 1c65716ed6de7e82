package ingest

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
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

// Names like engine_256x256x128_uint8.raw say what is in the file; a cube's may give one side: cube_32_uint8.
var (
	dims3InName = regexp.MustCompile(`(\d{1,7})[x×](\d{1,7})[x×](\d{1,7})`)
	sideInName  = regexp.MustCompile(`_(\d{1,5})(?:_|\.|$)`)
	kindInName  = regexp.MustCompile(`(u?int(?:8|16|32|64)|float(?:32|64))`)
)

// readRawVolume reads samples without a header.
func readRawVolume(s *stream, o Options) (*Volume, error) {
	base := path.Base(s.name)
	kind, from := o.Kind, "as given"
	if kind == 0 {
		kind, from = parseKind(kindInName.FindString(base)), "as its name says"
	}
	if k := map[string]Kind{".f32": Float32, ".u8": Uint8, ".u16": Uint16}[strings.ToLower(path.Ext(base))]; k != 0 && o.Kind == 0 {
		kind, from = k, "as its ending says"
	}
	if !kind.valid() {
		return nil, fmt.Errorf("%s: %w: a raw volume needs the kind of its samples, given or in its name, like x_256x256x128_uint8.raw", s.name, ErrUnspecified)
	}
	dims, err := rawDims(s, o, base, kind)
	if err != nil {
		return nil, err
	}
	part, err := s.checkVolume(dims, kind, o)
	if err != nil {
		return nil, err
	}
	if need := dims[0] * dims[1] * dims[2] * kind.Bytes(); !s.packed && need != s.most {
		return nil, fmt.Errorf("%s: %w: %d×%d×%d samples of %v take %d bytes; the file has %d", s.name, ErrCorrupt, dims[0], dims[1], dims[2], kind, need, s.most)
	}
	order, guessed := o.Order, false
	if order == AnyOrder {
		order, guessed = guessVolumeOrder(s.ahead, kind), kind.Bytes() > 1
	}
	v, err := s.volume(dims, part, kind, order)
	if err != nil {
		return nil, err
	}
	v.Format = fmt.Sprintf("raw volume, %v", kind)
	v.note("%d×%d×%d samples of %v, %s", dims[0], dims[1], dims[2], kind, from)
	if guessed {
		v.note("%v, guessed from its first samples", order)
	}
	return v, nil
}

// rawDims returns the dimensions of a raw volume.
func rawDims(s *stream, o Options, base string, kind Kind) (dims [3]int64, err error) {
	if o.Width > 0 && o.Height > 0 && o.Depth > 0 {
		return [3]int64{int64(o.Width), int64(o.Height), int64(o.Depth)}, nil
	}
	if m := dims3InName.FindStringSubmatch(base); m != nil {
		for i := range dims {
			dims[i], _ = strconv.ParseInt(m[i+1], 10, 64) // at most seven digits
		}
		return dims, nil
	}
	if m := sideInName.FindStringSubmatch(base); m != nil {
		side, _ := strconv.ParseInt(m[1], 10, 64)
		if !s.packed && side*side*side*kind.Bytes() == s.most {
			return [3]int64{side, side, side}, nil
		}
	}
	return dims, fmt.Errorf("%s: %w: a raw volume needs its dimensions, given or in its name, like x_256x256x128_uint8.raw (%d bytes are %d samples of %v)",
		s.name, ErrUnspecified, s.most, s.most/kind.Bytes(), kind)
}

// guessVolumeOrder returns the byte order in which neighbors differ less (whole numbers) or more samples are
// of a common size (floats).
func guessVolumeOrder(data []byte, kind Kind) ByteOrder {
	n := len(data) / int(kind.Bytes())
	cost := func(o binary.ByteOrder) (sum float64) {
		values := make([]float32, n)
		kind.decode(values, data, o)
		for i, v := range values {
			switch a := math.Abs(float64(v)); {
			case kind.Float() && !(a == 0 || a > 1e-9 && a < 1e9):
				sum++
			case !kind.Float() && i > 0:
				sum += math.Abs(float64(v) - float64(values[i-1]))
			}
		}
		return sum
	}
	if cost(binary.BigEndian) < cost(binary.LittleEndian) {
		return BigEndian
	}
	return LittleEndian
}
