package field_test

import (
	"slices"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

// TestHills checks what the default world promises: solid below −64, ground at the heights of a landscape,
// and caves, openings and overhangs.
func TestHills(t *testing.T) {
	for _, seed := range []int64{1, -5, 1 << 40} {
		f := compile(t, template.Hills(seed))
		for x := int32(-512); x < 512; x += 64 {
			for z := int32(-512); z < 512; z += 64 {
				b := lattice.Box{Min: lattice.Sample{X: x, Y: -5000, Z: z}, Max: lattice.Sample{X: x + 64, Y: -64, Z: z + 64}}
				if i := f.Bounds(b); i.Lo <= 0 {
					t.Errorf("seed %d: bounds %v of %v, want all solid", seed, i, b)
				}
			}
		}
		var s survey
		for x := int32(-5); x < 5; x++ {
			for z := int32(-5); z < 5; z++ {
				s.column(f, x, z)
			}
		}
		t.Logf("seed %d: %+v", seed, s)
		if s.low < -25 || s.high > 75 || s.high-s.low < 40 {
			t.Errorf("seed %d: ground from %v to %v m", seed, s.low, s.high)
		}
		if s.caves < s.columns/20 || s.caves > s.columns/2 || s.openings < s.columns/500 || s.openings > s.columns/10 ||
			s.overhangs < s.columns/2000 {
			t.Errorf("seed %d: %+v", seed, s)
		}
	}
}

// A survey counts what columns of samples have.
type survey struct {
	low, high                  float32 // of the ground
	columns                    int
	caves, openings, overhangs int // columns with air under solid, with none to 4 m below the ground, with air under solid above ground less 3 m
}

// column adds the columns of a column of chunks.
func (s *survey) column(f field.Terrain, cx, cz int32) {
	const layers, n = 6, lattice.ChunkCells
	solid := make([]bool, layers*n*n*n)
	g := grid.New(n)
	for cy := range layers {
		g.Chunk = lattice.Chunk{X: cx, Y: int32(cy) - 2, Z: cz}
		f.Fill(g)
		for i := range n * n * n {
			x, y, z := i%n, i/n%n, i/(n*n)
			solid[((z*n)+x)*layers*n+cy*n+y] = grid.Solid(g.Samples[g.Index(x, y, z)])
		}
	}
	for i := range n * n {
		c := solid[i*layers*n:][:layers*n]
		ground := g.Ground[(i/n+1)*g.Side()+i%n+1]
		if s.columns == 0 {
			s.low, s.high = ground, ground
		}
		s.columns++
		s.low, s.high = min(s.low, ground), max(s.high, ground)
		at := int(ground) + 2*n // the sample at the ground's height
		cave, overhang, above := false, false, false
		for y, solid := range slices.Backward(c) {
			cave = cave || above && !solid
			overhang = overhang || above && !solid && y > at-3
			above = above || solid
		}
		for _, count := range []struct {
			n  *int
			ok bool
		}{{&s.caves, cave}, {&s.overhangs, overhang}, {&s.openings, !c[at-1] && !c[at-4]}} {
			if count.ok {
				*count.n++
			}
		}
	}
}
