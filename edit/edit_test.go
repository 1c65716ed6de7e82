package edit

import (
	"errors"
	"math"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

func ball(op Op, r, k float32) Edit {
	return Edit{
		Brush: Brush{Op: op, Shape: Ball, Radius: r, Smooth: k}, Place: lattice.Place{Sample: lattice.Sample{X: 100, Y: -7, Z: 31}},
	}
}

func TestReach(t *testing.T) {
	for _, c := range []struct {
		radius float32
		want   int
	}{{1.5, 179}, {3, 515}, {8, 4169}} {
		e, n := Must(ball(Build, c.radius, 0)), 0
		b := e.Box(0)
		for z := b.Min.Z - 1; z <= b.Max.Z; z++ {
			for y := b.Min.Y - 1; y <= b.Max.Y; y++ {
				for x := b.Min.X - 1; x <= b.Max.X; x++ {
					s := lattice.Sample{X: x, Y: y, Z: z}
					if e.Value(-1e30, s, 0) != -1e30 {
						n++
						if !b.Contains(s) {
							t.Fatalf("radius %v changes %v outside %v", c.radius, s, b)
						}
					}
				}
			}
		}
		if n != c.want {
			t.Errorf("radius %v reaches %d samples, want %d", c.radius, n, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	at := lattice.Sample{X: 100, Y: -7, Z: 31}
	for _, c := range []struct {
		name   string
		e      Edit
		before float32
		want   float32
	}{
		{"dig", ball(Dig, 3, 0), 5, -3},
		{"dig in air", ball(Dig, 3, 0), -5, -5},
		{"build", ball(Build, 3, 0), -5, 3},
		{"build in ground", ball(Build, 3, 0), 5, 5},
		{"smooth dig, far apart", ball(Dig, 3, 1), 5, -3},
		{"smooth dig", ball(Dig, 3, 2), -3, -3.5},
		{"smooth build", ball(Build, 3, 2), 3, 3.5},
		{"minus zero", ball(Dig, 3, 0), float32(math.Copysign(0, -1)), -3},
	} {
		if got := Must(c.e).Value(c.before, at, 0); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	rim := at.Add(3, 0, 0)
	for _, op := range []Op{Dig, Build} {
		if got := Must(ball(op, 3, 0)).Value(float32(math.Copysign(0, -1)), rim, 0); math.Float32bits(got) != 0 {
			t.Errorf("op %d stores %x for a zero", op, math.Float32bits(got))
		}
	}
}

// refused returns the error of checking e, and holds Check to what it promises with one.
func refused(t *testing.T, e Edit) error {
	t.Helper()
	c, err := e.Check()
	if err != nil && (c != Checked{} || !errors.Is(err, ErrInvalid)) {
		t.Errorf("%+v: %+v, %v", e, c, err)
	}
	return err
}

func TestCheck(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, r := range []float32{nan, inf, -inf, 0, -1, 1e6, 64.5, math.SmallestNonzeroFloat32} {
		if refused(t, ball(Dig, r, 0)) == nil {
			t.Errorf("radius %v is accepted", r)
		}
	}
	for _, k := range []float32{nan, inf, -1, 62} {
		if refused(t, ball(Dig, 3, k)) == nil {
			t.Errorf("smooth %v is accepted", k)
		}
	}
	for _, p := range []lattice.Place{
		{Sample: lattice.Sample{X: math.MinInt32}}, {Sample: lattice.Sample{Y: math.MaxInt32}},
		{Offset: geom.Vec3{X: nan}}, {Offset: geom.Vec3{Y: 1}}, {Offset: geom.Vec3{Z: -0.5}},
	} {
		e := ball(Dig, 3, 0)
		e.Place = p
		if refused(t, e) == nil {
			t.Errorf("place %v is accepted", p)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Must(ball(Dig, 3, 0)).AppendBinary(nil))
	f.Add(Must(ball(Build, 8, 2)).AppendBinary(nil))
	paint := ball(Paint, 8, 0)
	paint.Material = 200
	f.Add(Must(paint).AppendBinary(nil))
	f.Add(Must(Edit{Brush: Brush{Op: Build, Shape: Box, Extent: geom.Vec3{X: 5, Y: 1, Z: 9}, Smooth: 1}}).AppendBinary(nil))
	f.Add(Must(Edit{Brush: Brush{Op: Paint, Shape: Stroke, Extent: geom.Vec3{X: 5, Y: -1}, Radius: 3, Material: 3}}).AppendBinary(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, rest, err := Parse(data)
		if err != nil {
			return
		}
		if got := e.AppendBinary(nil); string(got) != string(data[:len(got)]) || len(rest) != len(data)-len(got) {
			t.Fatalf("%x reads as %+v and writes %x", data, e, got)
		}
	})
}
