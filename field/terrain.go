package field

import (
	"fmt"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// A terrain evaluates a compiled graph.
type terrain struct {
	steps           []step
	density, ground int
	flat            []bool  // by step: it does not depend on y
	read            []bool  // by step: it is flat and a step that is not flat, or a caller, reads it
	reads           []int32 // the steps that are read
	grounds         []int32 // the flat steps that the ground needs, ascending

	// Scratch. What is passed to ops by pointer lies here, for what is passed to an interface's method would be
	// allocated anew each time.
	in      values
	inputs  operands
	within  intervals
	run     block
	box     lattice.Box
	tile    []Interval // by step
	values  []float32  // of a point
	cache   columnCache
	whole   *tape // everything
	outer   *tape // of a grid or box
	inner   *tape // of a block of the grid or a part of the box
	needed  []bool
	buffers [][]float32 // by step, over a block
	slices  []slice
	halves  []slice
}

// rowsAtOnce is the height of the blocks that a grid is filled in. Lower blocks are cut to fewer steps but
// cost more to cut: in the hills blocks of 4 rows take a sixth longer, and from 8 to 35 it hardly matters.
const rowsAtOnce = 12

func newTerrain(steps []step, density, ground int) *terrain {
	n := len(steps)
	t := &terrain{
		steps: steps, density: density, ground: ground,
		flat: make([]bool, n), read: make([]bool, n),
		values: make([]float32, n),
		whole:  newTape(n), outer: newTape(n), inner: newTape(n), needed: make([]bool, n),
		buffers: make([][]float32, n),
	}
	t.cache.flat, t.tile = make([][]float32, n), make([]Interval, n)
	t.read[density], t.read[ground] = true, true
	needed := make([]bool, n)
	needed[ground] = true
	for i := n - 1; i >= 0; i-- {
		t.flat[i] = steps[i].axes&axisY == 0
		for _, k := range steps[i].inputs {
			t.read[k] = t.read[k] || !t.flat[i]
			needed[k] = needed[k] || needed[i]
		}
	}
	for i := range steps {
		t.read[i] = t.read[i] && t.flat[i]
		if t.read[i] {
			t.reads = append(t.reads, int32(i))
		}
		if needed[i] {
			t.grounds = append(t.grounds, int32(i))
		}
		if !t.flat[i] {
			t.whole.active = append(t.whole.active, int32(i))
		}
	}
	return t
}

// constant reports whether s is the same number everywhere.
func (s *step) constant() bool { return s.all.isSingle() }

// At returns the density of s.
func (t *terrain) At(s lattice.Sample) float32 {
	for i := range t.steps {
		t.point(i, s)
	}
	return t.values[t.density]
}

func (t *terrain) point(i int, s lattice.Sample) {
	p := &t.steps[i]
	for j, k := range p.inputs {
		t.in[j] = t.values[k]
	}
	t.values[i] = p.op.point(&t.in, s)
}

// Ground returns the height of the ground at a column.
func (t *terrain) Ground(x, z int32) float32 {
	for _, i := range t.grounds {
		t.point(int(i), lattice.Sample{X: x, Z: z})
	}
	return t.values[t.ground]
}

// Fill fills g. Steps that do not depend on y are computed once a column; the others block by block, those
// left out that a block does not need.
func (t *terrain) Fill(g *grid.Grid) {
	n, o, h := g.Side(), g.Corner(), g.Step()
	if len(g.Samples) != n*n*n || len(g.Ground) != n*n {
		panic(fmt.Sprintf("field: grid of side %d has %d samples and %d ground heights", n, len(g.Samples), len(g.Ground)))
	}
	p := t.columns(planeKey{x: o.X, z: o.Z, d: h, nx: n, nz: n})
	for z := range n {
		copy(g.Ground[z*n:][:n], p.row(t, t.ground, z))
	}
	for _, i := range t.reads {
		t.outer.bounds[i] = p.all[i]
	}
	t.outer.bound(t, t.whole, g.Box(), false)
	t.outer.cut(t, t.whole)
	runs := (n + rowsAtOnce - 1) / rowsAtOnce
	rows := (n + runs - 1) / runs
	for z := range n {
		for y := 0; y < n; y += rows {
			t.run = block{x: o.X, y: o.Y + int32(y)*h, z: o.Z + int32(z)*h, dx: h, dy: h, count: n, rows: min(rows, n-y)}
			t.block(g.Samples[(z*n+y)*n:][:t.run.size()], p, z)
		}
	}
}

// block computes the density over the block t.run of rows at row z of p.
func (t *terrain) block(dst []float32, p *planes, z int) {
	b := &t.run
	for _, i := range t.reads {
		if t.steps[i].constant() {
			t.inner.bounds[i] = p.all[i]
		} else {
			t.inner.bounds[i] = p.rows[i][z]
		}
	}
	t.inner.bound(t, t.outer, b.box(), false)
	t.inner.cut(t, t.outer)
	for _, i := range t.inner.fixed {
		t.buffers[i] = resize(t.buffers[i], b.size())
		fillRow(t.buffers[i][:b.count], t.inner.bounds[i].Lo)
	}
	root := t.inner.alias[t.outer.alias[t.density]]
	for _, i := range t.inner.active {
		s := &t.steps[i]
		for j, k := range s.inputs {
			t.inputs[j] = t.operand(t.inner.alias[t.outer.alias[k]], p, z)
		}
		if i == root {
			s.op.block(dst, &t.inputs, b)
			return
		}
		t.buffers[i] = resize(t.buffers[i], b.size())
		s.op.block(t.buffers[i], &t.inputs, b)
	}
	v := t.operand(root, p, z)
	for r := range b.rows {
		copy(dst[r*b.count:][:b.count], v.v)
	}
}

// operand returns the values that block computed or fixed for step i, or those of a flat step.
func (t *terrain) operand(i int32, p *planes, z int) operand {
	switch {
	case t.flat[i]:
		return operand{p.row(t, int(i), z), true}
	case t.inner.bounds[i].isSingle():
		return operand{t.buffers[i], true}
	}
	return operand{t.buffers[i], false}
}
