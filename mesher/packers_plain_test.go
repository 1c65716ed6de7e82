//go:build !goexperiment.simd

package mesher

func packers() map[string]func([]uint64, []float32, float32) {
	return map[string]func([]uint64, []float32, float32){"generic": packGeneric, "chosen": pack}
}
