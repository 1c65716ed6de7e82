package mesher

import (
	"math"
	"strings"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/meshtest"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

func TestKinds(t *testing.T) {
	for _, k := range Kinds() {
		got, err := ParseKind(k.String())
		if err != nil || got != k || !k.Valid() {
			t.Errorf("%v parses as %v, %v", k, got, err)
		}
	}
	if _, err := ParseKind("cubes"); err == nil {
		t.Error("cubes is a mesher")
	}
	if k := Kind(3); k.Valid() || k.String() != "Kind(3)" {
		t.Errorf("Kind(3) is valid: %v", k)
	}
	defer func() {
		if recover() == nil {
			t.Error("New(3) does not panic")
		}
	}()
	New(3)
}

// TestClosesSeams checks that a mesher closes a seam or says that it cannot and refuses it: none leaves a crack.
func TestClosesSeams(t *testing.T) {
	for _, kind := range Kinds() {
		if kind.Doc() == "" || !strings.Contains(KindNames("or"), kind.String()) {
			t.Errorf("%v: %q, of %s", kind, kind.Doc(), KindNames("or"))
		}
		k := New(kind)
		g := grid.New(4)
		g.Chunk.Level = 1
		fillSlab(g, lattice.LowX, smooth(5))
		refused := func() (refused bool) {
			defer func() { refused = recover() != nil }()
			k.Mesh(&mesh.Mesh{}, g, lattice.Faces(0).With(lattice.LowX))
			return false
		}()
		if refused == k.ClosesSeams() {
			t.Errorf("%v: closes seams: %v, refused: %v", kind, k.ClosesSeams(), refused)
		}
	}
	if want := "marching, nets or blocks"; KindNames("or") != want {
		t.Errorf("%q, want %q", KindNames("or"), want)
	}
}

// TestNormalsOfBall checks direction and outwardness: within 0.12° of radial for marching cubes.
func TestNormalsOfBall(t *testing.T) {
	for kind, degrees := range map[Kind]float64{Marching: 0.12, Nets: 3} {
		g := grid.New(lattice.ChunkCells)
		fill(g, ball(10, 16, 16, 16))
		var m mesh.Mesh
		New(kind).Mesh(&m, g, 0)
		worst := 1.0
		for v := range m.Vertices() {
			p, n := m.Positions[3*v:3*v+3], m.Normals[3*v:3*v+3]
			var dot, l float64
			for i := range p {
				d := float64(p[i]) - 16
				dot += d * float64(n[i])
				l += d * d
			}
			if r := math.Sqrt(l); math.Abs(r-10) > 0.1 {
				t.Errorf("%v: vertex %v lies %v from the middle", kind, p, r)
			}
			worst = math.Min(worst, dot/math.Sqrt(l))
		}
		if angle := math.Acos(worst) * 180 / math.Pi; angle > degrees {
			t.Errorf("%v: a normal is %.3f° off, want at most %v", kind, angle, degrees)
		}
	}
}

// TestWinding checks that triangles turn counter-clockwise seen from the air: along the normals' side.
func TestWinding(t *testing.T) {
	for _, kind := range Kinds() {
		g := grid.New(lattice.ChunkCells)
		meshtest.Fill(g, smooth(11))
		var m mesh.Mesh
		New(kind).Mesh(&m, g, 0)
		if m.Triangles() < 1000 {
			t.Fatalf("%v: %d triangles", kind, m.Triangles())
		}
		bad := 0
		for i := 0; i < len(m.Indices); i += 3 {
			var p [3][3]float64
			var n [3]float64
			for k, v := range m.Indices[i : i+3] {
				for axis := range 3 {
					p[k][axis] = float64(m.Positions[3*v+uint32(axis)])
					n[axis] += float64(m.Normals[3*v+uint32(axis)])
				}
			}
			u, w := [3]float64{}, [3]float64{}
			for axis := range 3 {
				u[axis], w[axis] = p[1][axis]-p[0][axis], p[2][axis]-p[0][axis]
			}
			if n[0]*(u[1]*w[2]-u[2]*w[1])+n[1]*(u[2]*w[0]-u[0]*w[2])+n[2]*(u[0]*w[1]-u[1]*w[0]) < 0 {
				bad++
			}
		}
		if bad > m.Triangles()/100 { // slivers may turn away from their mixed normals
			t.Errorf("%v: %d of %d triangles turn against their normals", kind, bad, m.Triangles())
		}
	}
}

// TestDepths checks depths against a ground that is a plane: there mixing is exact.
func TestDepths(t *testing.T) {
	for _, kind := range Kinds() {
		for _, level := range []uint8{0, 2} {
			g := grid.New(lattice.ChunkCells)
			g.Chunk = lattice.Chunk{X: -2, Y: -1, Z: 3, Level: level}
			f := ball(12, 0, 0, 0)
			o, h := g.Corner(), float64(g.Step())
			fill(g, func(x, y, z float64) float64 {
				return f((x-float64(o.X))/h-17.3, (y-float64(o.Y))/h-17.1, (z-float64(o.Z))/h-16.8)
			})
			ground := func(x, z float64) float64 { return 40 + x/4 - z/8 }
			for z := range g.Side() {
				for x := range g.Side() {
					g.Ground[z*g.Side()+x] = float32(ground(float64(o.X)+float64(x)*h, float64(o.Z)+float64(z)*h))
				}
			}
			var m mesh.Mesh
			New(kind).Mesh(&m, g, 0)
			if m.Triangles() < 1000 || len(m.Depths) != m.Vertices() {
				t.Fatalf("%v: %d triangles, %d depths", kind, m.Triangles(), len(m.Depths))
			}
			for v, d := range m.Depths {
				p := m.Positions[3*v : 3*v+3]
				x, y, z := float64(o.X)+h+float64(p[0]), float64(o.Y)+h+float64(p[1]), float64(o.Z)+h+float64(p[2])
				if want := ground(x, z) - y; math.Abs(float64(d)-want) > 1e-4*h {
					t.Fatalf("%v, level %d: depth %v at %v, want %v", kind, level, d, p, want)
				}
			}
		}
	}
}

// TestAppends checks that a mesh is added to what is there, and not a bit changed by it.
func TestAppends(t *testing.T) {
	for _, kind := range Kinds() {
		g := grid.New(8)
		meshtest.Fill(g, smooth(5))
		var one, two mesh.Mesh
		k := New(kind)
		k.Mesh(&one, g, 0)
		k.Mesh(&two, g, 0)
		k.Mesh(&two, g, 0)
		n, i := one.Vertices(), len(one.Indices)
		if two.Vertices() != 2*n || len(two.Indices) != 2*i {
			t.Fatalf("%v: %d vertices, %d indices after two meshes of %d and %d", kind, two.Vertices(), len(two.Indices), n, i)
		}
		sameBits(t, kind.String(), two.Positions[:3*n], one.Positions)
		sameBits(t, kind.String(), two.Positions[3*n:], one.Positions)
		sameBits(t, kind.String(), two.Normals[3*n:], one.Normals)
		sameBits(t, kind.String(), two.Depths[n:], one.Depths)
		for j, v := range one.Indices {
			if two.Indices[j] != v || two.Indices[i+j] != v+uint32(n) {
				t.Fatalf("%v: index %d is %d and %d, want %d and %d", kind, j, two.Indices[j], two.Indices[i+j], v, v+uint32(n))
			}
		}
	}
}

// TestNoAllocations checks that a mesher that has seen a chunk like it allocates nothing for the next.
func TestNoAllocations(t *testing.T) {
	for _, kind := range Kinds() {
		for _, f := range benchFields {
			g := grid.New(lattice.ChunkCells)
			fill(g, f.f)
			var m mesh.Mesh
			k := New(kind)
			k.Mesh(&m, g, 0)
			if n := testing.AllocsPerRun(5, func() { m.Reset(); k.Mesh(&m, g, 0) }); n != 0 {
				t.Errorf("%v, %s: %v allocations", kind, f.name, n)
			}
		}
	}
}
