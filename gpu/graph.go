package gpu

import (
	"fmt"
	"strings"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/raster"
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
	g       *graph.Program
	p       *Program
	assets  func(hash asset.Hash) (*raster.Raster, error)
	slot    []int // by step: its number among what is kept of a column, −1 if it is not kept
	raster  map[asset.Hash]rasterPlace
	values  int // of all rasters
	slopes  textWriter
	sloped  map[int]bool    // by step: slopes has a function of it
	octaves textWriter      // the functions that sum has written
	sums    map[string]bool // by name
	columns textWriter
	density textWriter
}

type rasterPlace struct{ at, width, height int }

// Generate writes the functions of g. raster returns a file of heights by its hash; it may be nil if g reads none. The
// error is Supported's if a node falls back.
func Generate(g *graph.Program, raster func(hash asset.Hash) (*raster.Raster, error)) (*Program, error) {
	if err := Supported(g); err != nil {
		return nil, err
	}
	w := generator{g: g, p: &Program{}, assets: raster, raster: map[asset.Hash]rasterPlace{}, sloped: map[int]bool{}, sums: map[string]bool{},
		slot: make([]int, len(g.Steps))}
	needed := w.written(len(g.Steps) - 1)
	w.place(needed)
	w.p.use("field", "wide", "batch")
	for i := range g.Steps {
		if !needed[i] {
			continue
		}
		out := &w.density
		if g.Steps[i].Columnar() {
			out = &w.columns
		}
		if err := w.step(i, out); err != nil {
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

// reads returns the inputs whose values a step's expression reads: a slope has functions of the place instead.
func reads(s *graph.Step) []uint32 {
	if s.Kind == graph.KindSlope {
		return nil
	}
	return s.Density()
}

// written returns which steps stand in the function that ends with step last.
func (w *generator) written(last int) []bool {
	list := make([]bool, last+1)
	list[last] = true
	for i := last; i >= 0; i-- {
		if list[i] {
			for _, k := range reads(&w.g.Steps[i]) {
				list[k] = true
			}
		}
	}
	return list
}

// place finds out which values are kept for each column: those that do not depend on y and are read by what does.
func (w *generator) place(needed []bool) {
	steps := w.g.Steps
	for i := range steps {
		w.slot[i] = -1
		if !needed[i] || steps[i].Columnar() {
			continue
		}
		for _, k := range reads(&steps[i]) {
			if steps[k].Columnar() {
				w.keep(int(k))
			}
		}
	}
	if last := len(steps) - 1; steps[last].Columnar() {
		w.keep(last)
	}
}

// keep has the value of step i kept for each column, unless it is a constant.
func (w *generator) keep(i int) {
	if w.slot[i] < 0 && w.g.Steps[i].Kind != graph.KindConstant {
		w.slot[i] = w.p.Columns
		w.p.Columns++
	}
}

// step writes step i to out.
func (w *generator) step(i int, out *textWriter) error {
	s := &w.g.Steps[i]
	w.p.use(parts(s.Info)...)
	out.text("\tlet n", i, " = ")
	e := expression{Step: s, w: w, out: out, step: i}
	if err := e.write(); err != nil {
		return fmt.Errorf("gpu: node %d (%v): %w", i, s.Kind, err)
	}
	out.text(";\n")
	return nil
}

// function writes a function of the place for step k, which does not depend on y, and all that it is made of.
func (w *generator) function(k int) error {
	if w.sloped[k] {
		return nil
	}
	w.sloped[k] = true
	w.slopes.text("fn height_", k, "(p: vec3<i32>) -> f32 {\n")
	for i, needed := range w.written(k) {
		if needed {
			if err := w.step(i, &w.slopes); err != nil {
				return err
			}
		}
	}
	w.slopes.text("\treturn n", k, ";\n}\n\n")
	return nil
}

// sum returns the name of the function that adds up octaves of a kind of noise, and writes it if it is not there.
func (w *generator) sum(s *graph.Step) string {
	one := functionOf(s.Info)
	name := "sum_" + strings.TrimPrefix(one, "op_")
	if !w.sums[name] {
		w.sums[name] = true
		w.octaves.text("fn ", name, "(at: Lookup, first: u32, octaves: u32) -> f32 {\n\tvar sum = 0.0;\n",
			"\tfor (var i = 0u; i < octaves; i++) {\n\t\tlet o = first + i * octave_words;\n",
			"\t\tsum += folded(", one, "(octave", s.Dims, "(at, o)), o);\n\t}\n\treturn sum;\n}\n\n")
	}
	return name
}

// value returns how step i writes the value of its input k.
func (w *generator) value(i int, k uint32) string { return w.read(int(k), w.g.Steps[i].Columnar()) }

// read returns how the value of step k is written, once a column or, if columnar is false, for a sample.
func (w *generator) read(k int, columnar bool) string {
	s := &w.g.Steps[k]
	switch {
	case s.Kind == graph.KindConstant:
		return literal(s.Constants[0])
	case s.Columnar() && !columnar:
		return "load_column(" + decimal(w.slot[k]) + "u, column)"
	}
	return "n" + decimal(k)
}

// finish puts the functions together.
func (w *generator) finish() {
	result := w.read(len(w.g.Steps)-1, false)
	var t textWriter
	t.text(w.octaves.String(), w.slopes.String(), "const column_slots = ", w.p.Columns, "u;\n\n",
		"fn column_values(p: vec3<i32>, column: u32) {\n", w.columns.String(), "}\n\n",
		"fn density(p: vec3<i32>, column: u32) -> f32 {\n", w.density.String(), "\treturn ", result, ";\n}\n")
	w.p.Code = t.String()
	if len(w.p.Numbers) == 0 {
		w.p.Numbers = []uint32{0}
	}
}

// use notes that the program needs some parts.
func (p *Program) use(parts ...string) { p.parts = append(p.parts, parts...) }
