//go:build goexperiment.simd

package bits

import "simd"

// Add does what addGeneric does, a vector at a time. dst may be src, or begin before it in the same memory.
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

// Span does what spanGeneric does, a vector at a time.
func Span(src []uint32) (least, most uint32) {
	if simd.Emulated() {
		return spanGeneric(src)
	}
	var low, high [16]uint32
	done, lanes := spanVectors(&low, &high, src)
	LeaveVectors()
	least, most = spanGeneric(src[done:])
	for i := range lanes {
		least, most = min(least, low[i]), max(most, high[i])
	}
	return least, most
}

// spanVectors sets low and high to the least and greatest numbers by lane, and returns how many it has looked at.
func spanVectors(low, high *[16]uint32, src []uint32) (done, lanes int) {
	least, most := simd.BroadcastUint32s(1<<32-1), simd.BroadcastUint32s(0)
	lanes = least.Len()
	for ; len(src) >= lanes; src = src[lanes:] {
		v := simd.LoadUint32s(src)
		least, most = least.Min(v), most.Max(v)
		done += lanes
	}
	least.Store(low[:])
	most.Store(high[:])
	return done, lanes
}
