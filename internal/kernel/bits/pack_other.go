//go:build goexperiment.simd && !amd64

package bits

// packArch reports false: the portable version is as good as any here.
func packArch(dst []uint64, row []float32, iso float32) (nans int, ok bool) { return 0, false }

// LeaveVectors does nothing: only amd64 minds.
func LeaveVectors() {}
