package eval

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/lattice"
)

// ExactReach is how many samples from its origin a coordinate is as exact as the ground near the origin needs: a
// float32 beyond has steps of an eighth of a meter and more, and what is made of it shows them.
const ExactReach = 1 << 20

// Inexact compiles g and returns the numbers of the nodes, ascending, that are bare world coordinates ([KindCoordinate],
// and the y of [KindHeight]) and are still seen more than [ExactReach] samples from their origin: where a world may
// hold surface there and its density, ground or material depends on them. A coordinate that a clamp, a bump or a
// choice holds still that far out is exact. Noise, shapes and rasters are exact everywhere.
func Inexact(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) ([]int, error) {
	p, steps, err := compileSteps(g, asset)
	if err != nil {
		return nil, err
	}
	last := len(p.Steps) - 1
	roots := []int{last}
	if ground := p.Ground; ground >= 0 {
		roots = append(roots, ground)
	}
	f := farSight{steps: steps, bounds: make([]geom.Interval, len(steps)), needed: make([]bool, len(steps))}
	var list []int
	for i := range p.Steps {
		axis, origin := 1, int64(0)
		switch n := &p.Steps[i]; n.Kind {
		case graph.KindCoordinate:
			axis, origin = n.Axis, int64(n.Place[n.Axis].Anchor)
		case graph.KindHeight:
		default:
			continue
		}
		low, high := far(axis, -lattice.Limit, origin-ExactReach), far(axis, origin+ExactReach, lattice.Limit)
		if f.sees(&low, roots, i) || f.sees(&high, roots, i) {
			list = append(list, i)
		}
	}
	return list, nil
}

// far returns the samples of the world from lo to hi, which is excluded, along an axis.
func far(axis int, lo, hi int64) lattice.Box {
	const l = lattice.Limit
	b := lattice.Box{Min: lattice.Sample{X: -l, Y: -l, Z: -l}, Max: lattice.Sample{X: l, Y: l, Z: l}}
	lo, hi = max(min(lo, l), -l), max(min(hi, l), -l)
	switch axis {
	case 0:
		b.Min.X, b.Max.X = int32(lo), int32(hi)
	case 1:
		b.Min.Y, b.Max.Y = int32(lo), int32(hi)
	default:
		b.Min.Z, b.Max.Z = int32(lo), int32(hi)
	}
	return b
}

// A farSight finds what steps matter in a box.
type farSight struct {
	steps  []step
	bounds []geom.Interval
	needed []bool
}

// sees reports whether a root depends on a step in b, which may hold surface.
func (f *farSight) sees(b *lattice.Box, roots []int, step int) bool {
	if b.Empty() {
		return false
	}
	var in ops.Intervals
	for i, s := range f.steps {
		f.inputs(&in, i)
		f.bounds[i] = s.op.Bounds(&in, b)
		if s.chooser != nil {
			if c := s.chooser.Choose(&in); c >= 0 {
				f.bounds[i] = in[c] // the bounds of smooth combinations are wide where distances are large
			}
		}
		f.needed[i] = false
	}
	if certain(f.bounds[len(f.steps)-1]) {
		return false
	}
	for _, r := range roots {
		f.needed[r] = true
	}
	for i := len(f.steps) - 1; i >= step; i-- {
		s := &f.steps[i]
		if !f.needed[i] || f.bounds[i].IsSingle() {
			continue
		}
		if i == step {
			return true
		}
		if s.chooser != nil && i != len(f.steps)-1 { // a world chooses its density, but its other inputs are seen
			f.inputs(&in, i)
			if c := s.chooser.Choose(&in); c >= 0 {
				f.needed[s.inputs[c]] = true
				continue
			}
		}
		for _, k := range s.inputs {
			f.needed[k] = true
		}
	}
	return false
}

// inputs sets in to the bounds of the inputs of step i.
func (f *farSight) inputs(in *ops.Intervals, i int) {
	for j, k := range f.steps[i].inputs {
		in[j] = f.bounds[k]
	}
}
