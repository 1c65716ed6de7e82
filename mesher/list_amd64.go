//go:build goexperiment.simd && amd64

package mesher

import (
	"math/bits"
	"simd/archsimd"
)

// list does what listGeneric does, with the widest vectors there are.
func (p *places) list(l *listing, i int) int {
	if wide() {
		return list512(p, l, i)
	}
	return p.listGeneric(l, i)
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
func list512(p *places, l *listing, i int) int {
	numbers := archsimd.LoadUint8x64Array(&byteNumbers)
	y := archsimd.BroadcastFloat32x16(l.y)
	row := l.row
	edge := l.edge[:len(row)]
	n := p.n
	for ; i < len(row); i++ {
		set := row[i]
		if n > batchFull || set&edge[i] != 0 {
			break
		}
		at := archsimd.BroadcastUint32x16(l.at + uint32(i*64))
		x := archsimd.BroadcastFloat32x16(l.x + float32(i*64))
		which := numbers.Compress(archsimd.Mask8x64FromBits(set))
		count := bits.OnesCount64(set)
		k := which.GetLo().GetLo().ExtendToUint32()
		at.Add(k).StoreArray((*[16]uint32)(p.at[n:]))
		x.Add(k.ConvertToFloat32()).StoreArray((*[16]float32)(p.x[n:]))
		y.StoreArray((*[16]float32)(p.y[n:]))
		if count > 16 {
			var list [64]uint8
			which.StoreArray(&list)
			for j := 16; j < count; j += 16 {
				k := archsimd.LoadUint8x16Array((*[16]uint8)(list[j:])).ExtendToUint32()
				at.Add(k).StoreArray((*[16]uint32)(p.at[n+j:]))
				x.Add(k.ConvertToFloat32()).StoreArray((*[16]float32)(p.x[n+j:]))
				y.StoreArray((*[16]float32)(p.y[n+j:]))
			}
		}
		n += count
	}
	p.n = n
	leaveVectors()
	return i
}

// listCases does what listCasesGeneric does, with the widest vectors there are.
func listCases(dst []uint8, active uint64, c *corners) int {
	if wide() {
		cases512(c).Compress(archsimd.Mask8x64FromBits(active)).StoreArray((*[64]uint8)(dst))
		leaveVectors()
		return bits.OnesCount64(active)
	}
	return listCasesGeneric(dst, active, c)
}
