//go:build goexperiment.simd && amd64

package solve

import (
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/internal/kernel/bits"
)

// TestWideWrites compares what the versions with vectors write with the plain ones: every number of vertices, and
// nothing past them.
func TestWideWrites(t *testing.T) {
	if bits.Width() == 0 {
		t.Skip("no vectors are in use")
	}
	r := rand.New(rand.NewPCG(2, 2))
	b, nb := &Batch{}, &NetBatch{}
	for i := range b.T {
		b.X[i], b.Y[i], b.T[i] = float32(r.IntN(99)), float32(r.IntN(99)), r.Float32()
		b.NX[i], b.NY[i], b.NZ[i] = r.Float32(), r.Float32(), r.Float32()
		nb.X[i], nb.Y[i] = b.X[i], b.Y[i]
		for axis := range nb.P {
			nb.P[axis][i], nb.Normal[axis][i] = r.Float32(), r.Float32()
		}
	}
	scale := [3]float32{1, 0.3, 7}
	for n := range bits.BatchSize {
		size := 3*n + 50
		make2 := func() ([]float32, []float32) { return make([]float32, size), make([]float32, size) }
		run := Run{Start: r.IntN(bits.BatchSize - n + 1), Axis: n % 3, Z: r.IntN(50)}
		p, q := make2()
		np, nq := make2()
		b.Write(p[:3*n], np[:3*n], run, scale)
		b.writeGeneric(q[:3*n], nq[:3*n], run, scale)
		sameBits(t, "positions", p, q)
		sameBits(t, "normals", np, nq)

		nb.N = n
		p, q = make2()
		nb.WritePositions(p, 3, scale)
		nb.writePositionsGeneric(q, 3, scale)
		sameBits(t, "net positions", p, q)
		p, q = make2()
		nb.WriteNormals(p)
		nb.writeNormalsGeneric(q)
		sameBits(t, "net normals", p, q)
	}
}
