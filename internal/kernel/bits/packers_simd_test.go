//go:build goexperiment.simd

package bits

import "simd"

func packers() map[string]func([]uint64, []float32, float32) int {
	all := map[string]func([]uint64, []float32, float32) int{"generic": packGeneric, "chosen": Pack}
	if !simd.Emulated() {
		all["portable"] = packPortable
	}
	return all
}
