package gpu

import (
	"fmt"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
)

// A Program is a graph as shaders compute it.
type Program struct {
	// Code holds the functions column_values and density and the constant column_slots, without what they call:
	// Shader adds that.
	Code string
	// Numbers is the content of the storage buffer that Code looks octaves and curves up in. It is never empty, for
	// buffers cannot be.
	Numbers []uint32
	// Columns is how many numbers are kept for each column: what does not depend on y and is needed by what does.
	Columns int
	// Rasters lists the files of heights, whose values lie one after the other in a storage buffer.
	Rasters []asset.Hash

	parts []string
}

// maxParameters bounds the words of Numbers: graphs have at most 4096 nodes, and this many words still compile and
// bind everywhere.
const maxParameters = 1 << 20

// A generator writes a graph's functions.
type generator struct {
	g       *graph.Graph
	p       *Program
	assets  func(hash asset.Hash) (*field.Raster, error)
	flat    []bool // by node: it does not depend on y
	needed  []bool // by node: the density needs it
	slot    []int  // by node: its number among what is kept of a column, −1 if it is not kept
	raster  map[asset.Hash]rasterPlace
	values  int // of all rasters
	slopes  textWriter
	sloped  map[int]bool // by node: slopes has a function of it
	columns textWriter
	density textWriter
}

type rasterPlace struct{ at, width, height int }

// Generate writes the functions of g, which must be a graph that field.Compile accepts. raster returns a file of
// heights by its hash; it may be nil if g reads none. The error is Supported's if a node falls back.
func Generate(g *graph.Graph, raster func(hash asset.Hash) (*field.Raster, error)) (*Program, error) {
	if err := Supported(g); err != nil {
		return nil, err
	}
	n := len(g.Nodes)
	w := generator{g: g, p: &Program{}, assets: raster, raster: map[asset.Hash]rasterPlace{}, sloped: map[int]bool{},
		flat: make([]bool, n), needed: make([]bool, n), slot: make([]int, n)}
	w.mark()
	w.p.use("field", "wide", "batch")
	for i := range g.Nodes {
		if !w.needed[i] {
			continue
		}
		out := &w.density
		if w.flat[i] {
			out = &w.columns
		}
		if err := w.node(i, out); err != nil {
			return nil, err
		}
		if s := w.slot[i]; s >= 0 {
			out.text("\tstore_column(", s, "u, column, n", i, ");\n")
		}
	}
	w.finish()
	if len(w.p.Numbers) > maxParameters {
		return nil, fmt.Errorf("gpu: the graph needs %d numbers, at most %d fit", len(w.p.Numbers), maxParameters)
	}
	return w.p, nil
}

// mark finds out which nodes are needed, which depend on y, and which are kept for each column.
func (w *generator) mark() {
	nodes := w.g.Nodes
	last := len(nodes) - 1
	w.needed[last] = true
	for i := last; i >= 0; i-- {
		for _, k := range dependsOn(&nodes[i]) {
			w.needed[k] = w.needed[k] || w.needed[i]
		}
	}
	for i := range nodes {
		w.slot[i] = -1
		if !w.needed[i] {
			continue
		}
		w.flat[i] = isFlat(&nodes[i])
		for _, k := range dependsOn(&nodes[i]) {
			w.flat[i] = w.flat[i] && w.flat[k]
		}
		for _, k := range dependsOn(&nodes[i]) {
			if w.flat[k] && !w.flat[i] {
				w.keep(int(k))
			}
		}
	}
	if w.flat[last] {
		w.keep(last)
	}
}

// dependsOn returns the inputs whose values a node's is made of: of a world's, the others are for depths and
// materials only; a slope makes a function of its own of its input.
func dependsOn(n *graph.Node) []uint32 {
	switch n.Kind {
	case graph.KindWorld, graph.KindPaintedWorld:
		return n.Inputs[:1]
	case graph.KindSlope:
		return nil
	}
	return n.Inputs
}

// keep has the value of node i kept for each column, unless it is a constant.
func (w *generator) keep(i int) {
	if w.slot[i] < 0 && w.g.Nodes[i].Kind != graph.KindConstant {
		w.slot[i] = w.p.Columns
		w.p.Columns++
	}
}

// node writes node i to out.
func (w *generator) node(i int, out *textWriter) error {
	n := &w.g.Nodes[i]
	f := formOf(n.Kind)
	w.p.use(f.parts...)
	out.text("\tlet n", i, " = ")
	if err := f.write(&expression{w: w, out: out, n: n, node: i}); err != nil {
		return fmt.Errorf("gpu: node %d (%v): %w", i, n.Kind, err)
	}
	out.text(";\n")
	return nil
}

// function writes a function of the place for node k, which does not depend on y, and all that it is made of.
func (w *generator) function(k int) error {
	if w.sloped[k] {
		return nil
	}
	w.sloped[k] = true
	needed := make([]bool, k+1)
	needed[k] = true
	for i := k; i >= 0; i-- {
		for _, j := range dependsOn(&w.g.Nodes[i]) {
			needed[j] = needed[j] || needed[i]
		}
	}
	w.slopes.text("fn height_", k, "(p: vec3<i32>) -> f32 {\n")
	for i := range needed {
		if needed[i] {
			w.flat[i] = true
			if err := w.node(i, &w.slopes); err != nil {
				return err
			}
		}
	}
	w.slopes.text("\treturn n", k, ";\n}\n\n")
	return nil
}

// value returns how node i writes the value of its input k, a node.
func (w *generator) value(i int, k uint32) string { return w.read(int(k), w.flat[i]) }

// read returns how the value of node k is written, once a column or, if flat is false, for a sample.
func (w *generator) read(k int, flat bool) string {
	n := &w.g.Nodes[k]
	switch {
	case n.Kind == graph.KindConstant:
		return literal(n.Floats[0])
	case w.flat[k] && !flat:
		return "load_column(" + decimal(w.slot[k]) + "u, column)"
	}
	return "n" + decimal(k)
}

// finish puts the functions together.
func (w *generator) finish() {
	result := w.read(len(w.g.Nodes)-1, false)
	var t textWriter
	t.text(w.slopes.String(), "const column_slots = ", w.p.Columns, "u;\n\n",
		"fn column_values(p: vec3<i32>, column: u32) {\n", w.columns.String(), "}\n\n",
		"fn density(p: vec3<i32>, column: u32) -> f32 {\n", w.density.String(), "\treturn ", result, ";\n}\n")
	w.p.Code = t.String()
	if len(w.p.Numbers) == 0 {
		w.p.Numbers = []uint32{0}
	}
}

// use notes that the program needs some parts.
func (p *Program) use(parts ...string) { p.parts = append(p.parts, parts...) }
