package field

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"

	"github.com/terrane/terrane/lattice"
)

// ErrGraph is wrapped by the errors of Compile about the graph itself.
var ErrGraph = errors.New("field: invalid graph")

// maxValue bounds what a node may reach. Compile follows the ranges of all nodes through the graph and
// refuses it where one is larger, so that no sum or product overflows and no NaN arises at run time.
const maxValue = 1e30

// everywhere holds every sample that can be asked for.
var everywhere = lattice.Box{
	Min: lattice.Sample{X: math.MinInt32, Y: math.MinInt32, Z: math.MinInt32},
	Max: lattice.Sample{X: math.MaxInt32, Y: math.MaxInt32, Z: math.MaxInt32},
}

// A compiler is what the making of an op may ask for and tell.
type compiler struct {
	asset     func(hash [32]byte) ([]byte, error)
	last      bool                // whether the node is the graph's last
	inputAxes [maxNodeInputs]axes // of the node's inputs
	axes      axes                // of the node besides its kind's; set by the op's maker
}

// A step is a compiled node.
type step struct {
	op     op
	inputs []int32 // numbers of earlier steps
	axes   axes
	all    Interval // holds the values everywhere
	// Of what op can do, looked up once.
	chooser chooser
	loose   bool
}

// Compile makes a terrain of g, which it checks in full: the errors say which node is wrong and what would be
// right. asset returns the content of a file by its hash, which Compile checks; it may be nil if g reads none.
//
// The terrain keeps scratch memory: it is for one goroutine at a time. To compile g once more for another is
// cheap.
func Compile(g *Graph, asset func(hash [32]byte) ([]byte, error)) (Terrain, error) {
	if n := len(g.Nodes); n == 0 || n > MaxNodes {
		return nil, fmt.Errorf("%w: it has %d nodes, want 1 … %d", ErrGraph, n, MaxNodes)
	}
	c := compiler{asset: asset}
	steps := make([]step, len(g.Nodes))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		c.last = i == len(g.Nodes)-1
		if err := c.compile(n, i, steps); err != nil {
			return nil, fmt.Errorf("%w: node %d (%v): %w", ErrGraph, i, n.Kind, err)
		}
	}
	density := len(steps) - 1
	ground := groundOf(g, density)
	steps, density, ground = prune(steps, density, ground)
	return newTerrain(steps, density, ground), nil
}

// compile makes step i of node n.
func (c *compiler) compile(n *Node, i int, steps []step) error {
	info := infoOf(n.Kind)
	switch {
	case info == nil:
		return fmt.Errorf("this engine does not know the kind")
	case n.Version != info.version:
		return fmt.Errorf("its semantics have version %d, this engine computes %d", n.Version, info.version)
	case len(n.Inputs) != info.inputs:
		return fmt.Errorf("has %d inputs, want %d", len(n.Inputs), info.inputs)
	}
	s := &steps[i]
	c.axes = info.axes
	var in intervals
	for j, k := range n.Inputs {
		if k >= uint32(i) {
			return fmt.Errorf("input %d is node %d, want an earlier one", j, k)
		}
		s.inputs = append(s.inputs, int32(k))
		c.inputAxes[j] = steps[k].axes
		c.axes |= steps[k].axes
		in[j] = steps[k].all
	}
	if err := info.check(n); err != nil {
		return err
	}
	op, err := info.make(n, c)
	if err != nil {
		return err
	}
	s.op, s.axes = op, c.axes
	s.chooser, _ = op.(chooser)
	_, s.loose = op.(loose)
	b := everywhere
	s.all = op.bounds(&in, &b)
	if s.all.Lo > s.all.Hi {
		return fmt.Errorf("its bounds %g … %g are out of order, a fault of this engine", s.all.Lo, s.all.Hi)
	}
	if !(s.all.Lo >= -maxValue && s.all.Hi <= maxValue) { // false for NaN
		return fmt.Errorf("its values can reach %g … %g, want at most ±%g", s.all.Lo, s.all.Hi, float32(maxValue))
	}
	return nil
}

// open returns the content of the file that a node reads.
func (c *compiler) open(hash [32]byte) ([]byte, error) {
	if c.asset == nil {
		return nil, fmt.Errorf("reads asset %x, and none are there", hash[:8])
	}
	data, err := c.asset(hash)
	if err != nil {
		return nil, fmt.Errorf("asset %x: %w", hash[:8], err)
	}
	if sha256.Sum256(data) != hash {
		return nil, fmt.Errorf("asset %x: its content has another hash", hash[:8])
	}
	return data, nil
}

// groundOf returns the number of the node that says where the ground is, −1 if none does.
func groundOf(g *Graph, last int) int {
	if n := &g.Nodes[last]; n.Kind == KindWorld {
		return int(n.Inputs[1])
	}
	for i := last; ; i = int(g.Nodes[i].Inputs[0]) {
		switch n := &g.Nodes[i]; {
		case n.Kind == KindHeight:
			return int(n.Inputs[0])
		case len(n.Inputs) == 0:
			return -1
		}
	}
}

// prune drops the steps that neither the density nor the ground needs, and makes constants of those that have
// one value everywhere.
func prune(steps []step, density, ground int) (kept []step, newDensity, newGround int) {
	if ground < 0 {
		steps = append(steps, step{op: constant(0)})
		ground = len(steps) - 1
	}
	needed := make([]bool, len(steps))
	needed[density], needed[ground] = true, true
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		if s.all.isSingle() {
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
		for j, k := range s.inputs {
			s.inputs[j] = number[k]
		}
		number[i] = int32(len(kept))
		kept = append(kept, s)
	}
	return kept, int(number[density]), int(number[ground])
}
