//go:build goexperiment.simd && amd64

package mesher

import (
	"simd"
	"simd/archsimd"
)

// packArch packs with the masks of amd64; it reports false where the vectors in use have none.
func packArch(dst []uint64, row []float32, iso float32) bool {
	switch simd.VectorBitSize() {
	case 512:
		pack512(dst, row, iso)
	case 256:
		pack256(dst, row, iso)
	default:
		return false
	}
	return true
}

func pack512(dst []uint64, row []float32, iso float32) {
	level := archsimd.BroadcastFloat32x16(iso)
	w, rest := 0, row
	for len(rest) >= 64 && w < len(dst) {
		a := archsimd.LoadFloat32x16(rest[0:16]).Greater(level).ToBits()
		b := archsimd.LoadFloat32x16(rest[16:32]).Greater(level).ToBits()
		c := archsimd.LoadFloat32x16(rest[32:48]).Greater(level).ToBits()
		d := archsimd.LoadFloat32x16(rest[48:64]).Greater(level).ToBits()
		dst[w] = uint64(a) | uint64(b)<<16 | uint64(c)<<32 | uint64(d)<<48
		rest = rest[64:]
		w++
	}
	if w == len(dst) {
		return
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
}

func pack256(dst []uint64, row []float32, iso float32) {
	level := archsimd.BroadcastFloat32x8(iso)
	for w := range dst {
		part := row[min(w*64, len(row)):min(w*64+64, len(row))]
		var word uint64
		i := 0
		for ; i+8 <= len(part); i += 8 {
			word |= uint64(archsimd.LoadFloat32x8(part[i:i+8]).Greater(level).ToBits()) << (i & 63)
		}
		for ; i < len(part); i++ {
			word |= above(part[i], iso) << (i & 63)
		}
		dst[w] = word
	}
}
