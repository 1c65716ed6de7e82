package solve

import "github.com/terrane/terrane/internal/kernel/bits"

// writeGeneric writes the positions and, unless nrm is empty, the normals of a run. It is what every other version must equal.
func (b *Batch) writeGeneric(pos, nrm []float32, r Run, scale [3]float32) {
	var along [3]float32
	along[r.Axis] = 1
	z := float32(r.Z)
	for i := range len(pos) / 3 {
		p, j := (*[3]float32)(pos[3*i:]), (r.Start+i)&bits.BatchMask
		t := b.T[j]
		p[0] = (b.X[j] + float32(along[0]*t)) * scale[0]
		p[1] = (b.Y[j] + float32(along[1]*t)) * scale[1]
		p[2] = (z + float32(along[2]*t)) * scale[2]
		if len(nrm) != 0 {
			q := (*[3]float32)(nrm[3*i:])
			q[0], q[1], q[2] = b.NX[j], b.NY[j], b.NZ[j]
		}
	}
}
