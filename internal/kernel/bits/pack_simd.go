//go:build goexperiment.simd

package bits

import (
	"simd"
	"slices"
)

// laneBits holds bit i in lane i: the weights that turn a mask into bits.
var laneBits = [16]uint32{
	1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7,
	1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15,
}

// Pack does what packGeneric does with the widest vectors there are.
func Pack(dst []uint64, row []float32, iso float32) (nans int) {
	if simd.Emulated() {
		return packGeneric(dst, row, iso)
	}
	if nans, ok := packArch(dst, row, iso); ok {
		return nans
	}
	return packPortable(dst, row, iso)
}

// packPortable packs half a word at a time: the mask of each vector picks its weights out of a vector that
// moves up by the number of lanes, so that in the end the lanes hold disjoint bits.
func packPortable(dst []uint64, row []float32, iso float32) (nans int) {
	level := simd.BroadcastFloat32s(iso)
	lanes := level.Len()
	first := simd.LoadUint32s(laneBits[:])
	var zero simd.Uint32s
	numbers := level.Equal(level) // of the row so far: whether a lane never held NaN
	var sum [16]uint32
	n := len(row) &^ 31
	for i := 0; i < n; i += 32 {
		part := row[i : i+32]
		weights, bits := first, zero
		for len(part) >= lanes {
			s := simd.LoadFloat32s(part)
			bits = bits.Or(weights.Masked(s.Greater(level)))
			numbers = numbers.And(s.Equal(s))
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
		half |= Above(s, iso) << (i & 31)
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
	if EveryLane(numbers) {
		return countNaN(row[n:])
	}
	return countNaN(row)
}

// EveryLane reports whether a mask is set in every lane.
func EveryLane(m simd.Mask32s) bool {
	var lane [16]int32
	v := m.ToInt32s()
	v.Store(lane[:])
	return !slices.Contains(lane[:v.Len()], 0)
}
