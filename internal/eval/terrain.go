package eval

import (
	"fmt"
	"slices"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/lattice"
)

// A terrain evaluates a compiled graph.
type terrain struct {
	steps        []step
	density      *target
	material     *target // nil if there is none
	ground       int
	flat         []bool           // by step: it does not depend on y
	materialOnly []bool           // by step: only the material needs it
	keep         []bool           // by step: it is flat, and what reads it is not, or a caller, or of the paint where it is not
	grounds      []int32          // the flat steps that the ground needs, ascending
	tiled        []*ops.Heightmap // those that read tiles
	margin       int              // 1 if there is a slope, which reads the columns beside its own: see planes

	// Scratch. What is passed to ops by pointer lies here, for what is passed to an interface's method would be
	// allocated anew each time.
	busy    bool // see enter
	in      ops.Values
	inputs  ops.Operands
	within  ops.Intervals
	run     ops.Block
	spare   [graph.MaxNodeInputs][]float32
	box     lattice.Box
	bounds  []geom.Interval // by step, of some columns
	values  []float32       // of a point
	cache   columnCache
	needed  []bool
	buffers [][]float32 // by step, over a block
	slices  []slice
	halves  []slice
}

// A target is a step whose values in space are wanted: the density, or the material.
type target struct {
	step   int32
	points []int32 // the steps that it needs, ascending
	reads  []int32 // the flat ones of them that steps which are not flat read
	whole  *tape   // everything
	box    *tape   // of a box whose parts are looked at
	outer  *tape   // of a grid or box
	inner  *tape   // of a block of the grid or a part of the box
}

// rowsAtOnce is the most rows of the blocks that a grid is filled in: all that a chunk's grid has above each other.
// Lower blocks are cut to fewer steps but cost more to cut: the hills take 8 % longer to fill with 18, and 5 % with 24.
const rowsAtOnce = 35

// newTerrain makes a terrain of steps; material is −1 if there is none.
func newTerrain(steps []step, density, ground, material int) *terrain {
	n := len(steps)
	t := &terrain{
		steps: steps, ground: ground,
		flat: make([]bool, n), materialOnly: make([]bool, n), keep: make([]bool, n),
		values: make([]float32, n), bounds: make([]geom.Interval, n), needed: make([]bool, n), buffers: make([][]float32, n),
	}
	t.cache.flat, t.tiled = make([][]float32, n), tiledOf(steps)
	for i := range steps {
		t.flat[i] = steps[i].axes&graph.AxisY == 0
		if steps[i].neighbors != nil {
			t.margin = 1
		}
	}
	t.keep[ground] = true
	t.grounds = needs(steps, ground)
	t.density = t.target(density)
	if material < 0 {
		return t
	}
	t.material = t.target(material)
	for i := range t.materialOnly {
		t.materialOnly[i] = true
	}
	for _, i := range slices.Concat(t.density.points, t.grounds) {
		t.materialOnly[i] = false
	}
	for i, s := range steps {
		for _, k := range s.inputs {
			t.keep[k] = t.keep[k] || t.flat[k] && t.materialOnly[i] && !t.materialOnly[k]
		}
	}
	return t
}

// target makes a step a target.
func (t *terrain) target(root int) *target {
	n := len(t.steps)
	r := &target{step: int32(root), points: needs(t.steps, root), whole: newTape(n), box: newTape(n), outer: newTape(n), inner: newTape(n)}
	read := make([]bool, n)
	read[root] = t.flat[root]
	for _, i := range r.points {
		if !t.flat[i] {
			r.whole.active = append(r.whole.active, i)
			for _, k := range t.steps[i].inputs {
				read[k] = t.flat[k]
			}
		}
	}
	for i, is := range read {
		if is {
			t.keep[i] = true
			r.reads = append(r.reads, int32(i))
		}
	}
	return r
}

// needs returns the numbers of the steps that a step needs, ascending, itself included.
func needs(steps []step, root int) (all []int32) {
	needed := make([]bool, root+1)
	needed[root] = true
	for i := root; i >= 0; i-- {
		if needed[i] {
			all = append(all, int32(i))
			for _, k := range steps[i].inputs {
				needed[k] = true
			}
		}
	}
	slices.Reverse(all)
	return all
}

// constant reports whether s is the same number everywhere.
func (s *step) constant() bool { return s.all.IsSingle() }

// fork returns the terrain with scratch of its own, for another reader. What compiling found out is shared.
func (t *terrain) fork() *terrain {
	n := len(t.steps)
	f := &terrain{
		steps: slices.Clone(t.steps), ground: t.ground, grounds: t.grounds, margin: t.margin,
		flat: t.flat, materialOnly: t.materialOnly, keep: t.keep,
		values: make([]float32, n), bounds: make([]geom.Interval, n), needed: make([]bool, n), buffers: make([][]float32, n),
	}
	for i := range f.steps {
		s := &f.steps[i]
		if o, ok := s.op.(ops.Forker); ok {
			s.op = o.Fork()
			s.chooser, _ = s.op.(ops.Chooser)
			s.neighbors, _ = s.op.(ops.NeighborReader)
		}
	}
	f.cache.flat, f.tiled = make([][]float32, n), tiledOf(f.steps)
	f.density = t.density.fork(n)
	if t.material != nil {
		f.material = t.material.fork(n)
	}
	return f
}

// fork returns the target of n steps with tapes of its own.
func (r *target) fork(n int) *target {
	return &target{step: r.step, points: r.points, reads: r.reads, whole: r.whole, box: newTape(n), outer: newTape(n), inner: newTape(n)}
}

// enter and leave surround whatever uses scratch. As with Go's maps, the check costs next to nothing, finds most misuse
// and is no lock.
func (t *terrain) enter() {
	if t.busy {
		panic("field: two goroutines use one Terrain at once: Program.Terrain gives each its own")
	}
	t.busy = true
}

func (t *terrain) leave() { t.busy = false }

// At returns the density of s.
func (t *terrain) At(s lattice.Sample) float32 {
	t.enter()
	defer t.leave()
	return t.at(t.density, s)
}

// at returns the value of a target at s.
func (t *terrain) at(r *target, s lattice.Sample) float32 {
	for _, i := range r.points {
		t.point(int(i), s)
	}
	return t.values[r.step]
}

func (t *terrain) point(i int, s lattice.Sample) {
	p := &t.steps[i]
	for j, k := range p.inputs {
		t.in[j] = t.values[k]
	}
	t.values[i] = p.op.Point(&t.in, s)
}

// Ground returns the height of the ground at a column.
func (t *terrain) Ground(x, z int32) float32 {
	t.enter()
	defer t.leave()
	for _, i := range t.grounds {
		t.point(int(i), lattice.Sample{X: x, Z: z})
	}
	return t.values[t.ground]
}

// Fill fills g. Steps that do not depend on y are computed once a column; the others block by block, those
// left out that a block does not need.
func (t *terrain) Fill(g *grid.Grid) {
	t.enter()
	defer t.leave()
	n, o, h := g.Side(), g.Corner(), g.Step()
	if len(g.Samples) != n*n*n || len(g.Ground) != n*n {
		panic(fmt.Sprintf("field: grid of side %d has %d samples and %d ground heights", n, len(g.Samples), len(g.Ground)))
	}
	p := t.columns(planeKey{x: o.X, z: o.Z, d: h, nx: n, nz: n})
	for z := range n {
		copy(g.Ground[z*n:][:n], p.row(t, t.ground, z))
	}
	t.density.prepare(t, p, g.Box())
	runs := (n + rowsAtOnce - 1) / rowsAtOnce
	rows := (n + runs - 1) / runs
	for z := range n {
		for y := 0; y < n; y += rows {
			t.run = ops.Block{X: o.X, Y: o.Y + int32(y)*h, Z: o.Z + int32(z)*h, Dx: h, Dy: h, Count: n, Rows: min(rows, n-y), Spare: &t.spare}
			root := t.density.cutBlock(t, p, z)
			t.block(t.density, root, g.Samples[(z*n+y)*n:][:t.run.Size()], p, z)
		}
	}
}

// prepare cuts the outer tape for a grid with the box b, whose columns are p's.
func (r *target) prepare(t *terrain, p *planes, b lattice.Box) {
	for _, i := range r.reads {
		r.outer.bounds[i] = p.all[i]
	}
	r.outer.bound(t, r.whole, b, false)
	r.outer.cut(t, r.whole, r.step)
}

// cutBlock cuts the inner tape for the block t.run of rows at row z of p and returns the number of the step
// that stands for the target.
func (r *target) cutBlock(t *terrain, p *planes, z int) (root int32) {
	for _, i := range r.reads {
		if t.steps[i].constant() {
			r.inner.bounds[i] = p.all[i]
		} else {
			r.inner.bounds[i] = p.rows[i][z]
		}
	}
	r.inner.bound(t, r.outer, t.run.Box(), false)
	r.inner.cut(t, r.outer, r.step)
	return r.inner.alias[r.outer.alias[r.step]]
}

// block computes a target over the block t.run of rows at row z of p, as its inner tape is cut for it.
func (t *terrain) block(r *target, root int32, dst []float32, p *planes, z int) {
	b := &t.run
	for _, i := range r.inner.fixed {
		t.buffers[i] = ops.Resize(t.buffers[i], b.Size())
		ops.FillRow(t.buffers[i][:b.Count], r.inner.bounds[i].Lo)
	}
	for _, i := range r.inner.active {
		s := &t.steps[i]
		if s.pulled {
			continue
		}
		for j, k := range s.inputs {
			t.inputs[j] = t.operand(r, r.inner.alias[r.outer.alias[k]], p, z)
		}
		if i == root {
			s.op.Block(dst, &t.inputs, b)
			return
		}
		t.buffers[i] = ops.Resize(t.buffers[i], b.Size())
		s.op.Block(t.buffers[i], &t.inputs, b)
	}
	v := t.operand(r, root, p, z)
	for r := range b.Rows {
		copy(dst[r*b.Count:][:b.Count], v.V)
	}
}

// operand returns the values that block computed or fixed for step i, or those of a flat step.
func (t *terrain) operand(r *target, i int32, p *planes, z int) ops.Operand {
	switch {
	case t.flat[i]:
		return ops.Operand{V: p.row(t, int(i), z), Shared: true}
	case r.inner.bounds[i].IsSingle():
		return ops.Operand{V: t.buffers[i], Shared: true}
	}
	return ops.Operand{V: t.buffers[i], Shared: false}
}
