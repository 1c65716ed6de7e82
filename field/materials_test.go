package field_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/template"
)

// painted returns a world of rough ground with materials.
func painted() *graph.Graph {
	var b graph.Builder
	h := b.Scale(b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 2, Period: 30, Octaves: 3}), 14, 0)
	return b.PaintedWorld(b.Height(h), h, paint(&b, h), goldenPalette)
}

func TestMaterials(t *testing.T) {
	p, ok := compile(t, painted()).(field.MaterialSource)
	if !ok {
		t.Fatal("a graph with materials is no MaterialSource")
	}
	if !reflect.DeepEqual(p.Palette(), goldenPalette) {
		t.Errorf("palette %v", p.Palette())
	}
	if _, ok := compile(t, template.Flat()).(field.MaterialSource); ok {
		t.Error("a graph without materials is a MaterialSource")
	}
	seen := map[uint8]int{}
	for x := int32(-50); x < 50; x++ {
		for y := int32(-20); y < 20; y++ {
			seen[p.Material(lattice.Sample{X: x, Y: y, Z: 7})]++
		}
	}
	if len(seen) != len(goldenPalette) {
		t.Errorf("materials %v, want all %d", seen, len(goldenPalette))
	}
}

// TestSlope compares the slope with what it is defined as, at several levels.
func TestSlope(t *testing.T) {
	var b graph.Builder
	h := b.Scale(b.Noise(graph.Noise{Kind: noise.Value, Dims: 2, Period: 11, Octaves: 2}), 9, 0)
	height := compile(t, b.World(b.Height(h), h))
	var c graph.Builder
	h = c.Scale(c.Noise(graph.Noise{Kind: noise.Value, Dims: 2, Period: 11, Octaves: 2}), 9, 0)
	s := c.Slope(h)
	slope := compile(t, c.World(s, s))
	for level := range uint8(5) {
		g := grid.New(7)
		g.Chunk = lattice.Chunk{X: 1, Y: 0, Z: -2, Level: level}
		slope.Fill(g)
		for i, got := range g.Ground {
			x, z := g.Corner().X+int32(i%g.Side())*g.Step(), g.Corner().Z+int32(i/g.Side())*g.Step()
			dx := (height.Ground(x+1, z) - height.Ground(x-1, z)) / 2
			dz := (height.Ground(x, z+1) - height.Ground(x, z-1)) / 2
			if want := math.Hypot(float64(dx), float64(dz)); math.Abs(float64(got)-want) > 1e-5 {
				t.Fatalf("level %d: slope at %d, %d is %v, want %v", level, x, z, got, want)
			}
		}
	}
	if m := height.Bounds(lattice.Box{Max: lattice.Sample{X: 9, Y: 9, Z: 9}}); m.Lo >= m.Hi {
		t.Error("the ground is level")
	}
}

func TestSaw(t *testing.T) {
	for _, c := range []struct{ x, period, want float32 }{
		{0, 3, 0}, {2.5, 3, 2.5}, {3, 3, 0}, {-1, 3, 2}, {-3, 3, 0}, {7, 3, 1}, {-7.5, 3, 1.5},
		{-1e-9, 3, 3}, {3 << 22, 3, 0}, {-1e9, 3, 0}, {1<<22*3 - 1, 3, 2},
	} {
		var b graph.Builder
		b.Saw(b.Constant(c.x), c.period)
		if got := compile(t, b.Graph()).At(lattice.Sample{}); got != c.want {
			t.Errorf("saw of %v, period %v: %v, want %v", c.x, c.period, got, c.want)
		}
	}
}

// TestMaterialsRounded checks that values are rounded to the nearest number of the palette, ½ up.
func TestMaterialsRounded(t *testing.T) {
	for _, c := range []struct {
		v    float32
		want uint8
	}{{0, 0}, {0.4999, 0}, {0.5, 1}, {1.4999, 1}, {1.5, 2}, {4, 4}} {
		var b graph.Builder
		h := b.Constant(0)
		p := compile(t, b.PaintedWorld(b.Height(h), h, b.Constant(c.v), goldenPalette)).(field.MaterialSource)
		g := grid.New(4)
		p.Fill(g)
		p.FillMaterials(g)
		if got, painted := p.Material(lattice.Sample{}), g.Materials[g.Index(0, 0, 0)]; got != c.want || painted != c.want {
			t.Errorf("%v is material %d, painted %d, want %d", c.v, got, painted, c.want)
		}
	}
}

// TestPaintAllocations checks that what paints chunks all the time allocates nothing.
func TestPaintAllocations(t *testing.T) {
	p := compile(t, painted()).(field.MaterialSource)
	g, i := grid.New(lattice.ChunkCells), int32(0)
	use := func() {
		g.Chunk = lattice.Chunk{X: i % 5, Y: i%3 - 1, Z: i / 5, Level: uint8(i % 2)}
		p.Fill(g)
		p.FillMaterials(g)
		p.Material(g.Corner())
		i++
	}
	for range 50 {
		use()
	}
	if n := testing.AllocsPerRun(20, use); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestMaterialsRoundTrip(t *testing.T) {
	g := painted()
	data := g.AppendBinary(nil)
	got, err := graph.Parse(data)
	if err != nil || !reflect.DeepEqual(got.Materials, g.Materials) || !bytes.Equal(got.AppendBinary(nil), data) {
		t.Fatalf("%+v came back as %+v, %v", g.Materials, got, err)
	}
	for i := range data {
		if _, err := graph.Parse(seal(slices.Clone(data[:i]), 8)); err == nil {
			t.Fatalf("the first %d of %d bytes parse", i, len(data))
		}
	}
	const count, firstName = 6, 16 + 8
	for _, c := range []struct {
		name  string
		spoil func(data []byte)
		want  error
	}{
		{"no materials", func(d []byte) { d[count] = 0 }, graph.ErrCorrupt},
		{"too many", func(d []byte) { d[count], d[count+1] = 1, 1 }, graph.ErrTooLarge},
		{"no name", func(d []byte) { d[16+3] = 0 }, graph.ErrCorrupt},
		{"a long name", func(d []byte) { d[16+3] = 65 }, graph.ErrCorrupt},
		{"not UTF-8", func(d []byte) { d[firstName] = 0xff }, graph.ErrCorrupt},
		{"control character", func(d []byte) { d[firstName] = '\n' }, graph.ErrCorrupt},
		{"version 1", func(d []byte) { d[4] = 1 }, graph.ErrCorrupt},
		{"version 3", func(d []byte) { d[4] = 3 }, graph.ErrVersion},
	} {
		spoiled := slices.Clone(data)
		c.spoil(spoiled)
		if _, err := graph.Parse(seal(spoiled, 8)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if v1 := template.Flat().AppendBinary(nil); v1[4] != 1 {
		t.Errorf("a graph without materials is of version %d, want 1", v1[4])
	}
}

func TestMaterialsRefused(t *testing.T) {
	world := func(palette []graph.Material, material float32) *graph.Graph {
		var b graph.Builder
		h := b.Constant(0)
		return b.PaintedWorld(b.Height(h), h, b.Constant(material), palette)
	}
	one := func(m graph.Material) []graph.Material { return []graph.Material{m} }
	unpainted := template.Flat()
	unpainted.Materials = goldenPalette
	slopes := func(f func(b *graph.Builder, h graph.Ref) graph.Ref) *graph.Graph {
		var b graph.Builder
		f(&b, b.Noise(graph.Noise{Kind: noise.Value, Dims: 2, Period: 9}))
		return b.Graph()
	}
	for _, c := range []struct {
		name string
		g    *graph.Graph
		want string
	}{
		{"no materials", world(nil, 0), "it ends in a painted world and has no materials"},
		{"too many", world(make([]graph.Material, 257), 0), "257 materials, want at most 256"},
		{"materials for nothing", unpainted, "does not end in a painted world"},
		{"no name", world(one(graph.Material{}), 0), "material 0: its name has 0 bytes, want 1 … 64"},
		{"long name", world(one(graph.Material{Name: strings.Repeat("x", 65)}), 0), "its name has 65 bytes"},
		{"same name", world([]graph.Material{{Name: "a"}, {Name: "a"}}, 0), `material 1: there is another called "a"`},
		{"rough", world(one(graph.Material{Name: "a", Roughness: 1.5}), 0), "material 0 (a): its roughness is 1.5, want 0 … 1"},
		{"NaN rough", world(one(graph.Material{Name: "a", Roughness: float32(math.NaN())}), 0), "its roughness is NaN"},
		{"over", world(goldenPalette, 4.1), "its material can reach 4.1 … 4.1, want 0 … 4"},
		{"under", world(goldenPalette, -0.1), "its material can reach -0.1 … -0.1, want 0 … 4"},
		{"slope of y", slopes(func(b *graph.Builder, h graph.Ref) graph.Ref { return b.Slope(b.Height(h)) }), "its input depends on y"},
		{"slope of slope", slopes(func(b *graph.Builder, h graph.Ref) graph.Ref { return b.Slope(b.Abs(b.Slope(h))) }), "depends on another slope"},
		{"many slopes", slopes(func(b *graph.Builder, h graph.Ref) graph.Ref {
			r := h
			for range 17 {
				r = b.Slope(h)
			}
			return r
		}), "one more slope than the 16"},
	} {
		if _, err := field.Compile(c.g, nil); !errors.Is(err, graph.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
