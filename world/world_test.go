package world

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// rough is a ground in which no two samples are alike.
var rough = testground.Ground{Height: 3.25, SlopeX: 0.375, SlopeZ: -0.25, Rough: 2}

func place(x, y, z int32, dx, dy, dz float32) lattice.Place {
	return lattice.Place{Sample: lattice.Sample{X: x, Y: y, Z: z}, Offset: geom.Vec3{X: dx, Y: dy, Z: dz}}
}

func ball(op edit.Op, r, k float32, p lattice.Place) edit.Edit {
	return edit.Edit{Brush: edit.Brush{Op: op, Shape: edit.Ball, Radius: r, Smooth: k}, Place: p}
}

// someEdit returns an edit round the origin.
func someEdit(r *rand.Rand) edit.Edit {
	e := ball(edit.Op(1+r.IntN(2)), 0.5+5*r.Float32(), 0, place(
		r.Int32N(40)-20, r.Int32N(24)-12, r.Int32N(40)-20, r.Float32(), r.Float32(), r.Float32()))
	if r.IntN(2) == 0 {
		e.Smooth = 3 * r.Float32()
	}
	return e
}

// busy returns a world with confirmed and pending edits.
func busy(seed uint64, level uint8) *World {
	w, r := NewLevel(rough, level), rand.New(rand.NewPCG(seed, 2))
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

// TestPredictionIsConfirmation lays edits over the samples as pending and confirms them in the same order: no
// bit of any sample differs, at any stage, and the bricks end as if nothing had been predicted.
func TestPredictionIsConfirmation(t *testing.T) {
	for level := uint8(0); level <= 1; level++ {
		r := rand.New(rand.NewPCG(3, uint64(level)))
		w, server := NewLevel(rough, level), NewLevel(rough, level)
		var edits []edit.Edit
		for i := range 12 {
			e := someEdit(r)
			edits = append(edits, e)
			applied := server.Apply(e)
			if shown := w.Predict(uint64(i), e); shown != applied {
				t.Fatalf("prediction %d shows %+v, confirmed it changes %+v", i, shown, applied)
			}
		}
		want := view(w)
		if got := view(server); !slices.Equal(got, want) {
			t.Fatal("predicted and confirmed edits look different")
		}
		for i, e := range edits {
			if _, shown := w.Confirm(uint64(i), e, nil); shown != (brick.Change{}) {
				t.Fatalf("confirming prediction %d shows %+v", i, shown)
			}
			if !slices.Equal(view(w), want) {
				t.Fatalf("confirming prediction %d changes samples", i)
			}
		}
		if w.Layer().Hash() != server.Layer().Hash() {
			t.Error("bricks differ")
		}
	}
}

// viewBox holds all that someEdit can change, rounded to the coarsest level tested.
var viewBox = lattice.Box{Min: lattice.Sample{X: -40, Y: -32, Z: -40}, Max: lattice.Sample{X: 40, Y: 32, Z: 40}}

// view returns the bits of every sample of w in viewBox.
func view(w *World) []uint32 {
	var bits []uint32
	step, row := int32(1)<<w.level, make([]float32, (viewBox.Max.X-viewBox.Min.X)>>w.level)
	for z := viewBox.Min.Z; z < viewBox.Max.Z; z += step {
		for y := viewBox.Min.Y; y < viewBox.Max.Y; y += step {
			w.row(row, lattice.Sample{X: viewBox.Min.X, Y: y, Z: z})
			for _, v := range row {
				bits = append(bits, math.Float32bits(v))
			}
		}
	}
	return bits
}

// difference returns the samples of viewBox whose bits differ.
func difference(w *World, before, after []uint32) (c brick.Change) {
	step, i := int32(1)<<w.level, 0
	for z := viewBox.Min.Z; z < viewBox.Max.Z; z += step {
		for y := viewBox.Min.Y; y < viewBox.Max.Y; y += step {
			for x := viewBox.Min.X; x < viewBox.Max.X; x += step {
				if before[i] != after[i] {
					c.Add(lattice.Sample{X: x, Y: y, Z: z})
				}
				i++
			}
		}
	}
	return c
}

// TestReconcile lets a server order edits as it likes: every answer of a world about what looks different is
// held against all its samples, and in the end the world is that of the server.
func TestReconcile(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(4, seed))
		w, server := New(rough), New(rough)
		before, id, moves := view(w), uint64(0), map[string]int{}
		check := func(move string, shown brick.Change) {
			after := view(w)
			if want := difference(w, before, after); shown != want {
				t.Fatalf("seed %d, %s: said %+v, differs %+v", seed, move, shown, want)
			}
			if shown != (brick.Change{}) {
				moves[move]++
			}
			before = after
		}
		for range 40 {
			ids := slices.Collect(keys(w))
			switch move := r.IntN(5); {
			case move < 2 || len(ids) == 0:
				id++
				check("predict", w.Predict(id, someEdit(r)))
			case move == 2: // another user's edit comes first
				e := someEdit(r)
				server.Apply(e)
				_, shown := w.Confirm(0, e, everywhere)
				check("foreign", shown)
			case move == 3: // one of ours, perhaps not the oldest
				own := ids[r.IntN(len(ids))]
				e := pendingEdit(w, own)
				server.Apply(e)
				applied, shown := w.Confirm(own, e, everywhere)
				check("confirm", shown)
				if own == ids[0] && !overlaps(w, e) && shown != (brick.Change{}) {
					t.Fatalf("confirming an undisturbed prediction shows %+v, applied %+v", shown, applied)
				}
			default:
				check("refuse", w.Refuse(ids[r.IntN(len(ids))]))
			}
		}
		for own := range keys(w) {
			check("refuse", w.Refuse(own))
		}
		if !slices.Equal(view(w), view(server)) || w.Layer().Hash() != server.Layer().Hash() {
			t.Errorf("seed %d: the world is not the server's", seed)
		}
		if moves["predict"] == 0 || moves["foreign"] == 0 || moves["refuse"] == 0 {
			t.Errorf("seed %d: shown changes by move: %v", seed, moves)
		}
	}
}

func everywhere(lattice.Region) bool { return true }

func keys(w *World) func(func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for id := range w.Pending() {
			if !yield(id) {
				return
			}
		}
	}
}

func pendingEdit(w *World, id uint64) edit.Edit { return w.pending[w.find(id)].edit }

// overlaps reports whether a pending edit of w can change a sample that e can.
func overlaps(w *World, e edit.Edit) bool {
	return slices.ContainsFunc(w.pending, func(p pending) bool { return !p.box.Intersect(e.Box(w.level)).Empty() })
}

// TestConfirmChanged confirms an edit other than the one that was predicted.
func TestConfirmChanged(t *testing.T) {
	w := New(rough)
	w.Pend(1, ball(edit.Dig, 3, 0, place(0, 0, 0, 0, 0, 0)))
	before := view(w)
	_, shown := w.Confirm(1, ball(edit.Build, 3, 0, place(10, 4, 0, 0, 0, 0)), nil)
	if want := difference(w, before, view(w)); shown.Box != want.Box || len(w.pending) != 0 {
		t.Errorf("said %+v, differs %+v, %d pending", shown, want, len(w.pending))
	}
}

func TestConfirmInRegion(t *testing.T) {
	w := New(rough)
	e := ball(edit.Dig, 6, 0, place(0, 0, 0, 0, 0, 0))
	w.Pend(1, e)
	before := view(w)
	applied, shown := w.Confirm(1, e, func(r lattice.Region) bool { return r == lattice.Region{} })
	if want := difference(w, before, view(w)); shown != want || want.Samples == 0 {
		t.Errorf("said %+v, differs %+v", shown, want)
	}
	if applied.Box.Min.X < 0 || applied.Box.Min.Z < 0 || applied.Samples == 0 {
		t.Errorf("applied %+v outside the region", applied)
	}
}

func TestSettle(t *testing.T) {
	w := New(rough)
	a, b := ball(edit.Dig, 3, 0, place(0, 0, 0, 0, 0, 0)), ball(edit.Build, 2, 1, place(40, 0, 0, 0, 0, 0))
	w.Pend(7, a)
	w.Pend(9, b)
	w.Pend(10, edit.Edit{}) // not valid
	if got := w.PendingIn(nil, lattice.Chunk{}); !slices.Equal(got, []edit.Edit{a}) {
		t.Errorf("pending in the chunk at 0: %v", got)
	}
	if got := w.PendingIn(nil, lattice.Chunk{X: 1}); !slices.Equal(got, []edit.Edit{b}) {
		t.Errorf("pending in the chunk at 1: %v", got)
	}
	if e, ok := w.Settle(7); !ok || e != a {
		t.Errorf("settled %+v, %v", e, ok)
	}
	if _, ok := w.Settle(7); ok {
		t.Error("settled twice")
	}
	for id, e := range w.Pending() {
		if id != 9 || e != b {
			t.Errorf("pending %d %+v", id, e)
		}
	}
	if w.Refuse(8) != (brick.Change{}) {
		t.Error("refusing an unknown edit shows something")
	}
	w.Clear()
	if len(w.pending) != 0 {
		t.Error("pending after Clear")
	}
}

// A constant is a terrain of one density.
type constant float32

func (c constant) At(lattice.Sample) float32 { return float32(c) }
func (c constant) Bounds(lattice.Box) field.Interval {
	return field.Interval{Lo: float32(c), Hi: float32(c)}
}
func (c constant) Ground(x, z int32) float32                            { return 0 }
func (c constant) Heights(dst []field.Span, _ lattice.Box) []field.Span { return dst }
func (c constant) Fill(g *grid.Grid) {
	for i := range g.Samples {
		g.Samples[i] = float32(c)
	}
}

// TestTouched is the table of reference §7: an edit that changes one sample touches the chunks whose grids
// read it. In air of density −0.5 the smallest ball changes only the sample at its center.
func TestTouched(t *testing.T) {
	g := grid.New(lattice.ChunkCells)
	for _, c := range []struct {
		at   int32
		want []int32
	}{
		{0, []int32{-1, 0}}, {1, []int32{-1, 0}}, {2, []int32{0}}, {16, []int32{0}}, {30, []int32{0}},
		{31, []int32{0, 1}}, {32, []int32{0, 1}}, {33, []int32{0, 1}}, {34, []int32{1}},
	} {
		for axis := range 3 {
			pick := func(x, y, z int32) int32 { return [3]int32{x, y, z}[axis] }
			s := lattice.Sample{X: 16, Y: 16, Z: 16}
			*[]*int32{&s.X, &s.Y, &s.Z}[axis] = c.at
			w := New(constant(-0.5))
			change := w.Apply(ball(edit.Build, 0.25, 0, lattice.Place{Sample: s}))
			if change.Samples != 1 || change.Box.Min != s {
				t.Fatalf("%v: %+v", s, change)
			}
			var got, differ []int32
			for k := range change.Chunks(0) {
				got = append(got, pick(k.X, k.Y, k.Z))
			}
			for n := int32(-2); n <= 2; n++ {
				g.Chunk = lattice.Chunk{}
				*[]*int32{&g.Chunk.X, &g.Chunk.Y, &g.Chunk.Z}[axis] = n
				if w.Fill(g); signChange(g.Samples) {
					differ = append(differ, n)
				}
			}
			if !slices.Equal(got, c.want) || !slices.Equal(differ, c.want) {
				t.Errorf("%v touches %v and is read by %v, want %v", s, got, differ, c.want)
			}
		}
	}
}

// TestTouchedChunks builds every chunk round an edit before and after it: those whose samples differ are among
// the chunks of the change, which are among those of Touched.
func TestTouchedChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	g := grid.New(lattice.ChunkCells)
	for range 20 {
		w, e := New(rough), someEdit(r)
		samples := func() map[lattice.Chunk][]float32 {
			m := make(map[lattice.Chunk][]float32)
			for i := range int32(4 * 4 * 4) {
				g.Chunk = lattice.Chunk{X: i&3 - 2, Y: i>>2&3 - 2, Z: i>>4 - 2}
				w.Fill(g)
				m[g.Chunk] = slices.Clone(g.Samples)
			}
			return m
		}
		before := samples()
		change := w.Apply(e)
		after := samples()
		touched := slices.Collect(w.Touched(e))
		narrowed := slices.Collect(change.Chunks(0))
		for c := range before {
			differs := !slices.Equal(before[c], after[c])
			if differs && !slices.Contains(narrowed, c) || slices.Contains(narrowed, c) && !slices.Contains(touched, c) {
				t.Fatalf("%+v: %v differs: %v, changed %v, touched %v", e, c, differs, narrowed, touched)
			}
		}
	}
}

// TestBrushAtABorder is case 9: a ball of radius 2 half a sample inside each border of 2×2 chunks changes the
// samples in its reach and no others; the opposite edge of each chunk stays as it was.
func TestBrushAtABorder(t *testing.T) {
	ground := testground.Ground{Height: 16.5, SlopeX: 0.1}
	for _, op := range []edit.Op{edit.Dig, edit.Build} {
		for _, at := range []struct{ x, z float64 }{{31.5, 16}, {32.5, 16}, {16, 31.5}, {16, 32.5}, {31.5, 31.5}, {32.5, 32.5}} {
			w := New(ground)
			p, _ := lattice.PlaceAt(at.x, 18, at.z)
			e := ball(op, 2, 0, p)
			changed := w.Apply(e).Samples
			counted := 0
			for i := range int32(4) {
				c := lattice.Chunk{X: i & 1, Z: i >> 1}
				before, after := grid.New(lattice.ChunkCells), grid.New(lattice.ChunkCells)
				before.Chunk, after.Chunk = c, c
				ground.Fill(before)
				w.Fill(after)
				for j, v := range after.Samples {
					n := int32(after.Side())
					x, y, z := int32(j)%n, int32(j)/n%n, int32(j)/n/n
					s := after.Corner().Add(x, y, z)
					dx, dy, dz := float64(s.X)-at.x, float64(s.Y)-18, float64(s.Z)-at.z
					if v == before.Samples[j] {
						continue
					}
					if d := math.Sqrt(dx*dx + dy*dy + dz*dz); d > 4 {
						t.Fatalf("%+v: %v, %.2f m away, changes", e, s, d)
					}
					if c.Box().Contains(s) {
						counted++
					}
				}
			}
			if counted != changed || changed == 0 {
				t.Errorf("%+v: %d samples change in the chunks, %d in all", e, counted, changed)
			}
		}
	}
}

// TestColumnsAndHasSurface holds both against all samples of the chunks.
func TestColumnsAndHasSurface(t *testing.T) {
	for level := uint8(0); level <= 1; level++ {
		w := busy(8, level)
		w.Apply(ball(edit.Build, 5, 0, place(10, 150, 10, 0, 0, 0)))
		w.Pend(99, ball(edit.Dig, 5, 2, place(10, -200, 10, 0, 0, 0)))
		g := grid.New(lattice.ChunkCells)
		for x := int32(-2); x < 2; x++ {
			for z := int32(-2); z < 2; z++ {
				spans := w.Columns([]field.Span{{Lo: 77, Hi: 78}}, x, z)[1:]
				for i := 1; i < len(spans); i++ {
					if spans[i].Lo <= spans[i-1].Hi {
						t.Fatalf("spans %v", spans)
					}
				}
				for y := int32(-9); y < 9; y++ {
					g.Chunk = lattice.Chunk{X: x, Y: y, Z: z, Level: level}
					w.Fill(g)
					has, in := w.HasSurface(g.Chunk), slices.ContainsFunc(spans, func(s field.Span) bool { return y >= s.Lo && y < s.Hi })
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
		edit          edit.Edit
		built         bool
		fills, meshes int
	}{
		{"air", lattice.Chunk{Y: 2}, edit.Edit{}, false, 0, 0},
		{"ground", lattice.Chunk{Y: -2}, edit.Edit{}, false, 0, 0},
		{"surface", lattice.Chunk{}, edit.Edit{}, true, 1, 1},
		{"hole in the ground", lattice.Chunk{Y: -2}, ball(edit.Dig, 3, 0, place(16, -48, 16, 0, 0, 0)), true, 1, 1},
		{"hole in a neighbor", lattice.Chunk{X: -1, Y: -2}, ball(edit.Dig, 3, 0, place(5, -48, 16, 0, 0, 0)), false, 1, 0},
	} {
		for _, confirmed := range []bool{false, true} {
			w.Clear()
			if w.Pend(1, k.edit); confirmed {
				w.Settle(1)
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
			f(New(rough), new(mesh.Mesh), grid.New(4))
		}()
	}
}

func TestNoAllocation(t *testing.T) {
	w := busy(9, 0)
	g, m, mr := grid.New(lattice.ChunkCells), new(mesh.Mesh), mesher.New(mesher.Marching)
	var spans []field.Span
	var edits []edit.Edit
	e := ball(edit.Dig, 3, 0, place(0, 0, 0, 0, 0, 0))
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"Build", func() { w.Build(m, g, lattice.Chunk{}, mr, 0) }},
		{"HasSurface", func() { w.HasSurface(lattice.Chunk{}) }},
		{"Columns", func() { spans = w.Columns(spans[:0], 0, 0) }},
		{"PendingIn", func() { edits = w.PendingIn(edits[:0], lattice.Chunk{}) }},
		{"Predict and Refuse", func() { w.Predict(77, e); w.Refuse(77) }},
		{"Ray", func() { w.Ray(place(0, 40, 0, 0, 0, 0), geom.Vec3{X: 1, Y: -1, Z: 0.5}, 80) }},
	} {
		c.do()
		if n := testing.AllocsPerRun(10, c.do); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

// TestSpecialValues gives a world edits, places and directions that nobody validated: nothing changes, and no
// sample becomes what may not be stored.
func TestSpecialValues(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	w := New(testground.Ground{Height: 2.5})
	before := view(w)
	for _, v := range []float32{nan, inf, -inf, 0, float32(math.Copysign(0, -1)), 1 << 31, -1 << 31, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e6} {
		for _, e := range []edit.Edit{
			ball(edit.Dig, v, 0, place(0, 0, 0, 0, 0, 0)),
			ball(edit.Build, 3, v, place(0, 90, 0, 0, 0, 0)), // too far up to be seen if it is valid
			ball(edit.Build, 3, 0, place(0, 90, 0, v, 0, 0)),
			ball(edit.Build, 3, 0, place(0, math.MaxInt32, 0, 0, v, 0)),
		} {
			shown := w.Predict(1, e)
			w.Pend(2, e)
			applied, confirmed := w.Confirm(1, e, nil)
			if valid := e.Validate() == nil; !valid && (shown != brick.Change{} || applied != brick.Change{} || confirmed != brick.Change{} || len(w.pending) != 0) {
				t.Errorf("%+v is not valid: shows %+v, changes %+v, %d pending", e, shown, applied, len(w.pending))
			}
			w.Settle(2)
		}
		p := place(0, 20, 0, v, 0, 0)
		if h, ok := w.Ray(p, geom.Vec3{X: v, Y: -1}, v); ok && !(p.Valid() && h.Place.Valid() && h.Normal.Finite() && geom.Finite(h.Distance)) {
			t.Errorf("ray with %v: %+v", v, h)
		}
	}
	if !slices.Equal(view(w), before) {
		t.Error("samples changed")
	}
	for id, b := range w.Layer().All() {
		if _, _, err := brick.Parse(b.AppendBinary(nil, id)); err != nil {
			t.Errorf("%v: %v", id, err)
		}
	}
}
