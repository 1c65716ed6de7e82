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

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/field/fieldtest"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// A maker makes random graphs that compile.
type maker struct {
	r    *rand.Rand
	b    field.Builder
	flat []field.Ref // nodes that do not depend on y
	all  []field.Ref
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
func (m *maker) source() (r field.Ref, flat bool) {
	defer func() {
		switch k := m.b.Graph().Nodes[r].Kind; {
		case k >= field.KindBall && k <= field.KindCone && k != field.KindSlab && m.r.IntN(3) == 0:
			period := func() int32 { return pick(m.r, []int32{0, 1, 1 + m.r.Int32N(100), lattice.Limit}) }
			m.b.Repeat(r, period(), period(), period())
		}
	}()
	b, p := &m.b, m.place()
	node := func(k field.Kind, ints []int64, floats ...float32) field.Ref {
		return b.Add(field.Node{Kind: k, Ints: ints, Floats: floats})
	}
	switch m.r.IntN(12) {
	case 0:
		return b.Constant(m.number(1e9)), true
	case 1:
		axis := m.r.Int64N(3)
		return node(field.KindCoordinate, []int64{axis, int64(p.Sample.X)}), axis != 1
	case 2:
		return b.Slab(p, m.length()), false
	case 3:
		return b.Ball(p, m.length()), false
	case 4:
		return b.Cylinder(p, m.r.IntN(3), m.length()), false
	case 5:
		return node(field.KindBox, anchor(p), p.Offset.X, p.Offset.Y, p.Offset.Z, m.length(), m.length(), m.length(), m.length()-1e-3), false
	case 6:
		return node(field.KindCapsule, anchor(p), p.Offset.X, p.Offset.Y, p.Offset.Z, m.number(1e3), m.number(1e3), m.number(1e3), m.length()), false
	case 7:
		return pick(m.r, []func() field.Ref{
			func() field.Ref { return b.Torus(p, m.length(), m.length()) },
			func() field.Ref { return b.Cone(p, m.length(), m.length()) },
		})(), false
	case 8:
		return node(field.KindPlane, anchor(p), p.Offset.X, p.Offset.Y, p.Offset.Z, m.number(1e3), m.number(1e3), m.number(1e3)), false
	case 9:
		return node(field.KindEllipsoid, anchor(p), p.Offset.X, p.Offset.Y, p.Offset.Z, m.length(), m.length(), m.length()), false
	}
	n := m.noise()
	return b.Noise(n), n.Dims == 2
}

func (m *maker) noise() field.Noise {
	return field.Noise{Kind: noise.Value + noise.Kind(m.r.IntN(5)), Dims: 2 + m.r.IntN(2),
		Fractal: noise.Fractal(m.r.IntN(3)), Seed: m.r.Int64(), Octaves: 1 + m.r.IntN(4), Gain: 0.1 + 0.9*m.r.Float32(),
		Period: math.Exp2(m.r.Float64()*10 - 1), PeriodY: math.Exp2(m.r.Float64()*10 - 1)}
}

func anchor(p lattice.Place) []int64 {
	return []int64{int64(p.Sample.X), int64(p.Sample.Y), int64(p.Sample.Z)}
}

// combine adds a node with inputs.
func (m *maker) combine() (r field.Ref, flat bool) {
	b := &m.b
	x, y, t := pick(m.r, m.all), pick(m.r, m.all), pick(m.r, m.all)
	isFlat := func(refs ...field.Ref) bool {
		return !slices.ContainsFunc(refs, func(r field.Ref) bool { return !slices.Contains(m.flat, r) })
	}
	k := pick(m.r, []float32{0, 1e-40, 0.5, 4, 30, 1e6})
	switch m.r.IntN(22) {
	case 20:
		if len(m.flat) > 0 {
			return b.Slope(pick(m.r, m.flat)), true
		}
	case 21:
		return b.Saw(x, m.length()), isFlat(x)
	case 18, 19:
		n := m.noise()
		n.Warp = []field.Ref{x, y, t}[:n.Dims]
		return b.Noise(n), n.Dims == 2 && isFlat(x, y)
	case 0:
		if len(m.flat) > 0 {
			return b.Height(pick(m.r, m.flat)), false
		}
	case 1:
		return b.Union(x, y, 0), isFlat(x, y)
	case 2:
		return b.Intersection(x, y, 0), isFlat(x, y)
	case 3:
		return b.Difference(x, y, 0), isFlat(x, y)
	case 4:
		return b.Add(field.Node{Kind: field.KindSmoothUnion, Floats: []float32{k}}, x, y), isFlat(x, y)
	case 5:
		return b.Add(field.Node{Kind: field.KindSmoothIntersection, Floats: []float32{k}}, x, y), isFlat(x, y)
	case 6:
		return b.Add(field.Node{Kind: field.KindSmoothDifference, Floats: []float32{k}}, x, y), isFlat(x, y)
	case 7:
		return b.Sum(x, y), isFlat(x, y)
	case 8:
		return b.Subtract(x, y), isFlat(x, y)
	case 9:
		return b.Multiply(x, y), isFlat(x, y)
	case 10:
		return b.Scale(x, m.number(100), m.number(100)), isFlat(x)
	case 11:
		return b.Abs(x), isFlat(x)
	case 12:
		lo := m.number(100)
		return b.Clamp(x, lo, lo+m.length()), isFlat(x)
	case 13:
		lo := m.number(100)
		return b.Smoothstep(x, lo, lo+1+m.length()), isFlat(x)
	case 14:
		return b.Bump(x, m.length()), isFlat(x)
	case 15:
		if m.r.IntN(2) == 0 {
			return b.Select(x, y, t, m.number(10)), isFlat(x, y, t)
		}
		return b.Mix(x, y, t), isFlat(x, y, t)
	case 16:
		return b.Hypot(x, y), isFlat(x, y)
	case 17:
		if m.r.IntN(2) == 0 {
			return b.Terrace(x, m.length(), pick(m.r, []float32{0, 0.3, 1, m.r.Float32()})), isFlat(x)
		}
		var points []float32
		at := m.number(10)
		for range 2 + m.r.IntN(5) {
			points = append(points, at, m.number(50))
			at += 0.01 + m.length()
		}
		if m.r.IntN(2) == 0 {
			return b.Spline(x, points...), isFlat(x)
		}
		return b.Curve(x, points...), isFlat(x)
	}
	return b.Abs(x), isFlat(x)
}

// graph returns a random graph.
func (m *maker) graph() *field.Graph {
	m.b, m.flat, m.all = field.Builder{}, nil, nil
	keep := func(r field.Ref, flat bool) {
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

// TestRandomGraphs holds random graphs to the contract, new ones in each run.
func TestRandomGraphs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	m := maker{r: rand.New(rand.NewPCG(seed, 0))}
	graphs, refused := 60, 0
	if n, err := strconv.Atoi(os.Getenv("TERRANE_GRAPHS")); err == nil {
		graphs = n // thousands by hand
	}
	for i := range graphs {
		g := m.graph()
		f, err := field.Compile(g, nil)
		if errors.Is(err, field.ErrGraph) && (strings.Contains(err.Error(), "its values can reach") ||
			strings.Contains(err.Error(), "depends on another slope")) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("graph %d: %v\n%+v", i, err, g)
		}
		fieldtest.Test(t, f, seed)
		if t.Failed() {
			t.Fatalf("graph %d: %+v", i, g)
		}
	}
	if refused > graphs/2 {
		t.Errorf("%d of %d graphs refused for their size", refused, graphs)
	}
}

func TestGraphRoundTrip(t *testing.T) {
	m := maker{r: rand.New(rand.NewPCG(7, 0))}
	for range 100 {
		g := m.graph()
		g.Nodes[0].Asset = [32]byte{1}
		data := g.AppendBinary([]byte("before"))[6:]
		got, err := field.ParseGraph(data)
		if err != nil {
			t.Fatal(err)
		}
		if again := got.AppendBinary(nil); !bytes.Equal(data, again) {
			t.Fatalf("%+v came back as %+v", g, got)
		}
		if !reflect.DeepEqual(got.Assets(), [][32]byte{{1}}) {
			t.Fatalf("assets %v", got.Assets())
		}
		for i := range data {
			if _, err := field.ParseGraph(data[:i]); err == nil {
				t.Fatalf("the first %d of %d bytes parse", i, len(data))
			}
		}
		data[m.r.IntN(len(data))] ^= 1 << m.r.IntN(8)
		if _, err := field.ParseGraph(data); err == nil {
			t.Fatal("a graph with a flipped bit parses")
		}
	}
}

func FuzzParseGraph(f *testing.F) {
	for _, g := range []*field.Graph{field.Hills(1), field.Shape(), field.Flat(), painted(),
		field.HeightmapGraph([32]byte{1}, field.HeightmapParams{MetersX: 30, MetersZ: 30})} {
		f.Add(g.AppendBinary(nil))
	}
	small := &field.Raster{Width: 2, Height: 2, MetersX: 1, MetersZ: 1, Scale: 1, Values: []float32{1, 2, 3, 4}}
	asset := small.AppendBinary(nil)
	hash := sha256.Sum256(asset)
	f.Fuzz(func(t *testing.T, data []byte) {
		data = seal(slices.Clone(data), 8)
		g, err := field.ParseGraph(data)
		if err != nil {
			return
		}
		if again := g.AppendBinary(nil); !bytes.Equal(again, data) {
			t.Fatalf("%x parses and comes back as %x", data, again)
		}
		for i := range g.Nodes {
			if g.Nodes[i].Asset != ([32]byte{}) {
				g.Nodes[i].Asset = hash
			}
		}
		c, err := field.Compile(g, func([32]byte) ([]byte, error) { return asset, nil })
		if err != nil {
			return
		}
		b := lattice.Box{Min: lattice.Sample{X: -3, Y: -3, Z: -3}, Max: lattice.Sample{X: 4, Y: 4, Z: 4}}
		i := c.Bounds(b)
		for k := range int32(7) {
			s := lattice.Sample{X: k - 3, Y: 3 - k, Z: k - 3}
			if v := c.At(s); !(v >= i.Lo && v <= i.Hi) || math.Float32bits(v) == 1<<31 {
				t.Fatalf("density %v is not in %v", v, i)
			}
			if p, ok := c.(field.Painter); ok && int(p.Material(s)) >= len(p.Palette()) {
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
	ball := func(f ...float32) field.Node {
		return field.Node{Kind: field.KindBall, Version: 1, Ints: []int64{0, 0, 0}, Floats: f}
	}
	constant := field.Node{Kind: field.KindConstant, Version: 1, Floats: []float32{1}}
	y := field.Node{Kind: field.KindCoordinate, Version: 1, Ints: []int64{1, 0}}
	node := func(k field.Kind, inputs []uint32, floats ...float32) field.Node {
		return field.Node{Kind: k, Version: 1, Inputs: inputs, Floats: floats}
	}
	square := func(i uint32) field.Node { return node(field.KindMultiply, []uint32{i, i}) }
	for _, c := range []struct {
		name  string
		nodes []field.Node
		want  string // part of the error
	}{
		{"no nodes", nil, "0 nodes, want 1"},
		{"unknown kind", []field.Node{{Kind: 9999, Version: 1}}, "node 0 (kind 9999): this engine does not know"},
		{"another version", []field.Node{{Kind: field.KindBall, Version: 2}}, "node 0 (ball): its semantics have version 2, this engine computes 1"},
		{"input too many", []field.Node{constant, node(field.KindConstant, []uint32{0}, 1)}, "has 1 inputs, want 0"},
		{"input later", []field.Node{node(field.KindAbs, []uint32{0})}, "input 0 is node 0, want an earlier one"},
		{"input far", []field.Node{node(field.KindAbs, []uint32{math.MaxUint32})}, "want an earlier one"},
		{"floats missing", []field.Node{ball(0, 0, 0)}, "has 3 floats, want 4"},
		{"ints missing", []field.Node{{Kind: field.KindBall, Version: 1, Floats: []float32{0, 0, 0, 1}}}, "has 0 integers, want 3"},
		{"NaN", []field.Node{ball(0, nan, 0, 1)}, "offset y is NaN, want -1e+09"},
		{"infinite", []field.Node{ball(0, 0, 0, inf)}, "radius is +Inf"},
		{"negative radius", []field.Node{ball(0, 0, 0, -1)}, "radius is -1, want 0.001 … 1e+09"},
		{"zero radius", []field.Node{ball(0, 0, 0, 0)}, "radius is 0"},
		{"far anchor", []field.Node{{Kind: field.KindBall, Version: 1, Ints: []int64{1 << 31, 0, 0}, Floats: []float32{0, 0, 0, 1}}}, "anchor x is 2147483648"},
		{"height of y", []field.Node{y, node(field.KindHeight, []uint32{0})}, "its height depends on y"},
		{"ground of y", []field.Node{y, node(field.KindWorld, []uint32{0, 0})}, "its ground height depends on y"},
		{"world inside", []field.Node{constant, node(field.KindWorld, []uint32{0, 0}), node(field.KindAbs, []uint32{1})}, "only the last node"},
		{"overflow", []field.Node{y, square(0), square(1)}, "node 2 (multiply): its values can reach"},
		{"clamp", []field.Node{y, node(field.KindClamp, []uint32{0}, 1, 0)}, "low 1 is over high 0"},
		{"smoothstep", []field.Node{y, node(field.KindSmoothstep, []uint32{0}, 1, 1)}, "want high at least"},
		{"curve of one point", []field.Node{y, node(field.KindCurve, []uint32{0}, 1, 1)}, "want a multiple of 2 and at least 4"},
		{"curve not ascending", []field.Node{y, node(field.KindCurve, []uint32{0}, 1, 1, 0, 5)}, "x 0 follows 1"},
		{"noise without step", []field.Node{{Kind: field.KindValue2, Version: 1, Ints: []int64{1, 1, 0, 0, 1, 0}, Floats: []float32{0.5}}}, "step x is 0, want 1"},
		{"asset missing", []field.Node{{Kind: field.KindHeightmap, Version: 1, Ints: []int64{1 << 32, 1 << 32}, Floats: []float32{1, 0}}}, "names no asset"},
		{"asset unread", []field.Node{{Kind: field.KindConstant, Version: 1, Floats: []float32{1}, Asset: [32]byte{1}}}, "names an asset and reads none"},
		{"asset unknown", []field.Node{{Kind: field.KindHeightmap, Version: 1, Ints: []int64{1 << 32, 1 << 32}, Floats: []float32{1, 0}, Asset: [32]byte{1}}}, "asset 0100000000000000: "},
	} {
		_, err := field.Compile(&field.Graph{Nodes: c.nodes}, func([32]byte) ([]byte, error) { return nil, errors.New("not there") })
		if !errors.Is(err, field.ErrGraph) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	many := &field.Graph{Nodes: slices.Repeat([]field.Node{constant}, field.MaxNodes+1)}
	if _, err := field.Compile(many, nil); err == nil {
		t.Error("a graph with too many nodes compiles")
	}
}

func TestSemantics(t *testing.T) {
	s := field.Semantics()
	if len(s) < 30 || !slices.IsSortedFunc(s, func(a, b field.NodeSemantics) int { return int(a.Kind) - int(b.Kind) }) {
		t.Errorf("%v, want all kinds ascending", s)
	}
}
