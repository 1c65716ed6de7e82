package field_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
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
	"github.com/terrane/terrane/template"
)

// randomRaster returns a raster of mountains, rough from sample to sample.
func randomRaster(r *rand.Rand, width, height int) *raster.Raster {
	a := &raster.Raster{Width: width, Height: height, MetersX: 30, MetersZ: 30, Scale: 1, Values: make([]float32, width*height)}
	for i := range a.Values {
		a.Values[i] = float32(r.IntN(3000) - 200)
	}
	return a
}

// heightmap compiles the world of a raster.
func heightmap(t testing.TB, a *raster.Raster, p template.HeightmapParams) field.Terrain {
	t.Helper()
	data := a.AppendBinary(nil)
	hash := sha256.Sum256(data)
	f, err := field.Compile(template.Heightmap(hash, p), func(h asset.Hash) ([]byte, error) {
		if h != hash {
			t.Fatalf("asked for asset %v, want %x", h, hash)
		}
		return data, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestHeightmap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, c := range []struct {
		name          string
		width, height int
		template.HeightmapParams
	}{
		{"odd", 33, 21, template.HeightmapParams{MetersX: 30, MetersZ: 30}},
		{"even", 32, 2, template.HeightmapParams{MetersX: 62.7, MetersZ: 92.8, Scale: 0.1, Base: -3}},
		{"dense", 65, 65, template.HeightmapParams{MetersX: 0.25, MetersZ: 0.01, Scale: 1}},
		{"wide", 5, 5, template.HeightmapParams{MetersX: 1e6, MetersZ: 1e5, Scale: 0.5}},
		{"large", 300, 280, template.HeightmapParams{MetersX: 4, MetersZ: 4, Scale: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fieldtest.Test(t, heightmap(t, randomRaster(r, c.width, c.height), c.HeightmapParams), 1)
		})
	}
}

// TestHeightmapIsExact checks that the ground passes through every sample of the raster, where these fall on
// samples of the world, and that it is level beyond the edges.
func TestHeightmapIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	a := randomRaster(r, 41, 31)
	for _, c := range []struct {
		scale float64
		step  int32 // samples of the world from one of the raster to the next
	}{{1, 30}, {0.1, 3}, {0.5, 15}} {
		f := heightmap(t, a, template.HeightmapParams{MetersX: 30, MetersZ: 30, Scale: c.scale})
		for j := range int32(31) {
			for i := range int32(41) {
				x, z := (i-20)*c.step, (j-15)*c.step
				want := a.Values[j*41+i] * float32(c.scale)
				if got := f.Ground(x, z); got != want {
					t.Fatalf("scale %v: ground at %d, %d is %v, want %v", c.scale, x, z, got, want)
				}
			}
		}
		for _, far := range []int32{20*c.step + 1, 10_000, lattice.Limit} {
			if got, want := f.Ground(far, 15*c.step), a.Values[30*41+40]*float32(c.scale); got != want {
				t.Errorf("scale %v: ground east of the south-east corner is %v, want %v", c.scale, got, want)
			}
			if got, want := f.Ground(-far, -far), a.Values[0]*float32(c.scale); got != want {
				t.Errorf("scale %v: ground beyond the north-west corner is %v, want %v", c.scale, got, want)
			}
		}
	}
}

// TestHeightmapIsSmooth checks that a slanted plane stays one, and that the slope of rough ground changes
// little from meter to meter.
func TestHeightmapIsSmooth(t *testing.T) {
	a := &raster.Raster{Width: 20, Height: 20, MetersX: 1, MetersZ: 1, Scale: 1, Values: make([]float32, 400)}
	for i := range a.Values {
		a.Values[i] = float32(2*(i%20) - 3*(i/20))
	}
	f := heightmap(t, a, template.HeightmapParams{MetersX: 64, MetersZ: 64})
	for x := int32(-300); x < 300; x += 7 {
		for z := int32(-300); z < 300; z += 7 {
			want := 2*(float64(x)/64+9.5) - 3*(float64(z)/64+9.5)
			if got := float64(f.Ground(x, z)); math.Abs(got-want) > 1e-4 {
				t.Fatalf("plane at %d, %d: %v, want %v", x, z, got, want)
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 0))
	f = heightmap(t, randomRaster(r, 20, 20), template.HeightmapParams{MetersX: 1000, MetersZ: 1000, Scale: 0.1})
	for x := int32(-800); x < 800; x++ {
		bend := f.Ground(x-1, 77) + f.Ground(x+1, 77) - 2*f.Ground(x, 77)
		if bend < -0.7 || bend > 0.7 { // a raster this rough bends by up to 0.3 m in a meter
			t.Fatalf("the slope jumps by %v at %d", bend, x)
		}
	}
}

func TestRasterRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	for _, c := range []struct {
		name  string
		value func() float32
		bytes int // of a sample
	}{
		{"int16", func() float32 { return float32(r.IntN(1<<16) - 1<<15) }, 2},
		{"uint16", func() float32 { return float32(r.IntN(1 << 16)) }, 2},
		{"float", func() float32 { return r.Float32()*1e4 - 500 }, 4},
		{"negative zero", func() float32 { return float32(math.Copysign(0, -1)) }, 4},
		{"both signs over 16 bits", func() float32 { return float32(r.IntN(1<<17) - 1<<16) }, 4},
	} {
		a := &raster.Raster{Width: 13, Height: 7, MetersX: 92.77, MetersZ: 1e-3, Scale: 0.5, Offset: -12, Values: make([]float32, 91)}
		for i := range a.Values {
			a.Values[i] = c.value()
		}
		data := a.AppendBinary([]byte("x"))[1:]
		if want := 40 + 91*c.bytes + 4; len(data) != want {
			t.Errorf("%s: %d bytes, want %d", c.name, len(data), want)
		}
		got, err := raster.Parse(data)
		if err != nil || !reflect.DeepEqual(got, a) {
			t.Errorf("%s: %v, %+v, want %+v", c.name, err, got, a)
		}
		for i := range data {
			if _, err := raster.Parse(data[:i]); err == nil {
				t.Fatalf("%s: the first %d bytes parse", c.name, i)
			}
		}
		for range 50 {
			bad := slices.Clone(data)
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			if _, err := raster.Parse(bad); err == nil {
				t.Fatalf("%s: a raster with a flipped bit parses", c.name)
			}
		}
	}
}

func TestRasterRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for name, f := range map[string]func(a *raster.Raster){
		"narrow":        func(a *raster.Raster) { a.Width, a.Values = 1, a.Values[:2] },
		"too wide":      func(a *raster.Raster) { a.Width = 1 << 20 },
		"values short":  func(a *raster.Raster) { a.Values = a.Values[:3] },
		"no spacing":    func(a *raster.Raster) { a.MetersX = 0 },
		"NaN spacing":   func(a *raster.Raster) { a.MetersZ = math.NaN() },
		"NaN value":     func(a *raster.Raster) { a.Values[2] = nan },
		"infinite":      func(a *raster.Raster) { a.Values[1] = float32(math.Inf(-1)) },
		"too high":      func(a *raster.Raster) { a.Values[1] = 2e6 },
		"NaN scale":     func(a *raster.Raster) { a.Scale = nan },
		"scaled beyond": func(a *raster.Raster) { a.Scale = 1e6 },
	} {
		a := &raster.Raster{Width: 2, Height: 2, MetersX: 1, MetersZ: 1, Scale: 1, Values: []float32{1, 2, 3, 4}}
		f(a)
		if a.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestHostileRaster gives headers that promise more than is there.
func TestHostileRaster(t *testing.T) {
	good := randomRaster(rand.New(rand.NewPCG(5, 0)), 4, 4).AppendBinary(nil)
	for _, c := range []struct {
		name string
		at   int
		v    []byte
		want error
	}{
		{"magic", 0, []byte("PNG"), raster.ErrCorrupt},
		{"version", 4, []byte{9}, raster.ErrVersion},
		{"kind", 6, []byte{7}, raster.ErrCorrupt},
		{"huge", 8, []byte{0xff, 0xff, 0xff, 0x7f}, raster.ErrTooLarge},
		{"wider", 8, []byte{0, 0x40}, raster.ErrCorrupt},
		{"none", 8, []byte{0}, raster.ErrCorrupt},
	} {
		bad := slices.Clone(good)
		copy(bad[c.at:], c.v)
		if _, err := raster.Parse(bad); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func FuzzParseRaster(f *testing.F) {
	r := rand.New(rand.NewPCG(6, 0))
	f.Add(randomRaster(r, 3, 2).AppendBinary(nil))
	a := randomRaster(r, 2, 5)
	a.Values[3] = 0.25
	f.Add(a.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := raster.Parse(seal(slices.Clone(data), 0))
		if err != nil {
			return
		}
		again, err := raster.Parse(a.AppendBinary(nil))
		if err != nil || !bytes.Equal(again.AppendBinary(nil), a.AppendBinary(nil)) {
			t.Fatalf("%+v came back as %+v, %v", a, again, err)
		}
	})
}

func TestHeightmapAssets(t *testing.T) {
	data := randomRaster(rand.New(rand.NewPCG(7, 0)), 4, 4).AppendBinary(nil)
	g := template.Heightmap(sha256.Sum256(data), template.HeightmapParams{MetersX: 30, MetersZ: 30})
	for _, c := range []struct {
		name  string
		asset func(asset.Hash) ([]byte, error)
		want  string
	}{
		{"none", nil, "and none are there"},
		{"another", func(asset.Hash) ([]byte, error) { return data[1:], nil }, "its content has another hash"},
	} {
		if _, err := field.Compile(g, c.asset); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	short := data[:20]
	g = template.Heightmap(sha256.Sum256(short), template.HeightmapParams{MetersX: 30, MetersZ: 30})
	if _, err := field.Compile(g, func(asset.Hash) ([]byte, error) { return short, nil }); !errors.Is(err, raster.ErrCorrupt) {
		t.Errorf("a cut raster: %v", err)
	}
	g = template.Heightmap(sha256.Sum256(data), template.HeightmapParams{})
	if _, err := field.Compile(g, nil); err == nil || !strings.Contains(err.Error(), "spacing x is 0") {
		t.Errorf("no spacing: %v", err)
	}
}

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
