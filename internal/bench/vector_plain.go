//go:build !goexperiment.simd || !(amd64 || arm64)

package bench

func vectorBits() int { return 0 }
