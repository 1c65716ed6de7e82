package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/lattice"
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
		switch o, _ := s.op.(dyadicOp); o.dyadic.(type) {
		case subtract:
			f.tube(s)
		case add:
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

// dyadic returns what an inner step does to its two inputs, nil if it is something else.
func (f *fuser) dyadic(i int32) (dyadic, []int32) {
	s, ok := f.inner(i)
	o, is := s.op.(dyadicOp)
	if !ok || !is {
		return nil, nil
	}
	return o.dyadic, s.inputs
}

// monadic returns what an inner step does to its input, nil if it is something else.
func (f *fuser) monadic(i int32) (monadic, int32) {
	s, ok := f.inner(i)
	o, is := s.op.(monadicOp)
	if !ok || !is {
		return nil, 0
	}
	return o.monadic, s.inputs[0]
}

// tube fuses radius − hypot(line, height − y).
func (f *fuser) tube(s *step) {
	d, in := f.dyadic(s.inputs[1])
	if d != (hypot{}) {
		return
	}
	h, ok := f.inner(in[1])
	if _, is := h.op.(height); !ok || !is {
		return
	}
	s.op, s.chooser = tube{}, nil
	s.inputs = []int32{s.inputs[0], in[0], h.inputs[0]}
}

// displaced fuses a + m, where m is bump(a)·noise or factor·bump(a)·noise, the noise scaled or not.
func (f *fuser) displaced(s *step, a, m int32) bool {
	d, in := f.dyadic(m)
	if d != (multiply{}) {
		return false
	}
	for j := range 2 {
		o := &displaced{scale: scale{factor: 1}}
		n := in[1-j]
		if m, of := f.monadic(n); m != nil {
			if sc, is := m.(scale); is {
				o.scale, n = sc, of
			}
		}
		of, ok := f.inner(n)
		if o.noise, _ = of.op.(*noiseOp3); !ok || o.noise == nil {
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
func (f *fuser) weight(o *displaced, w, a, noise int32) (inputs []int32) {
	if m, of := f.monadic(w); m != nil && of == a {
		b, is := m.(bump)
		if o.bump = b; is {
			return []int32{a, noise}
		}
		return nil
	}
	d, in := f.dyadic(w)
	if d != (multiply{}) {
		return nil
	}
	for j := range 2 {
		if f.steps[in[j]].axes&graph.AxisY != 0 {
			continue
		}
		m, of := f.monadic(in[1-j])
		if b, is := m.(bump); is && of == a {
			o.bump, o.factored = b, true
			return []int32{a, noise, in[j]}
		}
	}
	return nil
}

// tube is a tunnel: radius − hypot(line, height − y).
type tube struct{}

func (tube) point(in *values, s lattice.Sample) float32 {
	return in[0] - hypot{}.of(in[1], in[2]-float32(s.Y))
}

func (tube) block(dst []float32, in *operands, b *block) {
	rows.Tube(dst, in[0].rows(b), in[1].rows(b), in[2].rows(b), b.count, b.y, b.dy)
}

func (tube) bounds(in *intervals, b *lattice.Box) geom.Interval {
	h := in[2].Sub(geom.Interval{Lo: float32(b.Min.Y), Hi: float32(b.Max.Y - 1)})
	return in[0].Sub(hypot{}.bound(in[1], h))
}

// displaced moves a surface by a noise in space, where it is near: a + bump(a)·scale(noise), or with a factor before
// the bump that does not depend on y. Its inputs are a, the noise and the factor if there is one. The noise is a pulled
// step: its rows are computed here, from the first to the last where the bump is not 0 throughout.
type displaced struct {
	bump     bump
	scale    scale
	noise    *noiseOp3
	factored bool

	// Scratch: the weights and the noise over a block, ones for a factor, and by row whether it has weight.
	weights, noises, ones []float32
	some                  [][16]uint32
}

func (o *displaced) fork() op {
	return &displaced{bump: o.bump, scale: o.scale, noise: &noiseOp3{o.noise.forked()}, factored: o.factored}
}

func (o *displaced) point(in *values, _ lattice.Sample) float32 {
	w := o.bump.of(in[0])
	if o.factored {
		w = multiply{}.of(in[2], w)
	}
	return in[0] + multiply{}.of(w, o.scale.of(in[1]))
}

func (o *displaced) bounds(in *intervals, _ *lattice.Box) geom.Interval {
	return in[0].Add(o.shift(in))
}

func (o *displaced) choose(in *intervals) int { return add{}.choice(in[0], o.shift(in)) }

// shift bounds what is added to the first input.
func (o *displaced) shift(in *intervals) geom.Interval {
	w := o.bump.bound(in[0])
	if o.factored {
		w = in[2].Mul(w)
	}
	return w.Mul(o.scale.bound(in[1]))
}

func (o *displaced) block(dst []float32, in *operands, b *block) {
	a, n := in[0].all(b, 0), b.count
	factor := in[2].v
	if !o.factored {
		o.ones = resize(o.ones, n)
		fillRow(o.ones, 1)
		factor = o.ones
	}
	o.weights, o.some = resize(o.weights, len(dst)), resize(o.some, b.rows)
	w := o.weights
	rows.Weight(w, o.some, a, factor[:n], n, o.bump.inverse)
	first, end := 0, b.rows
	for first < end && o.some[first] == [16]uint32{} {
		first++
	}
	for first < end && o.some[end-1] == [16]uint32{} {
		end--
	}
	copy(dst[:first*n], a)
	copy(dst[end*n:], a[end*n:])
	if first == end {
		return
	}
	o.noises = resize(o.noises, len(dst))
	v := o.noises[first*n : end*n]
	o.noise.rows.Reset(b.x, b.dx, n)
	o.noise.rows.Fill3(v, b.y+int32(first)*b.dy, b.dy, end-first, b.z)
	rows.Displace(dst[first*n:end*n], a[first*n:], w[first*n:], v, o.scale.factor, o.scale.term)
}
