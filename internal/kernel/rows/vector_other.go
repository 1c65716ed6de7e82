//go:build goexperiment.simd && (arm64 || wasm)

package rows

// endVectors follows every vector kernel; see vector_amd64.go.
func endVectors() {}
