//go:build !goexperiment.simd || !amd64

package signs

// Emit is the plain version where there is no other.
func Emit(dst []uint32, next *EdgeCounters, active uint64, c *Corners) int {
	return emitGeneric(dst, next, active, c)
}

// List is the plain version where there is no other.
func (p *Places) List(l *Listing, i int) int { return p.listGeneric(l, i) }

// ListCases is the plain version where there is no other.
func ListCases(dst []uint8, active uint64, c *Corners) int { return listCasesGeneric(dst, active, c) }
