package field

import (
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// maxValue bounds what a node may reach. Compile follows the ranges of all nodes through the graph and
// refuses it where one is larger, so that no sum or product overflows and no NaN arises at run time.
const maxValue = 1e30

// everywhere holds every sample that can be asked for.
var everywhere = lattice.Box{
	Min: lattice.Sample{X: math.MinInt32, Y: math.MinInt32, Z: math.MinInt32},
	Max: lattice.Sample{X: math.MaxInt32, Y: math.MaxInt32, Z: math.MaxInt32},
}

// compiler is the context passed to an op's maker.
type compiler struct {
	asset   func(hash asset.Hash) ([]byte, error)
	program *graph.Program
	steps   []step // made so far
}

// A step is a compiled node.
type step struct {
	op     op
	inputs []int32       // numbers of earlier steps
	axes   graph.Axes    // along which its value may change
	all    geom.Interval // holds the values everywhere
	// Of what op can do, looked up once.
	chooser      chooser
	costlyBounds bool
	neighbors    neighborReader
	pulled       bool // what reads it computes the values in a block itself, those that it needs
}

// A Program is a compiled graph with its files. It is read-only, so any number of goroutines may share it; each asks it
// for a terrain of its own, which holds little but scratch memory.
type Program struct {
	terrain *terrain // never evaluated
	palette []graph.Material
}

// Terrain returns a terrain that evaluates the program. It is for one goroutine at a time.
//
// It costs some 20 µs in the default world, and some 60 kB for each rectangle of columns that it comes to keep.
func (p *Program) Terrain() Terrain {
	t := p.terrain.fork()
	if p.palette == nil {
		return t
	}
	return &painted{terrain: t, palette: p.palette}
}

// Compile makes a terrain of g, which it checks in full: the errors say which node is wrong and what would be right.
// The terrain is for one goroutine at a time. Whoever needs more than one prepares a [Program].
func Compile(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) (Terrain, error) {
	p, err := Prepare(g, asset)
	if err != nil {
		return nil, err
	}
	return p.Terrain(), nil
}

// Prepare compiles g, which it checks in full: the errors say which node is wrong and what would be right. asset
// returns the content of a file by its hash, which Prepare checks; it may be nil if g reads none. It is called by the
// caller's goroutine, in the order of the nodes.
//
// A raster in tiles is read as terrains go: asset is then kept, called by the goroutine that uses a terrain, and must
// go on answering; it must be safe for concurrent use if terrains of the program are used side by side. Each terrain
// keeps a few tiles of its own. A tile that is unavailable makes the terrain panic with an [AssetError].
func Prepare(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) (*Program, error) {
	p, steps, err := compileSteps(g, asset)
	if err != nil {
		return nil, err
	}
	density := len(steps) - 1
	ground, material := p.Ground, density
	if p.Material >= 0 {
		material = p.Material
	}
	if ground < 0 {
		ground = len(steps)
		steps = append(steps, step{op: constant(0)})
	}
	steps, roots := prune(steps, density, ground, material)
	fuse(steps, roots...)
	steps, roots = prune(steps, roots...)
	if p.Material < 0 {
		roots[2] = -1
	}
	t := newTerrain(steps, roots[0], roots[1], roots[2])
	for _, h := range t.tiled {
		h.raster.inTiles().ready = true
	}
	if p.Material < 0 {
		return &Program{terrain: t}, nil
	}
	return &Program{t, p.Materials}, nil
}

// compileSteps makes the program of g and the steps of all its nodes.
func compileSteps(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) (*graph.Program, []step, error) {
	p, err := graph.Compile(g)
	if err != nil {
		return nil, nil, err
	}
	c := compiler{asset: asset, program: p, steps: make([]step, 0, len(p.Steps)+1)}
	for i := range p.Steps {
		if err := c.compile(&p.Steps[i]); err != nil {
			return nil, nil, &graph.NodeError{Node: i, Kind: p.Steps[i].Kind, Err: err}
		}
	}
	return p, c.steps, nil
}

// compile makes the next step.
func (c *compiler) compile(p *graph.Step) error {
	s := step{axes: p.Axes}
	var in intervals
	for j, k := range p.Inputs {
		s.inputs = append(s.inputs, int32(k))
		in[j] = c.steps[k].all
	}
	op, err := makers[p.Kind](p, c)
	if err != nil {
		return err
	}
	s.op = op
	s.chooser, _ = op.(chooser)
	_, s.costlyBounds = op.(costlyBounds)
	s.neighbors, _ = op.(neighborReader)
	b := everywhere
	s.all = op.bounds(&in, &b)
	if s.all.Lo > s.all.Hi {
		return fmt.Errorf("its bounds %g … %g are out of order, a fault of this engine", s.all.Lo, s.all.Hi)
	}
	if !(s.all.Lo >= -maxValue && s.all.Hi <= maxValue) { // false for NaN
		return fmt.Errorf("its values can reach %g … %g, want at most ±%g", s.all.Lo, s.all.Hi, float32(maxValue))
	}
	c.steps = append(c.steps, s)
	return nil
}

// prune drops the steps that none of the roots needs, and makes constants of those that have one value
// everywhere. It returns what it keeps, which shares no inputs with steps, and the roots' new numbers.
func prune(steps []step, roots ...int) (kept []step, newRoots []int) {
	needed := make([]bool, len(steps))
	for _, r := range roots {
		needed[r] = true
	}
	steps = slices.Clone(steps)
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		if s.all.IsSingle() {
			*s = step{op: constant(s.all.Lo), all: s.all}
		}
		for _, k := range s.inputs {
			needed[k] = needed[k] || needed[i]
		}
	}
	number := make([]int32, len(steps))
	for i, s := range steps {
		if !needed[i] {
			continue
		}
		s.inputs = slices.Clone(s.inputs)
		for j, k := range s.inputs {
			s.inputs[j] = number[k]
		}
		number[i] = int32(len(kept))
		kept = append(kept, s)
	}
	for _, r := range roots {
		newRoots = append(newRoots, int(number[r]))
	}
	return kept, newRoots
}
