package edit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// exact returns the distance of p from the shape of b in float64, by other means than the rows: the nearest of many
// points where there is no formula.
func exact(b Brush, p geom.Vec3) float64 {
	x, y, z := float64(p.X), float64(p.Y), float64(p.Z)
	ex, ey, ez, r := float64(b.Extent.X), float64(b.Extent.Y), float64(b.Extent.Z), float64(b.Radius)
	switch b.Shape {
	case Ball:
		return math.Sqrt(x*x+y*y+z*z) - r
	case Box:
		q := func(v, e float64) float64 { return math.Abs(v) - (e - r) }
		qx, qy, qz := q(x, ex), q(y, ey), q(z, ez)
		out := func(v float64) float64 { return math.Max(v, 0) }
		return math.Hypot(math.Hypot(out(qx), out(qy)), out(qz)) + math.Min(math.Max(qx, math.Max(qy, qz)), 0) - r
	case Stroke:
		d := math.Inf(1)
		for i := range 2001 {
			t := float64(i) / 2000
			d = math.Min(d, math.Hypot(math.Hypot(x-t*ex, y-t*ey), z-t*ez))
		}
		return d - r
	}
	panic("no such shape")
}

// TestDistances holds the distances of all shapes, negative ones as well, against others.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 400 {
		c := someEdit(r, 0, 10_000_000)
		e := c.Edit()
		s := e.Place.Sample.Add(r.Int32N(50)-25, r.Int32N(50)-25, r.Int32N(50)-25)
		var d [8]float32
		e.distances(d[:], s, 0, 100)
		for i, got := range d {
			at := s.Add(int32(i), 0, 0)
			p := geom.Vec3{
				X: float32(at.X-e.Place.Sample.X) - e.Place.Offset.X, Y: float32(at.Y-e.Place.Sample.Y) - e.Place.Offset.Y,
				Z: float32(at.Z-e.Place.Sample.Z) - e.Place.Offset.Z,
			}
			if want := exact(e.Brush, p); math.Abs(float64(got)-want) > 1e-3 {
				t.Fatalf("%+v at %v: distance %v, want %v", e, at, got, want)
			}
		}
	}
}

// TestLeast checks that no sample of a box is nearer to a shape than least says, and that least is not far off.
func TestLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		e := someEdit(r, 0).Edit()
		lo := lattice.Sample{X: r.Int32N(60) - 30, Y: r.Int32N(60) - 30, Z: r.Int32N(60) - 30}
		b := lattice.Box{Min: lo, Max: lo.Add(1+r.Int32N(6), 1+r.Int32N(6), 1+r.Int32N(6))}
		found := float32(math.Inf(1))
		var row [6]float32
		for z := b.Min.Z; z < b.Max.Z; z++ {
			for y := b.Min.Y; y < b.Max.Y; y++ {
				d := row[:b.Max.X-b.Min.X]
				e.distances(d, lattice.Sample{X: b.Min.X, Y: y, Z: z}, 0, 1000)
				for _, v := range d {
					found = scalar.Smaller(found, v)
				}
			}
		}
		if least := e.least(b); least > found || least < found-10 {
			t.Fatalf("%+v in %v: least %v, found %v", e, b, least, found)
		}
	}
}

func TestCheckShapes(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		b    Brush
		ok   bool
	}{
		{"a box", Brush{Shape: Box, Extent: geom.Vec3{X: 1, Y: 2, Z: 64}}, true},
		{"a round box", Brush{Shape: Box, Extent: geom.Vec3{X: 1, Y: 2, Z: 3}, Radius: 1}, true},
		{"a box rounder than it is thick", Brush{Shape: Box, Extent: geom.Vec3{X: 1, Y: 2, Z: 3}, Radius: 1.1}, false},
		{"a flat box", Brush{Shape: Box, Extent: geom.Vec3{X: 1, Y: 0, Z: 3}}, false},
		{"a large box", Brush{Shape: Box, Extent: geom.Vec3{X: 65, Y: 1, Z: 3}}, false},
		{"a smooth large box", Brush{Shape: Box, Extent: geom.Vec3{X: 63, Y: 1, Z: 3}, Smooth: 2}, false},
		{"a box of NaN", Brush{Shape: Box, Extent: geom.Vec3{X: nan, Y: 1, Z: 3}}, false},
		{"a box with edges of NaN", Brush{Shape: Box, Extent: geom.Vec3{X: 2, Y: 1, Z: 3}, Radius: nan}, false},
		{"a stroke", Brush{Shape: Stroke, Extent: geom.Vec3{X: -60, Y: 60}, Radius: 4}, true},
		{"a stroke of no length", Brush{Shape: Stroke, Radius: 4}, true},
		{"a long stroke", Brush{Shape: Stroke, Extent: geom.Vec3{X: -61}, Radius: 4}, false},
		{"a smooth long stroke", Brush{Shape: Stroke, Extent: geom.Vec3{Z: 60}, Radius: 3, Smooth: 2}, false},
		{"a thin stroke", Brush{Shape: Stroke, Extent: geom.Vec3{Z: 5}, Radius: 0.1}, false},
		{"a thick stroke", Brush{Shape: Stroke, Radius: 63, Smooth: 4}, false},
		{"a stroke to NaN", Brush{Shape: Stroke, Extent: geom.Vec3{Y: nan}, Radius: 3}, false},
		{"a ball with an extent", Brush{Shape: Ball, Extent: geom.Vec3{Y: 1}, Radius: 3}, false},
	} {
		for _, op := range []Op{Dig, Build, Paint} {
			c.b.Op = op
			if op == Paint && c.b.Smooth != 0 {
				continue
			}
			if err := refused(t, Edit{Brush: c.b}); (err == nil) != c.ok {
				t.Errorf("%v of %s: %v", op, c.name, err)
			}
		}
	}
	for s := Shape(1); s.Valid(); s++ {
		for _, size := range []float32{0.5, 3, 8} {
			b := Brush{Op: Build, Shape: s}.Sized(size, geom.Vec3{X: 4, Y: -3})
			if err := refused(t, Edit{Brush: b}); err != nil {
				t.Errorf("a %v of size %v: %v", s, size, err)
			}
		}
		if s.Distance() == "" {
			t.Errorf("a %v has no distance for shaders", s)
		}
	}
}
