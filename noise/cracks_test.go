package noise

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/lattice"
)

func cracks(t testing.TB, period float64, jitter float32, seed int64) *Cracks {
	step, ok := StepOf(1 / period)
	if !ok {
		t.Fatal("period", period)
	}
	c, err := NewCracks(CracksConfig{Seed: seed, Step: step, Jitter: jitter})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// exact returns the distance to the nearest border at x, z by way of all points within four cells, in float64.
func (c *Cracks) exact(x, z int32) float64 {
	px, pz := (c.step.At(x) + c.offset[0]).place(), (c.step.At(z) + c.offset[2]).place()
	var points [][2]float64
	first := 0
	for k := int32(-4); k <= 4; k++ {
		for i := int32(-4); i <= 4; i++ {
			h := hash(rowHash(c.seed, 0, pz.cell+uint32(k)), px.cell+uint32(i))
			j := float64(c.jitter)
			points = append(points, [2]float64{
				float64(i) + 0.5 + j*(float64(pointX(h))-0.5) - float64(px.fraction),
				float64(k) + 0.5 + j*(float64(pointZ(h))-0.5) - float64(pz.fraction)})
			if p, n := points[len(points)-1], points[first]; p[0]*p[0]+p[1]*p[1] < n[0]*n[0]+n[1]*n[1] {
				first = len(points) - 1
			}
		}
	}
	n, least := points[first], math.Inf(1)
	for i, p := range points {
		if i != first {
			d := (p[0]*p[0] + p[1]*p[1] - n[0]*n[0] - n[1]*n[1]) / (2 * math.Hypot(p[0]-n[0], p[1]-n[1]))
			least = min(least, d)
		}
	}
	return min(least, cracksReach) * float64(c.period)
}

// Cracks are as far as all points of a wide neighborhood say, and within their bounds.
func TestCracksAreDistances(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 400 {
		c := cracks(t, 1+math.Exp(r.Float64()*6), r.Float32(), r.Int64())
		origin := []int32{0, 10_000_000}[r.IntN(2)]
		for range 50 {
			x, z := origin+r.Int32N(4000)-2000, r.Int32N(4000)-2000
			got, want := c.At(x, z), c.exact(x, z)
			if math.Abs(float64(got)-want) > cracksSlack*float64(c.period) || got < 0 || got > c.Reach() {
				t.Fatalf("%+v at %d, %d: %v, want %v", c, x, z, got, want)
			}
			b := lattice.Box{Min: lattice.Sample{X: x - r.Int32N(9), Z: z - r.Int32N(9)}}
			b.Max = lattice.Sample{X: x + 1 + r.Int32N(9), Y: 1, Z: z + 1 + r.Int32N(9)}
			if i := c.Bounds(b); got < i.Lo || got > i.Hi {
				t.Fatalf("%+v at %d, %d: %v is outside %v, the bounds of %v", c, x, z, got, i, b)
			}
		}
	}
}

// TestCracksRows compares rows with samples.
func TestCracksRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	for range 60 {
		c := cracks(t, 1+40*r.Float64(), r.Float32(), r.Int64())
		rows, count := c.NewRows(), 1+r.IntN(40)
		x, z, dx, dz := r.Int32(), r.Int32(), 1+r.Int32N(4), 1+r.Int32N(4)
		rows.Reset(x, dx, count)
		dst := make([]float32, 3*count)
		rows.Fill(dst, z, dz, 3)
		for i, got := range dst {
			if want := c.At(x+int32(i%count)*dx, z+int32(i/count)*dz); math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("sample %d of rows of %d: %v, want %v", i, count, got, want)
			}
		}
	}
}

// TestCracksGolden keeps the bits of cracks.
func TestCracksGolden(t *testing.T) {
	h := fnv.New64a()
	for _, c := range []*Cracks{cracks(t, 12.5, 1, 3), cracks(t, 40, 0.5, -9), cracks(t, 7, 0, 1)} {
		for z := int32(-50); z < 50; z++ {
			for x := int32(-50); x < 50; x++ {
				b := math.Float32bits(c.At(x, z))
				h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
			}
		}
	}
	if got := h.Sum64(); got != 0x9c82425ccbc4ff00 {
		t.Errorf("the samples hash to %#x", got)
	}
}
