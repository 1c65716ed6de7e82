package eval

import (
	"slices"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// A tape says which of a terrain's steps must be computed in some box and what stands for the others. It is
// cut from the tape of a larger box: where the intervals of the steps show that one has a single value there,
// or equals one of its inputs (a side of a union that cannot lose), it is not computed, and neither is what
// only it needs. The values that remain are the same bits.
type tape struct {
	active []int32 // steps to compute, ascending: none is flat
	fixed  []int32 // steps with a single value, that of their interval
	// alias is by step what stands for it: itself if it is active, fixed or flat, else another step that is.
	// It is undefined for steps that the larger tape neither computes nor fixes.
	alias  []int32
	bounds []geom.Interval // by step
}

func newTape(n int) *tape {
	p := &tape{alias: make([]int32, n), bounds: make([]geom.Interval, n)}
	for i := range p.alias {
		p.alias[i] = int32(i)
	}
	return p
}

// bound computes the intervals of the steps of a larger tape in a box, given those of the flat steps. Those
// of costly bounds are taken from their range unless tight.
func (p *tape) bound(t *terrain, larger *tape, b lattice.Box, tight bool) {
	t.box = b
	for _, i := range larger.fixed {
		p.bounds[i] = larger.bounds[i]
	}
	in := &t.within
	for _, i := range larger.active {
		s := &t.steps[i]
		if s.costlyBounds && !tight {
			p.bounds[i] = s.all
			continue
		}
		for j, k := range s.inputs {
			in[j] = p.bounds[larger.alias[k]]
		}
		p.bounds[i] = s.op.Bounds(in, &t.box)
	}
}

// cut drops from a larger tape what the intervals show to be needless for a root.
func (p *tape) cut(t *terrain, larger *tape, root int32) {
	needed := t.needed
	p.active, p.fixed = p.active[:0], append(p.fixed[:0], larger.fixed...)
	for _, i := range larger.active {
		needed[i] = false
	}
	needed[larger.alias[root]] = true
	for _, i := range slices.Backward(larger.active) {
		p.alias[i] = i
		if !needed[i] {
			continue
		}
		s := &t.steps[i]
		if p.bounds[i].IsSingle() {
			p.fixed = append(p.fixed, i)
			continue
		}
		if s.chooser != nil {
			for j, k := range s.inputs {
				t.within[j] = p.bounds[larger.alias[k]]
			}
			if c := s.chooser.Choose(&t.within); c >= 0 {
				k := larger.alias[s.inputs[c]]
				p.alias[i], needed[k] = k, true
				continue
			}
		}
		p.active = append(p.active, i)
		for _, k := range s.inputs {
			needed[larger.alias[k]] = true
		}
	}
	slices.Reverse(p.active)
	for _, i := range larger.active { // an alias is an earlier step, resolved before
		p.alias[i] = p.alias[p.alias[i]]
	}
	for _, i := range p.fixed {
		p.alias[i] = i
	}
}
