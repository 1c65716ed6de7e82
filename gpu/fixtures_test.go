package gpu

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/raster"
)

// A maker makes random graphs whose values stay within some hundreds of meters, so that what a shader's roundings
// may do stays within the range that they are held to.
type maker struct {
	r     *rand.Rand
	b     graph.Builder
	flat  []graph.Ref
	all   []graph.Ref
	jumps bool
	asset asset.Hash
}

func pick[T any](r *rand.Rand, s []T) T { return s[r.IntN(len(s))] }

func (m *maker) between(lo, hi float32) float32 { return lo + float32((hi-lo)*m.r.Float32()) }

func (m *maker) place() lattice.Place {
	base := pick(m.r, []lattice.Sample{{}, {}, {X: 10_000_000, Y: 10, Z: -10_000_000}})
	p := lattice.Place{Sample: base.Add(m.r.Int32N(64)-32, m.r.Int32N(64)-32, m.r.Int32N(64)-32)}
	p.Offset = geom.Vec3{X: m.r.Float32(), Y: m.r.Float32(), Z: m.r.Float32()}
	return p
}

func (m *maker) size() float32 { return m.between(2, 30) }

func (m *maker) noise() graph.Noise {
	return graph.Noise{Kind: noise.Value + noise.Kind(m.r.IntN(5)), Dims: 2 + m.r.IntN(2), Fractal: noise.Fractal(m.r.IntN(4)),
		Seed: m.r.Int64(), Octaves: 1 + m.r.IntN(4), Gain: m.between(0.2, 0.8), Lacunarity: pick(m.r, []float64{0, 1.5, 3}),
		Period: 4 + 60*m.r.Float64(), PeriodY: 4 + 60*m.r.Float64()}
}

func (m *maker) shape() graph.Ref {
	b, p := new(graph.Builder), m.place() // of what becomes of the shape only the last node is wanted
	r := pick(m.r, []func() graph.Ref{
		func() graph.Ref { return b.Ball(p, m.size()) },
		func() graph.Ref { return b.Cylinder(p, m.r.IntN(3), m.size()) },
		func() graph.Ref { return b.Box(p, geom.Vec3{X: m.size(), Y: m.size(), Z: m.size()}, m.between(0, 3)) },
		func() graph.Ref {
			return b.Capsule(p, geom.Vec3{X: m.between(-30, 30), Y: m.size(), Z: m.size()}, m.size())
		},
		func() graph.Ref { return b.Torus(p, m.size(), m.size()/3) },
		func() graph.Ref { return b.Cone(p, m.size(), m.size()) },
		func() graph.Ref { return b.Plane(p, geom.Vec3{X: m.between(-1, 1), Y: 1, Z: m.between(-1, 1)}) },
		func() graph.Ref { return b.Ellipsoid(p, geom.Vec3{X: m.size(), Y: m.size(), Z: m.size()}) },
	})()
	if m.r.IntN(3) == 0 {
		period := func() int32 { return pick(m.r, []int32{0, 20 + m.r.Int32N(100)}) }
		r = b.Repeat(r, period(), period(), period())
	}
	if m.r.IntN(3) == 0 {
		r = b.Stretch(r, geom.Vec3{X: m.between(0.5, 2), Y: m.between(0.5, 2), Z: m.between(0.5, 2)})
	}
	if m.r.IntN(3) == 0 {
		r = b.Rotate(r, geom.Vec3{X: m.r.Float32() - 0.5, Y: m.r.Float32() - 0.5, Z: 0.1}, 360*m.r.Float64())
	}
	return m.b.Add(b.Graph().Nodes[r])
}

// source adds a node without inputs whose values stay small.
func (m *maker) source() (r graph.Ref, flat bool) {
	b := &m.b
	switch m.r.IntN(7) {
	case 0:
		return b.Slab(m.place(), m.size()), false
	case 1, 2:
		return m.shape(), false
	case 3:
		return b.Scale(b.Heightmap(m.asset, 1.5+4*m.r.Float64(), 2, m.between(0.5, 2), m.between(-5, 5)), 1, 0), true
	default:
		n := m.noise()
		return b.Scale(b.Noise(n), m.size(), m.between(-5, 5)), n.Dims == 2
	}
}

// combine adds a node with inputs.
func (m *maker) combine() (r graph.Ref, flat bool) {
	b := &m.b
	x, y, t := pick(m.r, m.all), pick(m.r, m.all), pick(m.r, m.all)
	isFlat := func(refs ...graph.Ref) bool {
		return !slices.ContainsFunc(refs, func(r graph.Ref) bool { return !slices.Contains(m.flat, r) })
	}
	k := m.between(0.5, 6)
	unit := func(r graph.Ref) graph.Ref { return b.Smoothstep(r, -10, 10) }
	two := []func() graph.Ref{
		func() graph.Ref { return b.Union(x, y, 0) },
		func() graph.Ref { return b.Intersection(x, y, 0) },
		func() graph.Ref { return b.Difference(x, y, 0) },
		func() graph.Ref { return b.Union(x, y, k) },
		func() graph.Ref { return b.Intersection(x, y, k) },
		func() graph.Ref { return b.Difference(x, y, k) },
		func() graph.Ref { return b.Sum(x, y) },
		func() graph.Ref { return b.Subtract(x, y) },
		func() graph.Ref { return b.Multiply(x, unit(y)) },
		func() graph.Ref { return b.Hypot(x, y) },
	}
	one := []func() graph.Ref{
		func() graph.Ref { return b.Scale(x, m.between(-2, 2), m.between(-5, 5)) },
		func() graph.Ref { return b.Abs(x) },
		func() graph.Ref { return b.Clamp(x, -m.size(), m.size()) },
		func() graph.Ref { return b.Scale(b.Bump(x, m.size()), 20, 0) },
		func() graph.Ref { return b.Curve(x, -20, m.between(-9, 9), 0, m.between(-9, 9), 15, m.between(-9, 9)) },
		func() graph.Ref {
			return b.Spline(x, -20, m.between(-9, 0), 0, m.between(0, 9), 15, m.between(9, 20), 30, 4)
		},
	}
	switch m.r.IntN(8) {
	case 0, 1, 2:
		return pick(m.r, two)(), isFlat(x, y)
	case 3, 4:
		return pick(m.r, one)(), isFlat(x)
	case 5:
		n := m.noise()
		n.Warp = []graph.Ref{x, y, t}[:n.Dims]
		return b.Scale(b.Noise(n), m.size(), 0), n.Dims == 2 && isFlat(x, y)
	case 6:
		if len(m.flat) > 0 {
			h := pick(m.r, m.flat)
			return b.Height(h), false
		}
		return b.Mix(x, y, unit(t)), isFlat(x, y, t)
	}
	return m.jump(x, y, t), isFlat(x, y, t)
}

// jump adds a node whose value may jump where an input changes by a rounding.
func (m *maker) jump(x, y, t graph.Ref) graph.Ref {
	m.jumps = true
	b := &m.b
	return pick(m.r, []func() graph.Ref{
		func() graph.Ref { return b.Select(x, y, t, m.between(-5, 5)) },
		func() graph.Ref { return b.Terrace(b.Sum(x, b.Scale(b.Sum(y, t), 0.01, 0)), m.size(), m.r.Float32()) },
		func() graph.Ref { return b.Saw(b.Sum(x, b.Scale(b.Sum(y, t), 0.01, 0)), m.size()) },
	})()
}

func (m *maker) graph() *graph.Graph {
	m.b, m.flat, m.all, m.jumps = graph.Builder{}, nil, nil, false
	keep := func(r graph.Ref, flat bool) {
		m.all = append(m.all, r)
		if flat {
			m.flat = append(m.flat, r)
		}
	}
	for range 2 + m.r.IntN(3) {
		keep(m.source())
	}
	for range 2 + m.r.IntN(8) {
		keep(m.combine())
	}
	return m.b.Graph()
}

// A fixture is a graph that the browser tests compare on GPU and processor.
type fixture struct {
	Name  string            `json:"name"`
	Graph string            `json:"graph"` // base64, as files are
	Files map[string]string `json:"files"`
	Jumps bool              `json:"jumps"`
}

// TestFixtures keeps random graphs for client/test/gpu.test.mjs in testdata/graphs.json. They are the same in every
// run; -update writes them.
func TestFixtures(t *testing.T) {
	whole := &raster.Raster{Width: 9, Height: 7, MetersX: 2, MetersZ: 2, Scale: 0.5, Offset: -3}
	r := rand.New(rand.NewPCG(4, 0))
	for range whole.Width * whole.Height {
		whole.Values = append(whole.Values, float32(r.IntN(40)))
	}
	file := whole.AppendBinary(nil)
	m := maker{r: r, asset: sha256.Sum256(file)}
	files := map[string]string{hex.EncodeToString(m.asset[:]): base64.StdEncoding.EncodeToString(file)}
	open := func(asset.Hash) ([]byte, error) { return file, nil }
	list := []fixture{fixtureOf("everything", everything(), files, true)}
	for i := range 40 {
		g := m.graph()
		f, err := field.Compile(g, open)
		if err != nil {
			t.Fatalf("graph %d: %v", i, err)
		}
		if b := f.Bounds(lattice.Box{Min: lattice.Sample{X: -40, Y: -40, Z: -60}, Max: lattice.Sample{X: 120, Y: 60, Z: 60}}); math.Abs(float64(b.Lo)) > 1e8 || math.Abs(float64(b.Hi)) > 1e8 {
			t.Fatalf("graph %d reaches %v", i, b)
		}
		if _, err := Generate(program(t, g), func(asset.Hash) (*raster.Raster, error) { return whole, nil }); err != nil {
			t.Fatalf("graph %d: %v", i, err)
		}
		list = append(list, fixtureOf(fmt.Sprint(i), g, files, m.jumps))
	}
	list = append(list, fixtureOf("cracks", crackedGround(), files, false))
	data, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "graphs.json", append(data, '\n'))
}

func fixtureOf(name string, g *graph.Graph, files map[string]string, jumps bool) fixture {
	f := fixture{Name: name, Graph: base64.StdEncoding.EncodeToString(g.AppendBinary(nil)), Files: map[string]string{}, Jumps: jumps}
	for _, hash := range g.Assets() {
		name := hex.EncodeToString(hash[:])
		f.Files[name] = files[name]
	}
	return f
}
