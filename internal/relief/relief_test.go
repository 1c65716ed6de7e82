package relief

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/mesh"
)

var nan = float32(math.NaN())

// heights returns a heightmap of so many columns.
func heights(width int, values ...float32) *ingest.Heightmap {
	return &ingest.Heightmap{Width: width, Height: len(values) / width, Values: values, Kind: ingest.Float32, MetersX: 2, MetersZ: 3}
}

func TestRelief(t *testing.T) {
	for _, c := range []struct {
		name            string
		h               *ingest.Heightmap
		triangles, open int
		area            float64
		volume          float64 // above −1
	}{
		{"flat", heights(3, 0, 0, 0, 0, 0, 0), 4, 6, 12, 12},
		{"slope", heights(2, 0, 2, 0, 2), 2, 4, 6 * math.Sqrt2, 12},
		{"a corner void", heights(2, 0, nan, 0, 0), 1, 3, 3, 3},
		{"two corners void", heights(2, 0, nan, nan, 0), 0, 0, 0, 0},
		{"a hole", heights(5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, nan, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 28, 20, 84, 84},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Mesh(c.h, nan)
			f, err := m.Check()
			if err != nil || f.Triangles != c.triangles || f.Open != c.open || !f.Manifold() || math.Abs(f.Area-c.area) > 1e-4 {
				t.Errorf("%+v, %v; want %d triangles, %d open edges, area %v", f, err, c.triangles, c.open, c.area)
			}
			for i := 1; i < len(m.Normals); i += 3 {
				if m.Normals[i] <= 0 {
					t.Errorf("normal %d is %v", i/3, m.Normals[i-1:i+2])
				}
			}
			block := Mesh(c.h, -1)
			if f, err := block.Check(); err != nil || !f.Closed() || math.Abs(f.Volume-c.volume) > 1e-4 {
				t.Errorf("block: %+v, %v; want volume %v", f, err, c.volume)
			}
		})
	}
}

// Whatever is void, a block is closed and manifold, also once its triangles are all that is left of it, as in an STL.
func TestReliefBlocks(t *testing.T) {
	parted := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		values := make([]float32, 12*9)
		for i := range values {
			values[i] = r.Float32() * 5
			if r.IntN(4) == 0 {
				values[i] = nan
			}
		}
		h := heights(12, values...)
		m, top := Mesh(h, -2), Mesh(h, nan)
		for _, e := range []string{"", " welded"} {
			f, err := m.Check()
			if err != nil || !f.Closed() || f.Volume < 0 || f.Degenerate != 0 {
				t.Fatalf("seed %d%s: %+v, %v", seed, e, f, err)
			}
			m.Weld()
		}
		if n := len(m.Positions) - 2*len(top.Positions); n > 0 {
			parted++
		}
		// Every triangle of the top faces up, drawn back or not.
		block := Mesh(h, -2)
		for i := range top.Triangles() {
			if n := upward(block, i); n <= 0 {
				t.Fatalf("seed %d: triangle %d faces down", seed, i)
			}
		}
	}
	if parted == 0 {
		t.Error("no block was parted")
	}
}

// upward returns twice the area that a triangle covers, seen from above.
func upward(m *mesh.Mesh, triangle int) float32 {
	p := func(k int) (x, z float32) {
		v := 3 * m.Indices[3*triangle+k]
		return m.Positions[v], m.Positions[v+2]
	}
	ax, az := p(0)
	bx, bz := p(1)
	cx, cz := p(2)
	return (bz-az)*(cx-ax) - (bx-ax)*(cz-az)
}
