package geom

import (
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/internal/kernel/scalar"
)

// Every operation holds what it makes of the numbers of its operands.
func TestIntervalHoldsItsValues(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	some := func() (i Interval, v float32) {
		a, b := r.Float32()*20-10, r.Float32()*20-10
		i = Single(a).Union(Single(b))
		return i, scalar.Smaller(scalar.Larger(i.Lo+float32((i.Hi-i.Lo)*r.Float32()), i.Lo), i.Hi)
	}
	for range 10000 {
		i, v := some()
		j, w := some()
		for name, c := range map[string]struct {
			v float32
			i Interval
		}{
			"add": {v + w, i.Add(j)}, "sub": {v - w, i.Sub(j)}, "mul": {float32(v * w), i.Mul(j)},
			"neg": {0 - v, i.Neg()}, "abs": {scalar.Larger(v, 0-v), i.Abs()}, "square": {float32(v * v), i.Square()},
			"union": {v, i.Union(j)}, "widen": {v + 0.5, i.Widen(0.5)}, "single": {v, Single(v)},
			"magnitude": {scalar.Larger(v, 0-v), Interval{0, i.Magnitude()}},
		} {
			if !(c.v >= c.i.Lo && c.v <= c.i.Hi) {
				t.Fatalf("%s of %v and %v: %v is not in %v", name, i, j, c.v, c.i)
			}
		}
		if k := i.Intersect(j); (k.Lo <= k.Hi) != (i.Lo <= j.Hi && j.Lo <= i.Hi) {
			t.Fatalf("%v and %v share %v", i, j, k)
		}
	}
}
