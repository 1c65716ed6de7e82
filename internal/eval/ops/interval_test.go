package ops

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/scalar"
)

// nudge returns v moved up by n representable numbers.
func nudge(v float32, n int) float32 {
	for range n {
		v = math.Nextafter32(v, math.MaxFloat32)
	}
	return v + 0
}

// narrow returns an interval a few representable numbers wide, or a wide one, near one of the places.
func narrow(r *rand.Rand, places ...float32) (i geom.Interval, within func() float32) {
	lo := places[r.IntN(len(places))]
	if r.IntN(2) == 0 {
		lo += float32((r.Float32() - 0.5) * 20)
	}
	lo = nudge(lo-float32(r.IntN(3))*1e-7, 0) + 0
	if r.IntN(3) == 0 {
		hi := lo + float32(r.Float32()*30)
		return geom.Interval{Lo: lo, Hi: hi}, func() float32 {
			return scalar.Smaller(lo+float32(r.Float32()*(hi-lo)), hi) + 0
		}
	}
	n := r.IntN(40)
	return geom.Interval{Lo: lo, Hi: nudge(lo, n)}, func() float32 { return nudge(lo, r.IntN(n+1)) }
}

// splineThrough returns the spline through points.
func splineThrough(t *testing.T, points ...float32) Unary {
	var b graph.Builder
	b.Spline(b.Constant(0), points...)
	p, err := graph.Compile(b.Graph())
	if err != nil {
		t.Fatal(err)
	}
	return NewSpline(p.Steps[1].Constants)
}

// TestBoundsAtRounding holds the intervals of functions where rounding decides: in intervals a few numbers
// wide, near where the functions bend.
func TestBoundsAtRounding(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	check := func(name string, v float32, i geom.Interval) {
		if !(v >= i.Lo && v <= i.Hi) || math.Float32bits(v) == 1<<31 {
			t.Fatalf("%s: %v (%08x) is not in %v", name, v, math.Float32bits(v), i)
		}
	}
	for range 20000 {
		p, q := float32(r.Float32()*10-5), float32(r.Float32()*10+0.01)
		for name, f := range map[string]Unary{
			"scale": Scale{p, q}, "abs": Abs{}, "clamp": Clamp{p, p + q}, "smoothstep": Smoothstep{p, 1 / q},
			"bump": Bump{1 / q}, "terrace": Terrace{q, 1 / q, scalar.Smaller(q/10, 1)},
			"curve":  curve{x: []float32{p, p + q}, y: []float32{q, p}, slope: []float32{(p - q) / q}},
			"spline": splineThrough(t, p, q, p+q, p, p+2*q, q, p+2.5*q, 3*q),
		} {
			a, within := narrow(r, 0, p, q, p+q, -p)
			i := f.bound(a)
			for range 4 {
				check(name, f.of(within()), i)
			}
		}
		for name, f := range map[string]Binary{
			"union": Union{}, "intersection": Intersection{}, "difference": Difference{},
			"smooth union": SmoothUnion{q}, "smooth intersection": SmoothIntersection{q},
			"smooth difference": SmoothDifference{q}, "add": Add{}, "subtract": Subtract{}, "multiply": Multiply{},
			"hypot": Hypot{},
		} {
			a, withinA := narrow(r, 0, p, q)
			b, withinB := narrow(r, p, p+q, p-q, -p)
			i := f.bound(a, b)
			for range 4 {
				x, y := withinA(), withinB()
				v := f.of(x, y)
				check(name, v, i)
				if c := f.choice(a, b); c >= 0 && v != [2]float32{x, y}[c] {
					t.Fatalf("%s of %v, %v is %v, said to equal input %d", name, x, y, v, c)
				}
			}
		}
	}
}
