// Package kerneltest holds numbers for the tests of kernels.
package kerneltest

import "math"

// HardFloats are the values that comparisons get wrong.
var HardFloats = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32,
	float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1 << 31, -(1 << 31),
	0x1p-126, -0x1p-126, 0x1p-127, -0x1p-127,
}
