package mesher

import (
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/cube"
	"github.com/terrane/terrane/internal/meshtest"
	"github.com/terrane/terrane/mesh"
)

// random fills a volume with the numbers of next, air of −1 on its border if padded.
func random(v *grid.Volume, padded bool, next func() float32) {
	i := 0
	for z := range v.NZ {
		for y := range v.NY {
			for x := range v.NX {
				border := x == 0 || y == 0 || z == 0 || x == v.NX-1 || y == v.NY-1 || z == v.NZ-1
				if v.Samples[i] = -1; !padded || !border {
					v.Samples[i] = next()
				}
				i++
			}
		}
	}
}

// TestVolumeClosed meshes random volumes of many shapes that are air on their border, and ones that are not
// with caps: both must be closed, facing outward, without an unused vertex.
func TestVolumeClosed(t *testing.T) {
	for _, kind := range volumeKinds {
		const seed = 31
		r := rand.New(rand.NewPCG(seed, 1))
		x := Extractor{Kind: kind}
		var m mesh.Mesh
		for i := range 1000 {
			v := grid.NewVolume(2+r.IntN(9), 2+r.IntN(9), 2+r.IntN(40))
			if i%50 == 0 { // rows of more than one word
				v = grid.NewVolume(60+r.IntN(140), 2+r.IntN(5), 2+r.IntN(5))
			}
			solid := r.Float64()
			x.Caps = i%2 == 1
			random(v, !x.Caps, func() float32 { return meshtest.Density(r, solid) })
			m.Reset()
			if _, err := x.Extract(&m, v); err != nil {
				t.Fatal(err)
			}
			meshtest.UnitNormals(t, &m)
			f := meshtest.Stats(t, &m)
			closed := f.Closed()
			if x.Caps { // pieces of the rim may touch along an edge
				closed = f.Balanced()
			}
			if !closed || f.Degenerate != 0 && kind != Nets || f.Orphans != 0 || f.Triangles > 0 && f.Volume <= 0 {
				t.Fatalf("%v, seed %d, volume %d of %d×%d×%d: %+v", kind, seed, i, v.NX, v.NY, v.NZ, f)
			}
		}
	}
}

// TestVolumeOpen checks that without caps every open edge lies on a border plane.
func TestVolumeOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var x Extractor
	for range 200 {
		v := grid.NewVolume(2+r.IntN(7), 2+r.IntN(7), 2+r.IntN(7))
		random(v, false, func() float32 { return meshtest.Density(r, 0.4) })
		var m mesh.Mesh
		if _, err := x.Extract(&m, v); err != nil {
			t.Fatal(err)
		}
		if f := meshtest.Stats(t, &m); !f.Manifold() {
			t.Fatalf("%+v", f)
		}
		sides := map[[2]uint32]int{}
		for i := range m.Indices {
			a, b := m.Indices[i], m.Indices[i-i%3+(i+1)%3]
			sides[[2]uint32{a, b}]++
			sides[[2]uint32{b, a}]--
		}
		last := [3]float32{float32(v.NX - 1), float32(v.NY - 1), float32(v.NZ - 1)}
		for s, n := range sides {
			on := false
			for axis := range uint32(3) {
				p, q := m.Positions[3*s[0]+axis], m.Positions[3*s[1]+axis]
				on = on || p == q && (p == 0 || p == last[axis])
			}
			if n != 0 && !on {
				t.Fatalf("open edge %v is not on the border", s)
			}
		}
	}
}

// TestVolumeTies is case 1 of the collected faults: samples equal to the iso level.
func TestVolumeTies(t *testing.T) {
	for _, kind := range volumeKinds {
		r := rand.New(rand.NewPCG(1, 1))
		x := Extractor{Kind: kind}
		var m mesh.Mesh
		for i := range 2000 {
			v := grid.NewVolume(5, 5, 5)
			random(v, true, func() float32 { return float32(r.IntN(3) - 1) })
			for _, f := range []func(){
				func() {},
				func() { v.Cell = geom.Vec3{X: 0.3, Y: 0.7, Z: 1.1} },
				func() { // the iso level elsewhere
					x.Iso = 100
					for j := range v.Samples {
						v.Samples[j] += 100
					}
				},
			} {
				f()
				m.Reset()
				if _, err := x.Extract(&m, v); err != nil {
					t.Fatal(err)
				}
				// As written: no zero-area triangle, vertices in one place are one.
				f := meshtest.Stats(t, &m)
				n := m.Vertices()
				m.Weld()
				if m.Vertices() != n {
					t.Fatalf("%v, volume %d: %d vertices, %d places", kind, i, n, m.Vertices())
				}
				if !f.Balanced() || f.Orphans != 0 || f.Degenerate != 0 && kind != Nets {
					t.Fatalf("%v, volume %d: %+v", kind, i, f)
				}
			}
			x.Iso = 0
		}
	}
}

// TestVolumeTiesOpen does the same where surfaces end at the border: nets leave out vertices there that no
// polygon has, and those that stay have other numbers.
func TestVolumeTiesOpen(t *testing.T) {
	for _, kind := range volumeKinds {
		r := rand.New(rand.NewPCG(1, 2))
		x := Extractor{Kind: kind}
		for i := range 1000 {
			v := grid.NewVolume(2+r.IntN(4), 2+r.IntN(4), 2+r.IntN(4))
			random(v, false, func() float32 { return float32(r.IntN(3) - 1) })
			var m mesh.Mesh
			if _, err := x.Extract(&m, v); err != nil {
				t.Fatal(err)
			}
			f := meshtest.Stats(t, &m)
			n := m.Vertices()
			m.Weld()
			if m.Vertices() != n || f.Orphans != 0 || f.Degenerate != 0 && kind != Nets {
				t.Fatalf("%v, volume %d: %d places, %+v", kind, i, m.Vertices(), f)
			}
		}
	}
}

// TestVolumeEqualProducts is case 1b: a face whose diagonals have equal products. No two triangles may have
// the same three corners.
func TestVolumeEqualProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var x Extractor
	var m mesh.Mesh
	for i := range 4000 {
		v := grid.NewVolume(2, 2, 3)
		copy(v.Samples, []float32{11, -7, -3, -6, -1, 1, 8, -8, 19, -6, -1, -3})
		if i > 0 {
			random(v, false, func() float32 { return float32(r.IntN(41) - 20) })
			a, b := float32(1+r.IntN(9)), float32(1+r.IntN(9))
			copy(v.Samples[4:], []float32{-a, a, b, -b})
		}
		m.Reset()
		if _, err := x.Extract(&m, v); err != nil {
			t.Fatal(err)
		}
		seen := map[[3]uint32]bool{}
		for k := 0; k < len(m.Indices); k += 3 {
			key := [3]uint32(m.Indices[k : k+3])
			if key[0] > key[1] {
				key[0], key[1] = key[1], key[0]
			}
			if key[1] > key[2] {
				key[1], key[2] = key[2], key[1]
			}
			if key[0] > key[1] {
				key[0], key[1] = key[1], key[0]
			}
			if seen[key] {
				t.Fatalf("volume %d: two triangles on %v", i, key)
			}
			seen[key] = true
		}
	}
}

// TestVolumeIso is case 4: a level other than 0 must sort and place.
func TestVolumeIso(t *testing.T) {
	f := func(p geom.Vec3) float32 {
		x, y, z := float64(p.X)-2, float64(p.Y)-2, float64(p.Z)-2
		return -float32(x*x + y*y + z*z) // solid inside
	}
	const side = 1. / 8
	v := &grid.Volume{NX: 33, NY: 33, NZ: 33, Samples: make([]float32, 33*33*33), Cell: geom.Vec3{X: side, Y: side, Z: side}}
	v.Fill(f)
	var a, b mesh.Mesh
	x := Extractor{Iso: -1.44}
	if _, err := x.Extract(&a, v); err != nil {
		t.Fatal(err)
	}
	for i := range v.Samples {
		v.Samples[i] += 1.44
	}
	x.Iso = 0
	if _, err := x.Extract(&b, v); err != nil {
		t.Fatal(err)
	}
	if a.Vertices() != b.Vertices() {
		t.Fatalf("%d and %d vertices", a.Vertices(), b.Vertices())
	}
	for i := 0; i < len(a.Positions); i += 3 {
		var l float64
		for k := range 3 {
			p, q := float64(a.Positions[i+k]), float64(b.Positions[i+k])
			if math.Abs(p-q) > 1e-6 {
				t.Fatalf("vertex %d: %v and %v", i/3, a.Positions[i:i+3], b.Positions[i:i+3])
			}
			l += (p - 2) * (p - 2)
		}
		if r := math.Sqrt(l); math.Abs(r-1.2) > 0.003 {
			t.Fatalf("vertex %d lies %v from the middle", i/3, r)
		}
	}
	if f := meshtest.Stats(t, &a); !f.Closed() || math.Abs(f.Volume-7.18) > 0.0718 {
		t.Errorf("%+v", f)
	}
}

// TestVolumeNaN checks that NaN is counted, counts as air and reaches no vertex.
func TestVolumeNaN(t *testing.T) {
	for _, kind := range volumeKinds {
		r := rand.New(rand.NewPCG(6, 6))
		x := Extractor{Kind: kind}
		for i := range 300 {
			v := grid.NewVolume(4+r.IntN(70), 4+r.IntN(5), 4+r.IntN(5))
			random(v, true, func() float32 { return meshtest.Density(r, 0.6) })
			want := 0
			for j := range v.Samples {
				if r.IntN(9) == 0 {
					v.Samples[j] = float32(math.NaN())
					want++
				}
			}
			var m mesh.Mesh
			facts, err := x.Extract(&m, v)
			if err != nil || facts.NaNs != want {
				t.Fatalf("%v, volume %d: %d NaN, want %d; %v", kind, i, facts.NaNs, want, err)
			}
			meshtest.UnitNormals(t, &m)
			if f := meshtest.Stats(t, &m); !f.Closed() {
				t.Fatalf("%v, volume %d: %+v", kind, i, f)
			}
		}
	}
}

func TestVolumeRefused(t *testing.T) {
	v := func(nx, ny, nz int) *grid.Volume { return grid.NewVolume(nx, ny, nz) }
	bad := v(3, 3, 3)
	bad.Cell = geom.Vec3{X: 1, Y: -1, Z: 1}
	for _, c := range []struct {
		v    *grid.Volume
		iso  float32
		want string
	}{
		{v(1, 5, 5), 0, "1×5×5 samples has no cells"},
		{v(5, 5, 1), 0, "want at least 2"},
		{v(3, 3, 3), float32(math.NaN()), "iso level NaN"},
		{v(3, 3, 3), float32(math.Inf(1)), "iso level +Inf"},
		{bad, 0, "cell size"},
	} {
		for _, caps := range []bool{false, true} {
			x := Extractor{Iso: c.iso, Caps: caps}
			var m mesh.Mesh
			if _, err := x.Extract(&m, c.v); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d×%d×%d: error %v, want one with %q", c.v.NX, c.v.NY, c.v.NZ, err, c.want)
			}
		}
	}
	x := Extractor{}
	if _, err := x.Extract(&mesh.Mesh{Positions: make([]float32, 3)}, v(3, 3, 3)); err == nil {
		t.Error("a mesh without normals is added to with normals")
	}
}

// memoryVolumes are what surfaces are like: one, one with detail, and the worst.
var memoryVolumes = []struct {
	name string
	f    func(r *rand.Rand, p geom.Vec3) float32
}{
	{"sphere", func(_ *rand.Rand, p geom.Vec3) float32 { return 35 - p.Sub(geom.Vec3{X: 46, Y: 40, Z: 39}).Len() }},
	{"terrain", func(_ *rand.Rand, p geom.Vec3) float32 {
		x, z := float64(p.X), float64(p.Z)
		return float32(40+20*math.Sin(x/17)*math.Cos(z/13)+5*math.Sin(x/3+z/4)) - p.Y
	}},
	{"noise", func(r *rand.Rand, _ geom.Vec3) float32 { return r.Float32() - 0.5 }},
}

// TestVolumeMemory checks that an extraction into a fresh mesh takes, over the samples, at most a tenth more
// memory than the mesh and four bits a sample, all told; and that the second extraction takes none, with
// workers and without.
func TestVolumeMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // so that what is allocated stays
	for _, field := range memoryVolumes {
		r := rand.New(rand.NewPCG(1, 14))
		v := grid.NewVolume(96, 80, 80)
		v.Fill(func(p geom.Vec3) float32 { return field.f(r, p) })
		for _, kind := range []Kind{Marching, Nets, Blocks} {
			for workers := 1; workers <= 2; workers++ {
				name := fmt.Sprintf("%s, %v, %d", field.name, kind, workers)
				x := Extractor{Kind: kind, Threads: workers, Run: inTurn}
				var m mesh.Mesh
				extract := func() {
					m.Reset()
					if _, err := x.Extract(&m, v); err != nil {
						t.Fatal(err)
					}
				}
				cube.Nets() // worked out once a process
				runtime.GC()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				extract()
				runtime.ReadMemStats(&after)
				got := float64(after.TotalAlloc - before.TotalAlloc)
				size := 4 * float64(len(m.Positions)+len(m.Normals)+len(m.Indices))
				want := 1.1*size + float64(len(v.Samples))/2
				t.Logf("%s: %.1f MB for a mesh of %.1f; allowed %.1f", name, got/1e6, size/1e6, want/1e6)
				if got > want {
					t.Errorf("%s: %.1f MB for a mesh of %.1f and %d samples, want at most %.1f", name, got/1e6, size/1e6, len(v.Samples), want/1e6)
				}
				if n := testing.AllocsPerRun(2, extract); n != 0 {
					t.Errorf("%s: %v allocations when there is room", name, n)
				}
			}
		}
	}
}

// inTurn runs tasks one after another.
func inTurn(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// together runs tasks at the same time.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// TestVolumeThreads checks that several workers make the very mesh that one makes, in a fresh mesh, in one
// with too little room and in one with enough, and that one after another will do as well.
func TestVolumeThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 60 {
		v := grid.NewVolume(2+r.IntN(80), 2+r.IntN(20), 2+r.IntN(150))
		v.Cell = geom.Vec3{X: 1, Y: 2, Z: 0.7}
		random(v, false, func() float32 { return float32(r.IntN(41) - 20) })
		v.Samples[r.IntN(len(v.Samples))] = float32(math.NaN())
		one := Extractor{Caps: i%2 == 0, NoNormals: i%3 == 0}
		var want mesh.Mesh
		facts, err := one.Extract(&want, v)
		if err != nil {
			t.Fatal(err)
		}
		x := Extractor{Caps: one.Caps, NoNormals: one.NoNormals, Threads: 1 + r.IntN(5), Run: together}
		if i%5 == 0 {
			x.Run = inTurn
		}
		fresh := mesh.Mesh{}
		small := mesh.Mesh{Positions: make([]float32, 0, len(want.Positions)/2), Indices: make([]uint32, 0, len(want.Indices)/3)}
		if !x.NoNormals {
			small.Normals = make([]float32, 0, len(want.Positions)/2)
		}
		for name, m := range map[string]*mesh.Mesh{"fresh": &fresh, "small": &small, "again": &fresh} {
			m.Reset()
			got, err := x.Extract(m, v)
			if err != nil || got != facts {
				t.Fatalf("%s: %+v, %v; want %+v", name, got, err, facts)
			}
			sameBits(t, name+" positions", m.Positions, want.Positions)
			sameBits(t, name+" normals", m.Normals, want.Normals)
			if len(m.Positions) != len(want.Positions) || len(m.Normals) != len(want.Normals) || !slices.Equal(m.Indices, want.Indices) {
				t.Fatalf("%s: the meshes differ", name)
			}
		}
	}
}

// TestVolumeFlat checks that a mesh without normals is otherwise the same.
func TestVolumeFlat(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for i := range 50 {
		v := grid.NewVolume(30, 7, 20)
		random(v, false, func() float32 { return float32(r.IntN(5) - 2) })
		a, b := Extractor{Caps: i%2 == 1}, Extractor{Caps: i%2 == 1, NoNormals: true}
		var ma, mb mesh.Mesh
		_, errA := a.Extract(&ma, v)
		_, errB := b.Extract(&mb, v)
		if errA != nil || errB != nil || len(mb.Normals) != 0 {
			t.Fatal(errA, errB, len(mb.Normals))
		}
		sameBits(t, "positions", mb.Positions, ma.Positions)
		if fmt.Sprint(ma.Indices) != fmt.Sprint(mb.Indices) {
			t.Fatal("indices differ")
		}
	}
}

// TestVolumeEqualsChunk meshes the same samples as a chunk and as a volume; away from the edge of the
// samples they must be equal bit for bit.
func TestVolumeEqualsChunk(t *testing.T) {
	g := grid.New(20)
	n := meshtest.NewNoise(rand.New(rand.NewPCG(1, 9)), cubeOf(1, 20), 0.4)
	meshtest.Fill(g, n.At)
	for _, kind := range volumeKinds {
		var a, b mesh.Mesh
		New(kind).Mesh(&a, g, 0)
		x := Extractor{Kind: kind}
		if _, err := x.Extract(&b, &grid.Volume{NX: 23, NY: 23, NZ: 23, Samples: g.Samples}); err != nil {
			t.Fatal(err)
		}
		for i := range b.Positions {
			b.Positions[i]-- // the margin's corner is one cell from the chunk's
		}
		for i := range a.Positions {
			if math.Abs(float64(a.Positions[i]-b.Positions[i])) > 1e-5 {
				t.Fatalf("%v: position %d is %v and %v", kind, i, a.Positions[i], b.Positions[i])
			}
		}
		sameBits(t, "normals", b.Normals, a.Normals)
		if fmt.Sprint(a.Indices) != fmt.Sprint(b.Indices) {
			t.Fatalf("%v: indices differ", kind)
		}
	}
}

// TestVolumeScan is case 6, if the shared inputs are here: a scan that reaches the border, capped.
func TestVolumeScan(t *testing.T) {
	f, err := os.Open("../../shared/inputs/engine_256x256x128_uint8.raw.gz")
	if err != nil {
		t.Skip("the scan is not here: ", err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	v := grid.NewVolume(256, 256, 128)
	for i, b := range data {
		v.Samples[i] = float32(b)
	}
	for _, kind := range volumeKinds {
		x := Extractor{Kind: kind, Iso: 127.5, Caps: true}
		var m mesh.Mesh
		if _, err := x.Extract(&m, v); err != nil {
			t.Fatal(err)
		}
		facts := meshtest.Stats(t, &m)
		t.Logf("%v: %+v", kind, facts)
		if !facts.Balanced() || facts.Open != 0 || math.Abs(facts.Volume-884756) > 8847.56 {
			t.Errorf("%v: %+v, want a volume of 884756", kind, facts)
		}
	}
}

// TestVolumeBlocks checks that a capped volume of blocks is a cube for each solid sample.
func TestVolumeBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	x := Extractor{Kind: Blocks, Caps: true, Iso: 3}
	var m mesh.Mesh
	for range 300 {
		v := grid.NewVolume(2+r.IntN(7), 2+r.IntN(7), 2+r.IntN(30))
		v.Cell = geom.Vec3{X: 1, Y: 2, Z: 0.5}
		solid := 0.0
		for i := range v.Samples {
			v.Samples[i] = float32(r.IntN(7))
			if v.Samples[i] > 3 {
				solid++
			}
		}
		m.Reset()
		if _, err := x.Extract(&m, v); err != nil {
			t.Fatal(err)
		}
		m.Weld()
		if f := meshtest.Stats(t, &m); !f.Balanced() || f.Degenerate != 0 || math.Abs(f.Volume-solid) > 1e-6 {
			t.Fatalf("volume for %v solid samples: %+v", solid, f)
		}
	}
}

// TestVolumeManifold is case 3: solid samples that touch along an edge or at a corner only.
func TestVolumeManifold(t *testing.T) {
	for _, kind := range volumeKinds {
		for _, other := range [][3]int{{2, 2, 1}, {2, 2, 2}} {
			v := grid.NewVolume(4, 4, 4)
			v.Samples[v.Index(1, 1, 1)] = 1
			v.Samples[v.Index(other[0], other[1], other[2])] = 1
			x := Extractor{Kind: kind, Iso: 0.5}
			var m mesh.Mesh
			if _, err := x.Extract(&m, v); err != nil {
				t.Fatal(err)
			}
			m.Weld() // as a file of triangles without indices would be read
			f := meshtest.Stats(t, &m)
			if !f.Closed() || f.Euler() != 4 {
				t.Errorf("%v, %v: Euler number %d, %+v; want two closed parts", kind, other, f.Euler(), f)
			}
		}
	}
}

// TestExtractorReused checks that one Extractor makes of volumes of several sizes, by one worker and by several, and of
// chunks what a new one makes, in any order.
func TestExtractorReused(t *testing.T) {
	for _, kind := range Kinds() {
		r := rand.New(rand.NewPCG(4, uint64(kind)))
		used := Extractor{Kind: kind, Run: inTurn}
		for i := range 60 {
			fresh := Extractor{Kind: kind, Run: inTurn}
			var got, want mesh.Mesh
			if r.IntN(2) == 0 { // room: marching cubes needs no count
				got.Reserve(1, 1, mesh.Normals, nil)
			}
			if r.IntN(3) == 0 {
				g := grid.New(2 + r.IntN(9))
				meshtest.Fill(g, smooth(float32(3+i)))
				used.Mesh(&got, g, 0)
				fresh.Mesh(&want, g, 0)
			} else {
				v := grid.NewVolume(2+r.IntN(80), 2+r.IntN(30), 2+r.IntN(30))
				random(v, false, func() float32 { return r.Float32() - 0.7 })
				used.Threads, fresh.Threads = 1+r.IntN(3), 1
				used.Caps = r.IntN(2) == 0
				fresh.Caps = used.Caps
				if _, err := used.Extract(&got, v); err != nil {
					t.Fatal(err)
				}
				if _, err := fresh.Extract(&want, v); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(got.Indices, want.Indices) {
				t.Fatalf("%v, %d: %d triangles, want %d, or others", kind, i, got.Triangles(), want.Triangles())
			}
			sameBits(t, kind.String(), got.Positions, want.Positions)
			sameBits(t, kind.String(), got.Normals, want.Normals)
			sameBits(t, kind.String(), got.Depths, want.Depths)
		}
	}
}
