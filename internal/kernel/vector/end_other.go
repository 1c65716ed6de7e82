//go:build goexperiment.simd && (arm64 || wasm)

package vector

// End follows every vector kernel; see end_amd64.go.
func End() {}
