package field

import (
	"math"
	"math/rand/v2"
	"testing"
)

// kernelTwins lists each kernel with its plain form.
var kernelTwins = []struct {
	name          string
	kernel, plain func(dst, a, b, c []float32, p, q float32)
}{
	{"add", func(dst, a, b, _ []float32, _, _ float32) { addRows(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { addRowsGeneric(dst, a, b) }},
	{"subtract", func(dst, a, b, _ []float32, _, _ float32) { subtractRows(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { subtractRowsGeneric(dst, a, b) }},
	{"multiply", func(dst, a, b, _ []float32, _, _ float32) { multiplyRows(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { multiplyRowsGeneric(dst, a, b) }},
	{"larger", func(dst, a, b, _ []float32, _, _ float32) { largerRows(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { largerRowsGeneric(dst, a, b) }},
	{"smaller", func(dst, a, b, _ []float32, _, _ float32) { smallerRows(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { smallerRowsGeneric(dst, a, b) }},
	{"difference", func(dst, a, b, _ []float32, _, _ float32) { differenceRows(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { differenceRowsGeneric(dst, a, b) }},
	{"smoothMax", func(dst, a, b, _ []float32, p, _ float32) { smoothMaxRows(dst, a, b, p) },
		func(dst, a, b, _ []float32, p, _ float32) { smoothMaxRowsGeneric(dst, a, b, p) }},
	{"smoothMin", func(dst, a, b, _ []float32, p, _ float32) { smoothMinRows(dst, a, b, p) },
		func(dst, a, b, _ []float32, p, _ float32) { smoothMinRowsGeneric(dst, a, b, p) }},
	{"smoothDifference", func(dst, a, b, _ []float32, p, _ float32) { smoothDifferenceRows(dst, a, b, p) },
		func(dst, a, b, _ []float32, p, _ float32) { smoothDifferenceRowsGeneric(dst, a, b, p) }},
	{"hypot", func(dst, a, b, _ []float32, _, _ float32) { hypotRows(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { hypotRowsGeneric(dst, a, b) }},
	{"mix", func(dst, a, b, c []float32, _, _ float32) { mixRows(dst, a, b, c) },
		func(dst, a, b, c []float32, _, _ float32) { mixRowsGeneric(dst, a, b, c) }},
	{"scale", func(dst, a, _, _ []float32, p, q float32) { scaleRows(dst, a, p, q) },
		func(dst, a, _, _ []float32, p, q float32) { scaleRowsGeneric(dst, a, p, q) }},
	{"abs", func(dst, a, _, _ []float32, _, _ float32) { absRows(dst, a) },
		func(dst, a, _, _ []float32, _, _ float32) { absRowsGeneric(dst, a) }},
	{"clamp", func(dst, a, _, _ []float32, p, q float32) { clampRows(dst, a, 0-p, q) },
		func(dst, a, _, _ []float32, p, q float32) { clampRowsGeneric(dst, a, 0-p, q) }},
	{"smoothstep", func(dst, a, _, _ []float32, p, q float32) { smoothstepRows(dst, a, p, q) },
		func(dst, a, _, _ []float32, p, q float32) { smoothstepRowsGeneric(dst, a, p, q) }},
	{"bump", func(dst, a, _, _ []float32, p, _ float32) { bumpRows(dst, a, p) },
		func(dst, a, _, _ []float32, p, _ float32) { bumpRowsGeneric(dst, a, p) }},
	{"select", func(dst, a, b, c []float32, p, _ float32) { selectRows(dst, a, b, c, third(len(dst)), p) },
		func(dst, a, b, c []float32, p, _ float32) { selectRowsGeneric(dst, a, b, c, third(len(dst)), p) }},
	{"select of one row for all", func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		selectRows(dst, a, b[:n], c, n, p)
	}, func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		selectRowsGeneric(dst, a, b[:n], c, n, p)
	}},
	{"saw", func(dst, a, _, _ []float32, p, _ float32) { sawRows(dst, a, p) },
		func(dst, a, _, _ []float32, p, _ float32) { sawRowsGeneric(dst, a, p) }},
	{"height", func(dst, a, _, _ []float32, p, _ float32) { heightRows(dst, a, len(dst), int32(p*100), 1) },
		func(dst, a, _, _ []float32, p, _ float32) { heightRowsGeneric(dst, a, len(dst), int32(p*100), 1) }},
	{"height of rows", func(dst, a, _, _ []float32, p, _ float32) { heightRows(dst, a, third(len(dst)), int32(p*1e8), -7) },
		func(dst, a, _, _ []float32, p, _ float32) {
			heightRowsGeneric(dst, a, third(len(dst)), int32(p*1e8), -7)
		}},
	{"height of one row for all", func(dst, a, _, _ []float32, p, _ float32) {
		n := third(len(dst))
		heightRows(dst, a[:n], n, int32(p*100), 2)
	}, func(dst, a, _, _ []float32, p, _ float32) {
		n := third(len(dst))
		heightRowsGeneric(dst, a[:n], n, int32(p*100), 2)
	}},
	{"tube", func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		tubeRows(dst, a, b[:n], c, n, int32(p*100), -3)
	}, func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		tubeRowsGeneric(dst, a, b[:n], c, n, int32(p*100), -3)
	}},
	{"weight", func(dst, a, b, _ []float32, p, _ float32) {
		n := third(len(dst))
		weightRows(dst, make([][16]uint32, 3), a, b[:n], n, p)
	}, func(dst, a, b, _ []float32, p, _ float32) {
		n := third(len(dst))
		weightRowsGeneric(dst, make([][16]uint32, 3), a, b[:n], n, p)
	}},
	{"displace", func(dst, a, b, c []float32, p, q float32) { displaceRows(dst, a, b, c, p, q) },
		func(dst, a, b, c []float32, p, q float32) { displaceRowsGeneric(dst, a, b, c, p, q) }},
}

// third returns the length of a row of which there are three, or one if n is not divisible.
func third(n int) int {
	if n%3 == 0 {
		return n / 3
	}
	return n
}

// TestKernels compares the kernels with their plain forms at every length, over what values may be: finite
// and not −0.
func TestKernels(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	value := func() float32 {
		switch r.IntN(5) {
		case 0:
			return []float32{0, 1, -1, math.SmallestNonzeroFloat32, -1e-40, 1e18, -1e18}[r.IntN(7)]
		case 1:
			return float32(r.IntN(7) - 3)
		}
		return float32(r.NormFloat64() * 3)
	}
	row := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = value()
		}
		return v
	}
	for _, k := range kernelTwins {
		for n := range 70 {
			a, b, c := row(n), row(n), row(n)
			p, q := magnitude(value()), magnitude(value())
			got, want := make([]float32, n), make([]float32, n)
			k.kernel(got, a, b, c, p, q)
			k.plain(want, a, b, c, p, q)
			for i := range want {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) || math.Float32bits(want[i]) == 1<<31 {
					t.Fatalf("%s of %v, %v, %v with %v, %v, element %d of %d: %v (%08x), want %v (%08x)", k.name, a[i], b[i], c[i],
						p, q, i, n, got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
				}
			}
		}
	}
}

// TestWeights demands that rows be found to have weight as they have.
func TestWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 70; n++ {
		a, factor, dst := make([]float32, 4*n), make([]float32, n), make([]float32, 4*n)
		for i := range a {
			a[i] = 2 // a bump's width and farther
		}
		for i := range factor {
			factor[i] = -1
		}
		weighty := r.IntN(4)
		a[weighty*n+r.IntN(n)] = 0.5
		some := make([][16]uint32, 4)
		weightRows(dst, some, a, factor, n, 1)
		for row := range some {
			if got := some[row] != [16]uint32{}; got != (row == weighty) {
				t.Errorf("rows of %d, with weight in row %d: row %d has weight: %v", n, weighty, row, got)
			}
		}
	}
}
