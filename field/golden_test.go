package field_test

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/field/fieldtest"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

var update = flag.Bool("update", false, "rewrite the golden files: for new kinds only, a changed hash is a new semantics version")

// goldenAsset is the raster that the golden heightmap reads.
func goldenAsset() []byte {
	r := rand.New(rand.NewPCG(8, 0))
	a := &field.Raster{Width: 23, Height: 17, MetersX: 30, MetersZ: 30, Scale: 0.5, Offset: 3, Values: make([]float32, 23*17)}
	for i := range a.Values {
		a.Values[i] = float32(r.IntN(200) - 60)
	}
	return a.AppendBinary(nil)
}

var goldenPalette = []field.Material{
	{Name: "grass", Color: [3]uint8{80, 130, 60}, Roughness: 1},
	{Name: "soil", Color: [3]uint8{90, 70, 50}, Roughness: 0.95},
	{Name: "rock", Color: [3]uint8{120, 120, 125}, Roughness: 0.8},
	{Name: "red rock", Color: [3]uint8{150, 90, 70}, Roughness: 0.8},
	{Name: "snow", Color: [3]uint8{240, 245, 250}, Roughness: 0.6},
}

// paint adds a material by depth, height, slope and strata for a ground of height h, and goldenPalette.
func paint(b *field.Builder, h field.Ref) field.Ref {
	m := func(i float32) field.Ref { return b.Constant(i) }
	y := b.Add(field.Node{Kind: field.KindCoordinate, Ints: []int64{1, 0}})
	strata := b.Select(m(2), m(3), b.Saw(y, 5), 3)
	covered := b.Select(m(0), m(1), b.Height(h), 0.7)
	covered = b.Select(covered, m(4), y, 3)
	steep := b.Select(covered, strata, b.Slope(h), 0.9)
	return b.Select(steep, strata, b.Height(h), 3)
}

// goldenGraphs returns a graph for every kind, by its name, and the templates. Each kind is seen over rough
// values between −1 and 1 that pass all its bends.
func goldenGraphs() map[string]*field.Graph {
	graphs := map[string]*field.Graph{
		"template hills": field.Hills(1), "template hills 2": field.Hills(-77), "template shape": field.Shape(), "template flat": field.Flat(),
	}
	at := lattice.Place{Sample: lattice.Sample{X: 7, Y: -3, Z: 12}, Offset: geom.Vec3{X: 0.3, Y: 0.7, Z: 0.125}}
	n := func(b *field.Builder, seed int64, dims int) field.Ref {
		return b.Noise(field.Noise{Kind: noise.Value, Dims: dims, Seed: seed, Period: 9, Octaves: 2})
	}
	one := func(kind field.Kind, f func(b *field.Builder) field.Ref) {
		var b field.Builder
		f(&b)
		g := b.Graph()
		if got := g.Nodes[len(g.Nodes)-1].Kind; got != kind {
			panic(fmt.Sprintf("golden graph of %v ends in %v", kind, got))
		}
		graphs[kind.String()] = g
	}
	over := func(kind field.Kind, inputs int, floats ...float32) {
		one(kind, func(b *field.Builder) field.Ref {
			refs := []field.Ref{n(b, 1, 3), n(b, 2, 3), n(b, 3, 3)}
			return b.Add(field.Node{Kind: kind, Floats: floats}, refs[:inputs]...)
		})
	}
	one(field.KindConstant, func(b *field.Builder) field.Ref { return b.Constant(-1.7) })
	one(field.KindCoordinate, func(b *field.Builder) field.Ref {
		return b.Add(field.Node{Kind: field.KindCoordinate, Ints: []int64{2, -5}})
	})
	one(field.KindHeight, func(b *field.Builder) field.Ref { return b.Height(n(b, 1, 2)) })
	graphs[field.KindWorld.String()] = func() *field.Graph {
		var b field.Builder
		return b.World(n(&b, 1, 3), n(&b, 2, 2))
	}()
	graphs[field.KindPaintedWorld.String()] = func() *field.Graph {
		var b field.Builder
		h := b.Scale(n(&b, 2, 2), 6, 0)
		return b.PaintedWorld(b.Sum(b.Height(h), n(&b, 1, 3)), h, paint(&b, h), goldenPalette)
	}()
	one(field.KindBall, func(b *field.Builder) field.Ref { return b.Ball(at, 9.3) })
	graphs["repeated ball"] = func() *field.Graph {
		var b field.Builder
		b.Repeat(b.Ball(at, 9.3), 40, 0, 57)
		return b.Graph()
	}()
	one(field.KindSlab, func(b *field.Builder) field.Ref { return b.Slab(at, 2.6) })
	one(field.KindCylinder, func(b *field.Builder) field.Ref { return b.Cylinder(at, 0, 4.4) })
	one(field.KindBox, func(b *field.Builder) field.Ref { return b.Box(at, geom.Vec3{X: 8, Y: 5.5, Z: 3}, 1.25) })
	one(field.KindCapsule, func(b *field.Builder) field.Ref { return b.Capsule(at, geom.Vec3{X: 6, Y: -9, Z: 4}, 3) })
	one(field.KindTorus, func(b *field.Builder) field.Ref { return b.Torus(at, 10, 3.3) })
	one(field.KindPlane, func(b *field.Builder) field.Ref { return b.Plane(at, geom.Vec3{X: 1, Y: 3, Z: -2}) })
	one(field.KindEllipsoid, func(b *field.Builder) field.Ref { return b.Ellipsoid(at, geom.Vec3{X: 12, Y: 4, Z: 7}) })
	one(field.KindCone, func(b *field.Builder) field.Ref { return b.Cone(at, 13, 6) })
	over(field.KindUnion, 2)
	over(field.KindIntersection, 2)
	over(field.KindDifference, 2)
	over(field.KindSmoothUnion, 2, 0.6)
	over(field.KindSmoothIntersection, 2, 0.6)
	over(field.KindSmoothDifference, 2, 0.6)
	over(field.KindAdd, 2)
	over(field.KindSubtract, 2)
	over(field.KindMultiply, 2)
	over(field.KindScale, 1, 2.7, -0.3)
	over(field.KindAbs, 1)
	over(field.KindClamp, 1, -0.2, 0.3)
	over(field.KindSmoothstep, 1, -0.4, 0.5)
	over(field.KindBump, 1, 0.55)
	over(field.KindMix, 3)
	over(field.KindHypot, 2)
	over(field.KindCurve, 1, -0.5, 3, -0.1, -2, 0.2, 0.5, 0.6, 9)
	over(field.KindTerrace, 1, 0.3, 0.4)
	over(field.KindSpline, 1, -0.5, 3, -0.1, -2, 0.2, 0.5, 0.3, 2, 0.6, 9)
	over(field.KindSelect, 3, 0.1)
	over(field.KindSaw, 1, 0.27)
	one(field.KindSlope, func(b *field.Builder) field.Ref { return b.Slope(b.Scale(n(b, 1, 2), 12, 0)) })
	for i := range 5 * 4 { // kinds of noise, each in two and three dimensions, plain and warped
		c := field.Noise{Kind: noise.Value + noise.Kind(i/4), Dims: 2 + i%2, Fractal: noise.Fractal(i % 3),
			Seed: -9, Octaves: 4, Period: 17, PeriodY: 13, Gain: 0.45}
		one(field.KindValue2+field.Kind(i), func(b *field.Builder) field.Ref {
			w := []field.Ref{b.Scale(n(b, 1, c.Dims), 4, 0), b.Scale(n(b, 2, c.Dims), 4, 0), b.Scale(n(b, 3, c.Dims), 4, 0)}
			if i%4 >= 2 {
				c.Warp = w[:c.Dims]
			}
			return b.Noise(c)
		})
	}
	one(field.KindRough, func(b *field.Builder) field.Ref { return b.Rough(3) })
	one(field.KindHeightmap, func(b *field.Builder) field.Ref {
		return b.Heightmap(sha256.Sum256(goldenAsset()), 3.1, 2.9, 0.8, -2)
	})
	return graphs
}

// hashOf returns a hash of the samples, ground heights and materials of grids near and far, fine and coarse.
func hashOf(f field.Terrain) string {
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
		if p, ok := f.(field.Painter); ok {
			for i := range g.Samples {
				g.Samples[i] = float32(i%2) - 0.5 // so that every sample is painted
			}
			p.Paint(g)
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
	asset := goldenAsset()
	graphs, names := goldenGraphs(), []string{"template hills", "template hills 2", "template shape", "template flat", "repeated ball"}
	for _, s := range field.Semantics() {
		names = append(names, s.Kind.String())
	}
	var out strings.Builder
	for _, name := range names {
		g := graphs[name]
		if g == nil {
			t.Errorf("no golden graph for %q", name)
			continue
		}
		f, err := field.Compile(g, func([32]byte) ([]byte, error) { return asset, nil })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := hashOf(f)
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
