package brick

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

// paint returns an edit that paints a ball.
func paint(material uint8, r float32, p lattice.Place) edit.Checked {
	return edit.Must(edit.Edit{Op: edit.Paint, Shape: edit.Ball, Radius: r, Material: material, Place: p})
}

// someEditsAndPaint returns n edits round the origin, every second one of which paints.
func someEditsAndPaint(seed uint64, n int) []edit.Checked {
	r, edits := rand.New(rand.NewPCG(seed, 3)), someEdits(seed, n)
	for i := 0; i < n; i += 2 {
		edits[i] = paint(uint8(r.IntN(5)), 0.5+7*r.Float32(), edits[i].Place())
	}
	return edits
}

// TestPaintSampleBySample paints and digs, and holds materials and densities against one sample at a time in random
// order, with the hashes that follow.
func TestPaintSampleBySample(t *testing.T) {
	for level := uint8(0); level <= 2; level++ {
		l, r := NewLayer(testground.Rough, level), rand.New(rand.NewPCG(9, 9))
		p := &plainLayer{testground.Rough, level, make(map[lattice.Sample]float32), r}
		materials := map[lattice.Sample]float32{}
		for i, e := range someEditsAndPaint(uint64(level), 60) {
			got := l.Apply(e)
			if e.Plane() == edit.Densities {
				if want := p.apply(e); got != want {
					t.Fatalf("level %d, edit %d %+v: change %+v, want %+v", level, i, e, got, want)
				}
				continue
			}
			var want Change
			var all []lattice.Sample
			for s, n := range e.Rows(e.Box(level), level) {
				for i := range n {
					all = append(all, s.Add(int32(i)<<level, 0, 0))
				}
			}
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, s := range all {
				before, ok := materials[s]
				if !ok {
					before = Unpainted
				}
				if after := e.Value(before, s, level); after != before {
					materials[s] = after
					want.Add(s)
				}
			}
			if got != want {
				t.Fatalf("level %d, edit %d %+v: change %+v, want %+v", level, i, e, got, want)
			}
		}
		comparePainted(t, l, p, materials)
	}
}

func comparePainted(t *testing.T, l *Layer, p *plainLayer, materials map[lattice.Sample]float32) {
	t.Helper()
	var hash uint64
	densities, painted := 0, 0
	for id, b := range l.All() {
		densities, painted = densities+b.Len(), painted+b.Painted()
		if got, err := Parse(b.AppendBinary(nil)); err != nil || got.Hash() != b.Hash() || got.Bounds() != b.Bounds() {
			t.Fatalf("%v: round trip %v", id, err)
		}
	}
	if densities != len(p.samples) || painted != len(materials) || painted == 0 {
		t.Errorf("%d densities and %d materials, want %d and %d", densities, painted, len(p.samples), len(materials))
	}
	for s, v := range p.samples {
		hash ^= mix(s, l.level, math.Float32bits(v))
		if got := l.At(s); got != v {
			t.Fatalf("%v is %v, want %v", s, got, v)
		}
	}
	row := make([]float32, 3)
	for s, v := range materials {
		hash ^= mix(s, l.level, 0xffffff00|uint32(v))
		if got, ok := l.Material(s); !ok || float32(got) != v {
			t.Fatalf("%v is painted with %v, %v, want %v", s, got, ok, v)
		}
		step := int32(1) << l.level
		l.MaterialRow(row, s.Add(-step, 0, 0))
		for i, got := range row {
			want, ok := materials[s.Add(int32(i-1)*step, 0, 0)]
			if !ok {
				want = Unpainted
			}
			if got != want {
				t.Fatalf("row round %v is %v", s, row)
			}
		}
	}
	if l.Hash() != hash {
		t.Errorf("hash %x, want %x", l.Hash(), hash)
	}
}

// TestPaintFill checks the materials of grids, and that a brick that is only painted adds no surface.
func TestPaintFill(t *testing.T) {
	l := NewLayer(testground.Rough, 0)
	for _, e := range someEditsAndPaint(4, 40) {
		l.Apply(e)
	}
	g := grid.New(lattice.ChunkCells)
	for i := range int32(8) {
		g.Chunk = lattice.Chunk{X: -(i & 1), Y: -(i >> 1 & 1), Z: -(i >> 2)}
		g.Materials = make([]uint8, len(g.Samples))
		for i := range g.Materials {
			g.Materials[i] = 77
		}
		if !l.Materials(g) {
			t.Errorf("%v is not painted", g.Chunk)
		}
		n := g.Side()
		for i, got := range g.Materials {
			s := g.Corner().Add(int32(i%n), int32(i/n%n), int32(i/(n*n)))
			want, ok := l.Material(s)
			if !ok {
				want = 77
			}
			if got != want {
				t.Fatalf("%v at %v: material %d, want %d", g.Chunk, s, got, want)
			}
		}
	}
	sky := NewLayer(testground.Ground{}, 0)
	sky.Apply(paint(1, 5, testground.Place(16, 500, 16, 0, 0, 0)))
	box := lattice.Box{Max: lattice.Sample{X: 32, Y: 1, Z: 32}}
	if got, want := len(sky.Spans(nil, box)), len(sky.base.Spans(nil, box)); got != want || sky.Len() == 0 {
		t.Errorf("%d spans over painted air, want %d", got, want)
	}
	high := lattice.Box{Min: lattice.Sample{Y: 490}, Max: lattice.Sample{X: 32, Y: 510, Z: 32}}
	if got, want := sky.Bounds(high), sky.base.Bounds(high); got != want {
		t.Errorf("bounds %v of painted air, want %v", got, want)
	}
}

// smallPainted is the encoding of a brick with the density −1.5 at 2, 1, 3 and the material 9 at 2, 1, 3 and 4 at
// 0, 0, 31, by hand.
const smallPainted = "5452424b" + "02020000" + "ffffffff" + "00000000" + "07000000" + // magic, version, level, number
	"01000000" + "02000000" + // densities, materials
	"08000000" + "02000000" + "04000000" + // layer 3, row 1, sample 2
	"00" + "00" + "c0" + "bf" + // −1.5 = bfc00000
	"08000080" + "02000000" + "04000000" + "01000000" + "01000000" + // layers 3 and 31
	"09" + "04"

func TestPaintedEncoding(t *testing.T) {
	id := lattice.Brick{X: -1, Y: 0, Z: 7, Level: 2}
	b := (*Brick)(nil).withDensities(id, []change{{3*rows + side + 2, -1.5}}).withMaterials(id, []change{{3*rows + side + 2, 9}, {31 * rows, 4}})
	data := b.AppendBinary(nil)
	if got := hex.EncodeToString(data[:len(data)-crcSize]); got != smallPainted {
		t.Errorf("encodes as\n%s, want\n%s", got, smallPainted)
	}
	only := (*Brick)(nil).withMaterials(id, []change{{3*rows + side + 2, 9}})
	if got, err := Parse(only.AppendBinary(nil)); err != nil || got.Hash() != only.Hash() || got.Len() != 0 || got.Painted() != 1 {
		t.Errorf("a brick that is only painted: %v", err)
	}
	plain := (*Brick)(nil).withDensities(id, []change{{3*rows + side + 2, -1.5}}).AppendBinary(nil)
	for name, data := range map[string][]byte{
		"painted, without materials": func() []byte { d := append([]byte(nil), plain...); d[4] = 2; return sealed(d) }(),
		"plain, with materials":      func() []byte { d := append([]byte(nil), data...); d[4] = 1; return sealed(d) }(),
		"too many materials":         func() []byte { d := append([]byte(nil), data...); d[24] = 3; return sealed(d) }(),
		"no materials":               func() []byte { d := append([]byte(nil), data...); d[24] = 0; return sealed(d) }(),
	} {
		if b, err := Parse(data); err == nil || b != nil {
			t.Errorf("%s is read", name)
		}
	}
	for n := range data {
		if _, err := Parse(data[:n]); err == nil {
			t.Errorf("cut to %d bytes it is read", n)
		}
	}
}
