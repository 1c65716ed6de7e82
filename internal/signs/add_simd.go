//go:build goexperiment.simd

package signs

import "simd"

// Add does what addGeneric does, a vector at a time.
func Add(dst, src []uint32, n uint32) {
	if simd.Emulated() {
		addGeneric(dst, src, n)
		return
	}
	done := addVectors(dst, src, n)
	LeaveVectors()
	addGeneric(dst[done:], src[done:], n)
}

func addVectors(dst, src []uint32, n uint32) (done int) {
	by := simd.BroadcastUint32s(n)
	lanes := by.Len()
	for ; len(src) >= lanes && len(dst) >= lanes; src, dst = src[lanes:], dst[lanes:] {
		simd.LoadUint32s(src).Add(by).Store(dst)
		done += lanes
	}
	return done
}
