package eval

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/lattice"
)

// A slope is the steepness of a flat step by central differences over the samples before and after along x
// and along z, which lie one sample of level 0 away at every level, so that a sample has one slope.
type slope struct {
	of     *terrain  // its density is the step
	planes [4]planes // of it: shifted by one sample on and back along x, and along z

	dx, dz, twice []float32 // scratch; kernels do not work in place
}

func newSlope(s *graph.Step, c *compiler) (ops.Op, error) {
	k := int(s.Inputs[0])
	steps, roots := prune(c.steps[:k+1], k)
	return &slope{of: newTerrain(steps, roots[0], roots[0], -1)}, nil
}

func (o *slope) Fork() ops.Op { return &slope{of: o.of.fork()} }

func (o *slope) Tiled() []*ops.Heightmap { return o.of.tiled }

// steepness returns the steepness of what differs by dx and dz over two samples.
func steepness(dx, dz float32) float32 {
	return float32(geom.Sqrt(float32(dx*dx)+float32(dz*dz)) * 0.5)
}

func (o *slope) Point(_ *ops.Values, s lattice.Sample) float32 {
	at := func(x, z int32) float32 { return o.of.at(o.of.density, lattice.Sample{X: s.X + x, Z: s.Z + z}) }
	return steepness(at(1, 0)-at(-1, 0), at(0, 1)-at(0, -1))
}

func (o *slope) Block(dst []float32, _ *ops.Operands, b *ops.Block) {
	n := b.Count
	var p [4]*planes
	for i, d := range [4][2]int32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		p[i] = o.plane(i, planeKey{x: b.X + d[0], z: b.Z + d[1], d: b.Dx, nx: n, nz: b.Rows})
	}
	for r := range b.Rows {
		o.steepnesses(dst[r*n:][:n], o.row(p[0], r), o.row(p[1], r), o.row(p[2], r), o.row(p[3], r))
	}
}

// Within computes the slope of values over a block of columns, each beside the next, for all but those at its
// border, which it sets to 0.
func (o *slope) Within(dst, v []float32, b *ops.Block) {
	n := b.Count
	ops.FillRow(dst[:n], 0)
	for r := 1; r < b.Rows-1; r++ {
		row := dst[r*n:][:n]
		row[0], row[n-1] = 0, 0
		o.steepnesses(row[1:n-1], v[r*n+2:], v[r*n:], v[(r+1)*n+1:], v[(r-1)*n+1:])
	}
	ops.FillRow(dst[(b.Rows-1)*n:][:n], 0)
}

// plane computes plane i over the columns of k.
func (o *slope) plane(i int, k planeKey) *planes {
	p := &o.planes[i]
	if !p.ok || p.key != k {
		p.fill(o.of, k)
	}
	return p
}

func (o *slope) row(p *planes, r int) []float32 { return p.row(o.of, int(o.of.density.step), r) }

// steepnesses sets dst to the steepnesses between the values one sample on and one back along x, and along z.
func (o *slope) steepnesses(dst, x1, x0, z1, z0 []float32) {
	n := len(dst)
	o.dx, o.dz, o.twice = ops.Resize(o.dx, n), ops.Resize(o.dz, n), ops.Resize(o.twice, n)
	rows.Subtract(o.dx, x1[:n], x0[:n])
	rows.Subtract(o.dz, z1[:n], z0[:n])
	rows.Hypot(o.twice, o.dx, o.dz)
	rows.Scale(dst, o.twice, 0.5, 0)
}

// Bounds follows from the bounds of the input over the box and one sample round it: no two values differ by
// more, and differences and what is made of them are rounded in order.
func (o *slope) Bounds(_ *ops.Intervals, b *lattice.Box) geom.Interval {
	end := func(a int64) int32 { return int32(min(max(a, int64(everywhere.Min.X)), int64(everywhere.Max.X))) }
	k := planeKey{x: end(int64(b.Min.X) - 1), z: end(int64(b.Min.Z) - 1)}
	k.nx = int(int64(end(int64(b.Max.X)+1)) - int64(k.x))
	k.nz = int(int64(end(int64(b.Max.Z)+1)) - int64(k.z))
	i := o.of.columns(k).all[o.of.density.step]
	return geom.Interval{Lo: 0, Hi: steepness(i.Hi-i.Lo, i.Hi-i.Lo)}
}
