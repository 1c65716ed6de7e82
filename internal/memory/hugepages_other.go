//go:build !linux

package memory

// HugePages makes the memory of meshes as make does: only on Linux is there more to ask for.
type HugePages struct{}

// Floats implements mesh.Memory.
func (HugePages) Floats(n int) []float32 { return make([]float32, n) }

// Uints implements mesh.Memory.
func (HugePages) Uints(n int) []uint32 { return make([]uint32, n) }

// Collapse does nothing.
func Collapse[T float32 | uint32]([]T) {}
