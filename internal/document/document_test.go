package document

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/printer"
	"github.com/terrane/terrane/internal/document/syntax"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/template"
)

// build makes the graph of a document that must be right.
func build(t *testing.T, name string, src []byte, opt Options) *Built {
	t.Helper()
	d, err := Parse(name, src, opt)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Graph(func(a Asset) (Raster, error) { return Raster{a.Hash, 30, 35, 40}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Origins) != len(b.Graph.Nodes) {
		t.Fatalf("%d origins of %d nodes", len(b.Origins), len(b.Graph.Nodes))
	}
	return b
}

// Templates are short, compile, use all their nodes, and give the same graph when they are printed.
func TestTemplates(t *testing.T) {
	for _, name := range TemplateNames() {
		t.Run(name, func(t *testing.T) {
			src := Template(name)
			if src == nil {
				t.Fatal("it is not there")
			}
			if n := bytes.Count(src, []byte("\n")); n > 60 {
				t.Errorf("it has %d lines", n)
			}
			for i, line := range strings.Split(string(src), "\n") {
				if len(line) > 140 {
					t.Errorf("line %d has %d characters", i+1, len(line))
				}
			}
			d, err := Parse(name, src, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Unused) > 0 {
				t.Errorf("nothing reads %v", d.Unused)
			}
			if d.Name == "" || d.About == "" || About(src) != d.About || len(d.Materials) == 0 && name != "shape" && name != "flat" {
				t.Errorf("named %q, about %q, %d materials", d.Name, d.About, len(d.Materials))
			}
			b := build(t, name, src, Options{})
			if _, err := field.Compile(b.Graph, nil); err != nil {
				t.Fatal(b.Explain(err))
			}
			again(t, b.Graph)
		})
	}
	if Template("moon") != nil {
		t.Error("there is a template moon")
	}
}

// again fails if a graph that is printed and parsed is another.
func again(t *testing.T, g *graph.Graph) {
	t.Helper()
	text, err := printer.Print(g, printer.Options{Name: "again \"and\" again: \\", Comment: "printed\n\ntwice"})
	if err != nil {
		t.Fatal(err)
	}
	got := build(t, "printed.yaml", text, Options{}).Graph
	if bytes.Equal(got.AppendBinary(nil), g.AppendBinary(nil)) {
		return
	}
	for i := range g.Nodes {
		if i >= len(got.Nodes) || fmt.Sprint(got.Nodes[i]) != fmt.Sprint(g.Nodes[i]) {
			t.Fatalf("node %d is %v\nwant %v\n%s", i, got.Nodes[i], g.Nodes[i], text)
		}
	}
	t.Fatalf("another graph of\n%s", text)
}

// The templates that were graphs in Go before there were documents are those graphs still, so that the worlds made
// of them go on.
func TestTemplatesAreGraphs(t *testing.T) {
	for _, c := range []struct {
		name string
		seed int64
		want *graph.Graph
	}{
		{"hills", 1, template.Hills(1)}, {"hills", -7, template.Hills(-7)}, {"hills", math.MaxInt64, template.Hills(math.MaxInt64)},
		{"shape", 1, template.Shape()}, {"flat", 1, template.Flat()},
	} {
		got := build(t, c.name, Template(c.name), Options{Seed: &c.seed}).Graph
		world := c.want.Nodes[len(c.want.Nodes)-1]
		for i, want := range c.want.Nodes[:world.Inputs[0]+1] {
			if !reflect.DeepEqual(got.Nodes[i], want) {
				t.Fatalf("%s, node %d: %v, want %v", c.name, i, got.Nodes[i], want)
			}
		}
		a, b := terrain(t, got), terrain(t, c.want)
		if got.Nodes[len(got.Nodes)-1].Inputs[0] != world.Inputs[0] || a.Ground(12, 34) != b.Ground(12, 34) {
			t.Errorf("%s: its density or its ground is another node", c.name)
		}
		if c.name == "hills" {
			samePaint(t, a.(field.MaterialSource), b.(field.MaterialSource))
		}
	}
}

func terrain(t *testing.T, g *graph.Graph) field.Terrain {
	t.Helper()
	f, err := field.Compile(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// samePaint compares the materials of two terrains at points near their surface and far from it.
func samePaint(t *testing.T, a, b field.MaterialSource) {
	t.Helper()
	if !slices.Equal(a.Palette(), b.Palette()) {
		t.Errorf("palette %v, want %v", a.Palette(), b.Palette())
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		s := lattice.Sample{X: r.Int32N(4000) - 2000, Z: r.Int32N(4000) - 2000}
		s.Y = int32(a.Ground(s.X, s.Z)) + r.Int32N(12) - 8
		if a.Material(s) != b.Material(s) {
			t.Fatalf("material %d at %v, want %d", a.Material(s), s, b.Material(s))
		}
	}
}

// Random graphs of all kinds of nodes, with numbers as strange as nodes take them, are printed and come back.
func TestPrint(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	m := &maker{r: rand.New(rand.NewPCG(seed, 0))}
	used := map[graph.Kind]bool{}
	rounds := 400
	for range rounds {
		g := m.graph()
		for _, n := range g.Nodes {
			used[n.Kind] = true
		}
		again(t, g)
	}
	for _, s := range graph.Infos() {
		if !used[s.Kind] && s.Kind != graph.KindWorld && s.Kind != graph.KindPaintedWorld && s.Kind != graph.KindField {
			t.Errorf("no graph had a node of kind %v: does the language have it?", s.Kind)
		}
	}
}

// What the language cannot say is refused.
func TestPrintRefuses(t *testing.T) {
	for _, g := range []*graph.Graph{
		{},
		{Nodes: []graph.Node{{Kind: 999, Version: 1}}},
		{Nodes: []graph.Node{{Kind: graph.KindConstant, Version: 9, Floats: []float32{1}}}},
		{Nodes: []graph.Node{{Kind: graph.KindConstant, Version: 1}}},
		{Nodes: []graph.Node{{Kind: graph.KindConstant, Version: 1, Floats: []float32{float32(math.NaN())}}}},
		{Nodes: []graph.Node{{Kind: graph.KindAbs, Version: 1, Inputs: []uint32{0}}}},
		{Nodes: []graph.Node{{Kind: graph.KindWorld, Version: 1, Inputs: []uint32{0, 1}}}},
	} {
		if text, err := printer.Print(g, printer.Options{}); err == nil {
			t.Errorf("%v became\n%s", g, text)
		}
	}
}

// A maker makes random graphs whose nodes are right one by one.
type maker struct {
	r *rand.Rand
	g *graph.Graph
}

func (m *maker) graph() *graph.Graph {
	m.g = &graph.Graph{}
	kinds := graph.Infos()
	for range 1 + m.r.IntN(30) {
		s := kinds[m.r.IntN(len(kinds))]
		if s.Kind == graph.KindWorld || s.Kind == graph.KindPaintedWorld || s.Kind == graph.KindField {
			continue
		}
		m.add(s)
	}
	if len(m.g.Nodes) == 0 {
		m.g.Nodes = []graph.Node{{Kind: graph.KindConstant, Version: 1, Floats: []float32{3}}}
	}
	input := func() uint32 { return uint32(m.r.IntN(len(m.g.Nodes))) }
	switch m.r.IntN(3) {
	case 1:
		m.g.Nodes = append(m.g.Nodes, graph.Node{Kind: graph.KindWorld, Version: 1, Inputs: []uint32{input(), input()}})
	case 2:
		m.g.Materials = []graph.Material{{Name: "grass-3", Color: [3]uint8{1, 2, 255}, Roughness: 0.1}, {Name: "a \"b\": #\\ ü", Roughness: 1}, {Name: "number-1"}}
		m.g.Nodes = append(m.g.Nodes, graph.Node{Kind: graph.KindPaintedWorld, Version: 1, Inputs: []uint32{input(), input(), input()}})
	}
	return m.g
}

// add adds a node of a kind: it tries numbers until they are right.
func (m *maker) add(s graph.Info) {
	for range 4000 {
		n := graph.Node{Kind: s.Kind, Version: s.Version}
		inputs, ints, floats := m.r.IntN(4), m.r.IntN(9), m.r.IntN(17)
		n.Inputs, n.Ints, n.Floats = make([]uint32, 0, inputs), make([]int64, 0, ints), make([]float32, 0, floats)
		if len(m.g.Nodes) == 0 && inputs > 0 {
			continue
		}
		for range inputs {
			n.Inputs = append(n.Inputs, uint32(m.r.IntN(len(m.g.Nodes))))
		}
		for range ints {
			n.Ints = append(n.Ints, m.int())
		}
		for range floats {
			n.Floats = append(n.Floats, m.float())
		}
		if s.Kind == graph.KindHeightmap || s.Kind == graph.KindVolume {
			n.Asset = asset.Hash{byte(s.Kind), byte(1 + m.r.IntN(3))}
		}
		m.fit(&n)
		if n.Check() == nil {
			m.g.Nodes = append(m.g.Nodes, n)
			return
		}
	}
}

// fit makes of random numbers what the kind takes where chance would seldom do.
func (m *maker) fit(n *graph.Node) {
	k := n.Kind
	switch {
	case k >= graph.KindValue2 && k <= graph.KindWarpedEdges3:
		dims, warped := 2+int(k)%2, (k-graph.KindValue2)%4 >= 2
		n.Ints = []int64{m.r.Int64() - m.r.Int64(), 1 + m.r.Int64N(noise.MaxOctaves), m.r.Int64N(4)}
		for range dims {
			n.Ints = append(n.Ints, 1+m.r.Int64N(int64(noise.MaxStep)>>m.r.IntN(34)))
		}
		n.Ints = append(n.Ints, []int64{0, 2 << 32, 1<<32 + m.r.Int64N(3<<32)}[m.r.IntN(3)])
		n.Floats = []float32{[]float32{0.5, m.r.Float32()}[m.r.IntN(2)]}
		if len(n.Inputs) > 0 && warped {
			for len(n.Inputs) < dims {
				n.Inputs = append(n.Inputs, n.Inputs[0])
			}
			n.Inputs = n.Inputs[:dims]
		} else {
			n.Inputs = nil
		}
	case k == graph.KindHeightmap:
		n.Inputs = nil
		n.Ints = []int64{1 << 32, 1<<30 + m.r.Int64N(1<<40)}
	case k == graph.KindCurve || k == graph.KindSpline:
		n.Floats = n.Floats[:len(n.Floats)/2*2]
		for i := 0; i < len(n.Floats); i += 2 {
			n.Floats[i] = float32(i) + m.r.Float32()/2
		}
	case k == graph.KindClamp || k == graph.KindSmoothstep:
		n.Floats = []float32{m.r.Float32() - 1, m.r.Float32() + 0.1}
	case k == graph.KindVolume, k >= graph.KindBall && k <= graph.KindCone && k != graph.KindSlab:
		m.fitShape(n)
	}
}

// fitShape is fit for a shape, which may turn.
func (m *maker) fitShape(n *graph.Node) {
	n.Inputs = nil
	if len(n.Ints) > 3 && n.Kind == graph.KindCylinder {
		n.Ints[3] = m.r.Int64N(3)
	}
	if i := len(n.Ints) - 3; i > 0 {
		for j := range n.Ints[i:] {
			n.Ints[i+j] = m.r.Int64N(100)
		}
	}
	for i := 3; i < len(n.Floats) && n.Kind != graph.KindCapsule && n.Kind != graph.KindPlane; i++ {
		if n.Floats[i] < 0 {
			n.Floats[i] = -n.Floats[i]
		}
	}
	if i := len(n.Floats) - 7; i > 3 {
		for j := range 7 {
			n.Floats[i+j] = max(m.r.Float32(), 0.01)
		}
	}
}

func (m *maker) int() int64 {
	special := []int64{0, 0, 1, 2, -1, lattice.Limit, -lattice.Limit}
	if m.r.IntN(2) == 0 {
		return special[m.r.IntN(len(special))]
	}
	return m.r.Int64N(2e7) - 1e7
}

func (m *maker) float() float32 {
	special := []float32{0, 1, 0.5, 2, 7.25, -3, float32(math.Copysign(0, -1)), 1e9, math.SmallestNonzeroFloat32, 1e-40}
	if m.r.IntN(3) == 0 {
		return special[m.r.IntN(len(special))]
	}
	v := float32(math.Exp2(m.r.Float64()*30 - 12))
	if m.r.IntN(3) == 0 {
		v = -v
	}
	if m.r.IntN(3) == 0 {
		v = m.r.Float32()
	}
	return v
}

// Places are exact however far out they are.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text   string
		anchor int64
		offset float32
	}{
		{"0", 0, 0}, {"0.1", 0, 0.1}, {"-0.1", -1, 0.9}, {"10000000.1", 1e7, 0.1}, {"-10000000.25", -10000001, 0.75},
		{"1e6", 1e6, 0}, {"1073741823.0000001", 1073741823, 1e-7}, {"-0.00000000001", 0, 0}, {"+3.", 3, 0}, {".5", 0, 0.5}, {"1_000.5", 1000, 0.5},
	} {
		src := fmt.Sprintf("terrane: 1\ndensity: {ball: 3, at: [%s, 0, 0]}\n", c.text)
		n := build(t, c.text, []byte(src), Options{}).Graph.Nodes[0]
		if n.Ints[0] != c.anchor || n.Floats[0] != c.offset {
			t.Errorf("%s became %d and %v, want %d and %v", c.text, n.Ints[0], n.Floats[0], c.anchor, c.offset)
		}
	}
}

// Nodes become the graph's in the order of the text, and those that one needs before it.
func TestOrder(t *testing.T) {
	src := `terrane: 1
parameters: {size: {value: 5, unit: m}}
nodes:
  c: {add: [b, a, 2, $size]}
  b: 3
  a: {abs: {scale: x, by: 2}}
  d: c
density: {below: {multiply: [d, {subtract: [1, z]}]}}
ground: d
`
	b := build(t, "order", []byte(src), Options{})
	var got []string
	for i, n := range b.Graph.Nodes {
		got = append(got, fmt.Sprintf("%v of %v at %s", n.Kind, n.Inputs, b.Origins[i].Path))
	}
	golden(t, "testdata/order.txt", []byte(strings.Join(got, "\n")+"\n"))
}

// A noise without a seed takes one from its name and the document's seed, and from nothing else.
func TestSeeds(t *testing.T) {
	seed := func(src string, opt Options) int64 {
		for _, n := range build(t, "seeds", []byte("terrane: 1\n"+src), opt).Graph.Nodes {
			if n.Kind == graph.KindValue2 && n.Ints[1] == 2 {
				return n.Ints[0]
			}
		}
		t.Fatal("no noise")
		return 0
	}
	one := seed("nodes: {a: {noise: value, period: 8, octaves: 2}}\ndensity: {below: a}", Options{})
	if two := seed("nodes:\n  b: {noise: value, period: 9}\n  a: {noise: value, period: 4, octaves: 2}\ndensity: {below: {add: [a, b]}}", Options{}); two != one {
		t.Errorf("%d beside another noise, %d without", two, one)
	}
	seven := int64(7)
	if other := seed("nodes: {a: {noise: value, period: 8, octaves: 2}}\ndensity: {below: a}", Options{Seed: &seven}); other-one != 6*seedFactor {
		t.Errorf("%d with seed 7, %d with 1", other, one)
	}
	if own := seed("seed: 3\ndensity: {below: {noise: value, period: 8, octaves: 2, seed: -5}}", Options{}); own != 3*seedFactor-5 {
		t.Errorf("%d", own)
	}
}

// Parameters can be set from outside, within their ranges.
func TestSet(t *testing.T) {
	src := []byte("terrane: 1\nparameters: {radius: {value: 5, min: 1, max: 9, unit: m}}\ndensity: {ball: $radius}\n")
	if r := build(t, "set", src, Options{Set: map[string]string{"radius": "7.5"}}).Graph.Nodes[0].Floats[3]; r != 7.5 {
		t.Errorf("radius %v", r)
	}
	for _, set := range []map[string]string{{"radius": "10"}, {"radius": "wide"}, {"radios": "3"}} {
		if _, err := Parse("set", src, Options{Set: set}); err == nil {
			t.Errorf("%v was taken", set)
		}
	}
}

// JSON is read too, with names in quotes and tabs before them.
func TestJSON(t *testing.T) {
	yaml := "terrane: 1\nparameters: {r: 3}\nnodes: {a: {ball: $r, at: [0, 1.5, 0]}}\ndensity: {union: [a, {slab: 2}], smooth: 1}\n"
	json := "{\n\t\"terrane\": 1, \"parameters\": {\"r\": 3},\n\t\"nodes\": {\"a\": {\"ball\": \"$r\", \"at\": [0, 1.5, 0]}},\n\t\"density\": {\"union\": [\"a\", {\"slab\": 2}], \"smooth\": 1}}\n"
	a, b := build(t, "yaml", []byte(yaml), Options{}).Graph, build(t, "json", []byte(json), Options{}).Graph
	if !bytes.Equal(a.AppendBinary(nil), b.AppendBinary(nil)) {
		t.Errorf("%v\n%v", a, b)
	}
}

// Documents at the limits are refused or taken, in bounded time and memory.
func TestLimits(t *testing.T) {
	chain := func(n int) string {
		var b strings.Builder
		b.WriteString("terrane: 1\nnodes:\n  n0: 1\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "  n%d: {abs: n%d}\n", i, i-1)
		}
		fmt.Fprintf(&b, "density: {below: n%d}\n", n-1)
		return b.String()
	}
	var choices strings.Builder // 2⁶⁰ ways through, each of which ends in a material
	choices.WriteString("terrane: 1\nmaterials: {a: \"#fff\"}\nnodes:\n  s0: a\n")
	for i := 1; i < 60; i++ {
		fmt.Fprintf(&choices, "  s%d: {select: x, threshold: 1, under: s%d, over: s%d}\n", i, i-1, i-1)
	}
	choices.WriteString("density: {below: 1}\nground: 1\nmaterial: s59\n")
	for _, c := range []struct{ name, src, says string }{
		{"many nodes", chain(graph.MaxNodes - 10), ""},
		{"choices", choices.String(), ""},
		{"too many nodes", chain(graph.MaxNodes + 10), "more than 4096 nodes"},
		{"far too many nodes", chain(13000), "at most 4096 nodes"},
		{"flow", "{terrane: 1, nodes: {" + strings.Repeat("a: 1, ", 30000) + "}}", "second time"},
		{"one list", "terrane: 1\ndensity:\n  add:\n" + strings.Repeat("  - 1\n", 12000), "not 12000"},
		{"too many bytes", strings.Repeat("#", syntax.MaxBytes+1), "1048577 bytes; it may have 1048576"},
		{"too many tokens", "terrane: 1\nname: [" + strings.Repeat("1,", 200000) + "1]\n", "words and signs"},
		{"brackets", strings.Repeat("[", 1<<20), "words and signs"},
		{"fewer brackets", strings.Repeat("[", 1<<17), "deep"},
		{"dashes", strings.Repeat("- ", 1<<16), "deep"},
		{"questions", strings.Repeat("? ", 1<<16), "deep"},
		{"carriage returns", "terrane: 1\rdensity: {below: x1}\r", "carriage returns:2:18: there is no node"},
		{"mistakes", "terrane: 1\nnodes:\n" + strings.Repeat("  ?a: 1\n", 12000), "second time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := compile(c.name, []byte(c.src))
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%.2000v does not say %q", err, c.says)
			}
		})
	}
}

// FuzzParse holds that whatever is read gives a graph or problems within the text, and that a graph that compiles
// can be printed and read again.
func FuzzParse(f *testing.F) {
	for _, name := range TemplateNames() {
		f.Add(Template(name))
	}
	for _, file := range []string{"control", "cycle", "wrong-type", "anchor", "bands", "colors", "parameter-range", "nested"} {
		src, err := os.ReadFile("testdata/bad/" + file + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := Parse("fuzz", src, Options{})
		if err != nil {
			p := err.(*syntax.Problems)
			for _, q := range p.List {
				if q.Line > len(p.Lines) || q.Message == "" {
					t.Errorf("%+v of %d lines", q, len(p.Lines))
				}
			}
			if s := p.Error(); len(s) > syntax.MaxProblems*5000 || strings.ContainsFunc(s, func(r rune) bool { return syntax.Hidden(r) && r != '\n' }) {
				t.Errorf("%d bytes: %q", len(s), s)
			}
			return
		}
		b, err := d.Graph(func(Asset) (Raster, error) { return Raster{MetersX: 1, MetersZ: 1, Hash: asset.Hash{1}}, nil })
		if err != nil {
			return
		}
		for i := range b.Graph.Nodes {
			if b.Graph.Nodes[i].Check() != nil {
				return
			}
		}
		again(t, b.Graph)
	})
}
