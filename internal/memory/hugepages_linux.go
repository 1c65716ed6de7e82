package memory

import (
	"syscall"
	"unsafe"
)

const (
	hugePage     = 2 << 20
	madvCollapse = 25 // MADV_COLLAPSE, since Linux 6.1; package syscall has no name for it
)

// HugePages makes the memory of meshes so that the system may hand it out 2 MiB at a time, which it does for
// those who ask. A first touch of 4 KiB costs microseconds, and a mesh is touched but once.
type HugePages struct{}

// Floats implements mesh.Memory.
func (HugePages) Floats(n int) []float32 { return makeHuge[float32](n) }

// Uints implements mesh.Memory.
func (HugePages) Uints(n int) []uint32 { return makeHuge[uint32](n) }

// makeHuge returns a slice that starts with a huge page if it is as long as one.
func makeHuge[T float32 | uint32](n int) []T {
	if n < hugePage/4 {
		return make([]T, n)
	}
	s := make([]T, n+hugePage/4)
	skip := int(-uintptr(unsafe.Pointer(&s[0])) % hugePage / 4)
	s = s[skip : skip+n : skip+n]
	advise(s, syscall.MADV_HUGEPAGE)
	return s
}

// Collapse moves what has been written already into huge pages.
func Collapse[T float32 | uint32](s []T) {
	advise(s, syscall.MADV_HUGEPAGE)
	advise(s, madvCollapse)
}

// advise says how the huge pages that lie within s are to be treated. It is advice: a system that will not take
// it makes nothing wrong.
func advise[T float32 | uint32](s []T, advice int) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	skip := -start % hugePage
	size := uintptr(4 * len(s))
	if size < skip+hugePage {
		return
	}
	size = (size - skip) &^ (hugePage - 1)
	syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), skip)), size), advice)
}
