package relief

import (
	"math"
	"slices"

	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/mesh"
)

// A relief turns a heightmap into triangles: two for each cell between four heights, one where a corner is
// void, none where more are. Every height is a vertex, as the file has it.
type relief struct {
	h      *ingest.Heightmap
	m      *mesh.Mesh
	vertex []int32            // of each sample, −1 for voids
	copies map[int32][4]int32 // of vertices that part has divided: the one of each cell's corner
	rims   [][2]uint32
}

// Mesh returns the surface of h: x east and z south of its first sample, y up, in meters. If base is a
// number, the surface is the top of a block that goes down to it: closed and manifold, but without normals, since
// its edges are sharp.
func Mesh(h *ingest.Heightmap, base float32) *mesh.Mesh {
	_, _, voids, _ := h.Range()
	n := len(h.Values) - voids
	r := &relief{h: h, vertex: make([]int32, len(h.Values)), m: &mesh.Mesh{
		Positions: make([]float32, 0, 3*n),
		Indices:   make([]uint32, 0, 6*min(n, (h.Width-1)*(h.Height-1))),
	}}
	for i, v := range h.Values {
		r.vertex[i] = -1
		if v == v {
			r.vertex[i] = int32(r.m.Vertices())
			x, z := float64(i%h.Width)*h.MetersX, float64(i/h.Width)*h.MetersZ
			r.m.Positions = append(r.m.Positions, float32(x), v, float32(z))
		}
	}
	if base == base && voids > 0 {
		r.part()
	}
	for z := range h.Height - 1 {
		for x := range h.Width - 1 {
			r.cell(x, z)
		}
	}
	switch {
	case base == base && voids == 0:
		r.closeWhole(base)
		return r.m
	case base == base:
		r.close(base)
		return r.m
	}
	r.normals()
	return r.m
}

// corners of the cell at x, z, going round it: northwest, southwest, southeast, northeast. Seen from above,
// with x to the right and z down, that is counter-clockwise.
func (r *relief) corners(x, z int) [4]int32 {
	i := z*r.h.Width + x
	c := [4]int32{r.vertex[i], r.vertex[i+r.h.Width], r.vertex[i+r.h.Width+1], r.vertex[i+1]}
	if len(r.copies) > 0 {
		for k, v := range c {
			if own, ok := r.copies[v]; ok {
				c[k] = own[k]
			}
		}
	}
	return c
}

// kind says what of a cell is covered: 4 for all of it, 0 to 3 for all but the half at that corner, −1 for
// nothing.
func kind(c [4]int32) int {
	missing, n := 4, 0
	for k, v := range c {
		if v < 0 {
			missing, n = k, n+1
		}
	}
	if n > 1 {
		return -1
	}
	return missing
}

// cell adds a cell's triangles and those of its edges that are rims.
func (r *relief) cell(x, z int) {
	c := r.corners(x, z)
	missing := kind(c)
	switch missing {
	case -1:
		return
	case 4: // along the diagonal whose ends differ less: it follows ridges and valleys
		y := func(k int) float64 { return float64(r.m.Positions[3*c[k]+1]) }
		if math.Abs(y(0)-y(2)) <= math.Abs(y(1)-y(3)) {
			r.triangle(c[0], c[1], c[2])
			r.triangle(c[0], c[2], c[3])
		} else {
			r.triangle(c[0], c[1], c[3])
			r.triangle(c[1], c[2], c[3])
		}
	default:
		a, b := (missing+3)%4, (missing+1)%4
		r.triangle(c[b], c[(missing+2)%4], c[a])
		r.rim(c[a], c[b])
	}
	// Each side runs from one corner to the next; across it lies another cell, or none.
	for side, across := range [4][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}} {
		from, to := side, (side+1)%4
		if missing == from || missing == to {
			continue
		}
		nx, nz := x+across[0], z+across[1]
		if nx < 0 || nz < 0 || nx >= r.h.Width-1 || nz >= r.h.Height-1 || kind(r.corners(nx, nz)) == -1 {
			r.rim(c[from], c[to])
		}
	}
}

func (r *relief) triangle(a, b, c int32) {
	r.m.Indices = append(r.m.Indices, uint32(a), uint32(b), uint32(c))
}

// rim notes an edge that borders one triangle, in the direction in which that triangle passes it.
func (r *relief) rim(a, b int32) { r.rims = append(r.rims, [2]uint32{uint32(a), uint32(b)}) }

// closeWhole adds walls from the rims of a heightmap without voids down to the base, and the base, a fan about its
// middle.
func (r *relief) closeWhole(base float32) {
	m := r.m
	m.Positions = slices.Grow(m.Positions, 3*(len(r.rims)+1))
	m.Indices = slices.Grow(m.Indices, 9*len(r.rims))
	under := make(map[uint32]uint32, len(r.rims)) // the base's vertex of each rim's
	for _, e := range r.rims {
		under[e[0]] = uint32(m.Vertices())
		m.Positions = append(m.Positions, m.Positions[3*e[0]], base, m.Positions[3*e[0]+2])
	}
	middle := uint32(m.Vertices())
	x, z := float64(r.h.Width-1)*r.h.MetersX/2, float64(r.h.Height-1)*r.h.MetersZ/2
	m.Positions = append(m.Positions, float32(x), base, float32(z))
	for _, e := range r.rims {
		a, b := e[0], e[1]
		m.Indices = append(m.Indices, b, a, under[a], b, under[a], under[b], under[b], under[a], middle)
	}
}

// close adds walls from the rims down to the base, and the base, which has the surface's own outline.
func (r *relief) close(base float32) {
	m, n := r.m, uint32(r.m.Vertices())
	m.Positions = slices.Grow(m.Positions, 3*int(n))
	m.Indices = slices.Grow(m.Indices, len(m.Indices)+6*len(r.rims))
	for i := range n {
		m.Positions = append(m.Positions, m.Positions[3*i], base, m.Positions[3*i+2])
	}
	top := len(m.Indices)
	for i := 0; i < top; i += 3 {
		m.Indices = append(m.Indices, n+m.Indices[i], n+m.Indices[i+2], n+m.Indices[i+1])
	}
	for _, e := range r.rims {
		a, b := e[0], e[1]
		m.Indices = append(m.Indices, b, a, n+a, b, n+a, n+b)
	}
}

// normals sets the normals: the cross product of the slopes to the neighbors on either side, to the one
// that is there at rims.
func (r *relief) normals() {
	h := r.h
	slope := func(i, step int, low, high bool, meters float64) float64 {
		a, b, n := i, i, 0.0
		if low && h.Values[i-step] == h.Values[i-step] {
			a, n = i-step, n+1
		}
		if high && h.Values[i+step] == h.Values[i+step] {
			b, n = i+step, n+1
		}
		if n == 0 {
			return 0
		}
		return (float64(h.Values[b]) - float64(h.Values[a])) / (n * meters)
	}
	r.m.Normals = make([]float32, 0, len(r.m.Positions))
	for i := range h.Values {
		if r.vertex[i] < 0 {
			continue
		}
		x, z := i%h.Width, i/h.Width
		dx := slope(i, 1, x > 0, x < h.Width-1, h.MetersX)
		dz := slope(i, h.Width, z > 0, z < h.Height-1, h.MetersZ)
		l := math.Sqrt(dx*dx + dz*dz + 1)
		r.m.Normals = append(r.m.Normals, float32(-dx/l), float32(1/l), float32(-dz/l))
	}
}
