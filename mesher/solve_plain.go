//go:build !goexperiment.simd

package mesher

// solve is the plain version where there is no other.
func (b *batch) solve() bool { return b.solveGeneric() }

func (b *netBatch) solve() bool { return b.solveGeneric() }
