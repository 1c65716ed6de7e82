//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package rows

import "simd"

// Kernels that know rows of count samples, some of whose inputs may be one row that stands for all.

func Height(dst, height []float32, count int, y, dy int32) {
	if plain(count) {
		heightGeneric(dst, height, count, y, dy)
		return
	}
	heightVector(dst, height, count, y, dy)
	endVectors()
}

func heightVector(dst, height []float32, count int, y, dy int32) {
	n := lanes()
	for r := 0; r < len(dst); r += count {
		yv := simd.BroadcastInt32s(y).ConvertToFloat32()
		row, h := dst[r:][:count], rowFrom(height, r, count)[:count]
		i := 0
		for ; i <= len(row)-n; i += n {
			heightAt(row, h, i, yv)
		}
		if i < len(row) {
			heightAt(row, h, len(row)-n, yv)
		}
		y += dy
	}
}

func heightAt(row, h []float32, i int, yv simd.Float32s) {
	simd.LoadFloat32s(h[i:]).Sub(yv).Store(row[i:])
}

func Tube(dst, radius, line, height []float32, count int, y, dy int32) {
	if plain(count) {
		tubeGeneric(dst, radius, line, height, count, y, dy)
		return
	}
	tubeVector(dst, radius, line, height, count, y, dy)
	endVectors()
}

func tubeVector(dst, radius, line, height []float32, count int, y, dy int32) {
	n := lanes()
	for r := 0; r < len(dst); r += count {
		yv := simd.BroadcastInt32s(y).ConvertToFloat32()
		row, a, l, h := dst[r:][:count], rowFrom(radius, r, count)[:count], rowFrom(line, r, count)[:count], rowFrom(height, r, count)[:count]
		i := 0
		for ; i <= len(row)-n; i += n {
			tubeAt(row, a, l, h, i, yv)
		}
		if i < len(row) {
			tubeAt(row, a, l, h, len(row)-n, yv)
		}
		y += dy
	}
}

func tubeAt(dst, radius, line, height []float32, i int, y simd.Float32s) {
	l := simd.LoadFloat32s(line[i:])
	h := simd.LoadFloat32s(height[i:]).Sub(y)
	simd.LoadFloat32s(radius[i:]).Sub(l.Mul(l).Add(h.Mul(h)).Sqrt()).Store(dst[i:])
}

func Weight(dst []float32, some [][16]uint32, a, factor []float32, count int, inverse float32) {
	if plain(count) {
		weightGeneric(dst, some, a, factor, count, inverse)
		return
	}
	weightVector(dst, some, a, factor, count, inverse)
	endVectors()
}

func weightVector(dst []float32, some [][16]uint32, a, factor []float32, count int, inverse float32) {
	var none simd.Uint32s
	scale, one := simd.BroadcastFloat32s(inverse), simd.BroadcastFloat32s(1)
	n := lanes()
	for r := 0; r < len(dst); r += count {
		row, from, f := dst[r:][:count], a[r:][:count], rowFrom(factor, r, count)[:count]
		bits := none
		i := 0
		for ; i <= len(row)-n; i += n {
			bits = bits.Or(weightAt(row, from, f, i, scale, one))
		}
		if i < len(row) {
			bits = bits.Or(weightAt(row, from, f, len(row)-n, scale, one))
		}
		bits.Store(some[r/count][:])
	}
}

func weightAt(row, a, factor []float32, i int, inverse, one simd.Float32s) simd.Uint32s {
	var zero simd.Float32s
	t := simd.LoadFloat32s(a[i:]).Mul(inverse)
	v := selectLarger(one.Sub(t.Mul(t)), zero)
	v = simd.LoadFloat32s(factor[i:]).Mul(v.Mul(v)).Add(zero)
	v.Store(row[i:])
	return v.ToBits()
}

func Displace(dst, a, weight, noise []float32, factor, term float32) {
	if plain(len(dst)) {
		displaceGeneric(dst, a, weight, noise, factor, term)
		return
	}
	displaceVector(dst, a, weight, noise, factor, term)
	endVectors()
}

func displaceVector(dst, a, weight, noise []float32, factor, term float32) {
	var zero simd.Float32s
	f, c := simd.BroadcastFloat32s(factor), simd.BroadcastFloat32s(term)
	a, weight, noise = a[:len(dst)], weight[:len(dst)], noise[:len(dst)]
	n := lanes()
	i := 0
	for ; i <= len(dst)-n; i += n {
		displaceAt(dst, noise, weight, a, i, f, c, zero)
	}
	if i < len(dst) {
		displaceAt(dst, noise, weight, a, len(dst)-n, f, c, zero)
	}
}

func displaceAt(dst, noise, weight, a []float32, i int, f, c, zero simd.Float32s) {
	v := simd.LoadFloat32s(noise[i:]).Mul(f).Add(c).Add(zero)
	v = simd.LoadFloat32s(weight[i:]).Mul(v).Add(zero)
	simd.LoadFloat32s(a[i:]).Add(v).Store(dst[i:])
}

func Select(dst, x, y, t []float32, count int, threshold float32) {
	if plain(count) {
		selectGeneric(dst, x, y, t, count, threshold)
		return
	}
	selectVector(dst, x, y, t, count, threshold)
	endVectors()
}

func selectVector(dst, x, y, t []float32, count int, threshold float32) {
	limit := simd.BroadcastFloat32s(threshold)
	n := lanes()
	for r := 0; r < len(dst); r += count {
		row, xs, ys, ts := dst[r:][:count], rowFrom(x, r, count)[:count], rowFrom(y, r, count)[:count], rowFrom(t, r, count)[:count]
		i := 0
		for ; i <= len(row)-n; i += n {
			selectAt(row, ts, xs, ys, i, limit)
		}
		if i < len(row) {
			selectAt(row, ts, xs, ys, len(row)-n, limit)
		}
	}
}

func selectAt(row, ts, xs, ys []float32, i int, limit simd.Float32s) {
	below := simd.LoadFloat32s(ts[i:]).Less(limit)
	simd.LoadFloat32s(xs[i:]).IfElse(below, simd.LoadFloat32s(ys[i:])).Store(row[i:])
}
