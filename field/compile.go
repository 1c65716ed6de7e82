package field

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// ErrGraph is wrapped by the errors of Compile about the graph itself.
var ErrGraph = errors.New("field: invalid graph")

// A NodeError says which node of a graph does not compile, and why. It is an ErrGraph.
type NodeError struct {
	Node int
	Kind Kind
	Err  error
}

func (e *NodeError) Error() string {
	return fmt.Sprintf("%v: node %d (%v): %v", ErrGraph, e.Node, e.Kind, e.Err)
}

// Unwrap returns ErrGraph and the reason.
func (e *NodeError) Unwrap() []error { return []error{ErrGraph, e.Err} }

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
	asset     func(hash asset.Hash) ([]byte, error)
	palette   []Material
	steps     []step              // made so far
	slopes    int                 // among them
	last      bool                // whether the node is the graph's last
	inputAxes [maxNodeInputs]axes // of the node's inputs
	axes      axes                // of the node besides its kind's; set by the op's maker
}

// A step is a compiled node.
type step struct {
	op     op
	inputs []int32 // numbers of earlier steps
	axes   axes
	all    geom.Interval // holds the values everywhere
	sloped bool          // it is or needs a slope
	// Of what op can do, looked up once.
	chooser chooser
	loose   bool
	lazy    bool // what reads it computes the values in a block itself, those that it needs
}

// Compile makes a terrain of g, which it checks in full: the errors say which node is wrong and what would be
// right. asset returns the content of a file by its hash, which Compile checks; it may be nil if g reads none.
//
// A raster in tiles is read as the terrain goes: asset is then kept and called by the goroutine that uses the
// terrain, and must go on answering; a tile that is not to be had makes the terrain panic with an [AssetError].
//
// The terrain keeps scratch memory: it is for one goroutine at a time. To compile g once more for another is
// cheap.
func Compile(g *Graph, asset func(hash asset.Hash) ([]byte, error)) (Terrain, error) {
	steps, err := compileSteps(g, asset)
	if err != nil {
		return nil, err
	}
	density := len(steps) - 1
	ground, material := groundOf(g, density), density
	if len(g.Materials) != 0 {
		material = int(g.Nodes[density].Inputs[2])
	}
	if ground < 0 {
		ground = len(steps)
		steps = append(steps, step{op: constant(0)})
	}
	steps, roots := prune(steps, density, ground, material)
	fuse(steps, roots...)
	steps, roots = prune(steps, roots...)
	if len(g.Materials) == 0 {
		roots[2] = -1
	}
	t := newTerrain(steps, roots[0], roots[1], roots[2])
	for _, h := range t.tiled {
		h.raster.(*tiledHeights).ready = true
	}
	if len(g.Materials) == 0 {
		return t, nil
	}
	return &painted{terrain: t, palette: slices.Clone(g.Materials)}, nil
}

// compileSteps makes the steps of all nodes of g.
func compileSteps(g *Graph, asset func(hash asset.Hash) ([]byte, error)) ([]step, error) {
	if n := len(g.Nodes); n == 0 || n > MaxNodes {
		return nil, fmt.Errorf("%w: it has %d nodes, want 1 … %d", ErrGraph, n, MaxNodes)
	}
	if err := checkPalette(g); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGraph, err)
	}
	steps := make([]step, len(g.Nodes))
	c := compiler{asset: asset, palette: g.Materials, steps: steps}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		c.last = i == len(g.Nodes)-1
		if err := c.compile(n, i, steps); err != nil {
			return nil, &NodeError{Node: i, Kind: n.Kind, Err: err}
		}
	}
	return steps, nil
}

// Check says what is wrong with n by itself, if anything: a kind or version that this engine does not know, or
// numbers that are too many, too few or out of range.
func (n *Node) Check() error {
	info := infoOf(n.Kind)
	switch {
	case info == nil:
		return fmt.Errorf("this engine does not know the kind")
	case n.Version != info.version:
		return fmt.Errorf("its semantics have version %d, this engine computes %d", n.Version, info.version)
	case len(n.Inputs) != info.inputs:
		return fmt.Errorf("has %d inputs, want %d", len(n.Inputs), info.inputs)
	}
	return info.check(n)
}

// compile makes step i of node n.
func (c *compiler) compile(n *Node, i int, steps []step) error {
	if err := n.Check(); err != nil {
		return err
	}
	info := infoOf(n.Kind)
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
		s.sloped = s.sloped || steps[k].sloped
		in[j] = steps[k].all
	}
	op, err := info.make(n, c)
	if err != nil {
		return err
	}
	if n.Kind == KindSlope {
		s.sloped = true
		c.slopes++
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
func (c *compiler) open(hash asset.Hash) ([]byte, error) {
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
	if n := &g.Nodes[last]; n.Kind == KindWorld || n.Kind == KindPaintedWorld {
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
