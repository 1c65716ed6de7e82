//go:build goexperiment.simd

package mesher

import "simd"

// laneBits holds bit i in lane i: the weights that turn a mask into bits.
var laneBits = [16]uint32{
	1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7,
	1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15,
}

// pack does what packGeneric does with the widest vectors there are.
func pack(dst []uint64, row []float32, iso float32) {
	switch {
	case simd.Emulated():
		packGeneric(dst, row, iso)
	case packArch(dst, row, iso):
	default:
		packPortable(dst, row, iso)
	}
}

// packPortable packs half a word at a time: the mask of each vector picks its weights out of a vector that
// moves up by the number of lanes, so that in the end the lanes hold disjoint bits.
func packPortable(dst []uint64, row []float32, iso float32) {
	level := simd.BroadcastFloat32s(iso)
	lanes := level.Len()
	first := simd.LoadUint32s(laneBits[:])
	var zero simd.Uint32s
	var sum [16]uint32
	n := len(row) &^ 31
	for i := 0; i < n; i += 32 {
		part := row[i : i+32]
		weights, bits := first, zero
		for len(part) >= lanes {
			solid := simd.LoadFloat32s(part).Greater(level)
			bits = bits.Or(weights.Masked(solid))
			weights = weights.ShiftAllLeft(uint64(lanes))
			part = part[lanes:]
		}
		bits.Store(sum[:])
		var half uint64
		for _, b := range sum[:lanes] {
			half |= uint64(b)
		}
		if i&32 == 0 {
			dst[i>>6] = half
		} else {
			dst[i>>6] |= half << 32
		}
	}
	var half uint64
	for i, s := range row[n:] {
		half |= above(s, iso) << (i & 31)
	}
	w := n >> 6
	if n&32 != 0 {
		dst[w] |= half << 32
		w++
	} else if n < len(row) {
		dst[w] = half
		w++
	}
	clear(dst[w:])
}
