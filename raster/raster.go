package raster

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
	MaxSide    = 1 << 15
	MaxSamples = 1 << 26
	// MaxHeight bounds a raster's heights in meters on either side of 0.
	MaxHeight = 1e6
)

const (
	rasterMagic   = "TRRA"
	rasterVersion = 1
	rasterHeader  = 40
)

// Validate returns an error if r is invalid.
func (r *Raster) Validate() error {
	return r.validate(2)
}

// validate is Validate for a raster of at least some samples a side.
func (r *Raster) validate(least int) error {
	if err := checkRasterShape(r.Width, r.Height, r.MetersX, r.MetersZ, r.Scale, r.Offset, least); err != nil {
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

func checkRasterShape(width, height int, metersX, metersZ float64, scale, offset float32, least int) error {
	switch {
	case width < least || height < least || width > MaxSide || height > MaxSide:
		return fmt.Errorf("raster of %d×%d samples, want %d … %d a side", width, height, least, MaxSide)
	case width*height > MaxSamples:
		return fmt.Errorf("raster of %d×%d samples, want at most %d in all", width, height, MaxSamples)
	}
	return checkRasterUnits(metersX, metersZ, scale, offset)
}

// checkRasterUnits returns an error if what a raster's samples mean is out of range.
func checkRasterUnits(metersX, metersZ float64, scale, offset float32) error {
	switch {
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

// AppendBinary appends the binary form of r, drawn in doc.go, to dst. The same raster always gives the same
// bytes: the samples are stored in the smallest kind that holds them all. It panics if Validate would fail.
func (r *Raster) AppendBinary(dst []byte) []byte {
	return r.appendBinary(dst, 2)
}

// appendBinary is AppendBinary for a raster of at least some samples a side.
func (r *Raster) appendBinary(dst []byte, least int) []byte {
	if err := r.validate(least); err != nil {
		panic("raster: " + err.Error())
	}
	le := binary.LittleEndian
	start, kind := len(dst), kindOf(r.Values, sampleInt16)
	dst = append(dst, rasterMagic...)
	dst = le.AppendUint16(dst, rasterVersion)
	dst = le.AppendUint16(dst, uint16(kind))
	dst = le.AppendUint32(dst, uint32(r.Width))
	dst = le.AppendUint32(dst, uint32(r.Height))
	dst = le.AppendUint32(dst, math.Float32bits(r.Scale))
	dst = le.AppendUint32(dst, math.Float32bits(r.Offset))
	dst = le.AppendUint64(dst, math.Float64bits(r.MetersX))
	dst = le.AppendUint64(dst, math.Float64bits(r.MetersZ))
	dst = kind.append(dst, r.Values)
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// ParseRaster reads the binary form of a raster and validates it.
func Parse(data []byte) (*Raster, error) {
	v, err := ParseView(data, 2)
	if err != nil {
		return nil, err
	}
	r := &Raster{
		Width: v.Width, Height: v.Height, MetersX: v.metersX, MetersZ: v.metersZ,
		Scale: v.scale, Offset: v.offset,
		Values: make([]float32, v.Width*v.Height),
	}
	for i := range r.Values {
		r.Values[i] = v.value(i)
	}
	return r, nil
}

// A View reads samples where they lie in a raster's binary form, so that a compiled field costs no
// second copy of its asset.
type View struct {
	Width, Height    int
	metersX, metersZ float64
	Samples
}

// checkHeader returns an error if data, an asset named kind in messages, is shorter than its header and checksum, starts
// with another magic than want, or is of another version.
func checkHeader(data []byte, kind, want string, version uint16, header int) error {
	le := binary.LittleEndian
	switch {
	case len(data) < header+checksumBytes:
		return fmt.Errorf("%w: %s of %d bytes, at least %d", ErrCorrupt, kind, len(data), header+checksumBytes)
	case string(data[:4]) != want:
		return fmt.Errorf("%w: %s starts with %q, want %q", ErrCorrupt, kind, data[:4], want)
	case le.Uint16(data[4:]) != version:
		return fmt.Errorf("%w: %s of version %d, this engine reads %d", ErrVersion, kind, le.Uint16(data[4:]), version)
	}
	return nil
}

// checkedBody returns data without the checksum at its end, and an error if that is not the checksum of the rest.
func checkedBody(data []byte, kind string) ([]byte, error) {
	body := data[:len(data)-checksumBytes]
	if want, got := binary.LittleEndian.Uint32(data[len(body):]), crc32.Checksum(body, castagnoli); want != got {
		return nil, fmt.Errorf("%w: %s's checksum is %08x, its bytes give %08x", ErrCorrupt, kind, want, got)
	}
	return body, nil
}

// ParseView checks all of data, a raster of at least some samples a side, and returns a view that keeps it.
func ParseView(data []byte, least int) (v View, err error) {
	le := binary.LittleEndian
	if err := checkHeader(data, "raster", rasterMagic, rasterVersion, rasterHeader); err != nil {
		return v, err
	}
	v.kind = sampleKind(le.Uint16(data[6:]))
	if v.kind.bytes() == 0 || v.kind == sampleUint8 {
		return v, fmt.Errorf("%w: raster of sample kind %d; 1 is int16, 2 uint16, 3 float32", ErrCorrupt, v.kind)
	}
	width, height := le.Uint32(data[8:]), le.Uint32(data[12:])
	if width > MaxSide || height > MaxSide || uint64(width)*uint64(height) > MaxSamples {
		return v, fmt.Errorf("%w: raster of %d×%d samples, at most %d a side and %d in all", ErrTooLarge,
			width, height, MaxSide, MaxSamples)
	}
	v.Width, v.Height = int(width), int(height)
	v.scale, v.offset = math.Float32frombits(le.Uint32(data[16:])), math.Float32frombits(le.Uint32(data[20:]))
	v.metersX, v.metersZ = math.Float64frombits(le.Uint64(data[24:])), math.Float64frombits(le.Uint64(data[32:]))
	if err := checkRasterShape(v.Width, v.Height, v.metersX, v.metersZ, v.scale, v.offset, least); err != nil {
		return v, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	size := v.Width * v.Height * v.kind.bytes()
	if want := rasterHeader + size + checksumBytes; len(data) != want {
		return v, fmt.Errorf("%w: raster of %d×%d samples in %d bytes, want %d", ErrCorrupt, v.Width, v.Height, len(data), want)
	}
	body, err := checkedBody(data, "raster")
	if err != nil {
		return v, err
	}
	v.data = body[rasterHeader:]
	if i := v.bad(v.Width * v.Height); i >= 0 {
		return v, fmt.Errorf("%w: raster sample %d,%d means %v m, want %v … %v", ErrCorrupt,
			i%v.Width, i/v.Width, v.Meters(i), -MaxHeight, MaxHeight)
	}
	return v, nil
}
