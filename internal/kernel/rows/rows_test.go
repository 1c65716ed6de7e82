package rows

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/internal/kernel/scalar"
)

// kernelTwins lists each kernel with its plain form.
var kernelTwins = []struct {
	name          string
	kernel, plain func(dst, a, b, c []float32, p, q float32)
}{
	{"add", func(dst, a, b, _ []float32, _, _ float32) { Add(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { addPlain(dst, a, b) }},
	{"subtract", func(dst, a, b, _ []float32, _, _ float32) { Subtract(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { subtractPlain(dst, a, b) }},
	{"multiply", func(dst, a, b, _ []float32, _, _ float32) { Multiply(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { multiplyPlain(dst, a, b) }},
	{"larger", func(dst, a, b, _ []float32, _, _ float32) { Larger(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { largerPlain(dst, a, b) }},
	{"smaller", func(dst, a, b, _ []float32, _, _ float32) { Smaller(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { smallerPlain(dst, a, b) }},
	{"difference", func(dst, a, b, _ []float32, _, _ float32) { Difference(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { differencePlain(dst, a, b) }},
	{"smoothMax", func(dst, a, b, _ []float32, p, _ float32) { SmoothMax(dst, a, b, p) },
		func(dst, a, b, _ []float32, p, _ float32) { smoothMaxPlain(dst, a, b, p) }},
	{"smoothMin", func(dst, a, b, _ []float32, p, _ float32) { SmoothMin(dst, a, b, p) },
		func(dst, a, b, _ []float32, p, _ float32) { smoothMinPlain(dst, a, b, p) }},
	{"smoothDifference", func(dst, a, b, _ []float32, p, _ float32) { SmoothDifference(dst, a, b, p) },
		func(dst, a, b, _ []float32, p, _ float32) { smoothDifferencePlain(dst, a, b, p) }},
	{"hypot", func(dst, a, b, _ []float32, _, _ float32) { Hypot(dst, a, b) },
		func(dst, a, b, _ []float32, _, _ float32) { hypotPlain(dst, a, b) }},
	{"mix", func(dst, a, b, c []float32, _, _ float32) { Mix(dst, a, b, c) },
		func(dst, a, b, c []float32, _, _ float32) { mixPlain(dst, a, b, c) }},
	{"scale", func(dst, a, _, _ []float32, p, q float32) { Scale(dst, a, p, q) },
		func(dst, a, _, _ []float32, p, q float32) { scalePlain(dst, a, p, q) }},
	{"abs", func(dst, a, _, _ []float32, _, _ float32) { Abs(dst, a) },
		func(dst, a, _, _ []float32, _, _ float32) { absPlain(dst, a) }},
	{"clamp", func(dst, a, _, _ []float32, p, q float32) { Clamp(dst, a, 0-p, q) },
		func(dst, a, _, _ []float32, p, q float32) { clampPlain(dst, a, 0-p, q) }},
	{"smoothstep", func(dst, a, _, _ []float32, p, q float32) { Smoothstep(dst, a, p, q) },
		func(dst, a, _, _ []float32, p, q float32) { smoothstepPlain(dst, a, p, q) }},
	{"bump", func(dst, a, _, _ []float32, p, _ float32) { Bump(dst, a, p) },
		func(dst, a, _, _ []float32, p, _ float32) { bumpPlain(dst, a, p) }},
	{"select", func(dst, a, b, c []float32, p, _ float32) { Select(dst, a, b, c, third(len(dst)), p) },
		func(dst, a, b, c []float32, p, _ float32) { selectPlain(dst, a, b, c, third(len(dst)), p) }},
	{"select of one row for all", func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		Select(dst, a, b[:n], c, n, p)
	}, func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		selectPlain(dst, a, b[:n], c, n, p)
	}},
	{"saw", func(dst, a, _, _ []float32, p, _ float32) { Saw(dst, a, p) },
		func(dst, a, _, _ []float32, p, _ float32) { sawPlain(dst, a, p) }},
	{"height", func(dst, a, _, _ []float32, p, _ float32) { Height(dst, a, len(dst), int32(p*100), 1) },
		func(dst, a, _, _ []float32, p, _ float32) { heightPlain(dst, a, len(dst), int32(p*100), 1) }},
	{"height of rows", func(dst, a, _, _ []float32, p, _ float32) { Height(dst, a, third(len(dst)), int32(p*1e8), -7) },
		func(dst, a, _, _ []float32, p, _ float32) {
			heightPlain(dst, a, third(len(dst)), int32(p*1e8), -7)
		}},
	{"height of one row for all", func(dst, a, _, _ []float32, p, _ float32) {
		n := third(len(dst))
		Height(dst, a[:n], n, int32(p*100), 2)
	}, func(dst, a, _, _ []float32, p, _ float32) {
		n := third(len(dst))
		heightPlain(dst, a[:n], n, int32(p*100), 2)
	}},
	{"tube", func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		Tube(dst, a, b[:n], c, n, int32(p*100), -3)
	}, func(dst, a, b, c []float32, p, _ float32) {
		n := third(len(dst))
		tubePlain(dst, a, b[:n], c, n, int32(p*100), -3)
	}},
	{"weight", func(dst, a, b, _ []float32, p, _ float32) {
		n := third(len(dst))
		Weight(dst, make([][16]uint32, 3), a, b[:n], n, p)
	}, func(dst, a, b, _ []float32, p, _ float32) {
		n := third(len(dst))
		weightPlain(dst, make([][16]uint32, 3), a, b[:n], n, p)
	}},
	{"displace", func(dst, a, b, c []float32, p, q float32) { Displace(dst, a, b, c, p, q) },
		func(dst, a, b, c []float32, p, q float32) { displacePlain(dst, a, b, c, p, q) }},
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
			p, q := scalar.Abs(value()), scalar.Abs(value())
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
		Weight(dst, some, a, factor, n, 1)
		for row := range some {
			if got := some[row] != [16]uint32{}; got != (row == weighty) {
				t.Errorf("rows of %d, with weight in row %d: row %d has weight: %v", n, weighty, row, got)
			}
		}
	}
}
