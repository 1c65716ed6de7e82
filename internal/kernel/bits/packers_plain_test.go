//go:build !goexperiment.simd

package bits

func packers() map[string]func([]uint64, []float32, float32) int {
	return map[string]func([]uint64, []float32, float32) int{"generic": packGeneric, "chosen": Pack}
}
