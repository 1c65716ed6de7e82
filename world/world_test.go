package world

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
)

// someEdit returns an edit round the origin.
func someEdit(r *rand.Rand) edit.Checked {
	e := testground.Ball(edit.Op(1+r.IntN(2)), 0.5+5*r.Float32(), 0, testground.Place(
		r.Int32N(40)-20, r.Int32N(24)-12, r.Int32N(40)-20, r.Float32(), r.Float32(), r.Float32())).Edit()
	if r.IntN(2) == 0 {
		e.Smooth = 3 * r.Float32()
	}
	return edit.Must(e)
}

// busy returns a world with confirmed and pending edits.
func busy(seed uint64, level uint8) *World {
	w, r := NewLevel(testground.Rough, level), rand.New(rand.NewPCG(seed, 2))
	for i := range uint64(30) {
		if e := someEdit(r); i%3 == 0 {
			w.Pend(i, e)
		} else {
			w.Apply(e)
		}
	}
	return w
}

func TestFillIsAt(t *testing.T) {
	for level := uint8(0); level <= 2; level++ {
		w := busy(uint64(level), level)
		for _, c := range []lattice.Chunk{{}, {X: -1}, {Y: -1, Z: -1}, {X: 1, Z: -1}, {X: -3, Y: 1}} {
			c.Level = level
			for _, cells := range []int{5, 32} {
				g := grid.New(cells)
				g.Chunk = c
				w.Fill(g)
				i := 0
				for z := range int32(g.Side()) {
					for y := range int32(g.Side()) {
						for x := range int32(g.Side()) {
							s := g.Corner().Add(x<<level, y<<level, z<<level)
							if want := w.At(s); g.Samples[i] != want {
								t.Fatalf("%v, %v: filled %v, at %v", c, s, g.Samples[i], want)
							}
							i++
						}
					}
				}
			}
		}
	}
}

// TestColumnsAndHasSurface holds both against all samples of the chunks.
func TestColumnsAndHasSurface(t *testing.T) {
	for level := uint8(0); level <= 1; level++ {
		w := busy(8, level)
		w.Apply(testground.Ball(edit.Build, 5, 0, testground.Place(10, 150, 10, 0, 0, 0)))
		w.Pend(99, testground.Ball(edit.Dig, 5, 2, testground.Place(10, -200, 10, 0, 0, 0)))
		g := grid.New(lattice.ChunkCells)
		for x := int32(-2); x < 2; x++ {
			for z := int32(-2); z < 2; z++ {
				spans := w.Columns([]lattice.Span{{Lo: 77, Hi: 78}}, x, z)[1:]
				for i := 1; i < len(spans); i++ {
					if spans[i].Lo <= spans[i-1].Hi {
						t.Fatalf("spans %v", spans)
					}
				}
				for y := int32(-9); y < 9; y++ {
					g.Chunk = lattice.Chunk{X: x, Y: y, Z: z, Level: level}
					w.Fill(g)
					has, in := w.HasSurface(g.Chunk), slices.ContainsFunc(spans, func(s lattice.Span) bool { return y >= s.Lo && y < s.Hi })
					if signChange(g.Samples) && !(has && in) {
						t.Errorf("%v holds surface: HasSurface %v, spans %v", g.Chunk, has, spans)
					}
				}
				for _, y := range []int32{8, -8} {
					if c := (lattice.Chunk{X: x, Y: y, Z: z, Level: level}); w.HasSurface(c) {
						t.Errorf("%v is said to hold surface", c)
					}
				}
			}
		}
	}
}

// A counter counts what is filled and meshed.
type counter struct {
	field.Terrain
	fills, meshes int
}

func (c *counter) Fill(g *grid.Grid) { c.fills++; c.Terrain.Fill(g) }

func (c *counter) ClosesSeams() bool { return true }

func (c *counter) Mesh(m *mesh.Mesh, _ *grid.Grid, _ lattice.Faces) {
	c.meshes++
	m.Indices = append(m.Indices, 0, 0, 0)
}

// TestBuildSkips checks that chunks without surface are not meshed, and not even filled where bounds tell.
func TestBuildSkips(t *testing.T) {
	c := &counter{Terrain: testground.Ground{Height: 16.5}}
	w, g := New(c), grid.New(lattice.ChunkCells)
	m := &mesh.Mesh{Indices: make([]uint32, 3)} // of the chunk before
	for _, k := range []struct {
		name          string
		chunk         lattice.Chunk
		edit          edit.Checked
		built         bool
		fills, meshes int
	}{
		{"air", lattice.Chunk{Y: 2}, edit.Checked{}, false, 0, 0},
		{"ground", lattice.Chunk{Y: -2}, edit.Checked{}, false, 0, 0},
		{"surface", lattice.Chunk{}, edit.Checked{}, true, 1, 1},
		{"hole in the ground", lattice.Chunk{Y: -2}, testground.Ball(edit.Dig, 3, 0, testground.Place(16, -48, 16, 0, 0, 0)), true, 1, 1},
		{"hole in a neighbor", lattice.Chunk{X: -1, Y: -2}, testground.Ball(edit.Dig, 3, 0, testground.Place(5, -48, 16, 0, 0, 0)), false, 1, 0},
	} {
		for _, confirmed := range []bool{false, true} {
			w.Clear()
			if w.Pend(1, k.edit); confirmed {
				w.Refuse(1)
				w.Apply(k.edit)
			}
			c.fills, c.meshes = 0, 0
			built := w.Build(m, g, k.chunk, c, 0)
			if built != k.built || built != (len(m.Indices) > 0) || c.meshes != k.meshes || c.fills > k.fills {
				t.Errorf("%s, confirmed %v: built %v, %d filled, %d meshed", k.name, confirmed, built, c.fills, c.meshes)
			}
		}
	}
}

func TestBuildWrongUse(t *testing.T) {
	for name, f := range map[string]func(*World, *mesh.Mesh, *grid.Grid){
		"level": func(w *World, m *mesh.Mesh, g *grid.Grid) { w.Build(m, g, lattice.Chunk{Level: 1}, nil, 0) },
		"finer": func(w *World, m *mesh.Mesh, g *grid.Grid) { w.Build(m, g, lattice.Chunk{}, nil, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f(New(testground.Rough), new(mesh.Mesh), grid.New(4))
		}()
	}
}

func TestNoAllocation(t *testing.T) {
	w := busy(9, 0)
	g, m, mr := grid.New(lattice.ChunkCells), new(mesh.Mesh), mesher.New(mesher.Marching)
	var spans []lattice.Span
	var edits []edit.Checked
	e := testground.Ball(edit.Dig, 3, 0, testground.Place(0, 0, 0, 0, 0, 0))
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"Build", func() { w.Build(m, g, lattice.Chunk{}, mr, 0) }},
		{"HasSurface", func() { w.HasSurface(lattice.Chunk{}) }},
		{"Columns", func() { spans = w.Columns(spans[:0], 0, 0) }},
		{"PendingIn", func() { edits = w.PendingIn(edits[:0], lattice.Chunk{}) }},
		{"Predict and Refuse", func() { w.Predict(77, e); w.Refuse(77) }},
		{"Ray", func() { w.Ray(testground.Place(0, 40, 0, 0, 0, 0), geom.Vec3{X: 1, Y: -1, Z: 0.5}, 80) }},
	} {
		c.do()
		if n := testing.AllocsPerRun(10, c.do); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

// TestColumnsAreShort holds the columns of the worlds that people are given to few chunks, all of which a session
// builds. A field whose bounds are loose far down would have it build down there.
func TestColumnsAreShort(t *testing.T) {
	for _, k := range []struct {
		name  string
		graph *graph.Graph
		most  int // chunks in 400 columns
	}{
		{"hills", template.Hills(1), 400 * 5},
		{"hills of another seed", template.Hills(-5), 400 * 5},
		{"shape", template.Shape(), 400 * 4},
		{"flat", template.Flat(), 400 * 2},
	} {
		base, err := field.Compile(k.graph, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, n := New(base), 0
		var spans []lattice.Span
		for i := range int32(400) {
			spans = w.Columns(spans[:0], i%20*7-70, i/20*5-50)
			for _, s := range spans {
				n += int(s.Hi) - int(s.Lo)
			}
		}
		if n == 0 || n > k.most {
			t.Errorf("%s: %d chunks in 400 columns, at most %d expected", k.name, n, k.most)
		}
	}
}
