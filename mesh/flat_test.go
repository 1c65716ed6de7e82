package mesh

import (
	"math"
	"testing"
)

func TestLiftFlat(t *testing.T) {
	// A tetrahedron of which one edge, 0–1, has vertex 4 in its middle: seen from one side it is cut there, from the
	// other a flat triangle fills the gap.
	tetrahedron := func() *Mesh {
		return &Mesh{
			Positions: []float32{0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0},
			Indices: []uint32{
				0, 1, 4, // flat: on the x axis
				0, 2, 1, // below, which knows nothing of 4
				0, 4, 3, 4, 1, 3, // the side that is cut
				0, 3, 2, 1, 2, 3,
			},
		}
	}
	along := tetrahedron()
	along.Normals = make([]float32, len(along.Positions))
	along.Normals[12] = 1 // along the line, which is of no use
	outward := tetrahedron()
	outward.Normals = make([]float32, len(outward.Positions))
	copy(outward.Normals[12:], []float32{0, -0.6, -0.8})
	for _, c := range []struct {
		name string
		m    *Mesh
	}{{"without normals", tetrahedron()}, {"a normal along the line", along}, {"a normal that points out", outward}} {
		before, err := c.m.Check()
		if err != nil || !before.Closed() || before.Degenerate != 1 {
			t.Fatalf("%+v, %v", before, err)
		}
		if left := c.m.LiftFlat(); left != 0 {
			t.Errorf("%s: %d are left", c.name, left)
		}
		f, err := c.m.Check()
		if err != nil || !f.Closed() || f.Degenerate != 0 || f.Triangles != before.Triangles || math.Abs(f.Volume-before.Volume) > 0.02 {
			t.Errorf("%s: %+v, %v; was %+v", c.name, f, err, before)
		}
	}
	if y, z := outward.Positions[13], outward.Positions[14]; !(y < 0 && z < 0 && y > -0.01 && z > -0.01) {
		t.Errorf("lifted to %v, %v", y, z)
	}
	twice := &Mesh{Positions: []float32{0, 0, 0, 1, 0, 0}, Indices: []uint32{0, 1, 1}}
	if left := twice.LiftFlat(); left != 0 {
		t.Errorf("%d: a triangle of two corners is not for lifting", left)
	}
}
