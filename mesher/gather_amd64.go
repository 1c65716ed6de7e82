//go:build goexperiment.simd && amd64

package mesher

import (
	"math/bits"
	"simd/archsimd"
)

// list does what listGeneric does, with the widest vectors there are.
func (b *batch) list(l *listing, i int) int {
	if wide() {
		return list512(b, l, i)
	}
	return b.listGeneric(l, i)
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
func list512(b *batch, l *listing, i int) int {
	numbers := archsimd.LoadUint8x64Array(&byteNumbers)
	y := archsimd.BroadcastFloat32x16(l.y)
	row := l.row
	edge := l.edge[:len(row)]
	n := b.n
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
		at.Add(k).StoreArray((*[16]uint32)(b.at[n:]))
		x.Add(k.ConvertToFloat32()).StoreArray((*[16]float32)(b.x[n:]))
		y.StoreArray((*[16]float32)(b.y[n:]))
		if count > 16 {
			var list [64]uint8
			which.StoreArray(&list)
			for j := 16; j < count; j += 16 {
				k := archsimd.LoadUint8x16Array((*[16]uint8)(list[j:])).ExtendToUint32()
				at.Add(k).StoreArray((*[16]uint32)(b.at[n+j:]))
				x.Add(k.ConvertToFloat32()).StoreArray((*[16]float32)(b.x[n+j:]))
				y.StoreArray((*[16]float32)(b.y[n+j:]))
			}
		}
		n += count
	}
	b.n = n
	return i
}

// interleave says how the places of 16 vertices become triples: each third of the triples takes the lanes of
// x and y first, then those of z.
var interleave = func() (order [3][2][16]uint32) {
	for third := range order {
		for lane := range 16 {
			vertex, axis := (16*third+lane)/3, (16*third+lane)%3
			order[third][0][lane] = uint32(vertex + 16*(axis&1))
			order[third][1][lane] = uint32(lane)
			if axis == 2 {
				order[third][1][lane] = uint32(vertex + 16)
			}
		}
	}
	return order
}()

// writeRun does what writeGeneric does, with the widest vectors there are.
func (b *batch) writeRun(pos, nrm []float32, r run, scale [3]float32) {
	if wide() {
		writeRun512(b, pos, nrm, r, scale)
		return
	}
	b.writeGeneric(pos, nrm, r, scale)
}

func writeRun512(b *batch, pos, nrm []float32, r run, scale [3]float32) {
	sx := archsimd.BroadcastFloat32x16(scale[0])
	sy := archsimd.BroadcastFloat32x16(scale[1])
	sz := archsimd.BroadcastFloat32x16(scale[2])
	z0 := archsimd.BroadcastFloat32x16(float32(r.z))
	n := len(pos) / 3
	for i := 0; i < n; i += 16 {
		j := r.start + i
		x := archsimd.LoadFloat32x16Array((*[16]float32)(b.x[j:]))
		y := archsimd.LoadFloat32x16Array((*[16]float32)(b.y[j:]))
		t := archsimd.LoadFloat32x16Array((*[16]float32)(b.t[j:]))
		z := z0
		switch r.axis {
		case 0:
			x = x.Add(t)
		case 1:
			y = y.Add(t)
		case 2:
			z = z.Add(t)
		}
		triples512(pos, i, x.Mul(sx), y.Mul(sy), z.Mul(sz))
		if len(nrm) == 0 {
			continue
		}
		triples512(nrm, i,
			archsimd.LoadFloat32x16Array((*[16]float32)(b.nx[j:])),
			archsimd.LoadFloat32x16Array((*[16]float32)(b.ny[j:])),
			archsimd.LoadFloat32x16Array((*[16]float32)(b.nz[j:])))
	}
}

// triples512 stores up to 16 vertices from number i on, those that dst has room for.
func triples512(dst []float32, i int, x, y, z archsimd.Float32x16) {
	dst = dst[3*i:]
	var full [48]float32
	out := &full
	if len(dst) >= 48 {
		out = (*[48]float32)(dst)
	}
	for third := range interleave {
		o := &interleave[third]
		xy := x.ConcatPermute(y, archsimd.LoadUint32x16Array(&o[0]))
		xy.ConcatPermute(z, archsimd.LoadUint32x16Array(&o[1])).StoreArray((*[16]float32)(out[16*third:]))
	}
	if len(dst) < 48 {
		copy(dst, full[:])
	}
}
