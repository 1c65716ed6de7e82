package field

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// A Raster is a rectangle of heights, row by row from the north-west corner: x grows east, z grows south.
// Sample i means Offset + Scale·Values[i] meters.
type Raster struct {
	Width, Height    int
	MetersX, MetersZ float64 // distance between neighboring samples
	Scale, Offset    float32
	Values           []float32 // Width·Height
}

// Limits of a raster.
const (
	MaxRasterSide    = 1 << 15
	MaxRasterSamples = 1 << 26
	// MaxHeight bounds a raster's heights in meters on either side of 0.
	MaxHeight = 1e6
)

const (
	rasterMagic   = "TRRA"
	rasterVersion = 1
	rasterHeader  = 40
)

// A rasterKind says how samples are stored.
type rasterKind uint16

const (
	rasterInt16   rasterKind = 1
	rasterUint16  rasterKind = 2
	rasterFloat32 rasterKind = 3
)

// bytes returns the size of one sample, 0 for an unknown kind.
func (k rasterKind) bytes() int {
	switch k {
	case rasterInt16, rasterUint16:
		return 2
	case rasterFloat32:
		return 4
	}
	return 0
}

// Validate says what is wrong with r, if anything.
func (r *Raster) Validate() error {
	if err := checkRasterShape(r.Width, r.Height, r.MetersX, r.MetersZ, r.Scale, r.Offset); err != nil {
		return err
	}
	if len(r.Values) != r.Width*r.Height {
		return fmt.Errorf("raster of %d×%d samples has %d values", r.Width, r.Height, len(r.Values))
	}
	for i, v := range r.Values {
		if h := r.Offset + float32(r.Scale*v); !(h >= -MaxHeight && h <= MaxHeight) { // false for NaN
			return fmt.Errorf("raster sample %d,%d means %v m, want %v … %v", i%r.Width, i/r.Width, h, -MaxHeight, MaxHeight)
		}
	}
	return nil
}

func checkRasterShape(width, height int, metersX, metersZ float64, scale, offset float32) error {
	switch {
	case width < 2 || height < 2 || width > MaxRasterSide || height > MaxRasterSide:
		return fmt.Errorf("raster of %d×%d samples, want 2 … %d a side", width, height, MaxRasterSide)
	case width*height > MaxRasterSamples:
		return fmt.Errorf("raster of %d×%d samples, want at most %d in all", width, height, MaxRasterSamples)
	case !goodSpacing(metersX) || !goodSpacing(metersZ):
		return fmt.Errorf("raster samples are %v × %v m apart, want %v … %v", metersX, metersZ, minSpacing, maxSpacing)
	case !(scale >= -MaxHeight && scale <= MaxHeight) || !(offset >= -MaxHeight && offset <= MaxHeight):
		return fmt.Errorf("raster has value scale %v and offset %v, want %v … %v", scale, offset, -MaxHeight, MaxHeight)
	}
	return nil
}

// Distances in meters between a raster's samples.
const (
	minSpacing = 1e-3
	maxSpacing = 1e6
)

func goodSpacing(m float64) bool { return m >= minSpacing && m <= maxSpacing } // false for NaN

// kind returns the smallest kind that holds every value exactly.
func (r *Raster) kind() rasterKind {
	lo, hi := float32(0), float32(0)
	for _, v := range r.Values {
		if !(v >= math.MinInt16 && v <= math.MaxUint16) || v != float32(int32(v)) || math.Float32bits(v) == 1<<31 {
			return rasterFloat32
		}
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	switch {
	case hi <= math.MaxInt16:
		return rasterInt16
	case lo >= 0:
		return rasterUint16
	}
	return rasterFloat32
}

// AppendBinary appends the binary form of r, drawn in doc.go, to dst. The same raster always gives the same
// bytes: the samples are stored in the smallest kind that holds them all. It panics if Validate would fail.
func (r *Raster) AppendBinary(dst []byte) []byte {
	if err := r.Validate(); err != nil {
		panic("field: " + err.Error())
	}
	le := binary.LittleEndian
	start, kind := len(dst), r.kind()
	dst = append(dst, rasterMagic...)
	dst = le.AppendUint16(dst, rasterVersion)
	dst = le.AppendUint16(dst, uint16(kind))
	dst = le.AppendUint32(dst, uint32(r.Width))
	dst = le.AppendUint32(dst, uint32(r.Height))
	dst = le.AppendUint32(dst, math.Float32bits(r.Scale))
	dst = le.AppendUint32(dst, math.Float32bits(r.Offset))
	dst = le.AppendUint64(dst, math.Float64bits(r.MetersX))
	dst = le.AppendUint64(dst, math.Float64bits(r.MetersZ))
	for _, v := range r.Values {
		switch kind {
		case rasterInt16:
			dst = le.AppendUint16(dst, uint16(int16(v)))
		case rasterUint16:
			dst = le.AppendUint16(dst, uint16(int32(v)))
		default:
			dst = le.AppendUint32(dst, math.Float32bits(v))
		}
	}
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// ParseRaster reads the binary form of a raster and validates it.
func ParseRaster(data []byte) (*Raster, error) {
	v, err := parseRasterView(data)
	if err != nil {
		return nil, err
	}
	r := &Raster{
		Width: v.width, Height: v.height, MetersX: v.metersX, MetersZ: v.metersZ,
		Scale: v.scale, Offset: v.offset,
		Values: make([]float32, v.width*v.height),
	}
	for i := range r.Values {
		r.Values[i] = v.value(i)
	}
	return r, nil
}

// A rasterView reads samples where they lie in a raster's binary form, so that a compiled field costs no
// second copy of its asset.
type rasterView struct {
	width, height    int
	metersX, metersZ float64
	scale, offset    float32
	kind             rasterKind
	samples          []byte
}

// parseRasterView checks all of data and returns a view that keeps it.
func parseRasterView(data []byte) (v rasterView, err error) {
	le := binary.LittleEndian
	switch {
	case len(data) < rasterHeader+checksumBytes:
		return v, fmt.Errorf("%w: raster of %d bytes, at least %d", ErrCorrupt, len(data), rasterHeader+checksumBytes)
	case string(data[:4]) != rasterMagic:
		return v, fmt.Errorf("%w: raster starts with %q, want %q", ErrCorrupt, data[:4], rasterMagic)
	case le.Uint16(data[4:]) != rasterVersion:
		return v, fmt.Errorf("%w: raster of version %d, this engine reads %d", ErrVersion, le.Uint16(data[4:]), rasterVersion)
	}
	v.kind = rasterKind(le.Uint16(data[6:]))
	if v.kind.bytes() == 0 {
		return v, fmt.Errorf("%w: raster of sample kind %d; 1 is int16, 2 uint16, 3 float32", ErrCorrupt, v.kind)
	}
	width, height := le.Uint32(data[8:]), le.Uint32(data[12:])
	if width > MaxRasterSide || height > MaxRasterSide || uint64(width)*uint64(height) > MaxRasterSamples {
		return v, fmt.Errorf("%w: raster of %d×%d samples, at most %d a side and %d in all", ErrTooLarge,
			width, height, MaxRasterSide, MaxRasterSamples)
	}
	v.width, v.height = int(width), int(height)
	v.scale, v.offset = math.Float32frombits(le.Uint32(data[16:])), math.Float32frombits(le.Uint32(data[20:]))
	v.metersX, v.metersZ = math.Float64frombits(le.Uint64(data[24:])), math.Float64frombits(le.Uint64(data[32:]))
	if err := checkRasterShape(v.width, v.height, v.metersX, v.metersZ, v.scale, v.offset); err != nil {
		return v, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	size := v.width * v.height * v.kind.bytes()
	if want := rasterHeader + size + checksumBytes; len(data) != want {
		return v, fmt.Errorf("%w: raster of %d×%d samples in %d bytes, want %d", ErrCorrupt, v.width, v.height, len(data), want)
	}
	body := data[:rasterHeader+size]
	if want, got := le.Uint32(data[len(body):]), crc32.Checksum(body, castagnoli); want != got {
		return v, fmt.Errorf("%w: raster's checksum is %08x, its bytes give %08x", ErrCorrupt, want, got)
	}
	v.samples = body[rasterHeader:]
	for i := range v.width * v.height {
		if h := v.meters(i); !(h >= -MaxHeight && h <= MaxHeight) { // false for NaN
			return v, fmt.Errorf("%w: raster sample %d,%d means %v m, want %v … %v", ErrCorrupt,
				i%v.width, i/v.width, h, -MaxHeight, MaxHeight)
		}
	}
	return v, nil
}

// value returns sample i as stored.
func (v *rasterView) value(i int) float32 {
	switch v.kind {
	case rasterInt16:
		return float32(int16(binary.LittleEndian.Uint16(v.samples[2*i:])))
	case rasterUint16:
		return float32(binary.LittleEndian.Uint16(v.samples[2*i:]))
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(v.samples[4*i:]))
}

// meters returns the height that sample i means; the zero is always +0.
func (v *rasterView) meters(i int) float32 {
	return v.offset + float32(v.scale*v.value(i)) + 0
}
