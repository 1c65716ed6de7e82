//go:build goexperiment.simd

package vector

import "simd/archsimd"

// End follows every vector kernel. Vectors of 256 and 512 bits leave the upper halves of their registers in use, and
// until these are cleared each of the scalar instructions that Go compiles float32 arithmetic to waits for the last one:
// a world's chunks take two and a half times as long. For the same reason no kernel computes a float32 by itself
// between its vectors.
func End() { archsimd.ClearAVXUpperBits() }
