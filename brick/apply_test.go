package brick

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

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

func (p *plainLayer) apply(e edit.Checked) (c Change) {
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
		l := NewLayer(testground.Rough, level)
		p := &plainLayer{testground.Rough, level, make(map[lattice.Sample]float32), rand.New(rand.NewPCG(7, 7))}
		for i, e := range someEdits(uint64(level), 60) {
			got, want := l.Apply(e), p.apply(e)
			if got != want {
				t.Fatalf("level %d, edit %d %+v: change %+v, want %+v", level, i, e, got, want)
			}
		}
		compare(t, l, p)
	}
}

func compare(t *testing.T, l *Layer, p *plainLayer) {
	t.Helper()
	edited := 0
	for id, b := range l.All() {
		edited += b.Len()
		if b.ID() != id || l.Brick(id) != b {
			t.Fatalf("%v is %v", id, b.ID())
		}
		lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
		for _, v := range b.density.values {
			lo, hi = min(lo, v), max(hi, v)
		}
		if b.Bounds() != (geom.Interval{Lo: lo, Hi: hi}) {
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

func TestBricksAreImmutable(t *testing.T) {
	l := edited(11, 0, 30)
	before := make(map[lattice.Brick]string)
	var bricks []*Brick
	for id, b := range l.All() {
		before[id], bricks = string(b.AppendBinary(nil)), append(bricks, b)
	}
	for _, e := range someEdits(12, 30) {
		l.Apply(e)
	}
	for _, b := range bricks {
		if string(b.AppendBinary(nil)) != before[b.ID()] {
			t.Errorf("%v changed after it was handed out", b.ID())
		}
	}
}

func TestApplyKeepsUntouchedBricks(t *testing.T) {
	l := NewLayer(testground.Ground{}, 0)
	dig := testground.Ball(edit.Dig, 3, 0, testground.Place(16, 0, 16, 0, 0, 0))
	l.Apply(dig)
	b := l.Brick(lattice.Brick{})
	if c := l.Apply(dig); c != (Change{}) {
		t.Errorf("digging twice changes %+v", c)
	}
	if l.Brick(lattice.Brick{}) != b {
		t.Error("an edit that changes nothing replaces a brick")
	}
	if c := l.Apply(testground.Ball(edit.Dig, 3, 0, testground.Place(0, 500, 0, 0, 0, 0))); c != (Change{}) || l.Len() != 2 {
		t.Errorf("digging in air changes %+v; %d bricks", c, l.Len())
	}
}

func TestApplyIn(t *testing.T) {
	e := testground.Ball(edit.Dig, 8, 1, testground.Place(0, 0, 0, 0.5, 0, 0.5)) // on the corner of four regions
	whole, parts := NewLayer(testground.Rough, 0), NewLayer(testground.Rough, 0)
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

func TestFarAway(t *testing.T) {
	near := edited(31, 0, 30)
	for _, o := range []lattice.Sample{{X: 10_000_000, Z: -10_000_000}, {X: -10_000_000, Y: 10_000_000, Z: 9_999_999}} {
		ground := testground.Rough
		ground.Origin = o
		far := NewLayer(ground, 0)
		for _, e := range someEdits(31, 30) {
			moved := e.Edit()
			moved.Place.Sample = moved.Place.Sample.Add(o.X, o.Y, o.Z)
			far.Apply(edit.Must(moved))
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
						e := edit.Edit{Op: op, Shape: edit.Ball, Radius: 2, Place: testground.Place(3, at, 5, 0, 0, 0)}
						*[]*float32{&e.Radius, &e.Smooth, &e.Place.Offset.X, &e.Place.Offset.Y, &e.Place.Offset.Z}[field] = v
						l.Clear()
						checked, err := e.Check()
						c := l.Apply(checked)
						if err != nil {
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

func checkStored(t *testing.T, l *Layer) {
	t.Helper()
	for id, b := range l.All() {
		got, err := Parse(b.AppendBinary(nil))
		if err != nil {
			t.Fatalf("%v: %v", id, err)
		}
		if got.Hash() != b.Hash() {
			t.Fatalf("%v: hash %x, want %x", id, got.Hash(), b.Hash())
		}
	}
}

func TestApplyAtTheLimit(t *testing.T) {
	for _, k := range []float32{0, 0.5, 3} {
		for _, off := range []float32{-0.5, -0.02, -0.001, 0, 0.001, 0.02, 0.5} {
			for _, sign := range []float32{-1, 1} {
				density, op := sign*(4+k+off), edit.Dig
				if sign > 0 {
					op = edit.Build
				}
				l := NewLayer(testground.Constant(density), 0)
				p := &plainLayer{testground.Constant(density), 0, make(map[lattice.Sample]float32), rand.New(rand.NewPCG(7, 7))}
				e := testground.Ball(op, 4, k, testground.Place(31, 16, 0, 0, 0, 0))
				got, want := l.Apply(e), p.apply(e)
				if got != want || off != -0.001 && (want.Samples > 0) != (off < 0) { // that little may be rounded away
					t.Errorf("density %v, smooth %v: %+v, want %+v", density, k, got, want)
				}
			}
		}
	}
}

// TestShapesSampleBySample digs, builds and paints with boxes and strokes, and holds the layer against one sample at a
// time in random order.
func TestShapesSampleBySample(t *testing.T) {
	for level := uint8(0); level <= 2; level++ {
		l, r := NewLayer(testground.Rough, level), rand.New(rand.NewPCG(17, uint64(level)))
		p := &plainLayer{testground.Rough, level, make(map[lattice.Sample]float32), r}
		for i, ball := range someEdits(uint64(level), 40) {
			e := ball.Edit()
			e.Shape, e.Extent = edit.Box, geom.Vec3{X: 0.5 + 6*r.Float32(), Y: 0.5 + 6*r.Float32(), Z: 0.5 + 6*r.Float32()}
			e.Radius = 0.5 * r.Float32()
			if i%2 == 0 {
				e.Shape, e.Extent = edit.Stroke, geom.Vec3{X: 40*r.Float32() - 20, Y: 20*r.Float32() - 10, Z: 40*r.Float32() - 20}
				e.Radius += 1
			}
			c := edit.Must(e)
			if got, want := l.Apply(c), p.apply(c); got != want {
				t.Fatalf("level %d, edit %d %+v: change %+v, want %+v", level, i, c, got, want)
			}
		}
		compare(t, l, p)
	}
}
