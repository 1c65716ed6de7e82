package mesh

import (
	"fmt"
	"math"
	"slices"
)

// Stats holds a mesh's counts and measures, as Check returns them. Vertices are told apart by index: Weld first to
// compare them by position.
type Stats struct {
	Vertices  int // that a triangle uses
	Orphans   int // vertices that no triangle uses
	Edges     int
	Triangles int

	Open         int // edges that border one triangle
	NonManifold  int // edges that border more than two
	Inconsistent int // edges not passed equally often in both directions: the open ones, and those between triangles of opposite winding
	Degenerate   int // triangles without area: two corners in one place, or all three on a line

	Area   float64 // of all triangles, in square meters
	Volume float64 // enclosed, in cubic meters; positive if the triangles face outward; means nothing if Open > 0
}

// Manifold reports whether no edge borders more than two triangles and any two that share one have
// the same winding.
func (f Stats) Manifold() bool { return f.NonManifold == 0 && f.Inconsistent == f.Open }

// Closed reports whether every edge borders exactly two triangles of the same winding.
func (f Stats) Closed() bool { return f.Open == 0 && f.NonManifold == 0 && f.Inconsistent == 0 }

// Balanced reports whether every edge is passed equally often in both directions. A mesh whose sheets touch
// along an edge is balanced without being Closed; it still encloses its volume.
func (f Stats) Balanced() bool { return f.Inconsistent == 0 }

// Euler returns the Euler number, vertices − edges + triangles: 2 for each closed part without a handle,
// less 2 for each handle.
func (f Stats) Euler() int { return f.Vertices - f.Edges + f.Triangles }

// Check returns the mesh's statistics. It returns an error if the mesh is malformed: slices of the wrong lengths, an
// index past the last vertex, a number that is not finite.
func (m *Mesh) Check() (Stats, error) {
	if err := m.wellFormed(); err != nil {
		return Stats{}, err
	}
	f := Stats{Triangles: m.Triangles()}
	m.countVertices(&f)
	m.countEdges(&f)
	m.measure(&f)
	return f, nil
}

func (m *Mesh) wellFormed() error {
	n := m.Vertices()
	switch {
	case len(m.Positions)%3 != 0 || len(m.Indices)%3 != 0:
		return fmt.Errorf("mesh: %d position numbers and %d indices, want multiples of 3", len(m.Positions), len(m.Indices))
	case n > math.MaxInt32:
		return fmt.Errorf("mesh: %d vertices, want at most %d", n, math.MaxInt32)
	case len(m.Indices) > math.MaxUint32:
		return fmt.Errorf("mesh: %d indices, want at most %d", len(m.Indices), uint32(math.MaxUint32))
	}
	for i, v := range m.Indices {
		if int(v) >= n {
			return fmt.Errorf("mesh: index %d of triangle %d is past the last of %d vertices", v, i/3, n)
		}
	}
	for _, a := range m.attributes() {
		if err := a.check(n); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mesh) countVertices(f *Stats) {
	used := make([]bool, m.Vertices())
	for _, v := range m.Indices {
		used[v] = true
	}
	for _, u := range used {
		if u {
			f.Vertices++
		} else {
			f.Orphans++
		}
	}
}

// countEdges gathers the triangles' sides at their lower vertex, where those of one edge are then found by sorting a
// handful. A side is its other vertex and whether it runs from there, in the lowest bit.
func (m *Mesh) countEdges(f *Stats) {
	ends := make([]uint32, m.Vertices()+1) // of the sides at each vertex, shifted by one while they are filled in
	m.sides(func(low, _ uint32) { ends[low+1]++ })
	for v := range m.Vertices() {
		ends[v+1] += ends[v]
	}
	sides := make([]uint32, ends[m.Vertices()])
	m.sides(func(low, side uint32) {
		sides[ends[low]] = side
		ends[low]++
	})
	first := uint32(0)
	for _, end := range ends[:m.Vertices()] {
		f.countSides(sides[first:end])
		first = end
	}
}

// sides calls do for each side of each triangle.
func (m *Mesh) sides(do func(low, side uint32)) {
	for i := 0; i+2 < len(m.Indices); i += 3 {
		t := m.Indices[i : i+3 : i+3]
		for k, a := range t {
			switch b := t[(k+1)%3]; {
			case a < b:
				do(a, b<<1)
			case b < a:
				do(b, a<<1|1)
			} // a triangle with two corners in one vertex has no side there
		}
	}
}

// countSides counts the edges that the sides at one vertex are of, and sorts them.
func (f *Stats) countSides(sides []uint32) {
	slices.Sort(sides)
	for i := 0; i < len(sides); {
		j, back := i, 0
		for j < len(sides) && sides[j]>>1 == sides[i]>>1 {
			back += int(sides[j] & 1)
			j++
		}
		f.Edges++
		if j-i == 1 {
			f.Open++
		}
		if j-i > 2 {
			f.NonManifold++
		}
		if 2*back != j-i {
			f.Inconsistent++
		}
		i = j
	}
}

// measure sums areas and volumes, in float64 and relative to the first vertex: far from the origin the
// volumes of the cones would cancel badly.
func (m *Mesh) measure(f *Stats) {
	if len(m.Indices) == 0 {
		return
	}
	o := m.position(m.Indices[0])
	for i := 0; i < len(m.Indices); i += 3 {
		a := sub(m.position(m.Indices[i]), o)
		b := sub(m.position(m.Indices[i+1]), o)
		c := sub(m.position(m.Indices[i+2]), o)
		n := cross(sub(b, a), sub(c, a))
		area := math.Sqrt(dot(n, n)) / 2
		f.Area += area
		f.Volume += dot(a, cross(b, c)) / 6
		if area == 0 {
			f.Degenerate++
		}
	}
}

func (m *Mesh) position(v uint32) [3]float64 {
	p := m.Positions[3*v : 3*v+3]
	return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}
}

func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func dot(a, b [3]float64) float64    { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
