//go:build goexperiment.simd

package mesher

import "simd"

func packers() map[string]func([]uint64, []float32, float32) {
	all := map[string]func([]uint64, []float32, float32){"generic": packGeneric, "chosen": pack}
	if !simd.Emulated() {
		all["portable"] = packPortable
	}
	return all
}
