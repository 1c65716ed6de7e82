package noise

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels compares the kernels with their plain forms at every length.
func TestKernels(t *testing.T) {
	r := newRand(t)
	row := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.IntN(5)-2) * r.Float32()
		}
		return v
	}
	equal := func(name string, got, want []float32) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", name, got, want)
		}
	}
	for n := 1; n < 70; n++ {
		a, b, c, d, f, s := row(n), row(n), row(n), row(n), r.Float32(), r.Float32()
		got, want := row(n), make([]float32, n)
		mixRows(got, a, b, s)
		mixRowsGeneric(want, a, b, s)
		equal("mixRows", got, want)
		r0, r1 := &latticeRow{value: a, z: b}, &latticeRow{value: c, z: d}
		mixSlopes(got, r0, r1, f, s)
		mixSlopesGeneric(want, r0, r1, f, s)
		equal("mixSlopes", got, want)
		checkAdds(t, r, n, equal, row)

		columns, h := make([]uint32, n), r.Uint32()
		for i := range columns {
			columns[i] = r.Uint32()
		}
		var g, w [3][]float32
		for i := range g {
			g[i], w[i] = row(n), row(n)
		}
		latticeValues(g[0], columns, h, f)
		latticeValuesGeneric(w[0], columns, h, f)
		equal("latticeValues", g[0], w[0])
		latticeGradients2(g[0], g[1], columns, h, f)
		latticeGradients2Generic(w[0], w[1], columns, h, f)
		latticeGradients3(g[0], g[1], g[2], columns, h, f)
		latticeGradients3Generic(w[0], w[1], w[2], columns, h, f)
		for i := range g {
			equal("lattice gradients", g[i], w[i])
		}
	}
}

// checkAdds compares the kernels that add to rows.
func checkAdds(t *testing.T, r *rand.Rand, n int, equal func(string, []float32, []float32), row func(int) []float32) {
	for _, fo := range []fold{{}, {true, 0.5, -2}, {true, -0.25, 2}} {
		rows := 1 + r.IntN(4)
		got, f, s := row(n*rows), row(rows), row(rows)
		want := slices.Clone(got)
		e0, e1 := &edge{value: row(n), slope: row(n)}, &edge{value: row(n), slope: row(n)}
		addValue(got, e0.value, e1.value, s, fo)
		addValueGeneric(want, e0.value, e1.value, s, fo)
		equal("addValue", got, want)
		addGradient(got, e0, e1, f, s, fo)
		addGradientGeneric(want, e0, e1, f, s, fo)
		equal("addGradient", got, want)
	}
	configs(r, 1, func(c Config) {
		o := &mustNew(t, c).octaves[0]
		var p [3]places
		for axis := range p {
			p[axis].resize(n)
			for i := range n {
				p[axis].cell[i], p[axis].fraction[i] = r.Uint32(), r.Float32()
			}
		}
		got := row(n)
		want := slices.Clone(got)
		addPlaces(got, o, c.Kind, c.Dims, &p)
		addPlacesGeneric(want, o, c.Kind, c.Dims, &p)
		equal(fmt.Sprint("addPlaces ", c.Kind, c.Dims), got, want)
	})
}
