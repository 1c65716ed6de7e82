package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/lattice"
)

type checkCmd struct {
	Document string       `arg:"" help:"The document: YAML or JSON."`
	Seed     *int64       `help:"Instead of the document's." placeholder:"N"`
	Set      usage.Params `help:"Give a parameter another value." placeholder:"NAME=V"`
	Radius   int          `default:"8" help:"How far from the middle bounds are taken, in chunks of 32 m (default ${default})." placeholder:"N"`
	Cost     bool         `default:"true" negatable:"" help:"Measure what each node costs (on by default)."`
	JSON     bool         `name:"json" help:"Print one JSON object: what is wrong, or the nodes."`
}

// Help is printed by `terrane check --help`.
func (checkCmd) Help() string {
	return `Says all that is wrong with a document, each mistake by line and column with what would be right, and exits with
status 2. Of a document that is right it prints the graph: what each node is, what it reads, between which values
it lies within --radius of the middle, and how long it takes, by the sample or, where it is the same at all
heights, by the column. (Nanoseconds are this machine's, for one thread.)

  terrane check valley.yaml
  terrane check valley.yaml --set depth=90
  terrane check valley.yaml --json

A node marked "far" is a coordinate in a 32-bit number that is still seen over 2²⁰ m from where it is measured from,
where its steps are larger than ⅛ m. One that a clamp or a curve holds still that far out is exact. Noise, shapes and heightmaps are exact everywhere.`
}

// mostMeasured is the largest graph whose nodes are measured: each takes some milliseconds.
const mostMeasured = 1000

// A checkReport is what --json prints.
type checkReport struct {
	File      string         `json:"file"`
	OK        bool           `json:"ok"`
	Problems  []checkProblem `json:"problems,omitempty"`
	Name      string         `json:"name,omitempty"`
	Graph     string         `json:"graph,omitempty"` // its SHA-256
	Seed      *int64         `json:"seed,omitempty"`
	Unused    []string       `json:"unused,omitempty"`
	Endless   string         `json:"endless,omitempty"` // the density's node, if it is the same at all heights
	Nodes     []checkNode    `json:"nodes,omitempty"`
	Materials []string       `json:"materials,omitempty"`
	Lowest    *int32         `json:"lowest_surface_m,omitempty"`
	Highest   *int32         `json:"highest_surface_m,omitempty"`
	Chunks    int            `json:"chunks,omitempty"` // that can hold surface, within the radius
	Cut       bool           `json:"cut,omitempty"`    // looking for them took too long: there are more
	ChunkNS   float64        `json:"chunk_ns,omitempty"`
}

type checkProblem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Width   int    `json:"width"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

type checkNode struct {
	Node   string   `json:"node"`
	Line   int      `json:"line"`
	Kind   string   `json:"kind"`
	Inputs []int    `json:"inputs,omitempty"`
	Low    float32  `json:"low"`
	High   float32  `json:"high"`
	Per    string   `json:"per"` // "sample", "column" or "world"
	NS     *float64 `json:"ns,omitempty"`
	Far    bool     `json:"inexact_beyond_2_20,omitempty"`
}

// Run checks the document.
func (c *checkCmd) Run(p *program) error {
	if c.Radius < 1 || c.Radius > 64 {
		return usage.Errorf("--radius %d is outside 1 … 64", c.Radius)
	}
	src, err := importer.ReadDocument(c.Document)
	if err != nil {
		return err
	}
	d, err := p.importer().Compile(c.Document, filepath.Dir(c.Document), src, document.Options{Seed: c.Seed, Set: c.Set})
	if err != nil {
		if c.JSON {
			return errors.Join(p.printJSON(badReport(c.Document, err)), err)
		}
		return err
	}
	report, err := c.report(p, d)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(report)
	}
	return c.print(p, d, report)
}

func (p *program) printJSON(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s\n", line)
	return err
}

func badReport(file string, err error) checkReport {
	r := checkReport{File: file}
	problems, ok := errors.AsType[*document.Problems](err)
	if !ok {
		r.Problems = []checkProblem{{Message: err.Error()}}
		return r
	}
	for _, q := range problems.List {
		r.Problems = append(r.Problems, checkProblem{q.Line, q.Column, q.Width, q.Message, q.Hint})
	}
	return r
}

// report gathers what there is to say about a document that is right.
func (c *checkCmd) report(p *program, d *importer.Compiled) (checkReport, error) {
	defer p.stage("checking " + c.Document)()
	hash := d.GraphHash()
	r := checkReport{File: c.Document, OK: true, Name: d.Doc.Name, Graph: hash.String(), Unused: d.Doc.Unused}
	if d.Doc.Seeded {
		r.Seed = &d.Doc.Seed
	}
	for _, m := range d.Doc.Materials {
		r.Materials = append(r.Materials, m.Name)
	}
	start := time.Now()
	late := func() bool { return p.ctx.Err() != nil || time.Since(start) > patience }
	around := view{box: importer.BoxAround(c.Radius), cut: true, busy: groundChunk(d.Ground)}
	if fillTime(d.Ground, around.busy) < hopelessChunk { // else to bound one column may take minutes
		around = viewBox(d.Ground, c.Radius, late)
	}
	r.Lowest, r.Highest, r.Chunks, r.Cut = around.low, around.high, around.chunks, around.cut
	start = time.Now()
	far, err := field.Inexact(d.Built.Graph, d.Assets.Find)
	if err != nil {
		return r, err
	}
	infos, err := field.Describe(d.Built.Graph, d.Assets.Find, around.box)
	if err != nil {
		return r, err
	}
	for i, n := range d.Built.Graph.Nodes {
		info := &infos[i]
		node := checkNode{Node: d.Built.Origins[i].Path, Line: d.Built.Origins[i].Line, Kind: n.Kind.String(), Low: info.Bounds.Lo, High: info.Bounds.Hi, Per: per(info)}
		for _, k := range n.Inputs {
			node.Inputs = append(node.Inputs, int(k))
		}
		node.Far = slices.Contains(far, i)
		if c.Cost && len(d.Built.Graph.Nodes) <= mostMeasured && !late() {
			if ns, ok := nodeCost(d, i, infos); ok {
				node.NS = &ns
			}
		}
		r.Nodes = append(r.Nodes, node)
	}
	r.Endless = d.Endless(infos)
	if c.Cost {
		r.ChunkNS = fillTime(d.Ground, around.busy)
	}
	return r, nil
}

// per says how often a node is computed.
func per(i *field.NodeInfo) string {
	switch {
	case i.Y:
		return "sample"
	case i.X || i.Z:
		return "column"
	}
	return "world"
}

// print prints the report for people.
func (c *checkCmd) print(p *program, d *importer.Compiled, r checkReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is right", c.Document)
	if r.Name != "" {
		fmt.Fprintf(&b, ": %s", r.Name)
	}
	fmt.Fprintf(&b, ".\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\tnode\tis\treads\tvalues\tcost\n")
	far := false
	for i, n := range r.Nodes {
		var reads []string
		for _, k := range n.Inputs {
			reads = append(reads, fmt.Sprint(k))
		}
		cost := "per " + n.Per
		if n.Per == "world" {
			cost = "once"
		} else if n.NS != nil {
			cost = fmt.Sprintf("%s ns per %s", nsText(*n.NS), n.Per)
		}
		mark := ""
		if n.Far {
			mark, far = "  far", true
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s%s\n", i, n.Node, n.Kind, strings.Join(reads, " "), valuesText(n.Low, n.High), cost, mark)
	}
	w.Flush()
	fmt.Fprintln(&b)
	c.printSurface(&b, r)
	if c.Cost {
		fmt.Fprintf(&b, "cost       %.3g ms for a chunk of 35³ samples with surface in it%s\n", r.ChunkNS/1e6, heavy(r.ChunkNS))
	}
	if len(r.Materials) > 0 {
		fmt.Fprintf(&b, "materials  %s\n", strings.Join(r.Materials, ", "))
	}
	for _, a := range d.Doc.Assets {
		fmt.Fprintf(&b, "asset      %s, a %v: %s\n", a.Name, a.Use, a.File)
	}
	if r.Seed != nil {
		fmt.Fprintf(&b, "seed       %d\n", *r.Seed)
	}
	fmt.Fprintf(&b, "graph      %d nodes, SHA-256 %s\n", len(r.Nodes), r.Graph)
	if len(r.Unused) > 0 {
		fmt.Fprintf(&b, "\nNothing reads %s.\n", strings.Join(r.Unused, ", "))
	}
	if r.Endless != "" {
		fmt.Fprintf(&b, "\nThe density is the same at all heights, which no world can be made of. Is it a height? Ground below a height is\n%s.\n", importer.BelowHeight(r.Endless))
	}
	if far {
		fmt.Fprintf(&b, "\nFar: a coordinate over 2²⁰ m from its origin has steps of more than ⅛ m. Measure it from nearer with\n{coordinate: x, from: …}, or use noise and shapes, which are exact everywhere.\n")
	}
	_, err := fmt.Fprint(p.stdout, document.Visible(b.String()))
	return err
}

// printSurface says where there is surface.
func (c *checkCmd) printSurface(b *strings.Builder, r checkReport) {
	if r.Endless != "" {
		fmt.Fprintf(b, "surface    upright walls without ends; %d chunks within radius %d can hold some\n", r.Chunks, c.Radius)
	} else if r.Cut {
		fmt.Fprintf(b, "surface    in so many places, or so costly to find, that not all within radius %d was looked at\n", c.Radius)
	} else if r.Lowest != nil {
		fmt.Fprintf(b, "surface    between %d and %d m; %d chunks within radius %d can hold some\n", *r.Lowest, *r.Highest, r.Chunks, c.Radius)
	} else {
		fmt.Fprintf(b, "surface    none within radius %d: all is solid, or all air\n", c.Radius)
	}
}

// valuesText writes bounds in few digits.
func valuesText(low, high float32) string {
	text := func(v float32) string {
		switch a := math.Abs(float64(v)); {
		case a >= 1e7:
			return fmt.Sprintf("%.0e", v)
		case a >= 100:
			return fmt.Sprintf("%.0f", v)
		}
		return fmt.Sprintf("%.3g", v)
	}
	if low == high {
		return text(low)
	}
	return text(low) + " … " + text(high)
}

func nsText(v float64) string {
	switch {
	case v < 0.05:
		return "< 0.1"
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// patience is how long it is looked for surface, and then how long nodes are measured: a document of thousands of
// nodes, or with surface at all heights, would take hours.
const patience = 5 * time.Second

// heavyChunk is from what cost on, in nanoseconds a chunk, a world is too heavy: a view of radius 8 has hundreds of
// chunks with surface, and each edit has the server compute some.
const heavyChunk = 30e6

// hopelessChunk is from what cost on there is no looking for surface.
const hopelessChunk = 1e9

// heavy says what it means if chunks cost so many nanoseconds.
func heavy(ns float64) string {
	if ns < heavyChunk {
		return ""
	}
	return fmt.Sprintf(": heavy, %.0f s of work for 500 chunks", 500*ns/1e9)
}

// A view is what lies round the middle of a world.
type view struct {
	box       lattice.Box
	low, high *int32 // heights of the lowest and the highest surface, nil if there is none
	chunks    int
	cut       bool          // it was late before all was seen
	busy      lattice.Chunk // one that can hold surface, near the middle
}

// viewBox looks round the middle of a world, so many chunks far, until late says so.
func viewBox(ground field.Terrain, radius int, late func() bool) view {
	r := int32(radius)
	v := view{box: importer.BoxAround(radius)}
	var spans []lattice.Span
	nearest := int64(math.MaxInt64)
	for x := -r; x < r; x++ {
		for z := -r; z < r; z++ {
			if v.cut = v.cut || late(); v.cut {
				break
			}
			b := lattice.Box{Min: lattice.Sample{X: 32*x - 1, Z: 32*z - 1}, Max: lattice.Sample{X: 32*x + 34, Z: 32*z + 34}}
			spans = ground.Heights(spans[:0], b)
			for _, s := range spans {
				v.include(s)
				for y := (s.Lo - 33) >> 5; y <= (s.Hi+1)>>5; y++ {
					if v.cut = late(); v.cut {
						break
					}
					b.Min.Y, b.Max.Y = 32*y-1, 32*y+34
					if i := ground.Bounds(b); i.Lo > 0 || i.Hi <= 0 {
						continue
					}
					v.chunks++
					if d := int64(x)*int64(x) + int64(z)*int64(z) + int64(y)*int64(y); d < nearest {
						nearest, v.busy = d, lattice.Chunk{X: x, Y: y, Z: z}
					}
				}
			}
		}
	}
	if v.low != nil {
		v.box.Min.Y, v.box.Max.Y = max(*v.low, -1<<20), min(*v.high+1, 1<<20)
	}
	return v
}

// include makes room for a span of heights.
func (v *view) include(s lattice.Span) {
	if v.low == nil || s.Lo < *v.low {
		v.low = &s.Lo
	}
	if v.high == nil || s.Hi > *v.high {
		v.high = &s.Hi
	}
}
