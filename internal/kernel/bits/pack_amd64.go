//go:build goexperiment.simd && amd64

package bits

import (
	"math/bits"
	"simd"
	"simd/archsimd"
)

// packArch packs with the masks of amd64; it reports false where the vectors in use have none.
func packArch(dst []uint64, row []float32, iso float32) (nans int, ok bool) {
	switch {
	case simd.VectorBitSize() == 512:
		nans, ok = pack512(dst, row, iso), true
	case width == 256:
		nans, ok = pack256(dst, row, iso), true
	}
	LeaveVectors()
	return nans, ok
}

// LeaveVectors is called where wide vectors have been used: the compiler's scalar instructions run slower
// while the upper halves of the registers hold anything (Go 1.27 does not clear them itself).
func LeaveVectors() {
	if !simd.Emulated() {
		archsimd.ClearAVXUpperBits()
	}
}

func pack512(dst []uint64, row []float32, iso float32) (nans int) {
	level := archsimd.BroadcastFloat32x16(iso)
	w, rest := 0, row
	for len(rest) >= 64 && w < len(dst) {
		s0 := archsimd.LoadFloat32x16(rest[0:16])
		s1 := archsimd.LoadFloat32x16(rest[16:32])
		s2 := archsimd.LoadFloat32x16(rest[32:48])
		s3 := archsimd.LoadFloat32x16(rest[48:64])
		dst[w] = uint64(s0.Greater(level).ToBits()) | uint64(s1.Greater(level).ToBits())<<16 |
			uint64(s2.Greater(level).ToBits())<<32 | uint64(s3.Greater(level).ToBits())<<48
		// A sum is NaN if a number is, and hardly ever else.
		if sum := s0.Add(s1).Add(s2.Add(s3)); sum.IsNaN().ToBits() != 0 {
			nans += countNaN(rest[:64])
		}
		rest = rest[64:]
		w++
	}
	if w == len(dst) {
		return nans
	}
	var word uint64
	i := 0
	for ; i+16 <= len(rest); i += 16 {
		word |= uint64(archsimd.LoadFloat32x16(rest[i:i+16]).Greater(level).ToBits()) << (i & 63)
	}
	if i < len(rest) {
		v, _ := archsimd.LoadFloat32x16Part(rest[i:])
		bits := uint64(v.Greater(level).ToBits()) & (1<<((len(rest)-i)&15) - 1)
		word |= bits << (i & 63)
	}
	dst[w] = word
	clear(dst[w+1:])
	return nans + countNaN(rest)
}

// streams is how many parts of a long row are read side by side. A single one waits for memory: what the
// processor reads ahead ends with each page. (Zen 2: 64 MiB in 5.7 ms by one stream, 3.9 by two, 3.4 by four,
// 3.3 by eight.)
const streams = 4

// streamWords is how long a part must be, one page of 4 KiB at least, so that no two lie in one.
const streamWords = 16

func pack256(dst []uint64, row []float32, iso float32) (nans int) {
	whole := min(len(row)/64, len(dst))
	if whole < len(dst) {
		nans = packGeneric(dst[whole:], row[64*whole:], iso)
	}
	part := whole / streams
	if part < streamWords {
		part = 0
	}
	// From here on no scalar of floating point may be touched: see LeaveVectors.
	level := archsimd.BroadcastFloat32x8(iso)
	for i := range whole {
		w := i
		if i < streams*part {
			w = i%streams*part + i/streams
		}
		s := (*[64]float32)(row[64*w:])
		s0, s1 := archsimd.LoadFloat32x8Array((*[8]float32)(s[0:8])), archsimd.LoadFloat32x8Array((*[8]float32)(s[8:16]))
		s2, s3 := archsimd.LoadFloat32x8Array((*[8]float32)(s[16:24])), archsimd.LoadFloat32x8Array((*[8]float32)(s[24:32]))
		s4, s5 := archsimd.LoadFloat32x8Array((*[8]float32)(s[32:40])), archsimd.LoadFloat32x8Array((*[8]float32)(s[40:48]))
		s6, s7 := archsimd.LoadFloat32x8Array((*[8]float32)(s[48:56])), archsimd.LoadFloat32x8Array((*[8]float32)(s[56:64]))
		dst[w] = uint64(s0.Greater(level).ToBits()) | uint64(s1.Greater(level).ToBits())<<8 |
			uint64(s2.Greater(level).ToBits())<<16 | uint64(s3.Greater(level).ToBits())<<24 |
			uint64(s4.Greater(level).ToBits())<<32 | uint64(s5.Greater(level).ToBits())<<40 |
			uint64(s6.Greater(level).ToBits())<<48 | uint64(s7.Greater(level).ToBits())<<56
		// A sum is NaN if a number is, and hardly ever else.
		if sum := s0.Add(s1).Add(s2.Add(s3)).Add(s4.Add(s5).Add(s6.Add(s7))); sum.IsNaN().ToBits() != 0 {
			nans += bits.OnesCount64(uint64(s0.IsNaN().ToBits()) | uint64(s1.IsNaN().ToBits())<<8 |
				uint64(s2.IsNaN().ToBits())<<16 | uint64(s3.IsNaN().ToBits())<<24 |
				uint64(s4.IsNaN().ToBits())<<32 | uint64(s5.IsNaN().ToBits())<<40 |
				uint64(s6.IsNaN().ToBits())<<48 | uint64(s7.IsNaN().ToBits())<<56)
		}
	}
	return nans
}
