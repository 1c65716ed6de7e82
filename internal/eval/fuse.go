package eval

import (
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/ops"
)

// Chains of nodes that worlds are full of are computed as one step each, in the same operations and the same order,
// so that their values are the same bits: what a block costs is mostly the passes over its rows. Their intervals too
// are those that the chain's steps had.

// fuse makes one step each of such chains where nothing else reads what lies in between. Steps that are no longer
// read are left for prune. roots are read by callers.
func fuse(steps []step, roots ...int) {
	f := fuser{steps, make([]int, len(steps))}
	for _, r := range roots {
		f.readers[r]++
	}
	for _, s := range steps {
		for _, k := range s.inputs {
			f.readers[k]++
		}
	}
	for i := range steps {
		s := &steps[i]
		switch o, _ := s.op.(ops.BinaryOp); o.Binary.(type) {
		case ops.Subtract:
			f.tube(s)
		case ops.Add:
			if !f.displaced(s, s.inputs[0], s.inputs[1]) {
				f.displaced(s, s.inputs[1], s.inputs[0])
			}
		}
	}
}

// A fuser finds chains.
type fuser struct {
	steps   []step
	readers []int // by step
}

// inner returns a step that one other reads.
func (f *fuser) inner(i int32) (s *step, ok bool) { return &f.steps[i], f.readers[i] == 1 }

// binary returns what an inner step does to its two inputs, nil if it is something else.
func (f *fuser) binary(i int32) (ops.Binary, []int32) {
	s, ok := f.inner(i)
	o, is := s.op.(ops.BinaryOp)
	if !ok || !is {
		return nil, nil
	}
	return o.Binary, s.inputs
}

// unary returns what an inner step does to its input, nil if it is something else.
func (f *fuser) unary(i int32) (ops.Unary, int32) {
	s, ok := f.inner(i)
	o, is := s.op.(ops.UnaryOp)
	if !ok || !is {
		return nil, 0
	}
	return o.Unary, s.inputs[0]
}

// tube fuses radius − hypot(line, height − y).
func (f *fuser) tube(s *step) {
	d, in := f.binary(s.inputs[1])
	if d != (ops.Hypot{}) {
		return
	}
	h, ok := f.inner(in[1])
	if _, is := h.op.(ops.Height); !ok || !is {
		return
	}
	s.op, s.chooser = ops.Tube{}, nil
	s.inputs = []int32{s.inputs[0], in[0], h.inputs[0]}
}

// displaced fuses a + m, where m is bump(a)·noise or factor·bump(a)·noise, the noise scaled or not.
func (f *fuser) displaced(s *step, a, m int32) bool {
	d, in := f.binary(m)
	if d != (ops.Multiply{}) {
		return false
	}
	for j := range 2 {
		o := &ops.Displaced{Scale: ops.Scale{Factor: 1}}
		n := in[1-j]
		if m, of := f.unary(n); m != nil {
			if sc, is := m.(ops.Scale); is {
				o.Scale, n = sc, of
			}
		}
		of, ok := f.inner(n)
		if o.Noise, _ = of.op.(*ops.NoiseOp3); !ok || o.Noise == nil {
			continue
		}
		if inputs := f.weight(o, in[j], a, n); inputs != nil {
			of.pulled = true
			s.op, s.chooser, s.inputs = o, o, inputs
			return true
		}
	}
	return false
}

// weight sets o's bump if step w is one of a, or a product of one and a factor, and returns o's inputs then.
func (f *fuser) weight(o *ops.Displaced, w, a, noise int32) (inputs []int32) {
	if m, of := f.unary(w); m != nil && of == a {
		b, is := m.(ops.Bump)
		if o.Bump = b; is {
			return []int32{a, noise}
		}
		return nil
	}
	d, in := f.binary(w)
	if d != (ops.Multiply{}) {
		return nil
	}
	for j := range 2 {
		if f.steps[in[j]].axes&graph.AxisY != 0 {
			continue
		}
		m, of := f.unary(in[1-j])
		if b, is := m.(ops.Bump); is && of == a {
			o.Bump, o.Factored = b, true
			return []int32{a, noise, in[j]}
		}
	}
	return nil
}
