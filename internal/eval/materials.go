package eval

import (
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/lattice"
)

// painted is a terrain with materials.
type painted struct {
	*terrain
	palette []graph.Material
	rows    []uint8   // scratch of FillMaterials: whether each row of a grid is air, solid or both
	solid   []uint64  // the same: a bit for each sample, set where it is solid
	values  []float32 // the same: materials of a block before they are rounded
}

// Palette returns the materials.
func (t *painted) Palette() []graph.Material { return t.palette }

// Material returns the number of the material of s.
func (t *painted) Material(s lattice.Sample) uint8 {
	t.enter()
	defer t.leave()
	return material(t.at(t.material, s))
}

// material rounds the value of a material node, which Compile has found to lie in the palette: ½ goes up.
func material(v float32) uint8 { return uint8(v + 0.5) }

// What the samples of a row are.
const (
	rowAir   uint8 = 1
	rowSolid uint8 = 2
	rowMixed uint8 = rowAir | rowSolid
)

// FillMaterials sets the materials where the surface of g passes. Rows are computed in blocks, as Fill does; those
// that the surface does not touch are left out.
func (t *painted) FillMaterials(g *grid.Grid) {
	t.enter()
	defer t.leave()
	n, o, h := g.Side(), g.Corner(), g.Step()
	g.Materials = ops.Resize(g.Materials, n*n*n)
	if !t.findRows(g) {
		return
	}
	p := t.columns(planeKey{x: o.X, z: o.Z, d: h, nx: n, nz: n})
	p.addPaint(t.terrain)
	t.material.prepare(t.terrain, p, g.Box())
	for z := range n {
		for y := 0; y < n; {
			if !t.crossed(n, y, z) {
				y++
				continue
			}
			end := y + 1
			for end < n && end < y+rowsAtOnce && t.crossed(n, end, z) {
				end++
			}
			t.run = ops.Block{X: o.X, Y: o.Y + int32(y)*h, Z: o.Z + int32(z)*h, Dx: h, Dy: h, Count: n, Rows: end - y, Spare: &t.spare}
			t.materialBlock(g.Materials[(z*n+y)*n:][:t.run.Size()], p, z)
			y = end
		}
	}
}

// materialBlock computes the materials of the block t.run of rows at row z of p.
func (t *painted) materialBlock(dst []uint8, p *planes, z int) {
	r := t.material
	root := r.cutBlock(t.terrain, p, z)
	if i := r.inner.bounds[root]; material(i.Lo) == material(i.Hi) {
		m := material(i.Lo)
		for i := range dst {
			dst[i] = m
		}
		return
	}
	t.values = ops.Resize(t.values, len(dst))
	t.block(r, root, t.values, p, z)
	for i, v := range t.values {
		dst[i] = material(v)
	}
}

// findRows finds out what the rows of g are and reports whether there is a surface among them.
func (t *painted) findRows(g *grid.Grid) bool {
	n := g.Side()
	t.rows = ops.Resize(t.rows, n*n)
	t.solid = ops.Resize(t.solid, len(g.Samples)/64+2) // a piece of a row may be read across the last two
	bits.Pack(t.solid, g.Samples, 0)
	var all uint8
	for i := range t.rows {
		k := t.rowKind(i*n, i*n+n)
		t.rows[i] = k
		all |= k
	}
	return all == rowMixed
}

// rowKind returns what the samples from i to end are.
func (t *painted) rowKind(i, end int) (kind uint8) {
	for ; i < end; i += 64 {
		w, shift := i>>6, i&63
		solid := t.solid[w]>>shift | t.solid[w+1]<<1<<(63-shift)
		every := ^uint64(0) >> (64 - min(end-i, 64))
		if solid&every != 0 {
			kind |= rowSolid
		}
		if ^solid&every != 0 {
			kind |= rowAir
		}
	}
	return kind
}

// crossed reports whether a sample of row y, z of a grid of side n may end a crossed edge.
func (t *painted) crossed(n, y, z int) bool {
	i := z*n + y
	k := t.rows[i]
	return k == rowMixed || y > 0 && t.rows[i-1] != k || y < n-1 && t.rows[i+1] != k ||
		z > 0 && t.rows[i-n] != k || z < n-1 && t.rows[i+n] != k
}
