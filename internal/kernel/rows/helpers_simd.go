//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package rows

import "simd"

// The vector kernels take the steps of their plain twins in the same order. The last vector of a row overlaps the one
// before where the row fills no whole number of them: what is computed twice comes out the same.
//
// The work on one vector, at i, is a function of its own, called in the loop and once more for the last vector: so the
// compiler sees that the loop stays within the rows, which takes up to half less time than one loop that moves its last
// i back. It must inline that function, or each vector costs a call: where it finds the work too large, there is one
// loop (large, in gen/list.go). After a change to the list look at what go build -gcflags=-m says of the At functions.

func lanes() int { return simd.BroadcastFloat32s(0).Len() }

// selectLarger and selectSmaller are scalar.Larger and scalar.Smaller.
func selectLarger(a, b simd.Float32s) simd.Float32s  { return a.IfElse(a.Greater(b), b) }
func selectSmaller(a, b simd.Float32s) simd.Float32s { return a.IfElse(a.Less(b), b) }

// blend returns h²/(4k), h = max(k − d, 0), for k > 0.
func blend(d, k, fourK simd.Float32s) simd.Float32s {
	var zero simd.Float32s
	h := k.Sub(d)
	return h.Mul(h).Div(fourK).IfElse(h.Greater(zero), zero)
}
