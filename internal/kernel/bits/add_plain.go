//go:build !goexperiment.simd

package bits

// Add is the plain version where there is no other. dst may be src, or begin before it in the same memory.
func Add(dst, src []uint32, n uint32) { addGeneric(dst, src, n) }

// Span is the plain version where there is no other.
func Span(src []uint32) (least, most uint32) { return spanGeneric(src) }
