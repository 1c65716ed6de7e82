package field_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
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

// A maker makes random graphs that compile, of every kind of node.
type maker struct {
	r    *rand.Rand
	b    graph.Builder
	flat []graph.Ref // nodes that do not depend on y
	all  []graph.Ref

	assets                map[asset.Hash][]byte
	raster, tiled, volume asset.Hash
}

func newMaker(seed uint64) *maker {
	m := &maker{r: rand.New(rand.NewPCG(seed, 0))}
	m.assets, m.raster, m.tiled, m.volume = goldenAssets()
	return m
}

func pick[T any](r *rand.Rand, s []T) T { return s[r.IntN(len(s))] }

// number returns a float32 of a size from tiny to large, of either sign; often a special one.
func (m *maker) number(limit float64) float32 {
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32,
		-math.SmallestNonzeroFloat32, 1e-40, float32(limit), -float32(limit)}
	if m.r.IntN(4) == 0 {
		return pick(m.r, special)
	}
	v := math.Exp2(m.r.Float64()*(math.Log2(limit)+10) - 10)
	if m.r.IntN(2) == 0 {
		v = -v
	}
	return float32(v)
}

// length returns a positive number of meters.
func (m *maker) length() float32 { return float32(math.Exp2(m.r.Float64()*20 - 9)) }

func (m *maker) vector(limit float64) geom.Vec3 {
	return geom.Vec3{X: m.number(limit), Y: m.number(limit), Z: m.number(limit)}
}

func (m *maker) lengths() geom.Vec3 { return geom.Vec3{X: m.length(), Y: m.length(), Z: m.length()} }

func (m *maker) place() lattice.Place {
	axis := func() int32 {
		return pick(m.r, []int32{0, m.r.Int32N(100) - 50, m.r.Int32N(2e7) - 1e7, lattice.Limit - 1, 1 - lattice.Limit})
	}
	p := lattice.Place{Sample: lattice.Sample{X: axis(), Y: axis(), Z: axis()}}
	if m.r.IntN(2) == 0 {
		p.Sample = lattice.Sample{X: m.r.Int32N(64), Y: m.r.Int32N(64), Z: m.r.Int32N(64)}
	}
	p.Offset.X, p.Offset.Y, p.Offset.Z = m.r.Float32(), m.r.Float32(), m.r.Float32()
	return p
}

// source adds a node without inputs.
func (m *maker) source() (r graph.Ref, flat bool) {
	switch b := &m.b; m.r.IntN(9) {
	case 0:
		return b.Constant(m.number(1e9)), true
	case 1:
		axis := m.r.Int64N(3)
		return b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{axis, int64(m.place().Sample.X)}}), axis != 1
	case 2:
		return b.Slab(m.place(), m.length()), false
	case 3, 4, 5:
		return m.shape(), false
	case 6:
		return pick(m.r, []func() graph.Ref{
			func() graph.Ref { return b.Rough(m.length()) },
			func() graph.Ref { return b.Cracks(m.r.Int64(), 1+float64(m.length()), m.r.Float32()) },
			func() graph.Ref {
				spacing := func() float64 { return 0.01 + float64(m.length()) }
				return b.Heightmap(pick(m.r, []asset.Hash{m.raster, m.tiled}), spacing(), spacing(), m.number(10), m.number(10))
			},
		})(), true
	case 7:
		low := m.number(100)
		return b.Field(waves{}, low, low+m.length()), false
	default:
		n := m.noise()
		return b.Noise(n), n.Dims == 2
	}
}

// shape adds a shape, turned or repeated or neither.
func (m *maker) shape() graph.Ref {
	b, p := &m.b, m.place()
	r := pick(m.r, []func() graph.Ref{
		func() graph.Ref { return b.Ball(p, m.length()) },
		func() graph.Ref { return b.Cylinder(p, m.r.IntN(3), m.length()) },
		func() graph.Ref { return b.Box(p, m.lengths(), m.length()-1e-3) },
		func() graph.Ref { return b.Capsule(p, m.vector(1e3), m.length()) },
		func() graph.Ref { return b.Torus(p, m.length(), m.length()) },
		func() graph.Ref { return b.Cone(p, m.length(), m.length()) },
		func() graph.Ref { return b.Plane(p, m.vector(1e3)) },
		func() graph.Ref { return b.Ellipsoid(p, m.lengths()) },
		func() graph.Ref { return b.Volume(m.volume, p, m.lengths(), m.number(10), m.number(10)) },
	})()
	if m.r.IntN(3) == 0 {
		period := func() int32 { return pick(m.r, []int32{0, 1, 1 + m.r.Int32N(100), lattice.Limit}) }
		r = b.Repeat(r, period(), period(), period())
	}
	if m.r.IntN(3) == 0 {
		r = b.Stretch(r, geom.Vec3{X: 0.1 + m.r.Float32(), Y: pick(m.r, []float32{1, 0.001, 1000}), Z: 1 + 9*m.r.Float32()})
	}
	if m.r.IntN(3) == 0 {
		r = b.Rotate(r, geom.Vec3{X: m.r.Float32() - 0.5, Y: m.r.Float32() - 0.5, Z: 0.1}, 360*m.r.Float64())
	}
	return r
}

func (m *maker) noise() graph.Noise {
	return graph.Noise{Kind: noise.Value + noise.Kind(m.r.IntN(5)), Dims: 2 + m.r.IntN(2),
		Fractal: noise.Fractal(m.r.IntN(4)), Seed: m.r.Int64(), Octaves: 1 + m.r.IntN(4), Gain: 0.1 + 0.9*m.r.Float32(),
		Lacunarity: pick(m.r, []float64{0, 1, 4, 1 + 3*m.r.Float64()}),
		Period:     math.Exp2(m.r.Float64()*10 - 1), PeriodY: math.Exp2(m.r.Float64()*10 - 1)}
}

// combine adds a node with inputs.
func (m *maker) combine() (r graph.Ref, flat bool) {
	b := &m.b
	x, y, t := pick(m.r, m.all), pick(m.r, m.all), pick(m.r, m.all)
	isFlat := func(refs ...graph.Ref) bool {
		return !slices.ContainsFunc(refs, func(r graph.Ref) bool { return !slices.Contains(m.flat, r) })
	}
	switch m.r.IntN(7) {
	case 5:
		if len(m.flat) > 0 {
			return b.Slope(pick(m.r, m.flat)), true
		}
	case 0:
		if len(m.flat) > 0 {
			return b.Height(pick(m.r, m.flat)), false
		}
	case 1:
		n := m.noise()
		n.Warp = []graph.Ref{x, y, t}[:n.Dims]
		return b.Noise(n), n.Dims == 2 && isFlat(x, y)
	case 2, 3:
		return m.join(x, y), isFlat(x, y)
	case 4:
		if m.r.IntN(2) == 0 {
			return b.Select(x, y, t, m.number(10)), isFlat(x, y, t)
		}
		return b.Mix(x, y, t), isFlat(x, y, t)
	}
	return m.change(x), isFlat(x)
}

// join adds a function of two numbers.
func (m *maker) join(x, y graph.Ref) graph.Ref {
	b, k := &m.b, []float32{pick(m.r, []float32{0, 1e-40, 0.5, 4, 30, 1e6})}
	return pick(m.r, []func() graph.Ref{
		func() graph.Ref { return b.Union(x, y, 0) },
		func() graph.Ref { return b.Intersection(x, y, 0) },
		func() graph.Ref { return b.Difference(x, y, 0) },
		func() graph.Ref { return b.Add(graph.Node{Kind: graph.KindSmoothUnion, Floats: k}, x, y) },
		func() graph.Ref { return b.Add(graph.Node{Kind: graph.KindSmoothIntersection, Floats: k}, x, y) },
		func() graph.Ref { return b.Add(graph.Node{Kind: graph.KindSmoothDifference, Floats: k}, x, y) },
		func() graph.Ref { return b.Sum(x, y) },
		func() graph.Ref { return b.Subtract(x, y) },
		func() graph.Ref { return b.Multiply(x, y) },
		func() graph.Ref { return b.Hypot(x, y) },
		func() graph.Ref { return b.Displace(x, y, m.length()) },
	})()
}

// change adds a function of one number.
func (m *maker) change(x graph.Ref) graph.Ref {
	b, lo := &m.b, m.number(100)
	var points []float32
	at := m.number(10)
	for range 2 + m.r.IntN(5) {
		points = append(points, at, m.number(50))
		at += 0.01 + m.length()
	}
	return pick(m.r, []func() graph.Ref{
		func() graph.Ref { return b.Scale(x, m.number(100), m.number(100)) },
		func() graph.Ref { return b.Abs(x) },
		func() graph.Ref { return b.Clamp(x, lo, lo+m.length()) },
		func() graph.Ref { return b.Smoothstep(x, lo, lo+1+m.length()) },
		func() graph.Ref { return b.Bump(x, m.length()) },
		func() graph.Ref { return b.Saw(x, m.length()) },
		func() graph.Ref {
			return b.Terrace(x, m.length(), pick(m.r, []float32{0, 0.3, 1, m.r.Float32()}))
		},
		func() graph.Ref { return b.Spline(x, points...) },
		func() graph.Ref { return b.Curve(x, points...) },
	})()
}

// graph returns a random graph.
func (m *maker) graph() *graph.Graph {
	m.b, m.flat, m.all = graph.Builder{}, nil, nil
	keep := func(r graph.Ref, flat bool) {
		m.all = append(m.all, r)
		if flat {
			m.flat = append(m.flat, r)
		}
	}
	for range 1 + m.r.IntN(5) {
		keep(m.source())
	}
	for range m.r.IntN(12) {
		keep(m.combine())
	}
	if len(m.flat) > 0 && m.r.IntN(3) == 0 {
		palette := slices.Clone(goldenPalette)
		material := m.b.Clamp(m.b.Scale(pick(m.r, m.all), 0.1, 2), 0, 4)
		for range m.r.IntN(4) {
			material = m.b.Select(material, m.b.Constant(float32(m.r.IntN(5))), pick(m.r, m.all), m.number(50))
		}
		return m.b.PaintedWorld(m.all[len(m.all)-1], pick(m.r, m.flat), material, palette)
	}
	if len(m.flat) > 0 && m.r.IntN(2) == 0 {
		return m.b.World(m.all[len(m.all)-1], pick(m.r, m.flat))
	}
	return m.b.Graph()
}

// each calls f with n random graphs that compile. It fails if over half are refused.
func (m *maker) each(t *testing.T, n int, f func(g *graph.Graph, c field.Terrain)) {
	t.Helper()
	refused := 0
	for i := range n {
		g := m.graph()
		c, err := field.Compile(g, from(m.assets))
		if errors.Is(err, graph.ErrInvalid) && (strings.Contains(err.Error(), "its values can reach") ||
			strings.Contains(err.Error(), "depends on another slope")) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("graph %d: %v\n%+v", i, err, g)
		}
		f(g, c)
		if t.Failed() {
			t.Fatalf("graph %d: %+v", i, g)
		}
	}
	if refused > n/2 {
		t.Errorf("%d of %d graphs refused for their size", refused, n)
	}
}

// TestRandomGraphs holds random graphs to the whole contract, new ones in each run.
func TestRandomGraphs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	graphs := 60
	if n, err := strconv.Atoi(os.Getenv("TERRANE_GRAPHS")); err == nil {
		graphs = n // thousands by hand
	}
	newMaker(seed).each(t, graphs, func(_ *graph.Graph, f field.Terrain) { fieldtest.Test(t, f, seed) })
}

// TestManyGraphs compares one small grid of thousands of random graphs, of every kind of node, with its samples
// one by one and with its bounds. The graphs are the same in each run, so that every vector width and every
// machine sees them.
func TestManyGraphs(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 800
	}
	m, g := newMaker(1), grid.New(7)
	seen := map[graph.Kind]bool{}
	m.each(t, n, func(graph *graph.Graph, f field.Terrain) {
		for i := range graph.Nodes {
			seen[graph.Nodes[i].Kind] = true
		}
		s := m.place().Sample
		if level := uint8(m.r.IntN(7)); level < 4 {
			g.Chunk = lattice.ChunkOf(s, level)
			g.Chunk.X, g.Chunk.Y, g.Chunk.Z = s.X/7>>level, s.Y/7>>level, s.Z/7>>level
		} else {
			g.Chunk = lattice.Chunk{X: m.r.Int32N(20) - 10, Y: m.r.Int32N(6) - 3, Z: m.r.Int32N(20) - 10}
		}
		f.Fill(g)
		b, side := f.Bounds(g.Box()), g.Side()
		for i, got := range g.Samples {
			s := g.Corner().Add(int32(i%side)*g.Step(), int32(i/side%side)*g.Step(), int32(i/(side*side))*g.Step())
			if want := f.At(s); math.Float32bits(got) != math.Float32bits(want) || !(got >= b.Lo && got <= b.Hi) {
				t.Errorf("%v at %v: Fill gives %v, At %v, bounds %v", g.Chunk, s, got, want, b)
				return
			}
		}
	})
	for _, s := range graph.EngineSemantics() {
		if !seen[graph.Kind(s.Kind)] {
			t.Errorf("no random graph has a node of kind %v", graph.Kind(s.Kind))
		}
	}
}

func TestGraphRoundTrip(t *testing.T) {
	m := newMaker(7)
	for range 100 {
		g := m.graph()
		for i := range g.Nodes {
			g.Nodes[i].Asset, g.Nodes[i].Field = asset.Hash{}, nil
		}
		g.Nodes[0].Asset = asset.Hash{1}
		data := g.AppendBinary([]byte("before"))[6:]
		got, err := graph.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if again := got.AppendBinary(nil); !bytes.Equal(data, again) {
			t.Fatalf("%+v came back as %+v", g, got)
		}
		if !reflect.DeepEqual(got.Assets(), []asset.Hash{{1}}) {
			t.Fatalf("assets %v", got.Assets())
		}
		for i := range data {
			if _, err := graph.Parse(data[:i]); err == nil {
				t.Fatalf("the first %d of %d bytes parse", i, len(data))
			}
		}
		data[m.r.IntN(len(data))] ^= 1 << m.r.IntN(8)
		if _, err := graph.Parse(data); err == nil {
			t.Fatal("a graph with a flipped bit parses")
		}
	}
}

func FuzzParseGraph(f *testing.F) {
	for _, g := range []*graph.Graph{template.Hills(1), template.Shape(), template.Flat(), painted(),
		template.Heightmap(asset.Hash{1}, template.HeightmapParams{MetersX: 30, MetersZ: 30})} {
		f.Add(g.AppendBinary(nil))
	}
	small := &raster.Raster{Width: 2, Height: 2, MetersX: 1, MetersZ: 1, Scale: 1, Values: []float32{1, 2, 3, 4}}
	file := small.AppendBinary(nil)
	hash := asset.Of(file)
	lying := (&raster.Tiled{Width: 2, Height: 2, Side: raster.MinTileSide, MetersX: 1, MetersZ: 1,
		Tiles: []raster.Tile{{Hash: hash, Low: 5, High: 6}}}).AppendBinary(nil) // of what runs from 1 to 4
	f.Add(template.Heightmap(asset.Hash{2}, template.HeightmapParams{MetersX: 30, MetersZ: 30}).AppendBinary(nil))
	assets := map[asset.Hash][]byte{hash: file, sha256.Sum256(lying): lying}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = seal(slices.Clone(data), 8)
		g, err := graph.Parse(data)
		if err != nil {
			return
		}
		if again := g.AppendBinary(nil); !bytes.Equal(again, data) {
			t.Fatalf("%x parses and comes back as %x", data, again)
		}
		for i := range g.Nodes {
			switch a := &g.Nodes[i].Asset; {
			case *a == asset.Hash{}:
			case a[0]%2 == 0:
				*a = sha256.Sum256(lying)
			default:
				*a = hash
			}
		}
		c, err := field.Compile(g, from(assets))
		if err != nil {
			return
		}
		defer func() { // a lie comes out when the tile is read, and as this
			if v := recover(); v != nil {
				if _, ok := v.(*raster.AssetError); !ok {
					panic(v)
				}
			}
		}()
		b := lattice.Box{Min: lattice.Sample{X: -3, Y: -3, Z: -3}, Max: lattice.Sample{X: 4, Y: 4, Z: 4}}
		i := c.Bounds(b)
		for k := range int32(7) {
			s := lattice.Sample{X: k - 3, Y: 3 - k, Z: k - 3}
			if v := c.At(s); !(v >= i.Lo && v <= i.Hi) || math.Float32bits(v) == 1<<31 {
				t.Fatalf("density %v is not in %v", v, i)
			}
			if p, ok := c.(field.MaterialSource); ok && int(p.Material(s)) >= len(p.Palette()) {
				t.Fatalf("material %d of %d", p.Material(s), len(p.Palette()))
			}
		}
	})
}

// seal writes the checksum at the end of data and, if length is not 0, the length there, so that fuzzing gets
// past them.
func seal(data []byte, length int) []byte {
	if len(data) < 16 {
		return data
	}
	if length != 0 {
		binary.LittleEndian.PutUint32(data[length:], uint32(len(data)))
	}
	body := data[:len(data)-4]
	binary.LittleEndian.PutUint32(data[len(body):], crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	return data
}

func TestCompileRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	ball := func(f ...float32) graph.Node {
		return graph.Node{Kind: graph.KindBall, Version: 1, Ints: []int64{0, 0, 0}, Floats: f}
	}
	constant := graph.Node{Kind: graph.KindConstant, Version: 1, Floats: []float32{1}}
	y := graph.Node{Kind: graph.KindCoordinate, Version: 1, Ints: []int64{1, 0}}
	node := func(k graph.Kind, inputs []uint32, floats ...float32) graph.Node {
		return graph.Node{Kind: k, Version: 1, Inputs: inputs, Floats: floats}
	}
	square := func(i uint32) graph.Node { return node(graph.KindMultiply, []uint32{i, i}) }
	for _, c := range []struct {
		name  string
		nodes []graph.Node
		want  string // part of the error
	}{
		{"no nodes", nil, "0 nodes, want 1"},
		{"unknown kind", []graph.Node{{Kind: 9999, Version: 1}}, "node 0 (kind 9999): this engine does not know"},
		{"another version", []graph.Node{{Kind: graph.KindBall, Version: 2}}, "node 0 (ball): its semantics have version 2, this engine computes 1"},
		{"input too many", []graph.Node{constant, node(graph.KindConstant, []uint32{0}, 1)}, "has 1 inputs, want 0"},
		{"input later", []graph.Node{node(graph.KindAbs, []uint32{0})}, "input 0 is node 0, want an earlier one"},
		{"input far", []graph.Node{node(graph.KindAbs, []uint32{math.MaxUint32})}, "want an earlier one"},
		{"floats missing", []graph.Node{ball(0, 0, 0)}, "has 3 floats, want 4"},
		{"ints missing", []graph.Node{{Kind: graph.KindBall, Version: 1, Floats: []float32{0, 0, 0, 1}}}, "has 0 integers, want 3"},
		{"NaN", []graph.Node{ball(0, nan, 0, 1)}, "offset y is NaN, want -1e+09"},
		{"infinite", []graph.Node{ball(0, 0, 0, inf)}, "radius is +Inf"},
		{"negative radius", []graph.Node{ball(0, 0, 0, -1)}, "radius is -1, want 0.001 … 1e+09"},
		{"zero radius", []graph.Node{ball(0, 0, 0, 0)}, "radius is 0"},
		{"far anchor", []graph.Node{{Kind: graph.KindBall, Version: 1, Ints: []int64{1 << 31, 0, 0}, Floats: []float32{0, 0, 0, 1}}}, "anchor x is 2147483648"},
		{"height of y", []graph.Node{y, node(graph.KindHeight, []uint32{0})}, "its height depends on y"},
		{"ground of y", []graph.Node{y, node(graph.KindWorld, []uint32{0, 0})}, "its ground height depends on y"},
		{"world inside", []graph.Node{constant, node(graph.KindWorld, []uint32{0, 0}), node(graph.KindAbs, []uint32{1})}, "only the last node"},
		{"overflow", []graph.Node{y, square(0), square(1)}, "node 2 (multiply): its values can reach"},
		{"clamp", []graph.Node{y, node(graph.KindClamp, []uint32{0}, 1, 0)}, "low 1 is over high 0"},
		{"smoothstep", []graph.Node{y, node(graph.KindSmoothstep, []uint32{0}, 1, 1)}, "want high at least"},
		{"curve of one point", []graph.Node{y, node(graph.KindCurve, []uint32{0}, 1, 1)}, "want a multiple of 2 and at least 4"},
		{"curve not ascending", []graph.Node{y, node(graph.KindCurve, []uint32{0}, 1, 1, 0, 5)}, "x 0 follows 1"},
		{"noise without step", []graph.Node{{Kind: graph.KindValue2, Version: 1, Ints: []int64{1, 1, 0, 0, 1, 0}, Floats: []float32{0.5}}}, "step x is 0, want 1"},
		{"asset missing", []graph.Node{{Kind: graph.KindHeightmap, Version: 1, Ints: []int64{1 << 32, 1 << 32}, Floats: []float32{1, 0}}}, "names no asset"},
		{"asset unread", []graph.Node{{Kind: graph.KindConstant, Version: 1, Floats: []float32{1}, Asset: asset.Hash{1}}}, "names an asset and reads none"},
		{"asset unknown", []graph.Node{{Kind: graph.KindHeightmap, Version: 1, Ints: []int64{1 << 32, 1 << 32}, Floats: []float32{1, 0}, Asset: asset.Hash{1}}}, "asset 0100000000000000: "},
	} {
		_, err := field.Compile(&graph.Graph{Nodes: c.nodes}, func(asset.Hash) ([]byte, error) { return nil, errors.New("not there") })
		if !errors.Is(err, graph.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	many := &graph.Graph{Nodes: slices.Repeat([]graph.Node{constant}, graph.MaxNodes+1)}
	if _, err := field.Compile(many, nil); err == nil {
		t.Error("a graph with too many nodes compiles")
	}
}

func TestSemantics(t *testing.T) {
	s := graph.EngineSemantics()
	if len(s) < 30 || !slices.IsSortedFunc(s, func(a, b graph.Semantics) int { return int(a.Kind) - int(b.Kind) }) {
		t.Errorf("%v, want all kinds ascending", s)
	}
}
