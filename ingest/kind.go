package ingest

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// A Kind is the number type of the samples in a file.
type Kind uint8

// The kinds of samples.
const (
	Int8 Kind = iota + 1
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Float32
	Float64
)

// kinds holds what there is to know of each kind.
var kinds = [...]struct {
	name  string
	bytes int64
	top   float64
}{
	Int8:    {"int8", 1, math.MaxInt8},
	Uint8:   {"uint8", 1, math.MaxUint8},
	Int16:   {"int16", 2, math.MaxInt16},
	Uint16:  {"uint16", 2, math.MaxUint16},
	Int32:   {"int32", 4, math.MaxInt32},
	Uint32:  {"uint32", 4, math.MaxUint32},
	Int64:   {"int64", 8, math.MaxInt64},
	Uint64:  {"uint64", 8, math.MaxUint64},
	Float32: {"float32", 4, 1},
	Float64: {"float64", 8, 1},
}

func (k Kind) valid() bool { return k > 0 && int(k) < len(kinds) }

func (k Kind) String() string {
	if !k.valid() {
		return fmt.Sprintf("Kind(%d)", k)
	}
	return kinds[k].name
}

// Bytes returns the size of a sample.
func (k Kind) Bytes() int64 { return kinds[k].bytes }

// Top returns the largest number that the kind can hold, which stands for white in an image: 1 for floats.
func (k Kind) Top() float64 { return kinds[k].top }

// Float reports whether samples may lie between two whole numbers.
func (k Kind) Float() bool { return k == Float32 || k == Float64 }

// ParseKind returns the kind of a name like those of String: int8, uint16, float32 and so on.
func ParseKind(name string) (Kind, error) {
	if k := parseKind(name); k != 0 {
		return k, nil
	}
	return 0, fmt.Errorf("%q is no kind of samples; want int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32 or float64", name)
}

// parseKind returns the kind of a name like those of String, 0 if there is none.
func parseKind(name string) Kind {
	for k, known := range kinds {
		if known.name == name && name != "" {
			return Kind(k)
		}
	}
	return 0
}

// A ByteOrder says which byte of a number comes first.
type ByteOrder uint8

// The byte orders.
const (
	AnyOrder     ByteOrder = iota // the one in which the samples look more like what is expected
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

// decode fills dst with the samples that src holds. Infinite ones become NaN: they are no measurements.
func (k Kind) decode(dst []float32, src []byte, o binary.ByteOrder) {
	src = src[:int64(len(dst))*k.Bytes()]
	for i := range dst {
		switch k {
		case Int8:
			dst[i] = float32(int8(src[i]))
		case Uint8:
			dst[i] = float32(src[i])
		case Int16:
			dst[i] = float32(int16(o.Uint16(src[2*i:])))
		case Uint16:
			dst[i] = float32(o.Uint16(src[2*i:]))
		case Int32:
			dst[i] = float32(int32(o.Uint32(src[4*i:])))
		case Uint32:
			dst[i] = float32(o.Uint32(src[4*i:]))
		case Int64:
			dst[i] = float32(int64(o.Uint64(src[8*i:])))
		case Uint64:
			dst[i] = float32(o.Uint64(src[8*i:]))
		case Float32:
			dst[i] = finite(math.Float32frombits(o.Uint32(src[4*i:])))
		case Float64:
			dst[i] = finite(float32(math.Float64frombits(o.Uint64(src[8*i:]))))
		}
	}
}

func finite(v float32) float32 {
	if v-v != 0 {
		return nan
	}
	return v
}

// decodeBlock is the number of samples that decodeFrom reads at once.
const decodeBlock = 1 << 14

// decodeFrom fills dst from a stream and returns how many samples there were.
func (k Kind) decodeFrom(dst []float32, r io.Reader, o binary.ByteOrder) (int, error) {
	buf := make([]byte, min(decodeBlock, len(dst))*int(k.Bytes()))
	for done := 0; done < len(dst); {
		n := min(decodeBlock, len(dst)-done)
		got, err := io.ReadFull(r, buf[:n*int(k.Bytes())])
		whole := got / int(k.Bytes())
		k.decode(dst[done:done+whole], buf, o)
		done += whole
		if err != nil {
			return done, err
		}
	}
	return len(dst), nil
}
