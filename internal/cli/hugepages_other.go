//go:build !linux

package cli

// hugePages makes the memory of meshes as make does: only on Linux is there more to ask for.
type hugePages struct{}

// Floats implements mesh.Memory.
func (hugePages) Floats(n int) []float32 { return make([]float32, n) }

// Uints implements mesh.Memory.
func (hugePages) Uints(n int) []uint32 { return make([]uint32, n) }

// collapse does nothing.
func collapse[T float32 | uint32]([]T) {}
