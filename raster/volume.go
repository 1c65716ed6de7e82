package raster

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/terrane/terrane/grid"
)

// A Volume is a grid.Volume, of at least two samples along each axis, as worlds keep it. Sample i means
// Offset + Scale·Samples[i]. The sizes of its cells stand here in 64 bits, as in its file, and Cell is not read.
type Volume struct {
	grid.Volume
	MetersX, MetersY, MetersZ float64 // distance between neighboring samples
	Scale, Offset             float32
}

// Limits of a volume.
const (
	MaxVolumeSide    = 1 << 12
	MaxVolumeSamples = 1 << 27 // 512³
)

const (
	volumeMagic   = "TRVO"
	volumeVersion = 1
	volumeHeader  = 52
)

// Validate returns an error if v is invalid.
func (v *Volume) Validate() error {
	view := VolumeView{Dims: v.Dims(), meters: [3]float64{v.MetersX, v.MetersY, v.MetersZ}}
	view.scale, view.offset = v.Scale, v.Offset
	if err := view.checkShape(); err != nil {
		return err
	}
	if len(v.Samples) != v.NX*v.NY*v.NZ {
		return fmt.Errorf("volume of %d×%d×%d samples has %d values", v.NX, v.NY, v.NZ, len(v.Samples))
	}
	for i, f := range v.Samples {
		if h := v.Offset + float32(v.Scale*f); !(h >= -MaxHeight && h <= MaxHeight) { // false for NaN
			return view.badSample(i, h)
		}
	}
	return nil
}

// AppendBinary appends the binary form of v, drawn in doc.go, to dst. The same volume always gives the same
// bytes: the samples are stored in the smallest kind that holds them all. It panics if Validate would fail.
func (v *Volume) AppendBinary(dst []byte) []byte {
	if err := v.Validate(); err != nil {
		panic("raster: " + err.Error())
	}
	le := binary.LittleEndian
	start, kind := len(dst), kindOf(v.Samples, sampleUint8)
	dst = append(dst, volumeMagic...)
	dst = le.AppendUint16(dst, volumeVersion)
	dst = le.AppendUint16(dst, uint16(kind))
	for _, n := range [3]int{v.NX, v.NY, v.NZ} {
		dst = le.AppendUint32(dst, uint32(n))
	}
	dst = le.AppendUint32(dst, math.Float32bits(v.Scale))
	dst = le.AppendUint32(dst, math.Float32bits(v.Offset))
	for _, m := range [3]float64{v.MetersX, v.MetersY, v.MetersZ} {
		dst = le.AppendUint64(dst, math.Float64bits(m))
	}
	dst = kind.append(dst, v.Samples)
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// ParseVolume reads the binary form of a volume and validates it.
func ParseVolume(data []byte) (*Volume, error) {
	view, err := ParseVolumeView(data)
	if err != nil {
		return nil, err
	}
	v := &Volume{
		Volume:  grid.Volume{NX: view.Dims[0], NY: view.Dims[1], NZ: view.Dims[2], Samples: make([]float32, view.size())},
		MetersX: view.meters[0], MetersY: view.meters[1], MetersZ: view.meters[2],
		Scale: view.scale, Offset: view.offset,
	}
	for i := range v.Samples {
		v.Samples[i] = view.value(i)
	}
	return v, nil
}

// A VolumeView reads samples where they lie in a volume's binary form.
type VolumeView struct {
	Dims   [3]int
	meters [3]float64
	Samples
}

func (v *VolumeView) size() int { return v.Dims[0] * v.Dims[1] * v.Dims[2] }

func (v *VolumeView) checkShape() error {
	for axis, n := range v.Dims {
		if n < 2 || n > MaxVolumeSide {
			return fmt.Errorf("volume of %d samples along %c, want 2 … %d", n, "xyz"[axis], MaxVolumeSide)
		}
		if !goodSpacing(v.meters[axis]) {
			return fmt.Errorf("volume samples are %v m apart along %c, want %v … %v", v.meters[axis], "xyz"[axis], minSpacing, maxSpacing)
		}
	}
	if int64(v.Dims[0])*int64(v.Dims[1])*int64(v.Dims[2]) > MaxVolumeSamples {
		return fmt.Errorf("volume of %d×%d×%d samples, want at most %d in all", v.Dims[0], v.Dims[1], v.Dims[2], MaxVolumeSamples)
	}
	if !(v.scale >= -MaxHeight && v.scale <= MaxHeight) || !(v.offset >= -MaxHeight && v.offset <= MaxHeight) {
		return fmt.Errorf("volume has value scale %v and offset %v, want %v … %v", v.scale, v.offset, -MaxHeight, MaxHeight)
	}
	return nil
}

func (v *VolumeView) badSample(i int, h float32) error {
	x, y, z := i%v.Dims[0], i/v.Dims[0]%v.Dims[1], i/(v.Dims[0]*v.Dims[1])
	return fmt.Errorf("volume sample %d,%d,%d means %v, want %v … %v", x, y, z, h, -MaxHeight, MaxHeight)
}

// ParseVolumeView checks all of data and returns a view that keeps it.
func ParseVolumeView(data []byte) (v VolumeView, err error) {
	le := binary.LittleEndian
	if err := checkHeader(data, "volume", volumeMagic, volumeVersion, volumeHeader); err != nil {
		return v, err
	}
	v.kind = sampleKind(le.Uint16(data[6:]))
	if v.kind.bytes() == 0 {
		return v, fmt.Errorf("%w: volume of sample kind %d; 1 is int16, 2 uint16, 3 float32, 4 uint8", ErrCorrupt, v.kind)
	}
	for axis := range v.Dims {
		n := le.Uint32(data[8+4*axis:])
		if n > MaxVolumeSide {
			return v, fmt.Errorf("%w: volume of %d samples along %c, at most %d", ErrTooLarge, n, "xyz"[axis], MaxVolumeSide)
		}
		v.Dims[axis] = int(n)
		v.meters[axis] = math.Float64frombits(le.Uint64(data[28+8*axis:]))
	}
	v.scale, v.offset = math.Float32frombits(le.Uint32(data[20:])), math.Float32frombits(le.Uint32(data[24:]))
	if err := v.checkShape(); err != nil {
		return v, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	size := v.size() * v.kind.bytes()
	if want := volumeHeader + size + checksumBytes; len(data) != want {
		return v, fmt.Errorf("%w: volume of %d×%d×%d samples in %d bytes, want %d", ErrCorrupt, v.Dims[0], v.Dims[1], v.Dims[2], len(data), want)
	}
	body, err := checkedBody(data, "volume")
	if err != nil {
		return v, err
	}
	v.data = body[volumeHeader:]
	if i := v.bad(v.size()); i >= 0 {
		return v, fmt.Errorf("%w: %w", ErrCorrupt, v.badSample(i, v.Samples.Meters(i)))
	}
	return v, nil
}
