package document

import (
	"math"
	"slices"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// An operation is a kind of node of the language: what its one telling key is, what may stand beside it, and how
// nodes of a graph are made of it.
type operation struct {
	name    string
	group   string
	about   string // one sentence for the manual and for editors
	example string
	head    param                   // the value of the key that names the operation
	params  []param                 // the keys beside it
	build   func(c *call) graph.Ref // nil in the lists below for a syntax.Function, from which it follows
	// check reports what is wrong with parameters that are right one by one; nil if nothing can be.
	check func(c *checker, n *node)
}

// A paramKind is the form of a parameter's value.
type paramKind uint8

const (
	numberParam   paramKind = iota
	wholeParam              // a whole number
	seedParam               // any whole number of 64 bits
	wordParam               // one of words
	nodeParam               // what a node computes
	nodesParam              // a list of nodes
	vectorParam             // a list of numbers, count of them
	placeParam              // a place in the world: three numbers, or an anchor and an offset
	periodParam             // a number, or one for each dimension
	pointsParam             // a list of pairs of numbers
	bandsParam              // nodes with numbers between them
	assetParam              // the name of an asset
	rotationParam           // degrees about y, or about x, z and y, or a quaternion
)

// A param is a parameter of an operation.
type param struct {
	name     string
	kind     paramKind
	about    string
	unit     string
	lo, hi   float64
	count    [2]int // how many numbers or nodes a list holds
	words    []string
	def      string // what it is when it is left out; "" if it must be given
	optional bool   // it may be left out, and is then nothing
	instead  string // of one of which another must be given if it is left out: that one
	material bool   // its nodes may be materials
}

// required reports whether the parameter must be given.
func (p *param) required() bool { return p.def == "" && !p.optional }

// Ranges of parameters, those of field and noise.
const (
	huge      = 1e9
	tiny      = 1e-3
	limit     = lattice.Limit
	widest    = 1e6     // of fillets
	shortest  = 0.25    // of periods: a sample is at most four cells of a lattice
	longest   = 1 << 32 // of periods: beyond, the step of one rounds to 0
	maxInputs = 64      // of a list of nodes
)

// Makers of parameters that many operations have.
func num(name, unit string, lo, hi float64, def, about string) param {
	return param{name: name, kind: numberParam, unit: unit, lo: lo, hi: hi, def: def, about: about}
}

func length(name, def, about string) param { return num(name, "m", tiny, huge, def, about) }

func anyNumber(name, unit, def, about string) param { return num(name, unit, -huge, huge, def, about) }

func input(name, about string) param { return param{name: name, kind: nodeParam, about: about} }

func inputs(name string, least, most int, about string) param {
	return param{name: name, kind: nodesParam, count: [2]int{least, most}, about: about}
}

func vector(name, unit string, n int, lo, hi float64, def, about string) param {
	return param{name: name, kind: vectorParam, unit: unit, count: [2]int{n, n}, lo: lo, hi: hi, def: def, about: about}
}

func word(name, def, about string, words ...string) param {
	return param{name: name, kind: wordParam, def: def, about: about, words: words}
}

var (
	smooth    = num("smooth", "m", 0, widest, "0", "radius of the fillet where the solids meet")
	placed    = param{name: "at", kind: placeParam, unit: "m", lo: -limit, hi: limit, def: "[0, 0, 0]", about: "where the shape is: x, y, z"}
	repeated  = param{name: "repeat", kind: vectorParam, unit: "m", count: [2]int{3, 3}, lo: 0, hi: limit, optional: true, about: "whole meters from one to the next along x, y, z, endlessly; 0 for only one"}
	rotated   = param{name: "turn", kind: rotationParam, unit: "degrees", lo: -360, hi: 360, optional: true, about: "turns it round its place, counter-clockwise seen from above; {x: 10, z: 5, y: 30} turns about x, then z, then y"}
	stretched = param{name: "stretch", kind: vectorParam, count: [2]int{3, 3}, lo: 1e-3, hi: 1e3, optional: true, about: "factors that make it longer along its own x, y, z, before it is turned"}
	own       = param{name: "seed", kind: seedParam, optional: true, about: "which noise: added to the document's seed; without it the name of the node picks one"}
	points    = param{name: "points", kind: pointsParam, lo: -huge, hi: huge, count: [2]int{2, 512}, about: "[x, y] pairs, x ascending"}
)

// operations holds the language's nodes in the order of the manual. It is filled by init, since the functions in
// it lead back to it.
var (
	operations  []operation
	operationOf = map[string]*operation{}
	allNames    []string // of operations
)

func init() {
	operations = slices.Concat(placeOperations(), noiseOperations(), shapeOperations(), solidOperations(),
		arithmeticOperations(), curveOperations(), fileOperations(), materialOperations())
	for i := range operations {
		o := &operations[i]
		o.head.name = o.name
		if o.build == nil {
			o.build = functionNamed(o.name)
		}
		operationOf[o.name] = o
		allNames = append(allNames, o.name)
	}
}

// functionNamed returns what builds a function of the language.
func functionNamed(name string) func(c *call) graph.Ref {
	f := syntax.Functions[slices.IndexFunc(syntax.Functions, func(f syntax.Function) bool { return f.Name == name })]
	return func(c *call) graph.Ref {
		n := graph.Node{Kind: f.Kind}
		for _, p := range f.Floats {
			n.Floats = append(n.Floats, c.f32(p))
		}
		return c.b.Add(n, c.ref(name))
	}
}

func placeOperations() []operation {
	const group = "Heights and places"
	return []operation{
		{name: "below", group: group, example: "{below: hills}",
			about: "Solid below a height in meters: the height less y. The height must not depend on y.",
			head:  input("", "the height, in meters")},
		{name: "coordinate", group: group, example: "{coordinate: x, from: 100}",
			about: "The distance in meters along an axis. The names x, y and z alone mean it from 0.",
			head:  word("", "", "the axis", syntax.AxisNames...),
			params: []param{{name: "from", kind: wholeParam, unit: "m", lo: -limit, hi: limit, def: "0",
				about: "the whole meter that it is measured from; exact within 2²⁴ m of it"}},
			build: func(c *call) graph.Ref {
				return c.b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{int64(slices.Index(syntax.AxisNames, c.word("coordinate"))), c.int("from")}})
			}},
	}
}

func noiseOperations() []operation {
	const group = "Noise"
	return []operation{
		{name: "noise", group: group, example: "{noise: gradient, period: 40, octaves: 4}",
			about: "Noise between −1 and 1: a smooth random landscape, the same on every machine.",
			head:  word("", "", "value (soft), gradient (rolling), simplex (no direction stands out), cellular (distance to strewn points) or edges (ridges between cells, upside down)", syntax.NoiseNames...),
			params: []param{
				{name: "period", kind: periodParam, unit: "m", lo: shortest, hi: longest, count: [2]int{1, 3}, optional: true, instead: "frequency", about: "size of the largest bumps: one number, or one for each of x, (y,) z"},
				{name: "frequency", kind: periodParam, unit: "per m", lo: 1 / longest, hi: 1 / shortest, count: [2]int{1, 3}, optional: true, instead: "period", about: "bumps in a meter, instead of the period"},
				{name: "dims", kind: wholeParam, lo: 2, hi: 3, def: "2", about: "2 for noise over x and z, the same at all heights; 3 for noise in space"},
				{name: "octaves", kind: wholeParam, lo: 1, hi: noise.MaxOctaves, def: "1", about: "layers of finer and finer noise"},
				num("gain", "", 1e-6, 1, "0.5", "strength of each octave over the one before"),
				num("lacunarity", "", 1, 4, "2", "frequency of each octave over the one before"),
				word("fractal", "fbm", "how octaves are added: as they are; with ridges or creases where they change sign; turbulence is billow from 0 to 1", syntax.FractalNames...),
				own,
				{name: "warp", kind: nodesParam, count: [2]int{2, 3}, optional: true, about: "nodes that shift the noise along x, (y,) z, in meters up to 2²⁰"},
			},
			check: checkNoise, build: buildNoise},
		{name: "cracks", group: group, example: "{cracks: 12, jitter: 0.8}",
			about:  "The distance in meters over x and z to the nearest crack: cracks are the borders between the cells of strewn points, as in dried mud. It is known up to 5/16 of a cell's size, which is what it is farther away.",
			head:   num("", "m", 1, longest, "", "size of the cells"),
			params: []param{num("jitter", "", 0, 1, "1", "how irregular the cells are: 0 makes squares of them, 1 strews the points anywhere"), own},
			build:  func(c *call) graph.Ref { return c.b.Cracks(c.seed(), c.f64("cracks"), c.f32("jitter")) }},
		{name: "rough", group: group, example: "{rough: 4}",
			about:  "The rough procedural heightmap, between −1.4 and 1.4, made of sines as in the first demo.",
			head:   length("", "", "meters in one of its units"),
			params: []param{word("form", "rough", "rough, or its smooth predecessor", "rough", "smooth")},
			build: func(c *call) graph.Ref {
				form := int64(0)
				if c.word("form") == "smooth" {
					form = 1
				}
				return c.b.Add(graph.Node{Kind: graph.KindRough, Ints: []int64{form}, Floats: []float32{c.f32("rough")}})
			}},
	}
}

// checkNoise reports noise whose parameters do not fit each other.
func checkNoise(c *checker, n *node) {
	period, frequency := n.args["period"], n.args["frequency"]
	dims := int(n.args["dims"].int())
	switch {
	case period.given && frequency.given:
		c.At(frequency.Span, "noise has a period or a frequency, not both; one is 1 over the other")
	case !period.given && !frequency.given && !slices.Contains(n.meant, "period") && !slices.Contains(n.meant, "frequency"):
		c.At(n.Span, "noise needs a period: the size of its largest bumps in meters").Suggest("like %s", n.op.example)
	}
	for _, a := range []*arg{period, frequency} {
		if a.given && len(a.nums) > 1 && len(a.nums) != dims {
			c.At(a.Span, "%s has %d numbers, noise with dims: %d takes 1 or %d", a.param.name, len(a.nums), dims, dims)
		}
	}
	if w := n.args["warp"]; w.given && len(w.exprs) != dims {
		c.At(w.Span, "warp has %d nodes, noise with dims: %d takes %d: the shifts along %s", len(w.exprs), dims, dims,
			[]string{"x and z", "x, y and z"}[dims-2])
	}
}

func buildNoise(c *call) graph.Ref {
	dims := int(c.int("dims"))
	steps := c.steps(dims)
	fractal := slices.Index(syntax.FractalNames, c.word("fractal"))
	kind := graph.KindValue2 + 4*graph.Kind(slices.Index(syntax.NoiseNames, c.word("noise"))) // of a kind of noise there are four
	var warp []graph.Ref
	if c.given("warp") {
		warp = c.refs("warp")
		kind += graph.KindWarpedValue2 - graph.KindValue2
	}
	if dims == 3 {
		kind += graph.KindValue3 - graph.KindValue2
	}
	lacunarity := int64(0)
	if c.given("lacunarity") {
		lacunarity = int64(math.RoundToEven(c.f64("lacunarity") * (1 << 32)))
	}
	ints := append([]int64{c.seed(), c.int("octaves"), int64(fractal)}, steps...)
	return c.b.Add(graph.Node{Kind: kind, Ints: append(ints, lacunarity), Floats: []float32{c.f32("gain")}}, warp...)
}
