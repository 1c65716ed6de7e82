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
		return nil, fmt.Errorf("%s: %w: a raw volume needs the kind of its samples, given or in its name, like x_256x256x128_uint8.raw", s.name, ErrUnsaid)
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
		s.name, ErrUnsaid, s.most, s.most/kind.Bytes(), kind)
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
