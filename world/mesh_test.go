package world

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// TestGoldenMeshes holds the meshes of reference §4: level ground with a ball dug or built, here and ten million
// meters away, confirmed and pending.
func TestGoldenMeshes(t *testing.T) {
	mr := mesher.New(mesher.Marching)
	for _, o := range []lattice.Chunk{{}, {X: 312_500, Z: -312_500}, {X: -312_500, Y: 312_500}} {
		ground := testground.Ground{Height: 16.5, Origin: o.Origin()}
		for _, k := range []struct {
			name                string
			op                  edit.Op
			vertices, triangles int
			area                float64
		}{
			{"ground", 0, 1089, 2048, 1024},
			{"dug", edit.Dig, 1141, 2152, 1045.916},
			{"built", edit.Build, 1141, 2152, 1045.916},
		} {
			for _, confirmed := range []bool{true, false} {
				w, m := New(ground), new(mesh.Mesh)
				var e edit.Checked // changes nothing
				if k.op != 0 {
					e = testground.Ball(k.op, 3, 0, lattice.Place{Sample: o.Origin().Add(16, 16, 16), Offset: geom.Vec3{Y: 0.5}})
				}
				if confirmed {
					w.Apply(e)
				} else {
					w.Pend(1, e)
				}
				if !w.Build(m, grid.New(lattice.ChunkCells), o, mr, 0) {
					t.Fatalf("%s at %v: no mesh", k.name, o)
				}
				f, err := m.Check()
				if err != nil || f.Vertices != k.vertices || f.Triangles != k.triangles ||
					f.Open != 128 || !f.Manifold() || math.Abs(f.Area-k.area) > 0.0005 {
					t.Errorf("%s at %v, confirmed %v: %+v, %v", k.name, o, confirmed, f, err)
				}
			}
		}
	}
}

// meshHash hashes everything in m.
func meshHash(m *mesh.Mesh) [32]byte {
	var b bytes.Buffer
	for _, part := range []any{m.Positions, m.Normals, m.Depths, m.Indices} {
		binary.Write(&b, binary.LittleEndian, part)
	}
	return sha256.Sum256(b.Bytes())
}

// TestFarAwayMesh makes the same edits and meshes ten million meters apart: the same bytes.
func TestFarAwayMesh(t *testing.T) {
	g, m := grid.New(lattice.ChunkCells), new(mesh.Mesh)
	var want []([32]byte)
	for _, o := range []lattice.Chunk{{}, {X: 312_500, Z: -312_500}, {X: -312_500, Y: 312_500, Z: 312_499}} {
		ground, r := testground.Rough, rand.New(rand.NewPCG(12, 12))
		ground.Origin = o.Origin()
		w := New(ground)
		for i := range uint64(20) {
			moved := someEdit(r).Edit()
			s := &moved.Place.Sample
			*s = s.Add(o.Origin().X, o.Origin().Y, o.Origin().Z)
			e := edit.Must(moved)
			if w.Apply(e); i%4 == 0 {
				w.Pend(i, e)
			}
		}
		var got []([32]byte)
		for i := range int32(8) {
			for _, kind := range []mesher.Kind{mesher.Marching, mesher.Nets, mesher.Blocks} {
				w.Build(m, g, lattice.Chunk{X: o.X - i&1, Y: o.Y - i>>1&1, Z: o.Z - i>>2}, mesher.New(kind), 0)
				// Depths are heights less heights, which far up are not exact.
				m.Depths = m.Depths[:0]
				got = append(got, meshHash(m))
			}
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("meshes at %v differ from those at 0", o)
		}
	}
}

// A corner is a place that chunks share: the vertex's position in the world, which is exact in float64.
type corner [3]float64

func cornerOf(c lattice.Chunk, m *mesh.Mesh, v uint32) corner {
	o := c.Origin()
	p := m.Positions[3*v : 3*v+3]
	return corner{float64(o.X) + float64(p[0]), float64(o.Y) + float64(p[1]), float64(o.Z) + float64(p[2])}
}

// A light is what a vertex is shaded by: its normal and its depth.
type light [4]float32

func lightOf(m *mesh.Mesh, v uint32) light {
	return light{m.Normals[3*v], m.Normals[3*v+1], m.Normals[3*v+2], m.Depths[v]}
}

// agrees reports whether two vertices at one place may be lit as l and o are: to the bit, but for a place that
// is a sample of density 0, where vertices of several edges meet, each mixed along its own.
func (l light) agrees(o light, at corner) bool {
	if l == o {
		return true
	}
	for _, v := range at {
		if v != math.Floor(v) {
			return false
		}
	}
	for i := range l {
		if !(math.Abs(float64(l[i]-o[i])) < 1e-5) {
			return false
		}
	}
	return true
}

// A side is one side of a triangle, as its triangle runs.
type side struct{ from, to corner }

// survey builds the chunks of a box of samples and checks the light where vertices meet. It returns the number
// of places that several chunks share and the sides of triangles that no other triangle closes.
func survey(t *testing.T, w *World, b lattice.Box) (shared int, open []side) {
	t.Helper()
	lights, holders, sides := make(map[corner]light), make(map[corner]lattice.Chunk), make(map[side]int)
	places := make(map[corner]bool)
	g, m, mr := grid.New(lattice.ChunkCells), new(mesh.Mesh), mesher.New(mesher.Marching)
	for c := range b.Chunks(0) {
		if !c.Box().Intersect(b).Empty() && w.Build(m, g, c, mr, 0) {
			for v := range uint32(m.Vertices()) {
				at, l := cornerOf(c, m, v), lightOf(m, v)
				old, there := lights[at]
				if there && !l.agrees(old, at) {
					t.Fatalf("%v has light %v in %v and %v in %v", at, l, c, old, holders[at])
				}
				if there && holders[at] != c {
					places[at] = true
				}
				lights[at], holders[at] = l, c
			}
			for i := range m.Indices {
				next := i + 1
				if next%3 == 0 {
					next -= 3
				}
				s := side{cornerOf(c, m, m.Indices[i]), cornerOf(c, m, m.Indices[next])}
				if back := (side{s.to, s.from}); sides[back] > 0 {
					sides[back]--
				} else {
					sides[s]++
				}
			}
		}
	}
	for s, n := range sides {
		if n > 0 {
			open = append(open, s)
		}
	}
	return len(places), open
}

// TestLightingSeam is case 11: over 4×4 chunks of a slope, before and after digs on borders, vertices of
// several chunks at one place have one normal and one depth, and no side of a triangle is open but at the rim.
func TestLightingSeam(t *testing.T) {
	w := New(testground.Ground{Height: -20.25, SlopeX: 0.45, SlopeZ: 0.3, Rough: 0.2})
	for _, k := range []struct {
		name string
		do   func()
	}{
		{"before", func() {}},
		{"dug on the border of two", func() { w.Apply(testground.Ball(edit.Dig, 5, 0, testground.Place(64, 25, 50, 0, 0, 0))) }},
		{"smoothly dug near a corner", func() { w.Apply(testground.Ball(edit.Dig, 4, 1.5, testground.Place(31, 12, 64, 0.5, 0, 0))) }},
		{"built on a corner, pending", func() { w.Pend(1, testground.Ball(edit.Build, 4, 0, testground.Place(96, 40, 96, 0, 0, 0))) }},
	} {
		k.do()
		shared, open := survey(t, w, lattice.Box{Min: lattice.Sample{Y: -64}, Max: lattice.Sample{X: 128, Y: 128, Z: 128}})
		if shared < 500 {
			t.Errorf("%s: %d shared places", k.name, shared)
		}
		rim := func(v float64) bool { return v == 0 || v == 128 }
		for _, s := range open {
			if a, b := s.from, s.to; !(a[0] == b[0] && rim(a[0]) || a[2] == b[2] && rim(a[2])) {
				t.Fatalf("%s: the side %v is open", k.name, s)
			}
		}
	}
}

// TestAnyDelivery is case 13 as far as a world goes: the bricks of 3×3×3 chunks arrive in any order, some
// twice, and chunks are built in between from what is there. Each arrival marks the chunks that read the brick;
// in the end the meshes are the same in every order, and together they are the mesh of one whole grid.
func TestAnyDelivery(t *testing.T) {
	ground := testground.Ground{Height: 50.3, SlopeX: 0.12, SlopeZ: -0.1, Rough: 0.4}
	server, r := New(ground), rand.New(rand.NewPCG(13, 13))
	for range 60 {
		server.Apply(testground.Ball(edit.Op(1+r.IntN(2)), 3+5*r.Float32(), float32(r.IntN(2)),
			testground.Place(r.Int32N(96), 20+r.Int32N(60), r.Int32N(96), r.Float32(), r.Float32(), r.Float32())))
	}
	var ids []lattice.Brick
	for id := range server.Layer().All() {
		ids = append(ids, id)
	}
	inside := func(c lattice.Chunk) bool { return min(c.X, c.Y, c.Z) >= 0 && max(c.X, c.Y, c.Z) < 3 }
	g, m, mr := grid.New(lattice.ChunkCells), new(mesh.Mesh), mesher.New(mesher.Marching)
	hashOf := func(meshes map[lattice.Chunk][32]byte) [32]byte {
		var all []byte
		for i := range int32(27) {
			sum := meshes[lattice.Chunk{X: i % 3, Y: i / 3 % 3, Z: i / 9}]
			all = append(all, sum[:]...)
		}
		return sha256.Sum256(all)
	}
	orders := 200
	if testing.Short() {
		orders = 20
	}
	var want [32]byte
	for order := range orders {
		w := New(ground)
		meshes, dirty := make(map[lattice.Chunk][32]byte), make(map[lattice.Chunk]bool)
		build := func(c lattice.Chunk) {
			w.Build(m, g, c, mr, 0)
			meshes[c] = meshHash(m)
			delete(dirty, c)
		}
		for i := range int32(27) {
			dirty[lattice.Chunk{X: i % 3, Y: i / 3 % 3, Z: i / 9}] = true
		}
		for n := range len(ids) + 4 {
			if n == 0 {
				r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			}
			id := ids[n%len(ids)]
			w.Layer().Put(server.Layer().Brick(id))
			for c := range id.Box().Chunks(0) {
				if inside(c) {
					dirty[c] = true
				}
			}
			if n%8 == 5 { // a builder comes in between
				build(lattice.Chunk{X: r.Int32N(3), Y: 1 + r.Int32N(2), Z: r.Int32N(3)})
			}
		}
		for c := range dirty {
			build(c)
		}
		got := hashOf(meshes)
		if order == 0 {
			want = got
		}
		if got != want {
			t.Fatalf("order %d ends with other meshes", order)
		}
	}
	compareWhole(t, server)
}

// compareWhole checks that the meshes of 3×3×3 chunks are the mesh of one grid of 96³ cells.
func compareWhole(t *testing.T, w *World) {
	t.Helper()
	parts, whole := new(mesh.Mesh), new(mesh.Mesh)
	mr := mesher.New(mesher.Marching)
	var got []triangle
	for i := range int32(27) {
		c := lattice.Chunk{X: i % 3, Y: i / 3 % 3, Z: i / 9}
		if w.Build(parts, grid.New(lattice.ChunkCells), c, mr, 0) {
			got = append(got, triangles(c.Origin(), parts)...)
		}
	}
	if !w.Build(whole, grid.New(96), lattice.Chunk{}, mr, 0) {
		t.Fatal("the whole has no mesh")
	}
	want := triangles(lattice.Sample{}, whole)
	slices.SortFunc(got, compareTriangles)
	slices.SortFunc(want, compareTriangles)
	if !slices.Equal(got, want) || len(got) < 10_000 {
		t.Errorf("chunks have %d triangles, the whole has %d, or others", len(got), len(want))
	}
}

// A triangle is three vertices, the lowest first, each by the edge of the lattice it lies on: per axis twice the
// sample number, one more if it lies past the sample. Positions would be rounded differently in a larger grid.
type triangle [3][3]int32

func compareTriangles(a, b triangle) int {
	for i := range a {
		if c := slices.Compare(a[i][:], b[i][:]); c != 0 {
			return c
		}
	}
	return 0
}

func triangles(o lattice.Sample, m *mesh.Mesh) []triangle {
	edge := func(v uint32) (k [3]int32) {
		for axis, base := range [3]int32{o.X, o.Y, o.Z} {
			p := float64(m.Positions[3*v+uint32(axis)])
			k[axis] = 2 * (base + int32(math.Floor(p)))
			if p != math.Floor(p) {
				k[axis]++
			}
		}
		return k
	}
	var all []triangle
	for i := 0; i < len(m.Indices); i += 3 {
		tri := triangle{edge(m.Indices[i]), edge(m.Indices[i+1]), edge(m.Indices[i+2])}
		low := 0
		for j := range tri {
			if slices.Compare(tri[j][:], tri[low][:]) < 0 {
				low = j
			}
		}
		all = append(all, triangle{tri[low], tri[(low+1)%3], tri[(low+2)%3]})
	}
	return all
}
