package field_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

func TestAtPlace(t *testing.T) {
	f, err := field.Compile(template.Hills(3), nil)
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, far := range []int32{0, 10_000_000, lattice.Limit - 200} {
		for range 50 {
			p := lattice.Place{Sample: lattice.Sample{X: far + r.Int32N(100), Y: r.Int32N(60) - 30, Z: -far + r.Int32N(100)}}
			if got, want := field.AtPlace(f, p), f.At(p.Sample); math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("%v: %v at a sample, At gives %v", p, got, want)
			}
			p.Offset.X, p.Offset.Y, p.Offset.Z = r.Float32()*0.9, r.Float32()*0.9, r.Float32()*0.9
			d, g := field.AtPlace(f, p), field.GradientAtPlace(f, p)
			const h = 1.0 / 16
			for axis, want := range []float32{g.X, g.Y, g.Z} {
				q := p // within a cell the mix is linear along each axis
				switch axis {
				case 0:
					q.Offset.X += h
				case 1:
					q.Offset.Y += h
				default:
					q.Offset.Z += h
				}
				if got := (field.AtPlace(f, q) - d) / h; math.Abs(float64(got-want)) > 1e-2*(1+math.Abs(float64(want))) {
					t.Fatalf("%v: changes by %v along axis %d, gradient %v", p, got, axis, g)
				}
			}
		}
	}
	x, y, z := 12.25, -3.5, 7.75
	p, _ := lattice.PlaceAt(x, y, z)
	if d, ok := field.AtMeters(f, x, y, z); !ok || d != field.AtPlace(f, p) {
		t.Errorf("%v, %v at meters, want %v", d, ok, field.AtPlace(f, p))
	}
	if g, ok := field.GradientAtMeters(f, x, y, z); !ok || g != field.GradientAtPlace(f, p) {
		t.Errorf("gradient %v, %v at meters, want %v", g, ok, field.GradientAtPlace(f, p))
	}
	if _, ok := field.AtMeters(f, math.NaN(), 0, 0); ok {
		t.Error("NaN lies in the world")
	}
	if n := testing.AllocsPerRun(100, func() { field.AtPlace(f, p); field.GradientAtPlace(f, p) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
