package mesher

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/kerneltest"
	"github.com/terrane/terrane/internal/meshtest"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// hardGrid fills a grid with the densities that arithmetic gets wrong among ordinary ones, air all round.
func hardGrid(r *rand.Rand, g *grid.Grid) {
	n := meshtest.NewNoise(r, cubeOf(1, int32(g.Cells)), 0.5)
	meshtest.Fill(g, n.At)
	for i, d := range g.Samples {
		if d != -0.5 && r.IntN(2) == 0 {
			g.Samples[i] = kerneltest.HardFloats[r.IntN(len(kerneltest.HardFloats))]
		}
	}
}

// TestHardDensities feeds NaN, infinities, denormals, both zeros and huge numbers to every mesher: meshes
// stay closed by index, every number finite, every normal of length 1.
func TestHardDensities(t *testing.T) {
	for _, kind := range []Kind{Marching, Nets, Blocks} {
		const seed = 4
		r := rand.New(rand.NewPCG(seed, uint64(kind)))
		k := New(kind)
		var m mesh.Mesh
		for i := range 1000 {
			g := grid.New(2 + r.IntN(5))
			hardGrid(r, g)
			m.Reset()
			k.Mesh(&m, g, 0)
			meshtest.UnitNormals(t, &m)
			f := meshtest.Stats(t, &m)
			if kind != Blocks && !f.Closed() {
				t.Fatalf("%v, seed %d, grid %d: %+v", kind, seed, i, f)
			}
			m.Weld()
			if f := meshtest.Stats(t, &m); !f.Balanced() {
				t.Fatalf("%v, seed %d, grid %d, welded: %+v", kind, seed, i, f)
			}
		}
	}
}

// TestTies meshes grids of −1, 0 and 1 only: after welding every edge is passed equally often both ways and
// no triangle is without area, nets apart. (Case 1a of the collected faults.)
func TestTies(t *testing.T) {
	for _, kind := range []Kind{Marching, Nets, Blocks} {
		r := rand.New(rand.NewPCG(1, uint64(kind)))
		var m mesh.Mesh
		k := New(kind)
		for i := range 2000 {
			g := grid.New(5)
			for j := range g.Samples {
				g.Samples[j] = -1
			}
			for z := 1; z < 4; z++ {
				for y := 1; y < 4; y++ {
					for x := 1; x < 4; x++ {
						g.Samples[g.Index(x, y, z)] = float32(r.IntN(3) - 1)
					}
				}
			}
			m.Reset()
			k.Mesh(&m, g, 0)
			m.Weld()
			// A net may keep a triangle whose corners are three places on one line.
			if f := meshtest.Stats(t, &m); !f.Balanced() || f.Degenerate != 0 && kind != Nets {
				t.Fatalf("%v, grid %d: %+v", kind, i, f)
			}
		}
	}
}

// TestSameBits compares a hash of many meshes with the one that every machine, vector width and build must
// give. A change of it changes what every client shows: raise the mesher's number in the job format.
func TestSameBits(t *testing.T) {
	want := map[Kind]string{
		Marching: "b71923ae93f6a073",
		Nets:     "ea452310a7272b84",
		Blocks:   "4b4feb45c75ec00b",
	}
	for kind, want := range want {
		h := sha256.New()
		r := rand.New(rand.NewPCG(123, 456))
		k := New(kind)
		var m mesh.Mesh
		for i := range 60 {
			g := grid.New(2 + r.IntN(40))
			g.Chunk = lattice.Chunk{X: -3, Y: 2, Z: 1, Level: uint8(i % 3)}
			switch i % 3 {
			case 0:
				hardGrid(r, g)
			case 1:
				n := meshtest.NewNoise(r, g.Box(), 0.1)
				meshtest.Fill(g, n.At)
			case 2:
				meshtest.Fill(g, smooth(3+float32(r.Float32()*9)))
			}
			m.Reset()
			k.Mesh(&m, g, 0)
			hashMesh(h, &m)
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
			t.Errorf("%v: hash %s, want %s", kind, got, want)
		}
	}
}

// smooth returns a wavy field of the given wavelength made of exact operations only.
func smooth(length float32) func(s lattice.Sample) float32 {
	wave := func(i int32, shift float32) float32 {
		f := float32(i)/length + shift
		f -= float32(math.Floor(float64(f)))
		return float32(f * (1 - f) * 4) // rounded before it is added
	}
	return func(s lattice.Sample) float32 {
		return wave(s.X, 0) + wave(s.Y, 0.3) + wave(s.Z, 0.7) - 2
	}
}

func hashMesh(h hash.Hash, m *mesh.Mesh) {
	var buf []byte
	for _, s := range [][]float32{m.Positions, m.Normals, m.Depths} {
		for _, f := range s {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(f))
		}
	}
	for _, v := range m.Indices {
		buf = binary.LittleEndian.AppendUint32(buf, v)
	}
	h.Write(buf)
}

func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range got {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: got %v, plain %v", what, got, want)
		}
	}
}
