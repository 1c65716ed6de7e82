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
)

func TestPredictionIsConfirmation(t *testing.T) {
	for level := uint8(0); level <= 1; level++ {
		r := rand.New(rand.NewPCG(3, uint64(level)))
		w, server := NewLevel(testground.Rough, level), NewLevel(testground.Rough, level)
		var edits []edit.Checked
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

var viewBox = lattice.Box{Min: lattice.Sample{X: -40, Y: -32, Z: -40}, Max: lattice.Sample{X: 40, Y: 32, Z: 40}}

func view(w *World) []uint32 {
	var bits []uint32
	step, row := int32(1)<<w.level, make([]float32, (viewBox.Max.X-viewBox.Min.X)>>w.level)
	for z := viewBox.Min.Z; z < viewBox.Max.Z; z += step {
		for y := viewBox.Min.Y; y < viewBox.Max.Y; y += step {
			w.row(edit.Densities, row, lattice.Sample{X: viewBox.Min.X, Y: y, Z: z})
			for _, v := range row {
				bits = append(bits, math.Float32bits(v))
			}
		}
	}
	return bits
}

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

func TestReconcile(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(4, seed))
		w, server := New(testground.Rough), New(testground.Rough)
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

func pendingEdit(w *World, id uint64) edit.Checked { return w.pending[w.find(id)].edit }

func overlaps(w *World, e edit.Checked) bool {
	return slices.ContainsFunc(w.pending, func(p pending) bool { return !p.box.Intersect(e.Box(w.level)).Empty() })
}

func TestConfirmChanged(t *testing.T) {
	w := New(testground.Rough)
	w.Pend(1, testground.Ball(edit.Dig, 3, 0, testground.Place(0, 0, 0, 0, 0, 0)))
	before := view(w)
	_, shown := w.Confirm(1, testground.Ball(edit.Build, 3, 0, testground.Place(10, 4, 0, 0, 0, 0)), nil)
	if want := difference(w, before, view(w)); shown.Box != want.Box || len(w.pending) != 0 {
		t.Errorf("said %+v, differs %+v, %d pending", shown, want, len(w.pending))
	}
}

func TestConfirmInRegion(t *testing.T) {
	w := New(testground.Rough)
	e := testground.Ball(edit.Dig, 6, 0, testground.Place(0, 0, 0, 0, 0, 0))
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

func TestRefuse(t *testing.T) {
	w := New(testground.Rough)
	a, b := testground.Ball(edit.Dig, 3, 0, testground.Place(0, 0, 0, 0, 0, 0)), testground.Ball(edit.Build, 2, 1, testground.Place(40, 0, 0, 0, 0, 0))
	w.Pend(7, a)
	w.Pend(9, b)
	if got := w.PendingIn(nil, lattice.Chunk{}); !slices.Equal(got, []edit.Checked{a}) {
		t.Errorf("pending in the chunk at 0: %v", got)
	}
	if got := w.PendingIn(nil, lattice.Chunk{X: 1}); !slices.Equal(got, []edit.Checked{b}) {
		t.Errorf("pending in the chunk at 1: %v", got)
	}
	if c := w.Refuse(7); c.Samples == 0 || w.find(7) >= 0 {
		t.Errorf("refusing shows %+v, and leaves %d pending", c, len(w.pending))
	}
	if c := w.Refuse(7); c != (brick.Change{}) {
		t.Error("refusing twice shows something")
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
			w := New(testground.Constant(-0.5))
			change := w.Apply(testground.Ball(edit.Build, 0.25, 0, lattice.Place{Sample: s}))
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

func TestTouchedChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	g := grid.New(lattice.ChunkCells)
	for range 20 {
		w, e := New(testground.Rough), someEdit(r)
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

// TestBrushAtABorder digs and builds half a sample inside each border: nothing changes beyond the brush, on plain
// ground and on painted.
func TestBrushAtABorder(t *testing.T) {
	brushAtABorder(t, testground.Ground{Height: 16.5, SlopeX: 0.1})
	brushAtABorder(t, paintedGround(t))
}

func brushAtABorder(t *testing.T, ground field.Terrain) {
	t.Helper()
	for _, op := range []edit.Op{edit.Dig, edit.Build} {
		for _, at := range []struct{ x, z float64 }{{31.5, 16}, {32.5, 16}, {16, 31.5}, {16, 32.5}, {31.5, 31.5}, {32.5, 32.5}} {
			w := New(ground)
			height := float64(ground.Ground(int32(at.x), int32(at.z))) + 1
			p, _ := lattice.PlaceAt(at.x, height, at.z)
			e := testground.Ball(op, 2, 0, p)
			changed := w.Apply(e).Samples
			counted := 0
			for i := range int32(8) {
				c := lattice.Chunk{X: i & 1, Y: i>>2 - 1, Z: i >> 1 & 1}
				before, after := grid.New(lattice.ChunkCells), grid.New(lattice.ChunkCells)
				before.Chunk, after.Chunk = c, c
				ground.Fill(before)
				w.Fill(after)
				for j, v := range after.Samples {
					n := int32(after.Side())
					x, y, z := int32(j)%n, int32(j)/n%n, int32(j)/n/n
					s := after.Corner().Add(x, y, z)
					dx, dy, dz := float64(s.X)-at.x, float64(s.Y)-height, float64(s.Z)-at.z
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

func TestSpecialValues(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	w := New(testground.Ground{Height: 2.5})
	before := view(w)
	for _, v := range []float32{nan, inf, -inf, 0, float32(math.Copysign(0, -1)), 1 << 31, -1 << 31, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e6} {
		raw := func(op edit.Op, r, k float32, p lattice.Place) edit.Edit {
			return edit.Edit{Op: op, Shape: edit.Ball, Radius: r, Smooth: k, Place: p}
		}
		for _, unchecked := range []edit.Edit{
			raw(edit.Dig, v, 0, testground.Place(0, 0, 0, 0, 0, 0)),
			raw(edit.Build, 3, v, testground.Place(0, 90, 0, 0, 0, 0)), // too far up to be seen if it is valid
			raw(edit.Build, 3, 0, testground.Place(0, 90, 0, v, 0, 0)),
			raw(edit.Build, 3, 0, testground.Place(0, math.MaxInt32, 0, 0, v, 0)),
		} {
			e, err := unchecked.Check()
			shown := w.Predict(1, e)
			w.Pend(2, e)
			applied, confirmed := w.Confirm(1, e, nil)
			if err != nil && (shown != brick.Change{} || applied != brick.Change{} || confirmed != brick.Change{} || len(w.pending) != 1) {
				t.Errorf("%+v is not valid: shows %+v, changes %+v, %d pending", e, shown, applied, len(w.pending))
			}
			w.Refuse(2)
		}
		p := testground.Place(0, 20, 0, v, 0, 0)
		if h, ok := w.Ray(p, geom.Vec3{X: v, Y: -1}, v); ok && !(p.Valid() && h.Place.Valid() && h.Normal.Finite() && geom.Finite(h.Distance)) {
			t.Errorf("ray with %v: %+v", v, h)
		}
	}
	if !slices.Equal(view(w), before) {
		t.Error("samples changed")
	}
	for id, b := range w.Layer().All() {
		if _, err := brick.Parse(b.AppendBinary(nil)); err != nil {
			t.Errorf("%v: %v", id, err)
		}
	}
}
