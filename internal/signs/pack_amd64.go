//go:build goexperiment.simd && amd64

package signs

import (
	"simd"
	"simd/archsimd"
)

// packArch packs with the masks of amd64; it reports false where the vectors in use have none.
func packArch(dst []uint64, row []float32, iso float32) (nans int, ok bool) {
	switch simd.VectorBitSize() {
	case 512:
		nans, ok = pack512(dst, row, iso), true
	case 256:
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

func pack256(dst []uint64, row []float32, iso float32) (nans int) {
	level := archsimd.BroadcastFloat32x8(iso)
	var zero archsimd.Float32x8
	for w := range dst {
		part := row[min(w*64, len(row)):min(w*64+64, len(row))]
		var word uint64
		sum := zero // NaN if a number is, and hardly ever else
		i := 0
		for ; i+8 <= len(part); i += 8 {
			s := archsimd.LoadFloat32x8(part[i : i+8])
			word |= uint64(s.Greater(level).ToBits()) << (i & 63)
			sum = sum.Add(s)
		}
		if sum.IsNaN().ToBits() != 0 {
			nans += countNaN(part[:i])
		}
		nans += countNaN(part[i:])
		for ; i < len(part); i++ {
			word |= Above(part[i], iso) << (i & 63)
		}
		dst[w] = word
	}
	return nans
}
