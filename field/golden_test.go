package field_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
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
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
)

var update = flag.Bool("update", false, "rewrite the golden files: for new kinds only, a changed hash is a new semantics version")

// goldenAsset is the raster that the golden heightmap reads.
func goldenAsset() []byte {
	r := rand.New(rand.NewPCG(8, 0))
	a := &raster.Raster{Width: 23, Height: 17, MetersX: 30, MetersZ: 30, Scale: 0.5, Offset: 3, Values: make([]float32, 23*17)}
	for i := range a.Values {
		a.Values[i] = float32(r.IntN(200) - 60)
	}
	return a.AppendBinary(nil)
}

var goldenPalette = []graph.Material{
	{Name: "grass", Color: [3]uint8{80, 130, 60}, Roughness: 1},
	{Name: "soil", Color: [3]uint8{90, 70, 50}, Roughness: 0.95},
	{Name: "rock", Color: [3]uint8{120, 120, 125}, Roughness: 0.8},
	{Name: "red rock", Color: [3]uint8{150, 90, 70}, Roughness: 0.8},
	{Name: "snow", Color: [3]uint8{240, 245, 250}, Roughness: 0.6},
}

// paint adds a material by depth, height, slope and strata for a ground of height h, and goldenPalette.
func paint(b *graph.Builder, h graph.Ref) graph.Ref {
	m := func(i float32) graph.Ref { return b.Constant(i) }
	y := b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{1, 0}})
	strata := b.Select(m(2), m(3), b.Saw(y, 5), 3)
	covered := b.Select(m(0), m(1), b.Height(h), 0.7)
	covered = b.Select(covered, m(4), y, 3)
	steep := b.Select(covered, strata, b.Slope(h), 0.9)
	return b.Select(steep, strata, b.Height(h), 3)
}

// goldenAssets returns the files that golden graphs read, by their hashes.
func goldenAssets() (assets map[asset.Hash][]byte, whole, tiled, volume asset.Hash) {
	assets = map[asset.Hash][]byte{}
	put := func(data []byte) asset.Hash {
		h := sha256.Sum256(data)
		assets[h] = data
		return h
	}
	whole = put(goldenAsset())
	r := rand.New(rand.NewPCG(9, 0))
	big := &raster.Raster{Width: 150, Height: 129, MetersX: 1, MetersZ: 1, Scale: 0.5, Values: make([]float32, 150*129)}
	for i := range big.Values {
		big.Values[i] = float32(r.IntN(100) - 50)
	}
	tiled = put(tile(big, 64, put).AppendBinary(nil))
	v := &raster.Volume{Volume: *grid.NewVolume(31, 12, 21), MetersX: 1, MetersY: 1, MetersZ: 1, Scale: 0.1, Offset: -10}
	for i := range v.Samples {
		v.Samples[i] = float32(r.IntN(200))
	}
	return assets, whole, tiled, put(v.AppendBinary(nil))
}

// goldens builds a graph for every kind and for its variants, by name. Each is seen over rough values between −1
// and 1 that pass all its bends.
type goldens map[string]*graph.Graph

// goldenPlace is where golden shapes are.
var goldenPlace = lattice.Place{Sample: lattice.Sample{X: 7, Y: -3, Z: 12}, Offset: geom.Vec3{X: 0.3, Y: 0.7, Z: 0.125}}

func rough(b *graph.Builder, seed int64, dims int) graph.Ref {
	return b.Noise(graph.Noise{Kind: noise.Value, Dims: dims, Seed: seed, Period: 9, Octaves: 2})
}

// one adds the graph of a kind, which its last node is of.
func (m goldens) one(kind graph.Kind, f func(b *graph.Builder) graph.Ref) {
	m.variant(kind.String(), f)
	g := m[kind.String()]
	if got := g.Nodes[len(g.Nodes)-1].Kind; got != kind {
		panic(fmt.Sprintf("golden graph of %v ends in %v", kind, got))
	}
}

// variant adds the graph of a kind in another form.
func (m goldens) variant(name string, f func(b *graph.Builder) graph.Ref) {
	var b graph.Builder
	f(&b)
	m[name] = b.Graph()
}

// shape adds the graphs of a shape as it is, and turned.
func (m goldens) shape(kind graph.Kind, f func(b *graph.Builder) graph.Ref) {
	m.one(kind, f)
	m.variant("turned "+kind.String(), func(b *graph.Builder) graph.Ref {
		r := f(b)
		r = b.Stretch(r, geom.Vec3{X: 1.5, Y: 0.75, Z: 1.125})
		r = b.Rotate(r, geom.Vec3{X: 1, Y: 2, Z: -0.5}, 40)
		r = b.Rotate(r, geom.Vec3{Y: 1}, 75)
		return r
	})
}

// over adds the graph of a kind over inputs that depend on all axes.
func (m goldens) over(kind graph.Kind, inputs int, floats ...float32) {
	m.one(kind, func(b *graph.Builder) graph.Ref {
		refs := []graph.Ref{rough(b, 1, 3), rough(b, 2, 3), rough(b, 3, 3)}
		return b.Add(graph.Node{Kind: kind, Floats: floats}, refs[:inputs]...)
	})
}

func goldenGraphs(whole, tiled, volume asset.Hash) goldens {
	m := goldens{
		"template hills": template.Hills(1), "template hills 2": template.Hills(-77), "template hills materials": template.Hills(1), "template shape": template.Shape(), "template flat": template.Flat(),
	}
	m.one(graph.KindConstant, func(b *graph.Builder) graph.Ref { return b.Constant(-1.7) })
	m.one(graph.KindCoordinate, func(b *graph.Builder) graph.Ref {
		return b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{2, -5}})
	})
	m.one(graph.KindHeight, func(b *graph.Builder) graph.Ref { return b.Height(rough(b, 1, 2)) })
	m.one(graph.KindWorld, func(b *graph.Builder) graph.Ref {
		b.World(rough(b, 1, 3), rough(b, 2, 2))
		return 0
	})
	m.one(graph.KindPaintedWorld, func(b *graph.Builder) graph.Ref {
		h := b.Scale(rough(b, 2, 2), 6, 0)
		b.PaintedWorld(b.Sum(b.Height(h), rough(b, 1, 3)), h, paint(b, h), goldenPalette)
		return 0
	})
	m.one(graph.KindRough, func(b *graph.Builder) graph.Ref { return b.Rough(3) })
	m.one(graph.KindCracks, func(b *graph.Builder) graph.Ref { return b.Cracks(5, 9.5, 0.8) })
	m.one(graph.KindHeightmap, func(b *graph.Builder) graph.Ref { return b.Heightmap(whole, 3.1, 2.9, 0.8, -2) })
	m.variant("tiled heightmap", func(b *graph.Builder) graph.Ref { return b.Heightmap(tiled, 1.1, 1.3, 0.8, -2) })
	m.one(graph.KindField, func(b *graph.Builder) graph.Ref { return b.Field(waves{}, -20, 30) })
	m.shapes(volume)
	m.functions()
	m.noises()
	return m
}

// waves is a field of a program's own, in integers. Some of its values are none that a field may have.
type waves struct{}

func (waves) At(s lattice.Sample) float32 {
	v := (s.X*s.X>>3 + s.Z*s.Y*5>>2 + s.Y*s.Y) & 127
	switch v {
	case 5:
		return float32(math.NaN())
	case 6:
		return float32(math.Copysign(0, -1))
	case 7:
		return float32(math.Inf(1))
	}
	return float32(v - 64)
}

func (m goldens) shapes(volume asset.Hash) {
	at := goldenPlace
	m.one(graph.KindSlab, func(b *graph.Builder) graph.Ref { return b.Slab(at, 2.6) })
	m.shape(graph.KindBall, func(b *graph.Builder) graph.Ref { return b.Ball(at, 9.3) })
	m.variant("repeated ball", func(b *graph.Builder) graph.Ref {
		r := b.Ball(at, 9.3)
		r = b.Repeat(r, 40, 0, 57)
		return r
	})
	m.shape(graph.KindCylinder, func(b *graph.Builder) graph.Ref { return b.Cylinder(at, 0, 4.4) })
	m.shape(graph.KindBox, func(b *graph.Builder) graph.Ref { return b.Box(at, geom.Vec3{X: 8, Y: 5.5, Z: 3}, 1.25) })
	m.shape(graph.KindCapsule, func(b *graph.Builder) graph.Ref { return b.Capsule(at, geom.Vec3{X: 6, Y: -9, Z: 4}, 3) })
	m.shape(graph.KindTorus, func(b *graph.Builder) graph.Ref { return b.Torus(at, 10, 3.3) })
	m.shape(graph.KindPlane, func(b *graph.Builder) graph.Ref { return b.Plane(at, geom.Vec3{X: 1, Y: 3, Z: -2}) })
	m.shape(graph.KindEllipsoid, func(b *graph.Builder) graph.Ref { return b.Ellipsoid(at, geom.Vec3{X: 12, Y: 4, Z: 7}) })
	m.shape(graph.KindCone, func(b *graph.Builder) graph.Ref { return b.Cone(at, 13, 6) })
	m.shape(graph.KindVolume, func(b *graph.Builder) graph.Ref {
		return b.Volume(volume, at, geom.Vec3{X: 0.75, Y: 2, Z: 1.1}, 0.7, 1)
	})
}

func (m goldens) functions() {
	m.over(graph.KindUnion, 2)
	m.over(graph.KindIntersection, 2)
	m.over(graph.KindDifference, 2)
	m.over(graph.KindSmoothUnion, 2, 0.6)
	m.over(graph.KindSmoothIntersection, 2, 0.6)
	m.over(graph.KindSmoothDifference, 2, 0.6)
	m.over(graph.KindAdd, 2)
	m.over(graph.KindSubtract, 2)
	m.over(graph.KindMultiply, 2)
	m.over(graph.KindScale, 1, 2.7, -0.3)
	m.over(graph.KindAbs, 1)
	m.over(graph.KindClamp, 1, -0.2, 0.3)
	m.over(graph.KindSmoothstep, 1, -0.4, 0.5)
	m.over(graph.KindBump, 1, 0.55)
	m.over(graph.KindMix, 3)
	m.over(graph.KindHypot, 2)
	m.over(graph.KindCurve, 1, -0.5, 3, -0.1, -2, 0.2, 0.5, 0.6, 9)
	m.over(graph.KindTerrace, 1, 0.3, 0.4)
	m.over(graph.KindSpline, 1, -0.5, 3, -0.1, -2, 0.2, 0.5, 0.3, 2, 0.6, 9)
	m.over(graph.KindSelect, 3, 0.1)
	m.over(graph.KindSaw, 1, 0.27)
	m.one(graph.KindSlope, func(b *graph.Builder) graph.Ref { return b.Slope(b.Scale(rough(b, 1, 2), 12, 0)) })
	m.variant("caves", func(b *graph.Builder) graph.Ref {
		return template.Caves{Ground: b.Scale(rough(b, 1, 2), 9, 3), Seed: 4, Period: 60, Depth: 9}.Add(b)
	})
}

// noises adds every kind of noise in two and three dimensions, plain and warped.
func (m goldens) noises() {
	config := func(i int) graph.Noise {
		return graph.Noise{Kind: noise.Value + noise.Kind(i/4), Dims: 2 + i%2, Fractal: noise.Fractal(i % 3),
			Seed: -9, Octaves: 4, Period: 17, PeriodY: 13, Gain: 0.45}
	}
	for i := range 5 * 4 {
		m.one(graph.KindValue2+graph.Kind(i), func(b *graph.Builder) graph.Ref {
			c := config(i)
			w := []graph.Ref{b.Scale(rough(b, 1, c.Dims), 4, 0), b.Scale(rough(b, 2, c.Dims), 4, 0), b.Scale(rough(b, 3, c.Dims), 4, 0)}
			if i%4 >= 2 {
				c.Warp = w[:c.Dims]
			}
			return b.Noise(c)
		})
	}
	m.variant("turbulence", func(b *graph.Builder) graph.Ref {
		c := config(5)
		c.Fractal, c.Lacunarity = noise.Turbulence, 2.17
		return b.Noise(c)
	})
}

// from returns what hands out assets.
func from(assets map[asset.Hash][]byte) func(hash asset.Hash) ([]byte, error) {
	return func(hash asset.Hash) ([]byte, error) {
		if data, ok := assets[hash]; ok {
			return data, nil
		}
		return nil, errors.New("not there")
	}
}

// hashOf returns a hash of the samples, ground heights and, with paint, materials of grids near and far, fine and coarse.
func hashOf(f field.Terrain, paint bool) string {
	h := sha256.New()
	var b [4]byte
	put := func(v float32) {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		h.Write(b[:])
	}
	for _, c := range []lattice.Chunk{{}, {X: -1, Y: -1, Z: -1}, {X: 312_500, Y: 1, Z: -312_501}, {X: 1, Y: 0, Z: -2, Level: 2},
		{X: -3, Y: -1, Z: 0, Level: 5}} {
		g := grid.New(lattice.ChunkCells)
		g.Chunk = c
		f.Fill(g)
		for _, v := range g.Samples {
			put(v)
		}
		for _, v := range g.Ground {
			put(v)
		}
		if p, ok := f.(field.MaterialSource); ok && paint {
			for i := range g.Samples {
				g.Samples[i] = float32(i%2) - 0.5 // so that every sample is painted
			}
			p.FillMaterials(g)
			h.Write(g.Materials)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// TestGolden compares every kind and template with a committed hash. The same hashes come from every
// architecture, vector width and build.
func TestGolden(t *testing.T) {
	const file = "testdata/golden.txt"
	data, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	golden := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			golden[name] = hash
		}
	}
	assets, whole, tiled, volume := goldenAssets()
	graphs := goldenGraphs(whole, tiled, volume)
	var names []string
	for _, s := range graph.Infos() {
		names = append(names, s.Kind.String())
	}
	for _, name := range slices.Sorted(maps.Keys(graphs)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var out strings.Builder
	for _, name := range names {
		g := graphs[name]
		if g == nil {
			t.Errorf("no golden graph for %q", name)
			continue
		}
		f, err := field.Compile(g, from(assets))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := hashOf(f, !strings.HasPrefix(name, "template") || strings.HasSuffix(name, "materials"))
		fmt.Fprintln(&out, got, name)
		if got != golden[name] && !*update {
			t.Errorf("%s: hash %s, want %s", name, got, golden[name])
		}
		if !strings.Contains(os.Getenv("GODEBUG"), "simd=") { // TestWidths asks for the hashes only
			fieldtest.Test(t, f, 1)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
