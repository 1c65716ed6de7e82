package brick

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

// someEdits returns n edits round the origin, the same for a seed.
func someEdits(seed uint64, n int) []edit.Checked {
	r := rand.New(rand.NewPCG(seed, 1))
	edits := make([]edit.Checked, n)
	for i := range edits {
		e := testground.Ball(edit.Op(1+r.IntN(2)), 0.5+7*r.Float32(), 0, testground.Place(
			r.Int32N(80)-40, r.Int32N(24)-12, r.Int32N(80)-40, r.Float32(), r.Float32(), r.Float32())).Edit()
		if r.IntN(2) == 0 {
			e.Smooth = 3 * r.Float32()
		}
		edits[i] = edit.Must(e)
	}
	return edits
}

// A plainLayer does what a Layer does, one sample at a time.
// apply applies e to one sample after the other in random order.
// compare checks that l holds exactly the edited samples of p, and the hashes that follow from them.
// edited returns a layer over rough with some edits.
func edited(seed uint64, level uint8, n int) *Layer {
	l := NewLayer(testground.Rough, level)
	for _, e := range someEdits(seed, n) {
		l.Apply(e)
	}
	return l
}

func TestFillIsAt(t *testing.T) {
	for level := uint8(0); level <= 2; level++ {
		l := edited(3, level, 40)
		for _, cells := range []int{1, 7, 32, 64} {
			for _, c := range []lattice.Chunk{{}, {X: -1, Z: -1}, {X: 1, Y: -1}, {X: -2, Z: 1}} {
				c.Level = level
				g := grid.New(cells)
				g.Chunk = c
				l.Fill(g)
				checkGrid(t, l, g)
			}
		}
	}
}

// checkGrid compares g, and rows read for it, with single samples.
func checkGrid(t *testing.T, l *Layer, g *grid.Grid) {
	t.Helper()
	n, step := g.Side(), g.Step()
	row := make([]float32, n)
	for z := range n {
		for y := range n {
			s := g.Corner().Add(0, int32(y)*step, int32(z)*step)
			l.Row(row, s)
			for x := range n {
				want := l.At(s.Add(int32(x)*step, 0, 0))
				if got := g.Samples[(z*n+y)*n+x]; got != want || row[x] != want {
					t.Fatalf("%v, %d cells, sample %d, %d, %d: filled %v, row %v, at %v",
						g.Chunk, g.Cells, x, y, z, got, row[x], want)
				}
			}
		}
	}
}

func TestFillWrongLevel(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a grid of another level is filled")
		}
	}()
	g := grid.New(4)
	g.Chunk.Level = 1
	NewLayer(testground.Rough, 0).Fill(g)
}

// TestBoundsAndHeights holds both against all samples of a few columns.
func TestBoundsAndHeights(t *testing.T) {
	for level := uint8(0); level <= 1; level++ {
		l, step := edited(5, level, 30), int32(1)<<level
		r := rand.New(rand.NewPCG(5, uint64(level)))
		for range 300 {
			x, y, z := r.Int32N(100)-50, r.Int32N(100)-50, r.Int32N(100)-50
			b := lattice.Box{Min: lattice.Sample{X: x, Y: y, Z: z}}
			b.Max = b.Min.Add(1+r.Int32N(9), 1+r.Int32N(9), 1+r.Int32N(9))
			iv := l.Bounds(b)
			spans := l.Spans(nil, b)
			if len(spans) > maxSpans || !slices.IsSortedFunc(spans, func(a, b lattice.Span) int { return int(a.Lo - b.Lo) }) {
				t.Fatalf("spans %v", spans)
			}
			inSpan := func(y int32) bool {
				return slices.ContainsFunc(spans, func(s lattice.Span) bool { return y >= s.Lo && y < s.Hi })
			}
			for x := (b.Min.X + step - 1) &^ (step - 1); x < b.Max.X; x += step {
				for z := (b.Min.Z + step - 1) &^ (step - 1); z < b.Max.Z; z += step {
					for y := int32(-64); y < 64; y += step {
						s := lattice.Sample{X: x, Y: y, Z: z}
						d, above := l.At(s), l.At(s.Add(0, step, 0))
						if b.Contains(s) && !(d >= iv.Lo && d <= iv.Hi) {
							t.Fatalf("bounds of %v are %v, %v has %v", b, iv, s, d)
						}
						if grid.Solid(d) != grid.Solid(above) && !(inSpan(y) && inSpan(y+step)) {
							t.Fatalf("surface above %v is outside %v", s, spans)
						}
					}
				}
			}
		}
	}
}

// TestManySpans builds more stories than there are spans.
func TestManySpans(t *testing.T) {
	l := NewLayer(testground.Ground{}, 0)
	for i := range int32(12) {
		l.Apply(testground.Ball(edit.Build, 2, 0, testground.Place(5, 100+i*i*40, 5, 0, 0, 0)))
	}
	b := lattice.Box{Max: lattice.Sample{X: 8, Y: 1, Z: 8}}
	if got := l.Spans(make([]lattice.Span, 2), b); len(got) != 2+maxSpans {
		t.Errorf("%d spans, want %d after the two that were there", len(got), maxSpans)
	}
}

func TestPutAndRegions(t *testing.T) {
	l, copied := edited(21, 0, 60), NewLayer(testground.Rough, 0)
	var ids []lattice.Brick
	for id, b := range l.All() {
		ids = append(ids, id)
		copied.Put(b)
		copied.Put(b) // twice is once
	}
	if !slices.IsSortedFunc(ids, func(a, b lattice.Brick) int {
		return slices.Compare([]int32{a.Z, a.Y, a.X}, []int32{b.Z, b.Y, b.X})
	}) {
		t.Errorf("bricks come as %v", ids)
	}
	if copied.Hash() != l.Hash() || copied.Len() != l.Len() || l.Len() != len(ids) {
		t.Errorf("copy has hash %x and %d bricks, want %x and %d", copied.Hash(), copied.Len(), l.Hash(), len(ids))
	}
	n, hash := 0, uint64(0)
	for _, r := range []lattice.Region{{X: -1, Z: -1}, {Z: -1}, {X: -1}, {}} {
		sum := uint64(0)
		for id, b := range l.Region(r) {
			n++
			sum ^= b.Hash()
			if id.Region() != r {
				t.Errorf("%v comes with %v", id, r)
			}
		}
		if sum != l.RegionHash(r) {
			t.Errorf("hash of %v is %x, want %x", r, l.RegionHash(r), sum)
		}
		hash ^= sum
		copied.DropRegion(r)
		if copied.RegionHash(r) != 0 {
			t.Errorf("%v is dropped and has hash %x", r, copied.RegionHash(r))
		}
	}
	if n != l.Len() || hash != l.Hash() {
		t.Errorf("regions hold %d bricks with hash %x, want %d, %x", n, hash, l.Len(), l.Hash())
	}
	if copied.Len() != 0 || copied.Hash() != 0 || len(copied.columns) != 0 || len(copied.regions) != 0 {
		t.Errorf("after dropping all: %d bricks, hash %x", copied.Len(), copied.Hash())
	}
}

func TestNoAllocation(t *testing.T) {
	l := edited(41, 0, 40)
	g := grid.New(lattice.ChunkCells)
	row := make([]float32, 100)
	spans := make([]lattice.Span, 0, 64)
	box := lattice.Box{Min: lattice.Sample{X: -9, Y: -9, Z: -9}, Max: lattice.Sample{X: 9, Y: 9, Z: 9}}
	again := testground.Ball(edit.Dig, 8, 0, testground.Place(0, 0, 0, 0, 0, 0))
	l.Apply(again)
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"Fill", func() { l.Fill(g) }},
		{"Row", func() { l.Row(row, lattice.Sample{X: -50}) }},
		{"At", func() { l.At(lattice.Sample{}) }},
		{"Bounds", func() { l.Bounds(box) }},
		{"Spans", func() { spans = l.Spans(spans[:0], box) }},
		{"Apply without change", func() { l.Apply(again) }},
	} {
		if n := testing.AllocsPerRun(10, c.do); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

// TestNear reads samples near and far until bricks are kept, dropped and kept again: always what At says.
func TestNear(t *testing.T) {
	for level := uint8(0); level <= 1; level++ {
		l, r := edited(51, level, 30), rand.New(rand.NewPCG(5, 5))
		kept := 0
		for range 3 * nearBlocks {
			id := lattice.Brick{X: r.Int32N(6) - 3, Y: r.Int32N(6) - 3, Z: r.Int32N(6) - 3, Level: level}
			iv := l.CellBounds(id)
			for range patience/2 + 1 {
				s := id.Origin().Add(r.Int32N(33)<<level, r.Int32N(33)<<level, r.Int32N(33)<<level)
				want := l.At(s)
				if got := l.Near(s); got != want {
					t.Fatalf("%v near is %v, want %v", s, got, want)
				}
				if !(want >= iv.Lo && want <= iv.Hi) {
					t.Fatalf("%v is %v, bounds of the cells of %v are %v", s, want, id, iv)
				}
			}
			if len(l.near.blocks[id].samples) > 0 {
				kept++
			}
			for n, b := range l.near.blocks {
				if b.id != n || len(l.near.blocks) > nearBlocks {
					t.Fatalf("%v is kept as %v, one of %d", b.id, n, len(l.near.blocks))
				}
			}
		}
		if kept == 0 || kept == 3*nearBlocks {
			t.Errorf("%d of %d reads from kept bricks", kept, 3*nearBlocks)
		}
	}
}
