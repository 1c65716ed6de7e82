//go:build goexperiment.simd && amd64

package bits

import (
	"math/bits"
	"simd"
	"simd/archsimd"
)

// Width returns how many bits the vectors have that the versions for amd64 use: 512 with the permutation and
// compression of bytes, 256, or 0 for plain Go. On processors with AVX2 it is 256 even where package simd
// stays at 128 (before Zen 3 and Ice Lake it does, for want of a carry-less multiplication).
func Width() int { return width }

var width = func() int {
	switch {
	case simd.Emulated():
		return 0
	case simd.VectorBitSize() == 512 && archsimd.X86.AVX512VBMI() && archsimd.X86.AVX512VBMI2():
		return 512
	case archsimd.X86.AVX2():
		return 256
	}
	return 0
}()

// Emit does what emitGeneric does, with the widest vectors there are.
func Emit(dst []uint32, next *EdgeCounters, r *CellRow, i int) (used, word int) {
	switch width {
	case 512:
		used, word = emit512(dst, next, r, i)
	case 256:
		used, word = emit256(dst, next, r, i)
	default:
		return emitGeneric(dst, next, r, i)
	}
	LeaveVectors()
	return used, word
}

// emit512 works out the cases of 64 cells at once and a cell's vertices in one vector, of which one
// permutation makes its triangles.
func emit512(dst []uint32, next *EdgeCounters, r *CellRow, i int) (used, word int) {
	var c Corners
	var list [64]uint8
	counters := archsimd.LoadUint32x16Array((*[16]uint32)(next))
	for ; i < len(r.Mask); i++ {
		active := r.Corners(i, &c)
		if active == 0 {
			continue
		}
		if len(dst)-used < EmitRoom {
			break
		}
		cases512(&c).StoreArray(&list)
		for ; active != 0; active &= active - 1 {
			row := &caseRows[list[bits.TrailingZeros64(active)&63]]
			id := counters.Add(archsimd.LoadUint8x16Array((*[16]uint8)(row.table[aheadOf:])).ExtendToUint32())
			counters = counters.Add(archsimd.LoadUint8x16Array((*[16]uint8)(row.table[stepOf:])).ExtendToUint32())
			triangles := id.Permute(archsimd.LoadUint8x16Array((*[16]uint8)(row.table[:])).ExtendToUint32())
			triangles.StoreArray((*[16]uint32)(dst[used:]))
			used += int(row.n)
		}
	}
	counters.StoreArray((*[16]uint32)(next))
	return used, i
}

// emit256 is emit512 in halves: edges 0 to 7 and 8 to 15.
func emit256(dst []uint32, next *EdgeCounters, r *CellRow, i int) (used, word int) {
	var c Corners
	var list [64]uint8
	lo, hi := next.vectors()
	last := archsimd.BroadcastInt32x8(7)
	for ; i < len(r.Mask); i++ {
		active := r.Corners(i, &c)
		if active == 0 {
			continue
		}
		if len(dst)-used < EmitRoom {
			break
		}
		cases256(&list, &c)
		for ; active != 0; active &= active - 1 {
			row := &caseRows[list[bits.TrailingZeros64(active)&63]]
			idLo, idHi := lo.Add(row.eight(aheadOf)), hi.Add(row.eight(aheadOf+8))
			lo, hi = lo.Add(row.eight(stepOf)), hi.Add(row.eight(stepOf+8))
			first, second := row.eight(0), row.eight(8)
			out := (*[16]uint32)(dst[used:])
			idHi.Permute(first).IfElse(first.BitsToInt32().Greater(last), idLo.Permute(first)).StoreArray((*[8]uint32)(out[:8]))
			idHi.Permute(second).IfElse(second.BitsToInt32().Greater(last), idLo.Permute(second)).StoreArray((*[8]uint32)(out[8:]))
			used += int(row.n)
		}
	}
	lo.StoreArray((*[8]uint32)(next[:8]))
	hi.StoreArray((*[8]uint32)(next[8:]))
	return used, i
}

// vectors returns the counters in two halves. They are put together number by number: to load a vector that
// has just been stored in pieces takes longer.
func (n *EdgeCounters) vectors() (lo, hi archsimd.Uint32x8) {
	var a, b, c archsimd.Uint32x4
	a = a.SetElem(0, n[0]).SetElem(1, n[1]).SetElem(2, n[2]).SetElem(3, n[3])
	b = b.SetElem(0, n[4]).SetElem(1, n[5]).SetElem(2, n[6]).SetElem(3, n[7])
	c = c.SetElem(0, n[8]).SetElem(1, n[9]).SetElem(2, n[10]).SetElem(3, n[11])
	return lo.SetLo(a).SetHi(b), hi.SetLo(c)
}

// eight returns eight of the row's numbers.
func (r *caseRow) eight(from int) archsimd.Uint32x8 {
	return archsimd.LoadUint8x16Array((*[16]uint8)(r.table[from:])).ExtendLo8ToUint32()
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

// pairBytes puts the bytes of two words side by side.
var pairBytes = [16]int8{0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}

// cases256 writes the cases of 64 cells. The corners' words are a matrix of 8 by 64 bits, which is turned
// over: first the bytes of the eight words with the same number are brought together, then each such square
// of 8 by 8 bits is turned over by exchanging squares of 1, 2 and 4.
func cases256(list *[64]uint8, c *Corners) {
	pair := archsimd.LoadInt8x16Array(&pairBytes)
	w01 := two(c[0], c[1]).PermuteOrZero(pair).ReshapeToUint16s()
	w23 := two(c[2], c[3]).PermuteOrZero(pair).ReshapeToUint16s()
	w45 := two(c[4], c[5]).PermuteOrZero(pair).ReshapeToUint16s()
	w67 := two(c[6], c[7]).PermuteOrZero(pair).ReshapeToUint16s()
	lo03, hi03 := w01.InterleaveLo(w23).ReshapeToUint32s(), w01.InterleaveHi(w23).ReshapeToUint32s()
	lo47, hi47 := w45.InterleaveLo(w67).ReshapeToUint32s(), w45.InterleaveHi(w67).ReshapeToUint32s()
	var a, b archsimd.Uint64x4
	a = a.SetLo(lo03.InterleaveLo(lo47).ReshapeToUint64s()).SetHi(lo03.InterleaveHi(lo47).ReshapeToUint64s())
	b = b.SetLo(hi03.InterleaveLo(hi47).ReshapeToUint64s()).SetHi(hi03.InterleaveHi(hi47).ReshapeToUint64s())
	a, b = exchange(a, 7, 0x00aa00aa00aa00aa), exchange(b, 7, 0x00aa00aa00aa00aa)
	a, b = exchange(a, 14, 0x0000cccc0000cccc), exchange(b, 14, 0x0000cccc0000cccc)
	a, b = exchange(a, 28, 0x00000000f0f0f0f0), exchange(b, 28, 0x00000000f0f0f0f0)
	a.ReshapeToUint8s().StoreArray((*[32]uint8)(list[:32]))
	b.ReshapeToUint8s().StoreArray((*[32]uint8)(list[32:]))
}

// two returns two words as bytes. See EdgeCounters.vectors.
func two(a, b uint64) archsimd.Uint8x16 {
	var v archsimd.Uint64x2
	return v.SetElem(0, a).SetElem(1, b).ReshapeToUint8s()
}

// exchange swaps the bits of mask with those as many places further up as shift says.
func exchange(x archsimd.Uint64x4, shift uint64, mask uint64) archsimd.Uint64x4 {
	t := x.Xor(x.ShiftAllRight(shift)).And(archsimd.BroadcastUint64x4(mask))
	return x.Xor(t).Xor(t.ShiftAllLeft(shift))
}
