//go:build !goexperiment.simd || !(amd64 || arm64)

package cli

func vectorBits() int { return 0 }
