package edit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// valueOfBall is what a ball made of a sample when the first worlds were logged: their edits must go on doing so.
func valueOfBall(e Edit, before float32, s lattice.Sample, level uint8) float32 {
	p := e.Place
	x := float32(s.X-p.Sample.X) - p.Offset.X
	y := float32(s.Y-p.Sample.Y) - p.Offset.Y
	z := float32(s.Z-p.Sample.Z) - p.Offset.Z
	d := geom.Sqrt(float32(x*x) + float32(y*y) + float32(z*z))
	if !(d <= e.Radius+e.Smooth+float32(int32(2)<<level)) {
		return before
	}
	if e.Op == Dig {
		return smoothMin(before, d-e.Radius, e.Smooth) + 0
	}
	return -smoothMin(-before, d-e.Radius, e.Smooth) + 0
}

// TestRowOfBall holds Row and Value against valueOfBall, and rowReach against all of them, on rows through and past random edits at
// every level, near the origin and at the ends of the world, for any density before.
func TestRowOfBall(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	odd := []float32{
		0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)),
		math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32,
	}
	places := []int32{0, 10_000_000, -10_000_000, lattice.Limit - 1, 1 - lattice.Limit}
	row := make([]float32, 40)
	changed := 0
	for range 4000 {
		level := uint8(r.IntN(4))
		at := lattice.Sample{X: places[r.IntN(5)], Y: places[r.IntN(5)], Z: places[r.IntN(5)]}
		e := Edit{
			Brush: Brush{Op: Op(1 + r.IntN(2)), Shape: Ball, Radius: 0.25 + 20*r.Float32()},
			Place: lattice.Place{Sample: at, Offset: geom.Vec3{X: r.Float32(), Y: r.Float32(), Z: r.Float32()}},
		}
		if r.IntN(2) == 0 {
			e.Smooth = 4 * r.Float32()
		}
		n := int32(20) << level
		s := at.Add(r.Int32N(2*n)-n-n/2, r.Int32N(2*n)-n, r.Int32N(2*n)-n)
		for i := range row {
			if row[i] = 40*r.Float32() - 20; r.IntN(4) == 0 {
				row[i] = odd[r.IntN(len(odd))]
			}
		}
		before := append([]float32(nil), row...)
		c := Must(e)
		c.Row(row, s, level)
		lo, hi := e.rowReach(s.Y, s.Z, level)
		for i, got := range row {
			at := s.Add(int32(i)<<level, 0, 0)
			want := valueOfBall(e, before[i], at, level)
			if v := c.Value(before[i], at, level); math.Float32bits(v) != math.Float32bits(want) {
				t.Fatalf("%+v, level %d: %v of %v before: value %v, want %v", e, level, at, before[i], v, want)
			}
			if math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("%+v, level %d: %v of %v before: row %v, want %v", e, level, at, before[i], got, want)
			}
			if math.Float32bits(want) != math.Float32bits(before[i]) {
				if changed++; at.X < lo || at.X >= hi {
					t.Fatalf("%+v, level %d: %v changes outside %d … %d", e, level, at, lo, hi)
				}
			}
		}
	}
	if changed < 1000 {
		t.Errorf("%d samples changed", changed)
	}
}

// TestRowReach checks that the range holds the samples in reach and at most one more.
func TestRowReach(t *testing.T) {
	e := ball(Build, 3, 0)
	for y := int32(-14); y < 0; y++ {
		want := 0
		for x := int32(80); x < 120; x++ {
			if Must(e).Value(-1e30, lattice.Sample{X: x, Y: y, Z: 31}, 0) != -1e30 {
				want++
			}
		}
		if lo, hi := e.rowReach(y, 31, 0); int(hi-lo) < want || int(hi-lo) > want+1 {
			t.Errorf("row %d: %d … %d, want %d samples", y, lo, hi, want)
		}
	}
}
