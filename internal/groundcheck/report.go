package groundcheck

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
)

// Options say how closely a document is looked at.
type Options struct {
	File   string // its name, for the report
	Radius int    // how far from the middle bounds are taken, in chunks
	Cost   bool   // measure what each node costs
}

// mostMeasured is the largest graph whose nodes are measured: each takes some milliseconds.
const mostMeasured = 1000

// A Report is the result of terrane check, and its JSON.
type Report struct {
	File      string    `json:"file"`
	OK        bool      `json:"ok"`
	Problems  []Problem `json:"problems,omitempty"`
	Name      string    `json:"name,omitempty"`
	Graph     string    `json:"graph,omitempty"` // its SHA-256
	Seed      *int64    `json:"seed,omitempty"`
	Unused    []string  `json:"unused,omitempty"`
	Endless   string    `json:"endless,omitempty"` // the density's node, if it is the same at all heights
	Nodes     []Node    `json:"nodes,omitempty"`
	Materials []string  `json:"materials,omitempty"`
	Lowest    *int32    `json:"lowest_surface_m,omitempty"`
	Highest   *int32    `json:"highest_surface_m,omitempty"`
	Chunks    int       `json:"chunks,omitempty"` // that can hold surface, within the radius
	Cut       bool      `json:"cut,omitempty"`    // looking for them took too long: there are more
	ChunkNS   float64   `json:"chunk_ns,omitempty"`
}

// A Problem is a mistake in a document, and its place.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Width   int    `json:"width"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// A Node describes a node of the graph: its bounds round the middle of the world, and its cost.
type Node struct {
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

// New gathers what there is to say about a document that is right.
func New(ctx context.Context, d *importer.Compiled, o Options) (Report, error) {
	hash := d.GraphHash()
	r := Report{File: o.File, OK: true, Name: d.Doc.Name, Graph: hash.String(), Unused: d.Doc.Unused}
	if d.Doc.Seeded {
		r.Seed = &d.Doc.Seed
	}
	for _, m := range d.Doc.Materials {
		r.Materials = append(r.Materials, m.Name)
	}
	start := time.Now()
	late := func() bool { return ctx.Err() != nil || time.Since(start) > patience }
	around := view{box: importer.BoxAround(o.Radius), cut: true, busy: Chunk(d.Ground)}
	if FillTime(d.Ground, around.busy) < hopelessChunk { // else to bound one column may take minutes
		around = viewBox(d.Ground, o.Radius, late)
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
		node := Node{Node: d.Built.Origins[i].Path, Line: d.Built.Origins[i].Line, Kind: n.Kind.String(), Low: info.Bounds.Lo, High: info.Bounds.Hi, Per: per(info)}
		for _, k := range n.Inputs {
			node.Inputs = append(node.Inputs, int(k))
		}
		node.Far = slices.Contains(far, i)
		if o.Cost && len(d.Built.Graph.Nodes) <= mostMeasured && !late() {
			if ns, ok := nodeCost(d, i, infos); ok {
				node.NS = &ns
			}
		}
		r.Nodes = append(r.Nodes, node)
	}
	r.Endless = d.Endless(infos)
	if o.Cost {
		r.ChunkNS = FillTime(d.Ground, around.busy)
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

// Bad returns the report of a document that is wrong.
func Bad(file string, err error) Report {
	r := Report{File: file}
	problems, ok := errors.AsType[*document.Problems](err)
	if !ok {
		r.Problems = []Problem{{Message: err.Error()}}
		return r
	}
	for _, q := range problems.List {
		r.Problems = append(r.Problems, Problem{q.Line, q.Column, q.Width, q.Message, q.Hint})
	}
	return r
}
