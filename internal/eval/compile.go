package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/ops"
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
	op     ops.Op
	inputs []int32       // numbers of earlier steps
	axes   graph.Axes    // along which its value may change
	all    geom.Interval // holds the values everywhere
	// Of what op can do, looked up once.
	chooser      ops.Chooser
	costlyBounds bool
	neighbors    ops.NeighborReader
	pulled       bool // what reads it computes the values in a block itself, those that it needs
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
	var in ops.Intervals
	for j, k := range p.Inputs {
		s.inputs = append(s.inputs, int32(k))
		in[j] = c.steps[k].all
	}
	op, err := makers[p.Kind](p, c)
	if err != nil {
		return err
	}
	s.op = op
	s.chooser, _ = op.(ops.Chooser)
	_, s.costlyBounds = op.(ops.CostlyBounds)
	s.neighbors, _ = op.(ops.NeighborReader)
	b := everywhere
	s.all = op.Bounds(&in, &b)
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
			*s = step{op: ops.Constant(s.all.Lo), all: s.all}
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
