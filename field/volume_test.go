package field_test

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/field/fieldtest"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
)

// volumeWorld compiles the world of a volume round the origin.
func volumeWorld(t testing.TB, v *raster.Volume, at lattice.Place, spacing geom.Vec3) field.Terrain {
	t.Helper()
	data := v.AppendBinary(nil)
	var b graph.Builder
	b.Volume(sha256.Sum256(data), at, spacing, 1, 0)
	f, err := field.Compile(b.Graph(), func(asset.Hash) ([]byte, error) { return data, nil })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func randomVolume(r *rand.Rand, nx, ny, nz int, value func() float32) *raster.Volume {
	v := &raster.Volume{Volume: *grid.NewVolume(nx, ny, nz), MetersX: 1, MetersY: 1, MetersZ: 1, Scale: 1}
	for i := range v.Samples {
		v.Samples[i] = value()
	}
	return v
}

// TestVolumeIsExact checks that samples that fall on samples of the world are what the volume says, or the depth
// below the nearest face, and that a linear volume is linear between.
func TestVolumeIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := randomVolume(r, 21, 9, 33, func() float32 { return float32(r.IntN(200) - 100) })
	for _, o := range []lattice.Sample{{}, {X: 10_000_000, Y: -3, Z: -9_999_999}} {
		f := volumeWorld(t, v, lattice.Place{Sample: o}, geom.Vec3{X: 1, Y: 2, Z: 1})
		fieldtest.Test(t, f, 1)
		for i, want := range v.Samples {
			x, y, z := int32(i%21)-10, 2*(int32(i/21%9)-4), int32(i/(21*9))-16
			face := float32(min(10-x, 10+x, 8-y, 8+y, 16-z, 16+z))
			if got := f.At(o.Add(x, y, z)); got != min(want, face) {
				t.Fatalf("at %d, %d, %d from %v: %v, want %v or %v", x, y, z, o, got, want, face)
			}
		}
		if got := f.At(o.Add(13, 0, 0)); got != -3 {
			t.Errorf("three meters beyond a face: %v, want -3", got)
		}
	}
	v = randomVolume(r, 5, 5, 5, func() float32 { return 0 })
	for i := range v.Samples {
		v.Samples[i] = float32(i%5) + 2*float32(i/5%5) - float32(i/25)
	}
	f := volumeWorld(t, v, lattice.Place{}, geom.Vec3{X: 16, Y: 16, Z: 16})
	for _, s := range []lattice.Sample{{X: 3, Y: 5, Z: 7}, {X: -17, Y: 1, Z: 20}, {X: -20, Y: -9, Z: -2}} {
		want := float64(s.X)/16 + 2 + 2*(float64(s.Y)/16+2) - (float64(s.Z)/16 + 2)
		if got := f.At(s); math.Abs(float64(got)-want) > 1e-5 {
			t.Errorf("at %v: %v, want %v", s, got, want)
		}
	}
}

// TestVolumeKinds checks that each kind of sample comes back as it was and takes the bytes it should.
func TestVolumeKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name  string
		bytes int
		value func() float32
	}{
		{"uint8", 1, func() float32 { return float32(r.IntN(256)) }},
		{"int16", 2, func() float32 { return float32(r.IntN(65536) - 32768) }},
		{"uint16", 2, func() float32 { return float32(r.IntN(65536)) }},
		{"float32", 4, func() float32 { return r.Float32() - 0.5 }},
	} {
		v := randomVolume(r, 17, 3, 9, c.value)
		v.Scale, v.Offset, v.MetersY = 0.5, -3, 2.5
		data := v.AppendBinary([]byte("x"))[1:]
		if want := 52 + 17*3*9*c.bytes + 4; len(data) != want {
			t.Errorf("%s: %d bytes, want %d", c.name, len(data), want)
		}
		got, err := raster.ParseVolume(data)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Samples, v.Samples) || got.MetersY != 2.5 || got.Scale != 0.5 || got.Offset != -3 {
			t.Errorf("%s: came back as %v, %v, %v", c.name, got.MetersY, got.Scale, got.Offset)
		}
		for i := range data {
			if _, err := raster.ParseVolume(data[:i]); err == nil {
				t.Fatalf("%s: the first %d of %d bytes parse", c.name, i, len(data))
			}
		}
	}
}

func TestVolumeRefuses(t *testing.T) {
	ok := raster.Volume{Volume: *grid.NewVolume(2, 2, 2), MetersX: 1, MetersY: 1, MetersZ: 1, Scale: 1}
	for _, c := range []struct {
		name   string
		change func(v *raster.Volume)
		want   string
	}{
		{"thin", func(v *raster.Volume) { v.NY = 1 }, "1 samples along y, want 2 … 4096"},
		{"wide", func(v *raster.Volume) { v.NZ = 5000 }, "5000 samples along z"},
		{"large", func(v *raster.Volume) { v.NX, v.NY, v.NZ = 4096, 4096, 4096 }, "at most 134217728 in all"},
		{"values", func(v *raster.Volume) { v.NX = 3 }, "3×2×2 samples has 8 values"},
		{"spacing", func(v *raster.Volume) { v.MetersX = math.NaN() }, "apart along x"},
		{"scale", func(v *raster.Volume) { v.Scale = float32(math.Inf(1)) }, "value scale +Inf"},
		{"NaN", func(v *raster.Volume) { v.Samples[5] = float32(math.NaN()) }, "sample 1,0,1 means NaN"},
	} {
		v := ok
		v.Samples = slices.Clone(ok.Samples)
		c.change(&v)
		if err := v.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzParseVolume(f *testing.F) {
	for _, value := range []float32{1, -1, 300, 70000, 0.5} {
		v := raster.Volume{Volume: *grid.NewVolume(2, 3, 2), MetersX: 1, MetersY: 1, MetersZ: 1, Scale: 1}
		v.Samples[7] = value
		f.Add(v.AppendBinary(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := raster.ParseVolume(seal(slices.Clone(data), 0))
		if err != nil {
			return
		}
		again, err := raster.ParseVolume(v.AppendBinary(nil))
		if err != nil || !slices.Equal(again.Samples, v.Samples) {
			t.Fatalf("%x parses, and what it is written as does not: %v", data, err)
		}
	})
}

// TestRotate checks the sense of turns, that they add up, and that stretching comes first.
func TestRotate(t *testing.T) {
	at := lattice.Place{Sample: lattice.Sample{X: 5, Y: 7, Z: -3}}
	build := func(f func(b *graph.Builder, r graph.Ref)) field.Terrain {
		var b graph.Builder
		r := b.Box(at, geom.Vec3{X: 10, Y: 2, Z: 1}, 0)
		f(&b, r)
		return compile(t, b.Graph())
	}
	for _, c := range []struct {
		name string
		f    field.Terrain
		in   lattice.Sample // of the box, from its place, where it reaches
	}{
		{"as it is", build(func(*graph.Builder, graph.Ref) {}), lattice.Sample{X: 9}},
		{"round y", build(func(b *graph.Builder, r graph.Ref) { b.Rotate(r, geom.Vec3{Y: 2}, 90) }), lattice.Sample{Z: -9}},
		{"round z", build(func(b *graph.Builder, r graph.Ref) { b.Rotate(r, geom.Vec3{Z: 1}, 90) }), lattice.Sample{Y: 9}},
		{"round x", build(func(b *graph.Builder, r graph.Ref) { b.Rotate(r, geom.Vec3{X: 1}, 90) }), lattice.Sample{X: 9, Z: 1}},
		{"an eighth", build(func(b *graph.Builder, r graph.Ref) { b.Rotate(r, geom.Vec3{Z: 1}, 45) }), lattice.Sample{X: 6, Y: 6}},
		{"twice", build(func(b *graph.Builder, r graph.Ref) {
			b.Rotate(b.Rotate(r, geom.Vec3{Z: 1}, 90), geom.Vec3{X: 1}, 90)
		}), lattice.Sample{Z: 9}},
		{"stretched", build(func(b *graph.Builder, r graph.Ref) {
			b.Stretch(b.Rotate(r, geom.Vec3{Z: 1}, 90), geom.Vec3{X: 2, Y: 1, Z: 1})
		}), lattice.Sample{Y: 19}},
	} {
		s := at.Sample.Add(c.in.X, c.in.Y, c.in.Z)
		if d := c.f.At(s); d <= 0 {
			t.Errorf("%s: density %v at %v from the place, want it inside", c.name, d, c.in)
		}
		fieldtest.Test(t, c.f, 1)
	}
}
