package raster

import (
	"encoding/binary"
	"math"

	"github.com/terrane/terrane/internal/kernel/scalar"
)

// A sampleKind is the number type in which the samples of a raster or a volume are stored.
type sampleKind uint16

const (
	sampleInt16   sampleKind = 1
	sampleUint16  sampleKind = 2
	sampleFloat32 sampleKind = 3
	sampleUint8   sampleKind = 4 // volumes only
)

// bytes returns the size of one sample, 0 for an unknown kind.
func (k sampleKind) bytes() int {
	switch k {
	case sampleUint8:
		return 1
	case sampleInt16, sampleUint16:
		return 2
	case sampleFloat32:
		return 4
	}
	return 0
}

// kindOf returns the smallest kind that holds every value exactly, the first one given where it does.
func kindOf(values []float32, first sampleKind) sampleKind {
	lo, hi := float32(0), float32(0)
	for _, v := range values {
		if !(v >= math.MinInt16 && v <= math.MaxUint16) || v != float32(int32(v)) || math.Float32bits(v) == 1<<31 {
			return sampleFloat32
		}
		lo, hi = scalar.Smaller(lo, v), scalar.Larger(hi, v)
	}
	switch {
	case first == sampleUint8 && lo >= 0 && hi <= math.MaxUint8:
		return sampleUint8
	case hi <= math.MaxInt16:
		return sampleInt16
	case lo >= 0:
		return sampleUint16
	}
	return sampleFloat32
}

// append appends values, which k holds, to dst.
func (k sampleKind) append(dst []byte, values []float32) []byte {
	le := binary.LittleEndian
	for _, v := range values {
		switch k {
		case sampleUint8:
			dst = append(dst, uint8(int32(v)))
		case sampleInt16:
			dst = le.AppendUint16(dst, uint16(int16(v)))
		case sampleUint16:
			dst = le.AppendUint16(dst, uint16(int32(v)))
		default:
			dst = le.AppendUint32(dst, math.Float32bits(v))
		}
	}
	return dst
}

// Samples reads samples where they lie in an asset's binary form, so that a compiled field costs no second
// copy of its asset.
type Samples struct {
	scale, offset float32
	kind          sampleKind
	data          []byte
}

// value returns sample i as stored.
func (s *Samples) value(i int) float32 {
	switch s.kind {
	case sampleUint8:
		return float32(s.data[i])
	case sampleInt16:
		return float32(int16(binary.LittleEndian.Uint16(s.data[2*i:])))
	case sampleUint16:
		return float32(binary.LittleEndian.Uint16(s.data[2*i:]))
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(s.data[4*i:]))
}

// Meters returns what sample i means; the zero is always +0.
func (s *Samples) Meters(i int) float32 { return s.offset + float32(s.scale*s.value(i)) + 0 }

// bad returns the number of the first of n samples that means no number within ±MaxHeight, or −1.
func (s *Samples) bad(n int) int {
	for i := range n {
		if h := s.Meters(i); !(h >= -MaxHeight && h <= MaxHeight) { // false for NaN
			return i
		}
	}
	return -1
}
