package mesher

import (
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/internal/kernel/kerneltest"
	"github.com/terrane/terrane/internal/meshtest"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// fillSlab sets a grid's slab on a face from the field.
func fillSlab(g *grid.Grid, face lattice.Face, at func(s lattice.Sample) float32) {
	side := 2*g.Cells + 3
	slab, paint := make([]float32, 0, 3*side*side), make([]uint8, 0, 3*side*side)
	h := g.Step() / 2
	o := g.Corner().Add(g.Step(), g.Step(), g.Step()) // the chunk's own corner
	w := face.Axis()
	across := int32(0)
	if face.High() {
		across = int32(2 * g.Cells)
	}
	for layer := int32(-1); layer <= 1; layer++ {
		for v := range int32(side) {
			for u := range int32(side) {
				var p [3]int32
				p[w], p[cube.LowerOther[w]], p[cube.UpperOther[w]] = across+layer, u-1, v-1
				s := o.Add(p[0]*h, p[1]*h, p[2]*h)
				slab, paint = append(slab, at(s)), append(paint, meshtest.MaterialOf(s))
			}
		}
	}
	g.Slabs[face], g.SlabMaterials[face] = slab, paint
}

// A mosaic is 3×3×3 blocks, each a chunk of level 1 or eight of level 0, joined into one mesh.
type mosaic struct {
	cells int32
	fine  [27]bool
	at    func(s lattice.Sample) float32
	// chances is set if crossings of both levels may fall on one place.
	chances bool
}

// isFine reports whether block x, y, z is there and fine.
func (m *mosaic) isFine(x, y, z int32) bool {
	in := func(i int32) bool { return i >= 0 && i < 3 }
	return in(x) && in(y) && in(z) && m.fine[z*9+y*3+x]
}

// join meshes all blocks.
func (m *mosaic) join(t *testing.T, k Mesher) *meshtest.Join {
	j := meshtest.NewJoin(t)
	j.Chances = m.chances
	add := func(c lattice.Chunk, finer lattice.Faces) {
		g := grid.New(int(m.cells))
		g.Chunk = c
		meshtest.Fill(g, m.at)
		// On a sloping ground the mean of two columns is the height between them, so depths must agree too.
		o, n := g.Corner(), g.Side()
		for i := range g.Ground {
			g.Ground[i] = float32(3*(int(o.X)+i%n*int(g.Step()))-int(o.Z)-i/n*int(g.Step())) / 8
		}
		for face := lattice.LowX; face <= lattice.HighZ; face++ {
			if finer.Has(face) {
				fillSlab(g, face, m.at)
			}
		}
		var out mesh.Mesh
		k.Mesh(&out, g, finer)
		meshtest.UnitNormals(t, &out)
		meshtest.Stats(t, &out)
		j.Add(g, &out)
	}
	for i := range int32(27) {
		x, y, z := i%3, i/3%3, i/9
		if m.fine[i] {
			for k := range int32(8) {
				add(lattice.Chunk{X: 2*x + k&1, Y: 2*y + k>>1&1, Z: 2*z + k>>2}, 0)
			}
			continue
		}
		var finer lattice.Faces
		for face := lattice.LowX; face <= lattice.HighZ; face++ {
			var d [3]int32
			d[face.Axis()] = -1
			if face.High() {
				d[face.Axis()] = 1
			}
			if m.isFine(x+d[0], y+d[1], z+d[2]) {
				finer = finer.With(face)
			}
		}
		add(lattice.Chunk{X: x, Y: y, Z: z, Level: 1}, finer)
	}
	return j
}

// TestSeams joins random mosaics of two levels in random fields: the surface must be closed, and what two
// chunks share equal bit for bit.
func TestSeams(t *testing.T) {
	const seed = 12
	r := rand.New(rand.NewPCG(seed, 0))
	shared, differ := 0, 0
	for i := range 150 {
		m := mosaic{cells: int32(2 + r.IntN(4)), chances: true}
		share := r.Float64()
		for b := range m.fine {
			m.fine[b] = r.Float64() < share
		}
		noise := meshtest.NewNoise(r, cubeOf(2, 6*m.cells-1), 0.2+0.6*r.Float64())
		m.at = noise.At
		j := m.join(t, New(Marching))
		if f := j.Stats(); !f.Balanced() || f.Orphans != 0 || f.Triangles > 0 && f.Volume <= 0 {
			t.Fatalf("seed %d, mosaic %d, fine %v: %+v", seed, i, m.fine, f)
		}
		shared, differ = shared+j.Shared, differ+j.Differ
	}
	// A vertex of one level has the place of one of the other by chance only.
	if shared < 10000 || differ > shared/100 {
		t.Errorf("of %d shared places %d have vertices that differ", shared, differ)
	}
}

// TestSeamOfOne surrounds one coarse chunk with fine ones, and one fine block with coarse chunks, in a
// smooth field.
func TestSeamOfOne(t *testing.T) {
	for _, inside := range []bool{false, true} {
		m := mosaic{cells: 8}
		for b := range m.fine {
			m.fine[b] = (b == 13) == inside
		}
		f := ball(19, 24.3, 23.6, 24.1)
		m.at = func(s lattice.Sample) float32 { return float32(f(float64(s.X), float64(s.Y), float64(s.Z))) }
		facts := m.join(t, New(Marching)).Stats()
		if !facts.Balanced() || facts.Euler() != 2 {
			t.Errorf("fine inside %v: Euler number %d, %+v", inside, facts.Euler(), facts)
		}
	}
}

// TestSeamRefused checks that a seam without a slab, or toward nothing finer, is the caller's error.
func TestSeamRefused(t *testing.T) {
	for _, level := range []uint8{0, 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("level %d: no panic", level)
				}
			}()
			g := grid.New(4)
			g.Chunk.Level = level
			New(Marching).Mesh(&mesh.Mesh{}, g, lattice.Faces(0).With(lattice.HighY))
		}()
	}
}

// TestSeamHard puts densities that arithmetic gets wrong on the seam.
func TestSeamHard(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	for range 60 {
		m := mosaic{cells: 3, chances: true} // NaN and infinite densities put crossings on middles and samples
		for b := range m.fine {
			m.fine[b] = r.IntN(2) == 0
		}
		noise := meshtest.NewNoise(r, cubeOf(2, 17), 0.5)
		hard := map[lattice.Sample]float32{}
		m.at = func(s lattice.Sample) float32 {
			d := noise.At(s)
			if d == -0.5 {
				return d
			}
			h, ok := hard[s]
			if !ok {
				if h = d; r.IntN(3) == 0 {
					h = kerneltest.HardFloats[r.IntN(len(kerneltest.HardFloats))]
				}
				hard[s] = h
			}
			return h
		}
		if f := m.join(t, New(Marching)).Stats(); !f.Balanced() {
			t.Fatalf("%+v", f)
		}
	}
}
