//go:build !goexperiment.simd || !amd64

package bits

// Emit is the plain version where there is no other.
func Emit(dst []uint32, next *EdgeCounters, r *CellRow, i int) (used, word int) {
	return emitGeneric(dst, next, r, i)
}

// List is the plain version where there is no other.
func (p *Places) List(l *Listing) (stopped bool) { return p.listGeneric(l) }

// ListCases is the plain version where there is no other.
func ListCases(dst []uint8, active uint64, c *Corners) int { return listCasesGeneric(dst, active, c) }
