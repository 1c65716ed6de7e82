package graph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/noise"
)

// ErrInvalid is wrapped by the errors of Compile, and of what evaluates its programs, about the graph itself.
var ErrInvalid = errors.New("graph: invalid")

// A NodeError says which node of a graph does not compile, and why. It is an ErrInvalid.
type NodeError struct {
	Node int
	Kind Kind
	Err  error
}

func (e *NodeError) Error() string {
	return fmt.Sprintf("%v: node %d (%v): %v", ErrInvalid, e.Node, e.Kind, e.Err)
}

// Unwrap returns ErrGraph and the reason.
func (e *NodeError) Unwrap() []error { return []error{ErrInvalid, e.Err} }

// A Program is a compiled graph: checked, with what follows from its numbers worked out. It is read-only and shares no
// memory with the graph, so any number of goroutines may read it.
type Program struct {
	// Steps are the graph's nodes, one each and in order. The last is the density.
	Steps     []Step
	Materials []Material // the palette, empty if the graph has none
	Ground    int        // the step that is the height of the ground, −1 if there is none: it is 0 then
	Material  int        // the step that is the material, −1 if there is none
}

// A Step is a compiled node.
type Step struct {
	*Info
	Inputs []uint32 // numbers of earlier steps
	Axes   Axes     // along which its value may change, those of its inputs included

	// Constants are what its kernel computes with: the node's floats, without those that place it, unless the table
	// derives others of them (a box's half size without its rounded edges, a plane's unit normal, a curve's slopes).
	Constants []float32
	Place     [3]AxisPlace // along x, y and z: of a shape, a volume or a slab; of a coordinate, its origin along Axis
	Rotation  *Rotation    // of a shape or a volume, nil if it is neither stretched nor rotated
	Axis      int          // of a cylinder or a coordinate: 0 x, 1 y, 2 z
	Spacing   [2]uint64    // of a heightmap's samples along x and z, in meters as 32.32 fixed point
	Smooth    bool         // of a rough heightmap: it is the smooth predecessor
	Noise     *noise.Noise // of a kind of noise
	Cracks    *noise.Cracks
	Asset     asset.Hash // SHA-256 of the file it reads, zero if it reads none
	Sampler   Sampler    // of a KindField
	sloped    bool       // it is a slope or needs one
}

// An AxisPlace is the place of a shape on one axis: a sample, an offset from it in meters, and how many samples on it is
// again, 0 for never.
type AxisPlace struct {
	Anchor, Period int32
	Offset         float32
}

// Columnar reports whether the step's value does not depend on y: it is computed once a column.
func (s *Step) Columnar() bool { return !s.Axes.Has(AxisY) }

// Density returns the inputs that the step's value is made of: all, but of a world the first alone. Its others are
// for depths and materials.
func (s *Step) Density() []uint32 {
	if s.Kind == KindWorld || s.Kind == KindPaintedWorld {
		return s.Inputs[:1]
	}
	return s.Inputs
}

// maxSlopes bounds the slopes of a graph: each keeps, and computes four times, all that it is the slope of.
const maxSlopes = 16

// Compile checks g by itself, without its files, and makes a program of it. The errors say which node is wrong and
// what would be right. Whether values can overflow, and whether files are what nodes need, is for the evaluator to
// say.
func Compile(g *Graph) (*Program, error) {
	if g.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, g.err)
	}
	if n := len(g.Nodes); n == 0 || n > MaxNodes {
		return nil, fmt.Errorf("%w: it has %d nodes, want 1 … %d", ErrInvalid, n, MaxNodes)
	}
	if err := checkPalette(g); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	last := len(g.Nodes) - 1
	p := &Program{Steps: make([]Step, len(g.Nodes)), Materials: slices.Clone(g.Materials), Material: -1}
	slopes := 0
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if err := p.step(n, i); err != nil {
			return nil, &NodeError{Node: i, Kind: n.Kind, Err: err}
		}
		if n.Kind == KindSlope {
			slopes++
		}
		var err error
		switch {
		case slopes > maxSlopes:
			err = fmt.Errorf("it is one more slope than the %d that a graph may have", maxSlopes)
		case i != last && (n.Kind == KindWorld || n.Kind == KindPaintedWorld):
			err = errors.New("only the last node may be a world")
		}
		if err != nil {
			return nil, &NodeError{Node: i, Kind: n.Kind, Err: err}
		}
	}
	p.Ground = p.groundOf(last)
	if len(g.Materials) != 0 {
		p.Material = int(p.Steps[last].Inputs[2])
	}
	return p, nil
}

// step makes step i of node n.
func (p *Program) step(n *Node, i int) error {
	info := InfoOf(n.Kind)
	if err := n.checkNumbers(info); err != nil {
		return err
	}
	s := &p.Steps[i]
	*s = Step{Info: info, Inputs: slices.Clone(n.Inputs), Axes: info.Axes, Asset: n.Asset, Sampler: n.Field}
	for j, k := range n.Inputs {
		if k >= uint32(i) {
			return fmt.Errorf("input %d is node %d, want an earlier one", j, k)
		}
		s.Axes |= p.Steps[k].Axes
		s.sloped = s.sloped || p.Steps[k].sloped
	}
	if err := s.derive(n); err != nil {
		return err
	}
	return p.checkInputs(s)
}

// derive sets what follows from the numbers of a node.
func (s *Step) derive(n *Node) (err error) {
	info := s.Info
	switch {
	case info.placed != 0:
		s.place(n)
	case n.Kind == KindCoordinate:
		s.Axis = int(n.Ints[0])
		s.Place[s.Axis].Anchor = int32(n.Ints[1])
		s.Axes |= AxisX << s.Axis
	case n.Kind == KindHeightmap:
		s.Spacing = [2]uint64{uint64(n.Ints[0]), uint64(n.Ints[1])}
	case n.Kind == KindRough:
		s.Smooth = n.Ints[0] == 1
	case n.Kind == KindCracks:
		c := noise.CracksConfig{Seed: n.Ints[0], Step: noise.Step(n.Ints[1]), Jitter: n.Floats[0]}
		if s.Cracks, err = noise.NewCracks(c); err != nil {
			return err
		}
	case info.Dims != 0:
		if s.Noise, err = noiseOf(n, info); err != nil {
			return err
		}
	}
	floats := n.Floats[info.placed:]
	if info.Rotation != nil && len(n.Floats) > len(info.Floats) {
		if s.Rotation, err = deriveRotation(n.Floats[len(info.Floats):]); err != nil {
			return err
		}
		floats = n.Floats[info.placed:len(info.Floats)]
	}
	if info.derive == nil {
		s.Constants = slices.Clone(floats)
		return nil
	}
	s.Constants, err = info.derive(floats)
	return err
}

// place sets where a shape, a volume or a slab is.
func (s *Step) place(n *Node) {
	first := 0
	if s.Info.placed == 1 { // a slab, which is placed along y alone
		first = 1
	}
	for axis := first; axis < first+s.Info.placed; axis++ {
		at := &s.Place[axis]
		at.Anchor, at.Offset = int32(n.Ints[axis-first]), n.Floats[axis-first]
		if more := len(s.Info.Ints); len(n.Ints) > more {
			at.Period = int32(n.Ints[more+axis])
		}
	}
	if n.Kind == KindCylinder {
		s.Axis = int(n.Ints[3])
	}
}

// checkInputs returns an error if a step reads what it may not.
func (p *Program) checkInputs(s *Step) error {
	upright := func(i int) bool { return p.Steps[s.Inputs[i]].Axes.Has(AxisY) }
	switch s.Kind {
	case KindHeight:
		if upright(0) {
			return errors.New("its height depends on y")
		}
	case KindWorld, KindPaintedWorld:
		if upright(1) {
			return errors.New("its ground height depends on y")
		}
	case KindSlope:
		switch {
		case upright(0):
			return errors.New("its input depends on y, want one over x and z")
		case s.sloped:
			return errors.New("its input depends on another slope")
		}
		s.sloped = true
	}
	return nil
}

// groundOf returns the number of the step that says where the ground is, −1 if none does.
func (p *Program) groundOf(last int) int {
	if s := &p.Steps[last]; s.Kind == KindWorld || s.Kind == KindPaintedWorld {
		return int(s.Inputs[1])
	}
	for i := last; ; i = int(p.Steps[i].Inputs[0]) {
		switch s := &p.Steps[i]; {
		case s.Kind == KindHeight:
			return int(s.Inputs[0])
		case len(s.Inputs) == 0:
			return -1
		}
	}
}

// noiseOf returns the noise of a node of one of the kinds of noise, whose row is info.
func noiseOf(n *Node, info *Info) (*noise.Noise, error) {
	c := noise.Config{Kind: info.Noise, Dims: info.Dims, Seed: n.Ints[0], Octaves: int(n.Ints[1]),
		Fractal: noise.Fractal(n.Ints[2]), Gain: n.Floats[0]}
	steps := n.Ints[3:]
	c.StepX, c.StepZ, c.Lacunarity = noise.Step(steps[0]), noise.Step(steps[info.Dims-1]), noise.Step(steps[info.Dims])
	if info.Dims == 3 {
		c.StepY = noise.Step(steps[1])
	}
	return noise.New(c)
}

// Check returns an error if n by itself is invalid: a kind or version that this engine does not know, or numbers that
// are too many, too few, out of range or contradict each other.
func (n *Node) Check() error {
	info := InfoOf(n.Kind)
	if err := n.checkNumbers(info); err != nil {
		return err
	}
	s := Step{Info: info}
	return s.derive(n)
}

// checkNumbers returns an error if n is not as the row of its kind, nil for an unknown one, has it.
func (n *Node) checkNumbers(info *Info) error {
	switch {
	case info == nil:
		return errors.New("this engine does not know the kind")
	case n.Version != info.Version:
		return fmt.Errorf("its semantics have version %d, this engine computes %d", n.Version, info.Version)
	case len(n.Inputs) != info.Inputs:
		return fmt.Errorf("has %d inputs, want %d", len(n.Inputs), info.Inputs)
	}
	return info.check(n)
}
