package solve

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/bits"
)

// A Batch collects crossings of edges until they are solved together. It is kept as one array to a number so
// that vectors run over it.
type Batch struct {
	bits.Places     // where the edges start
	Fetched     int // how many have their densities and gradients
	Runs        []Run
	Flat        bool       // no normals are wanted
	Weight      [3]float32 // of the axes in a gradient
	Near        float32    // crossings nearer than this to an end are reported, for they may fall on a sample
	Snap        float32    // rounds where an edge is crossed: see view.snap

	A, B       [bits.BatchSize]float32 // density less iso at the start and at the end
	AX, AY, AZ [bits.BatchSize]float32 // gradient at the start, over two cells
	BX, BY, BZ [bits.BatchSize]float32 // gradient at the end
	DA, DB     [bits.BatchSize]float32 // depth at the start and at the end

	// The solution.
	T          [bits.BatchRoom]float32 // where the edge is crossed, from 0 at its start to 1 at its end
	NX, NY, NZ [bits.BatchRoom]float32 // unit normal, pointing into the air
}

// A Run is the crossings of a batch, from start to the next run's, that lie along one axis and start in one
// plane, counted in cells.
type Run struct{ Start, Axis, Z int }

// StartRun starts a run.
func (b *Batch) StartRun(axis, z int) { b.Runs = append(b.Runs, Run{b.N, axis, z}) }

// EndOf returns the end of run k.
func (b *Batch) EndOf(k int) int {
	if k+1 < len(b.Runs) {
		return b.Runs[k+1].Start
	}
	return b.N
}

// Where these bounds hold float32 is good enough, and else a vertex is solved again in float64.
//
// tinySquare: the squared length of a gradient is a sum of squares, and a square below 1.2e-38 is subnormal and loses
// bits. In a gradient longer than 1e-15 every component that turns the normal by more than 2⁻¹², a quarter of a
// thousandth, has a square above 5e-38. A lower bound would let normals of very flat fields go astray; a higher one
// would send harmless fields, densities in millionths say, the slow way.
//
// hugeSquare: the root and its inverse are finite far beyond it, and overflow to +Inf, which a square may become, fails
// the comparison. largeDensity: both ends below it in magnitude leave the difference finite, and as they have opposite
// signs it is at least as large as either, so that t lies in [0, 1]. NaN fails every comparison.
const (
	tinySquare   = 1e-30
	hugeSquare   = 1e30
	largeDensity = 1e30
)

// solveGeneric works out t and the normals; it is what every other version must equal. It reports false if
// float32 was not good enough for a crossing, whose densities are not finite or so large or so flat that it fails, or
// if one is near an end.
func (b *Batch) solveGeneric() bool {
	ok := true
	for i := range b.N {
		fine, near := b.SolveOne(i & bits.BatchMask)
		ok = ok && fine && !near
	}
	return ok
}

// SolveOne solves crossing i. It reports whether float32 was good enough for it, and whether it is near an
// end.
func (b *Batch) SolveOne(i int) (fine, near bool) {
	i &= bits.BatchMask
	d := b.A[i] - b.B[i]
	t := b.A[i] / d
	b.T[i] = (t + b.Snap) - b.Snap
	fine = d > -largeDensity && d < largeDensity
	near = !(t > b.Near && t < 1-b.Near)
	if b.Flat {
		return fine, near
	}
	gx := (b.AX[i] + float32((b.BX[i]-b.AX[i])*t)) * b.Weight[0]
	gy := (b.AY[i] + float32((b.BY[i]-b.AY[i])*t)) * b.Weight[1]
	gz := (b.AZ[i] + float32((b.BZ[i]-b.AZ[i])*t)) * b.Weight[2]
	l := float32(gx*gx) + float32(gy*gy) + float32(gz*gz)
	inv := -1 / geom.Sqrt(l)
	b.NX[i], b.NY[i], b.NZ[i] = gx*inv, gy*inv, gz*inv
	return fine && l > tinySquare && l < hugeSquare, near
}

// pad repeats the last crossing up to a whole number of vectors.
func (b *Batch) pad() {
	for i := b.N; i < (b.N+bits.BatchLanes-1)&^(bits.BatchLanes-1); i++ {
		i, j := i&bits.BatchMask, (i-1)&bits.BatchMask
		b.A[i], b.B[i] = b.A[j], b.B[j]
		if !b.Flat {
			b.AX[i], b.AY[i], b.AZ[i] = b.AX[j], b.AY[j], b.AZ[j]
			b.BX[i], b.BY[i], b.BZ[i] = b.BX[j], b.BY[j], b.BZ[j]
		}
	}
}
