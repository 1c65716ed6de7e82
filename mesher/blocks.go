package mesher

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// blocks is the blocks view: a cube for each solid sample, half a cell to each side of it. A square lies
// between each solid sample and its air neighbors, halfway along the crossed edge, and belongs to a chunk as
// the polygons of surface nets do. Squares do not share vertices: each is flat.
type blocks struct {
	scan
}

// ClosesSeams implements Mesher: there are no transition cells between dual meshes.
func (k *blocks) ClosesSeams() bool { return false }

// Mesh implements Mesher; finer must be 0.
func (k *blocks) Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces) {
	refuseFiner(Blocks, finer)
	k.openChunk(g, 1, g.Cells+1)
	in := starts{1, g.Cells, 1, g.Cells}
	if err := k.extract(m, [3]starts{in, in, in}, false); err != nil {
		panic(err) // chunks are smaller than that
	}
}

// volume implements surface. A mesh without any capacity is counted first.
func (k *blocks) volume(x *Extractor, m *mesh.Mesh, v view) (Stats, error) {
	k.openVolume(x, v, 4)
	counted := k.view.counted()
	if cap(m.Indices) == 0 {
		n := k.count(counted)
		if err := x.allocate(m, m.Vertices()+4*n, len(m.Indices)+6*n); err != nil {
			return Stats{}, err
		}
	}
	err := k.extract(m, counted, true)
	return Stats{NaNs: k.planes.nans}, err
}

// extract appends a square for each crossed edge that counts; those that start in the view's last plane do
// if last is true.
func (k *blocks) extract(m *mesh.Mesh, counted [3]starts, last bool) error {
	v, p := &k.view, &k.planes
	k.out = m
	p.reset(v, counted, 3)
	lo, hi := v.lo[2], v.hi[2]
	k.first()
	for z := lo; z <= hi; z++ {
		if z == hi && !last {
			break
		}
		n := k.cross(z)
		if m.Vertices()+4*int(n) > math.MaxUint32 {
			return fmt.Errorf("%w: the surface has more than %d vertices", ErrTooLarge, math.MaxUint32)
		}
		k.reserve(int(n))
		for axis := range 3 {
			k.squares(axis, z)
		}
	}
	k.out = nil
	return nil
}

// cross finds the crossings that start in plane z and returns how many there are.
func (k *blocks) cross(z int) uint32 {
	v, p := &k.view, &k.planes
	hi := v.hi[2]
	k.step(z)
	n := p.crossInPlane(p.lower, 0)
	if z < hi {
		return p.crossBetween(n)
	}
	p.noCrossings(p.lower, 2)
	return n
}

// count returns the number of squares.
func (k *blocks) count(counted [3]starts) (n int) {
	v, p := &k.view, &k.planes
	p.reset(v, counted, 3)
	k.first()
	for z := v.lo[2]; z <= v.hi[2]; z++ {
		n += int(k.cross(z))
	}
	return n
}

// reserve makes room for n more squares.
func (k *blocks) reserve(n int) {
	m := k.out
	k.next = m.Vertices()
	m.Resize(k.next+4*n, k.view.attributes(k.flat))
	m.Indices = extend(m.Indices, len(m.Indices)+6*n)[:len(m.Indices)]
}

// squares adds the squares on the edges along an axis that start in plane z.
func (k *blocks) squares(axis, z int) {
	p := &k.planes
	l, w := p.lower, p.words
	for y := p.from[axis]; y <= p.to[axis]; y++ {
		for i, set := range l.cross[axis][y*w : y*w+w] {
			for solid := l.solid[y*w+i]; set != 0; set &= set - 1 {
				x := bits.TrailingZeros64(set)
				k.square([3]int{i*64 + x, y, z}, axis, solid>>x&1 != 0)
			}
		}
	}
}

// square adds the square on the edge that starts at a sample and runs along an axis.
func (k *blocks) square(at [3]int, axis int, solidFirst bool) {
	v, m := &k.view, k.out
	first := uint32(k.next)
	u, w := cube.LowerOther[axis], cube.UpperOther[axis]
	if axis == 1 {
		u, w = w, u
	}
	x, t := mesh.Vertex{}, float32(1)
	x.Normal[axis] = -1
	if solidFirst {
		x.Normal[axis], t = 1, 0
	}
	if len(v.materials) != 0 { // a square is of its cube's material alone
		i := v.index(at[0], at[1], at[2])
		x.Materials = blend(v.materials[i], v.materials[i+v.stride(axis)], solidFirst, t)
	}
	for _, corner := range [4][2]float32{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}} {
		var p [3]float32
		for i := range p {
			p[i] = float32(at[i] - v.lo[i] - v.shift)
		}
		p[axis] += 0.5
		p[u] += corner[0]
		p[w] += corner[1]
		if len(v.ground) != 0 {
			x.Depth = k.depth(p)
		}
		x.Position = [3]float32{p[0] * v.scale[0], p[1] * v.scale[1], p[2] * v.scale[2]}
		m.SetVertex(k.next, x)
		k.next++
	}
	if solidFirst {
		m.Indices = append(m.Indices, first, first+1, first+2, first, first+2, first+3)
	} else {
		m.Indices = append(m.Indices, first, first+2, first+1, first, first+3, first+2)
	}
}

// depth returns the depth of a square's corner: it lies amid four columns and halfway between two samples.
func (k *blocks) depth(p [3]float32) float32 {
	v := &k.view
	at := [3]int{int(p[0]+0.5) + v.lo[0] - 1, int(p[1]+0.5) + v.lo[1] - 1, int(p[2]+0.5) + v.lo[2] - 1}
	nx := v.n[0]
	g := v.ground[at[2]*nx+at[0]:]
	mean := float32((g[0] + g[1] + g[nx] + g[nx+1]) * 0.25)
	return mean - v.heightOf(at[1]) - float32(0.5*float32(v.rise))
}
