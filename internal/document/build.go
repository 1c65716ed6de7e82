package document

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
	"github.com/terrane/terrane/noise"
)

// A Raster is the imported form of a document's heightmap or volume.
type Raster struct {
	Hash                      asset.Hash // of its canonical form
	MetersX, MetersY, MetersZ float64    // between its samples; MetersY of volumes only
}

// A Built is the graph of a document.
type Built struct {
	Graph *graph.Graph
	// Origins says for each node of the graph where in the document it comes from.
	Origins []Origin
	doc     *Document
}

// An Origin is a place in a document.
type Origin struct {
	Path         string // like hills.by or density.smooth; that of a named node is its name
	Line, Column int
	width        int
}

// A builder makes a graph.
type builder struct {
	b         graph.Builder
	doc       *Document
	raster    func(Asset) (Raster, error)
	origins   []Origin
	owner     Origin // of the nodes that are being added
	problems  syntax.Reporter
	shared    map[string]graph.Ref // coordinates, numbers, depth
	ground    graph.Ref
	hasGround bool
}

// A call is one operation that is being built.
type call struct {
	*builder
	b    *graph.Builder
	node *node
	args map[string]*arg
}

// Graph makes the document's graph. raster is asked for what each asset became; it may be nil if there are none.
// The error is [*Problems].
func (d *Document) Graph(raster func(Asset) (Raster, error)) (*Built, error) {
	b := &builder{doc: d, raster: raster, shared: map[string]graph.Ref{}, problems: syntax.Reporter{File: d.file, Lines: d.lines}}
	for _, n := range d.named {
		n.built = false
	}
	b.build()
	if err := b.problems.Err(); err != nil {
		return nil, err
	}
	return &Built{Graph: b.b.Graph(), Origins: b.origins, doc: d}, nil
}

// build adds all nodes. Without a ground the density is the last one, so what stands after it is left out.
func (b *builder) build() {
	d := b.doc
	paint := d.paint != nil
	if d.ground == nil && !paint && d.density.kind == exprName {
		last := d.density.target()
		for _, n := range d.named {
			if b.named(n); last.built {
				return
			}
		}
		b.emit(d.density)
		return
	}
	for _, n := range d.named {
		b.named(n)
	}
	density := b.emit(d.density)
	if d.ground == nil && !paint {
		return
	}
	b.end(density, b.groundRef(density))
}

// target returns the named node that a name means in the end, or nil if that is something else.
func (e *expr) target() *named {
	n := e.to
	for n.value.kind == exprName {
		n = n.value.to
	}
	return n
}

// groundRef returns the ground: what the document says, else the first height along first inputs, else 0.
func (b *builder) groundRef(density graph.Ref) graph.Ref {
	if b.doc.ground != nil {
		return b.depthOf()
	}
	nodes := b.b.Graph().Nodes
	for i := int(density); len(nodes[i].Inputs) > 0; i = int(nodes[i].Inputs[0]) {
		if nodes[i].Kind == graph.KindHeight {
			return graph.Ref(nodes[i].Inputs[0])
		}
	}
	return b.constant(syntax.Number{Text: "0"})
}

// depthOf returns the ground that the document names.
func (b *builder) depthOf() graph.Ref {
	if !b.hasGround {
		b.ground, b.hasGround = b.emit(b.doc.ground), true
	}
	return b.ground
}

// depth returns the node that says how far below the ground a point is: one that is there, or a new one.
func (b *builder) depth() graph.Ref {
	ground := b.depthOf()
	for i, n := range b.b.Graph().Nodes {
		if n.Kind == graph.KindHeight && n.Inputs[0] == uint32(ground) {
			return graph.Ref(i)
		}
	}
	return b.b.Height(ground)
}

// end adds the last node.
func (b *builder) end(density, ground graph.Ref) {
	at := b.doc.density
	paint := b.doc.paint
	if paint == nil {
		b.own(Origin{Path: "world", Line: at.Line, Column: at.Column, width: at.Width}, func() { b.b.World(density, ground) })
		return
	}
	material := b.emit(paint)
	b.own(Origin{Path: "world", Line: paint.Line, Column: paint.Column, width: paint.Width},
		func() { b.b.PaintedWorld(density, ground, material, b.doc.Materials) })
}

// own notes o as the origin of the nodes that f adds, except those that f gives another.
func (b *builder) own(o Origin, f func()) {
	outer := b.owner
	b.flush()
	b.owner = o
	f()
	b.flush()
	b.owner = outer
}

// flush gives the nodes without an origin that of the owner.
func (b *builder) flush() {
	for len(b.origins) < len(b.b.Graph().Nodes) {
		b.origins = append(b.origins, b.owner)
	}
}

// named adds a named node, unless that was done.
func (b *builder) named(n *named) graph.Ref {
	if n.built {
		return n.ref
	}
	if n.value.kind == exprNumber { // a node of its own, so that a printed graph keeps it
		b.own(originOf(n.value), func() { n.ref = b.b.Constant(n.value.number.F32()) })
	} else {
		n.ref = b.emit(n.value)
	}
	n.built = true
	return n.ref
}

func originOf(e *expr) Origin {
	return Origin{Path: e.path, Line: e.Line, Column: e.Column, width: e.Width}
}

// emit adds what an expr stands for and returns its number.
func (b *builder) emit(e *expr) (r graph.Ref) {
	if len(b.b.Graph().Nodes) > graph.MaxNodes {
		if len(b.problems.List) == 0 {
			b.problems.At(e.Span, "with this node the graph has more than %d nodes", graph.MaxNodes)
		}
		return 0
	}
	b.own(originOf(e), func() {
		switch e.kind {
		case exprNumber:
			r = b.constant(e.number)
		case exprMaterial:
			r = b.constant(syntax.Number{Text: fmt.Sprint(e.index)})
		case exprName:
			r = b.named(e.to)
		case exprCoordinate:
			r = b.share(e.name, func() graph.Ref {
				return b.b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{int64(e.index), 0}})
			})
		case exprDepth:
			r = b.share("depth", b.depth)
		case exprNode:
			r = e.node.op.build(&call{builder: b, b: &b.b, node: e.node, args: e.node.args})
		}
	})
	return r
}

// share adds a node once.
func (b *builder) share(key string, add func() graph.Ref) graph.Ref {
	r, ok := b.shared[key]
	if !ok {
		r = add()
		b.shared[key] = r
	}
	return r
}

// constant adds a number once.
func (b *builder) constant(n syntax.Number) graph.Ref {
	v := n.F32()
	return b.share(fmt.Sprintf("number %08x", math.Float32bits(v)), func() graph.Ref { return b.b.Constant(v) })
}

// What operations ask of their parameters.

func (c *call) given(name string) bool    { return c.args[name].given }
func (c *call) f32(name string) float32   { return c.args[name].f32() }
func (c *call) f64(name string) float64   { return c.args[name].nums[0].F64() }
func (c *call) int(name string) int64     { return c.args[name].ints[0] }
func (c *call) ints(name string) []int64  { return c.args[name].ints }
func (c *call) word(name string) string   { return c.args[name].word }
func (c *call) ref(name string) graph.Ref { return c.emit(c.args[name].exprs[0]) }

func (c *call) refs(name string) []graph.Ref {
	var refs []graph.Ref
	for _, e := range c.args[name].exprs {
		refs = append(refs, c.emit(e))
	}
	return refs
}

func (c *call) vector(name string) []float32 {
	var v []float32
	for _, n := range c.args[name].nums {
		v = append(v, n.F32())
	}
	return v
}

// place returns a place as new slices.
func (c *call) place(name string) (anchor []int64, offset []float32) {
	a := c.args[name]
	return append(anchor, a.anchor...), append(offset, a.offset...)
}

// seedFactor keeps the noise of two near seeds of a document apart.
const seedFactor = 1_000_003

// seed returns the seed of a noise: the document's times a factor, plus its own. One that has none of its own
// takes a hash of its name, so that it stays what it is when others are added.
func (c *call) seed() int64 {
	if a := c.args["seed"]; a.given {
		return c.doc.Seed*seedFactor + a.ints[0]
	}
	h := fnv.New32a()
	h.Write([]byte(c.node.path))
	return c.doc.Seed*seedFactor + int64(h.Sum32())
}

// steps returns the steps of noise along x, (y,) z.
func (c *call) steps(dims int) []int64 {
	a, frequency := c.args["period"], false
	if !a.given {
		a, frequency = c.args["frequency"], true
	}
	steps := make([]int64, dims)
	for i := range steps {
		v := a.nums[min(i, len(a.nums)-1)].F64()
		if !frequency {
			v = 1 / v
		}
		s, ok := noise.StepOf(v)
		if !ok {
			s = 1
		}
		steps[i] = int64(s)
	}
	return steps
}

// asset returns what an asset became.
func (c *call) asset(name string) Raster {
	for _, a := range c.doc.Assets {
		if a.Name != c.word(name) {
			continue
		}
		if c.raster == nil {
			c.problems.At(a.Span, "the asset %q cannot be read here", a.Name)
			return Raster{}
		}
		r, err := c.raster(a)
		if err != nil {
			c.problems.At(a.Span, "the asset %q: %v", a.Name, err)
		}
		return r
	}
	return Raster{}
}

// Explain turns an error of field.Compile about b's graph into Problems, at the node of the document that it is
// about. It returns other errors as they are.
func (b *Built) Explain(err error) error {
	n, ok := errors.AsType[*graph.NodeError](err)
	if !ok || n.Node >= len(b.Origins) {
		return err
	}
	o := b.Origins[n.Node]
	r := syntax.Reporter{File: b.doc.file, Lines: b.doc.lines}
	p := r.At(syntax.Span{Line: o.Line, Column: o.Column, Width: o.width}, "%s (%v): %v", o.Path, n.Kind, n.Err)
	b.explainHeight(p, n.Node)
	return r.Err()
}

// DensityProblem returns Problems with one, at the place that says the density.
func (b *Built) DensityProblem(message, hint string) error {
	r := syntax.Reporter{File: b.doc.file, Lines: b.doc.lines}
	r.At(b.doc.density.Span, "%s", message).Suggest("%s", hint)
	return r.Err()
}

// explainHeight says through which nodes a height depends on y.
func (b *Built) explainHeight(p *syntax.Problem, i int) {
	n := &b.Graph.Nodes[i]
	k := -1
	switch n.Kind {
	case graph.KindHeight:
		k = int(n.Inputs[0])
	case graph.KindWorld, graph.KindPaintedWorld:
		k = int(n.Inputs[1])
	}
	if k < 0 {
		return
	}
	if source, ok := b.upright(uint32(k), map[uint32]bool{}); ok {
		o := b.Origins[source]
		p.Suggest("by way of %s on line %d (%v)", o.Path, o.Line, b.Graph.Nodes[source].Kind)
	}
}

// upright finds a node among k and what it reads that itself depends on y.
func (b *Built) upright(k uint32, seen map[uint32]bool) (uint32, bool) {
	if seen[k] {
		return 0, false
	}
	seen[k] = true
	n := &b.Graph.Nodes[k]
	for _, i := range n.Inputs {
		if s, ok := b.upright(i, seen); ok {
			return s, true
		}
	}
	info := graph.InfoOf(n.Kind)
	return k, info != nil && !info.Columnar() || n.Kind == graph.KindCoordinate && n.Ints[0] == 1
}
