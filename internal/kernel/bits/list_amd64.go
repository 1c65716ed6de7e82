//go:build goexperiment.simd && amd64

package bits

import (
	"math/bits"
	"simd/archsimd"
)

// List does what listGeneric does, with the widest vectors there are.
func (p *Places) List(l *Listing) (stopped bool) {
	if width == 512 {
		stopped = list512(p, l)
		LeaveVectors()
		return stopped
	}
	return p.listGeneric(l)
}

// byteNumbers holds i in byte i.
var byteNumbers = func() (n [64]uint8) {
	for i := range n {
		n[i] = uint8(i)
	}
	return n
}()

// list512 compresses a word's bit numbers into the first bytes of a vector, whether there are any or not:
// a guess would be wrong too often.
func list512(p *Places, l *Listing) (stopped bool) {
	numbers := archsimd.LoadUint8x64Array(&byteNumbers)
	words, n := len(l.Edge), p.N
	for ; l.Row < l.End; l.Row, l.Word = l.Row+1, 0 {
		if l.Count[l.Row] == 0 {
			continue
		}
		row := l.Words[l.Row*words:][:words]
		first := archsimd.BroadcastUint32x16(l.At + uint32(l.Row*l.NX))
		y := archsimd.BroadcastFloat32x16(l.Y + float32(int32(l.Row)))
		for i := l.Word; i < words; i++ {
			set := row[i]
			if n > BatchFull || set&l.Edge[i] != 0 {
				p.N, l.Word = n, i
				return true
			}
			at := first.Add(archsimd.BroadcastUint32x16(uint32(i * 64)))
			x := archsimd.BroadcastFloat32x16(l.X + float32(i*64))
			which := numbers.Compress(archsimd.Mask8x64FromBits(set))
			count := bits.OnesCount64(set)
			k := which.GetLo().GetLo().ExtendToUint32()
			at.Add(k).StoreArray((*[16]uint32)(p.At[n:]))
			x.Add(k.ConvertToFloat32()).StoreArray((*[16]float32)(p.X[n:]))
			y.StoreArray((*[16]float32)(p.Y[n:]))
			if count > 16 {
				var list [64]uint8
				which.StoreArray(&list)
				for j := 16; j < count; j += 16 {
					k := archsimd.LoadUint8x16Array((*[16]uint8)(list[j:])).ExtendToUint32()
					at.Add(k).StoreArray((*[16]uint32)(p.At[n+j:]))
					x.Add(k.ConvertToFloat32()).StoreArray((*[16]float32)(p.X[n+j:]))
					y.StoreArray((*[16]float32)(p.Y[n+j:]))
				}
			}
			n += count
		}
	}
	p.N = n
	return false
}

// ListCases does what listCasesGeneric does, with the widest vectors there are.
func ListCases(dst []uint8, active uint64, c *Corners) int {
	switch width {
	case 512:
		cases512(c).Compress(archsimd.Mask8x64FromBits(active)).StoreArray((*[64]uint8)(dst))
		LeaveVectors()
		return bits.OnesCount64(active)
	case 256:
		var list [64]uint8
		cases256(&list, c)
		LeaveVectors()
		n := 0
		for dst := (*[64]uint8)(dst); active != 0; active &= active - 1 {
			dst[n&63] = list[bits.TrailingZeros64(active)&63]
			n++
		}
		return n
	}
	return listCasesGeneric(dst, active, c)
}
