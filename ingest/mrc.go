package ingest

import (
	"fmt"
	"math"
)

// mrcHeader is the size of an MRC2014 header (Cheng et al. 2015, the format's paper, table 1).
const mrcHeader = 1024

// mrcKinds are the kinds of samples by mode, and mrcForeign the names of the modes that are not read.
var (
	mrcKinds   = map[int32]Kind{0: Int8, 1: Int16, 2: Float32, 6: Uint16}
	mrcForeign = map[int32]string{3: "complex 16-bit integers", 4: "complex 32-bit floats", 12: "16-bit floats", 101: "4-bit integers"}
)

func isMRC(head []byte) bool { return len(head) >= 212 && string(head[208:211]) == "MAP" }

// readMRC reads an MRC or CCP4 map.
func readMRC(s *stream, o Options) (*Volume, error) {
	head := make([]byte, mrcHeader)
	if copy(head, s.ahead) < mrcHeader {
		return nil, fmt.Errorf("%s: %w: MRC: it ends in its header", s.name, ErrCorrupt)
	}
	order := LittleEndian
	if head[212] == 0x11 { // the machine stamp
		order = BigEndian
	}
	bo := order.order()
	word := func(n int) int32 { return int32(bo.Uint32(head[4*(n-1):])) } // words are counted from 1
	real := func(n int) float64 { return float64(math.Float32frombits(bo.Uint32(head[4*(n-1):]))) }
	kind := mrcKinds[word(4)]
	if kind == 0 {
		return nil, fmt.Errorf("%s: %w: MRC mode %d %s; 0, 1, 2 and 6 are read", s.name, ErrUnsupported, word(4), mrcForeign[word(4)])
	}
	dims := [3]int64{int64(word(1)), int64(word(2)), int64(word(3))}
	part, err := s.checkVolume(dims, kind, o)
	if err != nil {
		return nil, err
	}
	extended := int64(word(24))
	if extended < 0 {
		return nil, fmt.Errorf("%s: %w: MRC: an extended header of %d bytes", s.name, ErrCorrupt, extended)
	}
	if err := s.skip(mrcHeader + extended); err != nil {
		return nil, err
	}
	v, err := s.volume(dims, part, kind, order)
	if err != nil {
		return nil, err
	}
	v.Format, v.Unit = fmt.Sprintf("MRC, %v, %v", kind, order), "Å"
	if err := v.placeMRC(s.name, word, real); err != nil {
		return nil, err
	}
	return v, nil
}

// placeMRC sets steps and origin: the axes of the file run along those of the cell that MAPC, MAPR and MAPS
// name, by the cell's length over its number of intervals.
func (v *Volume) placeMRC(name string, word func(int) int32, real func(int) float64) error {
	used := [4]bool{}
	v.Step = [3][3]float64{}
	for axis := range 3 {
		along := word(17 + axis)
		if along == 0 { // old files leave these empty
			along = int32(axis + 1)
		}
		if along < 1 || along > 3 || used[along] {
			return fmt.Errorf("%s: %w: MRC: its axes are %d %d %d, not 1 to 3 in some order", name, ErrCorrupt, word(17), word(18), word(19))
		}
		used[along] = true
		step, intervals := real(10+int(along)), float64(word(7+int(along)))
		step /= intervals
		if !usable(step) || step < 0 {
			v.note("the file does not say how far apart its samples are along axis %d: 1 Å is assumed", axis+1)
			step = 1
		}
		v.Step[axis][along-1] = step
		v.Origin[along-1] = float64(word(5+axis)) * step
	}
	// A file says where it lies in one of two ways: by the number of its first sample along each axis, or in
	// ångströms, which counts where it is there.
	if at := [3]float64{real(50), real(51), real(52)}; usable(at[0]*at[0] + at[1]*at[1] + at[2]*at[2]) {
		v.Origin = at
	}
	for i := range 3 {
		if angle := real(14 + i); usable(angle) && math.Abs(angle-90) > 0.01 {
			return fmt.Errorf("%s: %w: MRC: a cell whose angles are not 90°", name, ErrUnsupported)
		}
	}
	return nil
}
