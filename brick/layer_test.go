package brick

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

// rough is a ground in which no two samples are alike.
var rough = testground.Ground{Height: 3.25, SlopeX: 0.375, SlopeZ: -0.25, Rough: 2}

func place(x, y, z int32, dx, dy, dz float32) lattice.Place {
	return lattice.Place{Sample: lattice.Sample{X: x, Y: y, Z: z}, Offset: geom.Vec3{X: dx, Y: dy, Z: dz}}
}

func ball(op edit.Op, r, k float32, p lattice.Place) edit.Edit {
	return edit.Edit{Brush: edit.Brush{Op: op, Shape: edit.Ball, Radius: r, Smooth: k}, Place: p}
}

// someEdits returns n edits round the origin, the same for a seed.
func someEdits(seed uint64, n int) []edit.Edit {
	r := rand.New(rand.NewPCG(seed, 1))
	edits := make([]edit.Edit, n)
	for i := range edits {
		e := ball(edit.Op(1+r.IntN(2)), 0.5+7*r.Float32(), 0, place(
			r.Int32N(80)-40, r.Int32N(24)-12, r.Int32N(80)-40, r.Float32(), r.Float32(), r.Float32()))
		if r.IntN(2) == 0 {
			e.Smooth = 3 * r.Float32()
		}
		edits[i] = e
	}
	return edits
}

// A plainLayer does what a Layer does, one sample at a time.
type plainLayer struct {
	base    field.Field
	level   uint8
	samples map[lattice.Sample]float32
	random  *rand.Rand
}

func (p *plainLayer) at(s lattice.Sample) float32 {
	if v, ok := p.samples[s]; ok {
		return v
	}
	return p.base.At(s)
}

// apply applies e to one sample after the other in random order.
func (p *plainLayer) apply(e edit.Edit) (c Change) {
	b, step := e.Box(p.level), int32(1)<<p.level
	var all []lattice.Sample
	for z := b.Min.Z &^ (step - 1); z < b.Max.Z; z += step {
		for y := b.Min.Y &^ (step - 1); y < b.Max.Y; y += step {
			for x := b.Min.X &^ (step - 1); x < b.Max.X; x += step {
				all = append(all, lattice.Sample{X: x, Y: y, Z: z})
			}
		}
	}
	p.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, s := range all {
		before := p.at(s)
		after := e.Value(before, s, p.level)
		if math.Float32bits(after) != math.Float32bits(before) {
			p.samples[s] = after
			c.Add(s)
		}
	}
	return c
}

func TestApplySampleBySample(t *testing.T) {
	for level := uint8(0); level <= 2; level++ {
		l := NewLayer(rough, level)
		p := &plainLayer{rough, level, make(map[lattice.Sample]float32), rand.New(rand.NewPCG(7, 7))}
		for i, e := range someEdits(uint64(level), 60) {
			got, want := l.Apply(e), p.apply(e)
			if got != want {
				t.Fatalf("level %d, edit %d %+v: change %+v, want %+v", level, i, e, got, want)
			}
		}
		compare(t, l, p)
	}
}

// compare checks that l holds exactly the edited samples of p, and the hashes that follow from them.
func compare(t *testing.T, l *Layer, p *plainLayer) {
	t.Helper()
	edited := 0
	for id, b := range l.All() {
		edited += b.Len()
		if b.ID() != id || l.Brick(id) != b {
			t.Fatalf("%v is %v", id, b.ID())
		}
		lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
		for _, v := range b.values {
			lo, hi = min(lo, v), max(hi, v)
		}
		if b.Bounds() != (field.Interval{Lo: lo, Hi: hi}) {
			t.Errorf("%v: bounds %v, want %v … %v", id, b.Bounds(), lo, hi)
		}
	}
	if edited != len(p.samples) {
		t.Errorf("%d samples are edited, want %d", edited, len(p.samples))
	}
	var hash uint64
	regions := make(map[lattice.Region]uint64)
	for s, v := range p.samples {
		b := l.Brick(lattice.BrickOf(s, l.level))
		if b == nil {
			t.Fatalf("%v has no brick", s)
		}
		if got, ok := b.At(s); !ok || math.Float32bits(got) != math.Float32bits(v) {
			t.Fatalf("%v is %v, %v, want %v", s, got, ok, v)
		}
		h := mix(s, l.level, math.Float32bits(v))
		hash ^= h
		regions[lattice.RegionOf(s, l.level)] ^= h
	}
	if l.Hash() != hash {
		t.Errorf("hash %x, want %x", l.Hash(), hash)
	}
	for r, want := range regions {
		if got := l.RegionHash(r); got != want {
			t.Errorf("hash of %v is %x, want %x", r, got, want)
		}
	}
}

// edited returns a layer over rough with some edits.
func edited(seed uint64, level uint8, n int) *Layer {
	l := NewLayer(rough, level)
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
	NewLayer(rough, 0).Fill(g)
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
			spans := l.Heights(nil, b)
			if len(spans) > maxSpans || !slices.IsSortedFunc(spans, func(a, b field.Span) int { return int(a.Lo - b.Lo) }) {
				t.Fatalf("spans %v", spans)
			}
			inSpan := func(y int32) bool {
				return slices.ContainsFunc(spans, func(s field.Span) bool { return y >= s.Lo && y < s.Hi })
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

// spans returns the spans with the given ends, two by two.
func spans(ends ...int32) []field.Span {
	var s []field.Span
	for i := 0; i < len(ends); i += 2 {
		s = append(s, field.Span{Lo: ends[i], Hi: ends[i+1]})
	}
	return s
}

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name     string
		in, want []field.Span
		n        int
	}{
		{"none", nil, nil, 8},
		{"apart", spans(5, 6, 1, 2), spans(1, 2, 5, 6), 8},
		{"touching", spans(1, 3, 3, 4, 2, 3), spans(1, 4), 8},
		{"within", spans(1, 9, 3, 4, 10, 11), spans(1, 9, 10, 11), 8},
		{"too many", spans(0, 1, 10, 11, 12, 13, 30, 31), spans(0, 1, 10, 13, 30, 31), 3},
		{"far apart", spans(-1<<31, -1<<30, 1<<30, 1<<31-1, 0, 1), spans(-1<<31, -1<<30, 0, 1<<31-1), 2},
	} {
		if got := Join(slices.Clone(c.in), c.n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestManySpans builds more stories than there are spans.
func TestManySpans(t *testing.T) {
	l := NewLayer(testground.Ground{}, 0)
	for i := range int32(12) {
		l.Apply(ball(edit.Build, 2, 0, place(5, 100+i*i*40, 5, 0, 0, 0)))
	}
	b := lattice.Box{Max: lattice.Sample{X: 8, Y: 1, Z: 8}}
	if got := l.Heights(make([]field.Span, 2), b); len(got) != 2+maxSpans {
		t.Errorf("%d spans, want %d after the two that were there", len(got), maxSpans)
	}
}

func TestBricksAreImmutable(t *testing.T) {
	l := edited(11, 0, 30)
	before := make(map[lattice.Brick]string)
	var bricks []*Brick
	for id, b := range l.All() {
		before[id], bricks = string(b.AppendBinary(nil, id)), append(bricks, b)
	}
	for _, e := range someEdits(12, 30) {
		l.Apply(e)
	}
	for _, b := range bricks {
		if string(b.AppendBinary(nil, b.ID())) != before[b.ID()] {
			t.Errorf("%v changed after it was handed out", b.ID())
		}
	}
}

func TestApplyKeepsUntouchedBricks(t *testing.T) {
	l := NewLayer(testground.Ground{}, 0)
	dig := ball(edit.Dig, 3, 0, place(16, 0, 16, 0, 0, 0))
	l.Apply(dig)
	b := l.Brick(lattice.Brick{})
	if c := l.Apply(dig); c != (Change{}) {
		t.Errorf("digging twice changes %+v", c)
	}
	if l.Brick(lattice.Brick{}) != b {
		t.Error("an edit that changes nothing replaces a brick")
	}
	if c := l.Apply(ball(edit.Dig, 3, 0, place(0, 500, 0, 0, 0, 0))); c != (Change{}) || l.Len() != 2 {
		t.Errorf("digging in air changes %+v; %d bricks", c, l.Len())
	}
}

func TestPutAndRegions(t *testing.T) {
	l, copied := edited(21, 0, 60), NewLayer(rough, 0)
	var ids []lattice.Brick
	for id, b := range l.All() {
		ids = append(ids, id)
		copied.Put(id, b)
		copied.Put(id, b) // twice is once
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

func TestApplyIn(t *testing.T) {
	e := ball(edit.Dig, 8, 1, place(0, 0, 0, 0.5, 0, 0.5)) // on the corner of four regions
	whole, parts := NewLayer(rough, 0), NewLayer(rough, 0)
	want := whole.Apply(e)
	var got Change
	for _, r := range []lattice.Region{{}, {X: -1, Z: -1}, {Z: -1}, {X: -1}} {
		c := parts.ApplyIn(e, func(q lattice.Region) bool { return q == r })
		if c.Samples == 0 || parts.RegionHash(r) != whole.RegionHash(r) {
			t.Errorf("%v: %+v, hash %x, want %x", r, c, parts.RegionHash(r), whole.RegionHash(r))
		}
		got = Change{got.Box.Union(c.Box), got.Samples + c.Samples}
	}
	if got != want || parts.Hash() != whole.Hash() {
		t.Errorf("in parts %+v, want %+v", got, want)
	}
}

// TestFarAway applies the same edits at places ten million samples apart: the samples relative to the place
// have the same bits.
func TestFarAway(t *testing.T) {
	near := edited(31, 0, 30)
	for _, o := range []lattice.Sample{{X: 10_000_000, Z: -10_000_000}, {X: -10_000_000, Y: 10_000_000, Z: 9_999_999}} {
		ground := rough
		ground.Origin = o
		far := NewLayer(ground, 0)
		for _, e := range someEdits(31, 30) {
			e.Place.Sample = e.Place.Sample.Add(o.X, o.Y, o.Z)
			far.Apply(e)
		}
		for z := int32(-50); z < 50; z++ {
			for y := int32(-30); y < 30; y++ {
				for x := int32(-50); x < 50; x++ {
					want, got := near.At(lattice.Sample{X: x, Y: y, Z: z}), far.At(o.Add(x, y, z))
					if math.Float32bits(got) != math.Float32bits(want) {
						t.Fatalf("%d, %d, %d from %v: %v, want %v", x, y, z, o, got, want)
					}
				}
			}
		}
	}
}

// TestSpecialValues puts every odd number into every field of an edit: Validate refuses it, or the samples stay
// numbers that may be stored. Applied without asking Validate, a refused edit does nothing.
func TestSpecialValues(t *testing.T) {
	odd := []float32{
		0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)),
		1 << 31, -1 << 31, math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1e-38, 0.25, 64,
	}
	grounds := []testground.Ground{{}, {Height: 2.5, Rough: 1e-38}, {Height: math.SmallestNonzeroFloat32}}
	refused, applied := 0, 0
	for _, ground := range grounds {
		l := NewLayer(ground, 0)
		for _, op := range []edit.Op{edit.Dig, edit.Build, 0, 3, 255} {
			for _, at := range []int32{0, math.MinInt32, lattice.Limit - 1} {
				for field := range 5 {
					for _, v := range odd {
						e := ball(op, 2, 0, place(3, at, 5, 0, 0, 0))
						*[]*float32{&e.Radius, &e.Smooth, &e.Place.Offset.X, &e.Place.Offset.Y, &e.Place.Offset.Z}[field] = v
						l.Clear()
						c := l.Apply(e)
						if e.Validate() != nil {
							refused++
							if c != (Change{}) || l.Len() != 0 {
								t.Fatalf("%+v is not valid and changes %+v", e, c)
							}
							continue
						}
						applied++
						checkStored(t, l)
					}
				}
			}
		}
	}
	if refused == 0 || applied == 0 {
		t.Errorf("%d refused, %d applied", refused, applied)
	}
}

// checkStored checks that all values of l may be stored, by storing them.
func checkStored(t *testing.T, l *Layer) {
	t.Helper()
	for id, b := range l.All() {
		_, got, err := Parse(b.AppendBinary(nil, id))
		if err != nil {
			t.Fatalf("%v: %v", id, err)
		}
		if got.Hash() != b.Hash() {
			t.Fatalf("%v: hash %x, want %x", id, got.Hash(), b.Hash())
		}
	}
}

func TestNoAllocation(t *testing.T) {
	l := edited(41, 0, 40)
	g := grid.New(lattice.ChunkCells)
	row := make([]float32, 100)
	spans := make([]field.Span, 0, 64)
	box := lattice.Box{Min: lattice.Sample{X: -9, Y: -9, Z: -9}, Max: lattice.Sample{X: 9, Y: 9, Z: 9}}
	again := ball(edit.Dig, 8, 0, place(0, 0, 0, 0, 0, 0))
	l.Apply(again)
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"Fill", func() { l.Fill(g) }},
		{"Row", func() { l.Row(row, lattice.Sample{X: -50}) }},
		{"At", func() { l.At(lattice.Sample{}) }},
		{"Bounds", func() { l.Bounds(box) }},
		{"Heights", func() { spans = l.Heights(spans[:0], box) }},
		{"Apply without change", func() { l.Apply(again) }},
	} {
		if n := testing.AllocsPerRun(10, c.do); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
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

// TestApplyAtTheLimit digs and builds where the density is just too far from the brush's to be changed, which
// Apply wants to know without reading it, and just near enough.
func TestApplyAtTheLimit(t *testing.T) {
	for _, k := range []float32{0, 0.5, 3} {
		for _, off := range []float32{-0.5, -0.02, -0.001, 0, 0.001, 0.02, 0.5} {
			for _, sign := range []float32{-1, 1} {
				density, op := sign*(4+k+off), edit.Dig
				if sign > 0 {
					op = edit.Build
				}
				l := NewLayer(constant(density), 0)
				p := &plainLayer{constant(density), 0, make(map[lattice.Sample]float32), rand.New(rand.NewPCG(7, 7))}
				e := ball(op, 4, k, place(31, 16, 0, 0, 0, 0))
				got, want := l.Apply(e), p.apply(e)
				if got != want || off != -0.001 && (want.Samples > 0) != (off < 0) { // that little may be rounded away
					t.Errorf("density %v, smooth %v: %+v, want %+v", density, k, got, want)
				}
			}
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
