package world

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

func TestRayPlane(t *testing.T) {
	w := New(testground.Ground{Height: 16.5})
	down := geom.Vec3{Y: -1}
	for _, c := range []struct {
		name  string
		from  lattice.Place
		dir   geom.Vec3
		reach float32
		want  float64 // distance, negative for none
	}{
		{"down", testground.Place(3, 20, 5, 0.25, 0.5, 0.5), down, 80, 4},
		{"down, on sample columns", testground.Place(3, 20, 5, 0, 0, 0), down, 80, 3.5},
		{"down, any length", testground.Place(3, 20, 5, 0, 0, 0), geom.Vec3{Y: -1e-20}, 80, 3.5},
		{"just in reach", testground.Place(3, 20, 5, 0, 0, 0), down, 3.5001, 3.5},
		{"out of reach", testground.Place(3, 20, 5, 0, 0, 0), down, 3.4999, -1},
		{"up", testground.Place(3, 20, 5, 0, 0, 0), geom.Vec3{Y: 1}, 80, -1},
		{"along", testground.Place(3, 20, 5, 0, 0, 0), geom.Vec3{X: 1}, 80, -1},
		{"slanted", testground.Place(-40, 56, 5, 0, 0.5, 0), geom.Vec3{X: 1, Y: -1}, 80, 40 * math.Sqrt2},
		{"far", testground.Place(-40, 1016, 5, 0, 0.5, 0), down, 2000, 1000},
		{"from within", testground.Place(3, 2, 5, 0, 0, 0), down, 80, 0},
		{"no direction", testground.Place(3, 20, 5, 0, 0, 0), geom.Vec3{}, 80, -1},
		{"direction not a number", testground.Place(3, 20, 5, 0, 0, 0), geom.Vec3{X: float32(math.NaN()), Y: -1}, 80, -1},
		{"direction infinite", testground.Place(3, 20, 5, 0, 0, 0), geom.Vec3{Y: float32(math.Inf(-1))}, 80, -1},
		{"reach not a number", testground.Place(3, 20, 5, 0, 0, 0), down, float32(math.NaN()), -1},
		{"reach infinite", testground.Place(3, 20, 5, 0, 0, 0), down, float32(math.Inf(1)), 3.5},
		{"place outside", testground.Place(math.MaxInt32, 20, 5, 0, 0, 0), down, 80, -1},
		{"out of the world", testground.Place(lattice.Limit-2, 20, 5, 0, 0, 0), geom.Vec3{X: 1, Y: 1e-4}, 4000, -1},
	} {
		h, ok := w.Ray(c.from, c.dir, c.reach)
		if ok != (c.want >= 0) || ok && math.Abs(float64(h.Distance)-c.want) > 1e-5*max(1, c.want) {
			t.Errorf("%s: %+v, %v, want distance %v", c.name, h, ok, c.want)
		}
		if !ok || c.want == 0 {
			continue
		}
		if _, y, _ := h.Place.Meters(); math.Abs(y-16.5) > 1e-5 || h.Normal.Y < 1-1e-6 {
			t.Errorf("%s: hits at y = %v, normal %v", c.name, y, h.Normal)
		}
	}
	inside, _ := w.Ray(testground.Place(3, 2, 5, 0, 0, 0), geom.Vec3{X: 3}, 80)
	if inside.Normal != (geom.Vec3{X: -1}) || inside.Place != testground.Place(3, 2, 5, 0, 0, 0) {
		t.Errorf("from within: %+v", inside)
	}
}

// trilinear returns the density at a point in meters.
func trilinear(w *World, x, y, z float64) float64 {
	fx, fy, fz := math.Floor(x), math.Floor(y), math.Floor(z)
	x, y, z = x-fx, y-fy, z-fz
	sum := 0.0
	for i := range int32(8) {
		weight := 1.0
		for axis, at := range [3]float64{x, y, z} {
			if i>>axis&1 != 0 {
				weight *= at
			} else {
				weight *= 1 - at
			}
		}
		if weight > 0 {
			sum += weight * float64(w.At(lattice.Sample{X: int32(fx) + i&1, Y: int32(fy) + i>>1&1, Z: int32(fz) + i>>2}))
		}
	}
	return sum
}

// TestRayMissesNothing follows rays over testground.Rough, edited ground in small steps: the hit is never after the first
// step in the ground, and lies on the surface.
func TestRayMissesNothing(t *testing.T) {
	w, r := busy(3, 0), rand.New(rand.NewPCG(1, 1))
	hits, missed := 0, 0
	for range 400 {
		from := testground.Place(r.Int32N(60)-30, 10+r.Int32N(30), r.Int32N(60)-30, r.Float32(), r.Float32(), r.Float32())
		dir := geom.Vec3{X: r.Float32()*2 - 1, Y: r.Float32()*1.2 - 1, Z: r.Float32()*2 - 1}
		switch r.IntN(8) { // along axes and planes too
		case 0:
			dir.X = 0
		case 1:
			dir.X, dir.Z = 0, 0
		case 2:
			from.Offset = geom.Vec3{}
			dir = geom.Vec3{X: 1, Y: -1, Z: -1}
		}
		const reach = 60
		h, ok := w.Ray(from, dir, reach)
		u := dir.Unit()
		fx, fy, fz := from.Meters()
		at := func(d float64) float64 {
			return trilinear(w, fx+float64(u.X)*d, fy+float64(u.Y)*d, fz+float64(u.Z)*d)
		}
		end := float64(reach)
		if ok {
			hits++
			end = float64(h.Distance) - 1e-4
		} else {
			missed++
		}
		for d := 0.0; d < end; d += 1.0 / 64 {
			if at(d) > 1e-4 {
				t.Fatalf("from %v along %v: hit %+v, %v, but density %v at %v", from, dir, h, ok, at(d), d)
			}
		}
		if !ok {
			continue
		}
		if d := at(float64(h.Distance)); h.Distance > 0 && math.Abs(d) > 1e-3 {
			t.Errorf("from %v along %v: density %v at the hit", from, dir, d)
		}
		if x, y, z := h.Place.Meters(); math.Abs(x-fx-float64(u.X*h.Distance))+math.Abs(y-fy-float64(u.Y*h.Distance))+math.Abs(z-fz-float64(u.Z*h.Distance)) > 1e-4 {
			t.Errorf("from %v along %v: place %v is not %v away", from, dir, h.Place, h.Distance)
		}
		if l := h.Normal.Len(); math.Abs(float64(l)-1) > 1e-5 {
			t.Errorf("normal %v", h.Normal)
		}
	}
	if hits < 100 || missed < 20 {
		t.Errorf("%d hits, %d misses", hits, missed)
	}
}

// TestRayThinWall shoots at walls one sample thick whose density barely is solid.
func TestRayThinWall(t *testing.T) {
	for _, solid := range []float32{1, 0.01, 1e-6} {
		w := New(wall{testground.Constant(-1), 20, solid})
		r := rand.New(rand.NewPCG(2, 2))
		for range 200 {
			// At a sample of the wall, which is the one place where it is sure to be solid.
			target := testground.Place(20, r.Int32N(40), r.Int32N(40), 0, 0, 0)
			from := testground.Place(0, r.Int32N(40), r.Int32N(40), 0, 0, 0)
			h, ok := w.Ray(from, target.From(from.Sample), 80)
			if want := target.From(from.Sample).Len(); !ok || math.Abs(float64(h.Distance-want)) > 1.5 {
				t.Fatalf("density %v, from %v at %v: %+v, %v", solid, from, target, h, ok)
			}
		}
	}
}

// A wall is a terrain with one solid layer of samples at x in the air.
type wall struct {
	testground.Constant
	x     int32
	solid float32
}

func (w wall) At(s lattice.Sample) float32 {
	if s.X == w.x {
		return w.solid
	}
	return -1
}

func (w wall) Fill(g *grid.Grid) {
	for i := range g.Samples {
		g.Samples[i] = w.At(g.Corner().Add(int32(i%g.Side()), 0, 0))
	}
}

func (w wall) Bounds(b lattice.Box) geom.Interval {
	iv := geom.Interval{Lo: -1, Hi: -1}
	if b.Min.X <= w.x && b.Max.X > w.x {
		iv.Hi = w.solid
	}
	return iv
}

func TestRayPending(t *testing.T) {
	w := New(testground.Ground{Height: 16.5})
	from, down := testground.Place(3, 40, 5, 0, 0, 0), geom.Vec3{Y: -1}
	dig := testground.Ball(edit.Dig, 5, 0, testground.Place(3, 16, 5, 0, 0.5, 0))
	w.Pend(1, dig)
	pending, _ := w.Ray(from, down, 80)
	w.Confirm(1, dig, nil)
	confirmed, ok := w.Ray(from, down, 80)
	if !ok || pending != confirmed || math.Abs(float64(confirmed.Distance)-28.5) > 1e-3 {
		t.Errorf("pending %+v, confirmed %+v", pending, confirmed)
	}
}

// TestRayFarAway casts the same rays ten million meters apart: the hits are the same to the bit.
func TestRayFarAway(t *testing.T) {
	near, r := New(testground.Rough), rand.New(rand.NewPCG(9, 9))
	o := lattice.Sample{X: 10_000_000, Y: -9_999_968, Z: -10_000_000}
	ground := testground.Rough
	ground.Origin = o
	far := New(ground)
	for range 200 {
		from := testground.Place(r.Int32N(60)-30, 20+r.Int32N(30), r.Int32N(60)-30, r.Float32(), r.Float32(), r.Float32())
		dir := geom.Vec3{X: r.Float32()*2 - 1, Y: -r.Float32(), Z: r.Float32()*2 - 1}
		a, okA := near.Ray(from, dir, 80)
		from.Sample = from.Sample.Add(o.X, o.Y, o.Z)
		b, okB := far.Ray(from, dir, 80)
		if okA {
			a.Place.Sample = a.Place.Sample.Add(o.X, o.Y, o.Z)
		}
		if okA != okB || a != b {
			t.Fatalf("from %v along %v: near %+v, %v, far %+v, %v", from, dir, a, okA, b, okB)
		}
	}
}

// TestRayLevel casts rays through coarser samples of a plane, which show the same plane.
func TestRayLevel(t *testing.T) {
	for level := uint8(0); level <= 3; level++ {
		w := NewLevel(testground.Ground{Height: -7.25, SlopeX: 0.5}, level)
		h, ok := w.Ray(testground.Place(-5, 30, -3, 0.25, 0.5, 0.75), geom.Vec3{Y: -1}, 80)
		if want := float32(30.5 + 7.25 + 0.5*4.75); !ok || math.Abs(float64(h.Distance-want)) > 1e-4 {
			t.Errorf("level %d: %+v, %v, want distance %v", level, h, ok, want)
		}
	}
}
