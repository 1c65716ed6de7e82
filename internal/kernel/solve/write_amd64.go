//go:build goexperiment.simd && amd64

package solve

import (
	"simd/archsimd"

	"github.com/terrane/terrane/internal/kernel/bits"
)

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

// Write does what writeGeneric does, with the widest vectors there are.
func (b *Batch) Write(pos, nrm []float32, r Run, scale [3]float32) {
	switch bits.Width() {
	case 512:
		writeRun512(b, pos, nrm, r, scale)
	case 256:
		writeRun256(b, pos, nrm, r, scale)
	default:
		b.writeGeneric(pos, nrm, r, scale)
		return
	}
	bits.LeaveVectors()
}

func writeRun512(b *Batch, pos, nrm []float32, r Run, scale [3]float32) {
	sx := archsimd.BroadcastFloat32x16(scale[0])
	sy := archsimd.BroadcastFloat32x16(scale[1])
	sz := archsimd.BroadcastFloat32x16(scale[2])
	z0 := archsimd.BroadcastFloat32x16(float32(r.Z))
	n := len(pos) / 3
	for i := 0; i < n; i += 16 {
		j := r.Start + i
		x := archsimd.LoadFloat32x16Array((*[16]float32)(b.X[j:]))
		y := archsimd.LoadFloat32x16Array((*[16]float32)(b.Y[j:]))
		t := archsimd.LoadFloat32x16Array((*[16]float32)(b.T[j:]))
		z := z0
		switch r.Axis {
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
			archsimd.LoadFloat32x16Array((*[16]float32)(b.NX[j:])),
			archsimd.LoadFloat32x16Array((*[16]float32)(b.NY[j:])),
			archsimd.LoadFloat32x16Array((*[16]float32)(b.NZ[j:])))
	}
}

// WritePositions does what writePositionsGeneric does, with the widest vectors there are.
func (b *NetBatch) WritePositions(dst []float32, z float32, scale [3]float32) {
	dst = dst[:3*b.N]
	switch bits.Width() {
	case 512:
		b.writePositions512(dst, z, scale)
	case 256:
		b.writePositions256(dst, z, scale)
	default:
		b.writePositionsGeneric(dst, z, scale)
		return
	}
	bits.LeaveVectors()
}

func (b *NetBatch) writePositions512(dst []float32, z float32, scale [3]float32) {
	for i := 0; i < b.N; i += 16 {
		x := archsimd.LoadFloat32x16Array((*[16]float32)(b.X[i:])).Add(archsimd.LoadFloat32x16Array((*[16]float32)(b.P[0][i:])))
		y := archsimd.LoadFloat32x16Array((*[16]float32)(b.Y[i:])).Add(archsimd.LoadFloat32x16Array((*[16]float32)(b.P[1][i:])))
		z := archsimd.BroadcastFloat32x16(z).Add(archsimd.LoadFloat32x16Array((*[16]float32)(b.P[2][i:])))
		triples512(dst, i,
			x.Mul(archsimd.BroadcastFloat32x16(scale[0])),
			y.Mul(archsimd.BroadcastFloat32x16(scale[1])),
			z.Mul(archsimd.BroadcastFloat32x16(scale[2])))
	}
}

// WriteNormals does what writeNormalsGeneric does, with the widest vectors there are.
func (b *NetBatch) WriteNormals(dst []float32) {
	dst = dst[:3*b.N]
	switch bits.Width() {
	case 512:
		b.writeNormals512(dst)
	case 256:
		b.writeNormals256(dst)
	default:
		b.writeNormalsGeneric(dst)
		return
	}
	bits.LeaveVectors()
}

func (b *NetBatch) writeNormals512(dst []float32) {
	for i := 0; i < b.N; i += 16 {
		triples512(dst, i,
			archsimd.LoadFloat32x16Array((*[16]float32)(b.Normal[0][i:])),
			archsimd.LoadFloat32x16Array((*[16]float32)(b.Normal[1][i:])),
			archsimd.LoadFloat32x16Array((*[16]float32)(b.Normal[2][i:])))
	}
}

// triples512 stores up to 16 vertices from number i on, those that dst has room for.
func triples512(dst []float32, i int, x, y, z archsimd.Float32x16) {
	dst = dst[3*i:]
	for third := range interleave {
		o := &interleave[third]
		xy := x.ConcatPermute(y, archsimd.LoadUint32x16Array(&o[0]))
		xyz := xy.ConcatPermute(z, archsimd.LoadUint32x16Array(&o[1]))
		if len(dst) < 16 {
			xyz.StorePart(dst)
			return
		}
		xyz.StoreArray((*[16]float32)(dst))
		dst = dst[16:]
	}
}
