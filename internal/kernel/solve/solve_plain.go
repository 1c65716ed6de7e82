//go:build !goexperiment.simd

package solve

// Solve is the plain version where there is no other.
func (b *Batch) Solve() bool { return b.solveGeneric() }

func (b *NetBatch) Solve() bool { return b.solveGeneric() }

// Inside is the plain version where there is no other.
func (b *NetBatch) Inside() bool { return b.insideGeneric() }
