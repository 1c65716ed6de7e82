//go:build goexperiment.simd && amd64

package signs

import (
	"math/bits"
	"simd"
	"simd/archsimd"
)

// Wide reports whether the vectors in use are those of AVX-512 with permutation and
// compression of bytes.
func Wide() bool {
	return simd.VectorBitSize() == 512 && archsimd.X86.AVX512VBMI() && archsimd.X86.AVX512VBMI2()
}

// Emit does what emitGeneric does, with the widest vectors there are.
func Emit(dst []uint32, next *EdgeCounters, active uint64, c *Corners) int {
	if Wide() {
		return emit512(dst, next, active, c)
	}
	return emitGeneric(dst, next, active, c)
}

// emit512 works out the cases of 64 cells at once and a cell's vertices in one vector, of which one
// permutation makes its triangles.
func emit512(dst []uint32, next *EdgeCounters, active uint64, c *Corners) int {
	cases := cases512(c)
	var list [64]uint8
	cases.StoreArray(&list)
	counters := archsimd.LoadUint32x16Array((*[16]uint32)(next))
	used := 0
	for ; active != 0; active &= active - 1 {
		row := &caseRows[list[bits.TrailingZeros64(active)&63]]
		id := counters.Add(archsimd.LoadUint8x16Array(&row.ahead).ExtendToUint32())
		counters = counters.Add(archsimd.LoadUint8x16Array(&row.step).ExtendToUint32())
		triangles := id.Permute(archsimd.LoadUint8x16Array(&row.edges).ExtendToUint32())
		triangles.StoreArray((*[16]uint32)(dst[used:]))
		used += int(row.n)
	}
	counters.StoreArray((*[16]uint32)(next))
	LeaveVectors()
	return used
}

// cases512 returns the cases of 64 cells.
func cases512(c *Corners) archsimd.Uint8x64 {
	// Every corner adds a bit of its own. (Not Or: chains of 512-bit logic are miscompiled by Go 1.27.)
	cases := archsimd.BroadcastUint8x64(1).Masked(archsimd.Mask8x64FromBits(c[0]))
	cases = cases.Add(archsimd.BroadcastUint8x64(2).Masked(archsimd.Mask8x64FromBits(c[1])))
	cases = cases.Add(archsimd.BroadcastUint8x64(4).Masked(archsimd.Mask8x64FromBits(c[2])))
	cases = cases.Add(archsimd.BroadcastUint8x64(8).Masked(archsimd.Mask8x64FromBits(c[3])))
	cases = cases.Add(archsimd.BroadcastUint8x64(16).Masked(archsimd.Mask8x64FromBits(c[4])))
	cases = cases.Add(archsimd.BroadcastUint8x64(32).Masked(archsimd.Mask8x64FromBits(c[5])))
	cases = cases.Add(archsimd.BroadcastUint8x64(64).Masked(archsimd.Mask8x64FromBits(c[6])))
	cases = cases.Add(archsimd.BroadcastUint8x64(128).Masked(archsimd.Mask8x64FromBits(c[7])))
	return cases
}

// FurtherLoops does what furtherLoopsGeneric does, with the widest vectors there are.
func FurtherLoops(active uint64, c *Corners) int {
	if Wide() {
		// Cells with several loops are rare: look for them 64 at a time and count them one by one.
		active &= several512(c)
	}
	return furtherLoopsGeneric(active, c)
}

// several512 returns which of 64 cells have several loops.
func several512(c *Corners) uint64 {
	cases := cases512(c)
	low := archsimd.LoadUint8x64(caseFurther[0:64]).ConcatPermute(archsimd.LoadUint8x64(caseFurther[64:128]), cases)
	high := archsimd.LoadUint8x64(caseFurther[128:192]).ConcatPermute(archsimd.LoadUint8x64(caseFurther[192:256]), cases)
	var none archsimd.Uint8x64
	return low.Greater(none).ToBits()&^c[7] | high.Greater(none).ToBits()&c[7]
}
