//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package rows

import (
	"simd"

	"github.com/terrane/terrane/internal/kernel/scalar"
)

// Kernels of one input, and what they do to a vector of it.

func Scale(dst, a []float32, factor, term float32) {
	if plain(len(dst)) {
		scaleGeneric(dst, a, factor, term)
		return
	}
	scaleVector(dst, a, factor, term)
	endVectors()
}

func scaleVector(dst, a []float32, factor, term float32) {
	var zero simd.Float32s
	f, c := simd.BroadcastFloat32s(factor), simd.BroadcastFloat32s(term)
	a = a[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		scaleAt(dst, a, i, f, c, zero)
	}
	if i < len(dst) {
		scaleAt(dst, a, len(dst)-n, f, c, zero)
	}
}

func scaleAt(dst, a []float32, i int, f, c, zero simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	av.Mul(f).Add(c).Add(zero).Store(dst[i:])
}

func Abs(dst, a []float32) {
	if plain(len(dst)) {
		absGeneric(dst, a)
		return
	}
	absVector(dst, a)
	endVectors()
}

func absVector(dst, a []float32) {
	a = a[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		absAt(dst, a, i)
	}
	if i < len(dst) {
		absAt(dst, a, len(dst)-n)
	}
}

func absAt(dst, a []float32, i int) {
	av := simd.LoadFloat32s(a[i:])
	av.Abs().Store(dst[i:])
}

func Clamp(dst, a []float32, lo, hi float32) {
	if plain(len(dst)) {
		clampGeneric(dst, a, lo, hi)
		return
	}
	clampVector(dst, a, lo, hi)
	endVectors()
}

func clampVector(dst, a []float32, lo, hi float32) {
	low, high := simd.BroadcastFloat32s(lo), simd.BroadcastFloat32s(hi)
	a = a[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		clampAt(dst, a, i, low, high)
	}
	if i < len(dst) {
		clampAt(dst, a, len(dst)-n, low, high)
	}
}

func clampAt(dst, a []float32, i int, low, high simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	selectSmaller(selectLarger(av, low), high).Store(dst[i:])
}

func Smoothstep(dst, a []float32, low, inverse float32) {
	if plain(len(dst)) {
		smoothstepGeneric(dst, a, low, inverse)
		return
	}
	smoothstepVector(dst, a, low, inverse)
	endVectors()
}

func smoothstepVector(dst, a []float32, low, inverse float32) {
	var zero simd.Float32s
	l, f := simd.BroadcastFloat32s(low), simd.BroadcastFloat32s(inverse)
	one, two, three := simd.BroadcastFloat32s(1), simd.BroadcastFloat32s(2), simd.BroadcastFloat32s(3)
	a = a[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		smoothstepAt(dst, a, i, l, f, zero, one, three, two)
	}
	if i < len(dst) {
		smoothstepAt(dst, a, len(dst)-n, l, f, zero, one, three, two)
	}
}

func smoothstepAt(dst, a []float32, i int, l, f, zero, one, three, two simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	t := selectSmaller(selectLarger(av.Sub(l).Mul(f), zero), one)
	t.Mul(t).Mul(three.Sub(two.Mul(t))).Store(dst[i:])
}

func Bump(dst, a []float32, inverse float32) {
	if plain(len(dst)) {
		bumpGeneric(dst, a, inverse)
		return
	}
	bumpVector(dst, a, inverse)
	endVectors()
}

func bumpVector(dst, a []float32, inverse float32) {
	var zero simd.Float32s
	f, one := simd.BroadcastFloat32s(inverse), simd.BroadcastFloat32s(1)
	a = a[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		bumpAt(dst, a, i, f, one, zero)
	}
	if i < len(dst) {
		bumpAt(dst, a, len(dst)-n, f, one, zero)
	}
}

func bumpAt(dst, a []float32, i int, f, one, zero simd.Float32s) {
	av := simd.LoadFloat32s(a[i:])
	t := av.Mul(f)
	v := selectLarger(one.Sub(t.Mul(t)), zero)
	v.Mul(v).Store(dst[i:])
}

func Saw(dst, a []float32, period float32) {
	if plain(len(dst)) {
		sawGeneric(dst, a, period)
		return
	}
	sawVector(dst, a, period)
	endVectors()
}

func sawVector(dst, a []float32, period float32) {
	var zero simd.Float32s
	one, p := simd.BroadcastFloat32s(1), simd.BroadcastFloat32s(period)
	far, near := simd.BroadcastFloat32s(scalar.FarTeeth), simd.BroadcastFloat32s(-scalar.FarTeeth)
	a = a[:len(dst)]
	n := lanes()
	for i := 0; i < len(dst); i += n {
		i = min(i, len(dst)-n)
		av := simd.LoadFloat32s(a[i:])
		u := av.Div(p)
		u = u.IfElse(u.Less(far), far) // out of range a conversion differs between machines
		u = u.IfElse(u.Greater(near), near)
		k := u.ConvertToInt32().ConvertToFloat32()
		k = k.Sub(one).IfElse(k.Greater(u), k)
		v := selectSmaller(selectLarger(av.Sub(p.Mul(k)), zero), p)
		v = v.IfElse(u.Less(far), zero)
		v.IfElse(u.Greater(near), zero).Store(dst[i:])
	}
}
