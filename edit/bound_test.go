package edit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// someEdit returns a random edit near a random one of places, any operation and shape.
func someEdit(r *rand.Rand, places ...int32) Checked {
	at := func() int32 { return places[r.IntN(len(places))] }
	for {
		e := Edit{
			Brush: Brush{
				Op: Op(1 + r.IntN(len(operations)-1)), Shape: Shape(1 + r.IntN(len(shapes)-1)), Radius: MinRadius + 12*r.Float32(),
			},
			Place: lattice.Place{
				Sample: lattice.Sample{X: at(), Y: at(), Z: at()},
				Offset: geom.Vec3{X: r.Float32(), Y: r.Float32(), Z: r.Float32()},
			},
		}
		switch {
		case e.Op.kind().plane == Materials:
			e.Material = uint8(r.IntN(256))
		case r.IntN(2) == 0:
			e.Smooth = 4 * r.Float32()
		}
		if e.Shape != Ball {
			e.Extent = geom.Vec3{X: 40*r.Float32() - 20, Y: 40*r.Float32() - 20, Z: 40*r.Float32() - 20}
		}
		if c, err := e.Check(); err == nil {
			return c
		}
	}
}

// TestBoxAndRows checks, at every level, that no sample outside Box changes, that Rows yields every sample within a
// box that changes, once and within the box, and that rows equal single samples bit for bit.
func TestBoxAndRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		level := uint8(r.IntN(4))
		c := someEdit(r, 0, -10_000_000, lattice.Limit-200)
		box, step := c.Box(level), int32(1)<<level
		within := lattice.Box{Min: box.Min.Add(r.Int32N(9)-4, r.Int32N(9)-4, r.Int32N(9)-4), Max: box.Max.Add(r.Int32N(9)-4, r.Int32N(9)-4, r.Int32N(9)-4)}
		reached := map[lattice.Sample]bool{}
		for s, n := range c.Rows(within, level) {
			before := make([]float32, n)
			for i := range before {
				before[i] = 60*r.Float32() - 30
			}
			row := append([]float32(nil), before...)
			c.Row(row, s, level)
			for i, got := range row {
				at := s.Add(int32(i)*step, 0, 0)
				if want := c.Value(before[i], at, level); math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("%+v at level %d: row gives %v at %v, value %v", c, level, got, at, want)
				}
				if reached[at] || !within.Contains(at) || (at.X|at.Y|at.Z)&(step-1) != 0 {
					t.Fatalf("%+v at level %d: %v is yielded twice, outside %v or between samples", c, level, at, within)
				}
				reached[at] = true
			}
		}
		for range 2000 {
			s := box.Min.Add(-9*step, -9*step, -9*step)
			n := box.Max.X - box.Min.X + 18*step
			s = s.Add(r.Int32N(n)&^(step-1), r.Int32N(box.Max.Y-box.Min.Y+18*step), r.Int32N(box.Max.Z-box.Min.Z+18*step))
			s = lattice.Sample{X: s.X &^ (step - 1), Y: s.Y &^ (step - 1), Z: s.Z &^ (step - 1)}
			for _, before := range []float32{-1e9, 1e9} {
				if c.Value(before, s, level) == before {
					continue
				}
				if !box.Contains(s) || within.Contains(s) && !reached[s] {
					t.Fatalf("%+v at level %d changes %v: box %v, in %v", c, level, s, box, within)
				}
			}
		}
	}
}

// TestBound checks that Bound holds whatever an edit makes of densities within an interval, and that CannotChange is
// never wrong.
func TestBound(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	changed, certain := 0, 0
	for range 3000 {
		level := uint8(r.IntN(3))
		c := someEdit(r, 0, 10_000_000)
		if c.Plane() == Materials {
			if iv := (geom.Interval{Lo: 1, Hi: 2}); c.Bound(iv, c.Box(0)) != iv || c.CannotChange(iv, c.Box(0)) {
				t.Fatalf("%+v moves densities, or cannot change materials", c)
			}
			continue
		}
		b := c.Box(level)
		at := func(lo, hi int32) (int32, int32) {
			v := lo + r.Int32N(hi-lo)
			return v, v + 1 + r.Int32N(hi-v)
		}
		b.Min.X, b.Max.X = at(b.Min.X, b.Max.X)
		b.Min.Y, b.Max.Y = at(b.Min.Y, b.Max.Y)
		b.Min.Z, b.Max.Z = at(b.Min.Z, b.Max.Z)
		iv := geom.Interval{Lo: 30*r.Float32() - 15}
		iv.Hi = iv.Lo + 4*r.Float32()*r.Float32()
		bound, cannot := c.Bound(iv, b), c.CannotChange(iv, b)
		for range 60 {
			s := b.Min.Add(r.Int32N(b.Max.X-b.Min.X), r.Int32N(b.Max.Y-b.Min.Y), r.Int32N(b.Max.Z-b.Min.Z))
			before := iv.Lo + (iv.Hi-iv.Lo)*r.Float32()
			switch r.IntN(4) {
			case 0:
				before = iv.Lo
			case 1:
				before = iv.Hi
			}
			after := c.Value(before, s, level)
			if !(after >= bound.Lo && after <= bound.Hi) {
				t.Fatalf("%+v makes %v of %v at %v, bound %v of %v in %v", c, after, before, s, bound, iv, b)
			}
			if after != before {
				if changed++; cannot {
					t.Fatalf("%+v makes %v of %v at %v, and cannot change %v in %v", c, after, before, s, iv, b)
				}
			}
		}
		if cannot {
			certain++
		}
	}
	if changed < 1000 || certain < 100 {
		t.Errorf("%d samples changed, %d times nothing could", changed, certain)
	}
}

// TestSmoothBound is a smooth hole just under ground that is barely solid: it breaks through though the brush itself
// does not reach so far.
func TestSmoothBound(t *testing.T) {
	e := ball(Dig, 3, 2)
	s := e.Place.Sample.Add(4, 0, 0)
	c, before := Must(e), float32(0.05)
	after := c.Value(before, s, 0)
	b := c.Bound(geom.Interval{Lo: before, Hi: before}, lattice.Box{Min: s, Max: s.Add(1, 1, 1)})
	if !(after < 0 && b.Lo <= after) {
		t.Errorf("%v becomes %v, bound %v", before, after, b)
	}
}
