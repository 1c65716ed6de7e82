package world

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

// somePaint returns an edit of any shape round the origin, which paints two times of three.
func somePaint(r *rand.Rand, palette int) edit.Checked {
	e := someEdit(r)
	p := e.Edit()
	switch r.IntN(4) {
	case 0:
		p.Shape, p.Radius, p.Extent = edit.Box, 0, geom.Vec3{X: p.Radius, Y: 0.5 + 5*r.Float32(), Z: 0.5 + 5*r.Float32()}
	case 1:
		p.Shape, p.Extent = edit.Stroke, geom.Vec3{X: 10*r.Float32() - 5, Y: 6*r.Float32() - 3, Z: 10*r.Float32() - 5}
	}
	if r.IntN(3) == 0 {
		return edit.Must(p)
	}
	p.Op, p.Smooth, p.Material = edit.Paint, 0, uint8(r.IntN(palette))
	return edit.Must(p)
}

// materials returns the materials of the chunks round the origin.
func materials(w *World) []byte {
	var all []byte
	g := grid.New(lattice.ChunkCells)
	for i := range int32(8) {
		g.Chunk = lattice.Chunk{X: -(i & 1), Y: -(i >> 1 & 1), Z: -(i >> 2), Level: w.level}
		w.Fill(g)
		w.FillMaterials(g)
		n := g.Side()
		for i, d := range g.Samples[:len(g.Samples)-n*n] {
			// Those of samples that end a crossed edge are defined.
			if grid.Solid(d) != grid.Solid(g.Samples[i+n*n]) {
				all = append(all, g.Materials[i], g.Materials[i+n*n])
			}
		}
	}
	return all
}

// TestPainting lets a server order paint and other edits otherwise than they were predicted. What a world says of
// changes is held against its samples; at the end its materials, those of a replay and those of a snapshot are equal.
func TestPainting(t *testing.T) {
	for level := uint8(0); level <= 1; level++ {
		f := paintedGround(t)
		server, w, plain := NewLevel(f, level), NewLevel(f, level), NewLevel(f, level)
		r := rand.New(rand.NewPCG(21, uint64(level)))
		var ids []uint64
		edits := map[uint64]edit.Checked{}
		for id := uint64(1); id <= 40 || len(ids) > 0; id++ {
			if id <= 40 {
				e := somePaint(r, w.PaletteLen())
				before := w.paintRows(e)
				shown := w.Predict(id, e)
				if n := differing(before, w.paintRows(e)); e.Plane() == edit.Materials && n != shown.Samples {
					t.Fatalf("prediction shows %d samples, %d differ", shown.Samples, n)
				}
				ids, edits[id] = append(ids, id), e
			}
			if id > 40 || r.IntN(2) == 0 {
				i := r.IntN(len(ids))
				own := ids[i]
				ids = append(ids[:i], ids[i+1:]...)
				e := edits[own]
				server.Apply(e)
				before := w.paintRows(e)
				_, shown := w.Confirm(own, e, nil)
				if n := differing(before, w.paintRows(e)); e.Plane() == edit.Materials && n != shown.Samples {
					t.Fatalf("confirmation shows %d samples, %d differ", shown.Samples, n)
				}
			}
		}
		snapshot := NewLevel(f, level)
		for _, b := range server.Layer().All() {
			parsed, err := brick.Parse(b.AppendBinary(nil))
			if err != nil {
				t.Fatal(err)
			}
			snapshot.Layer().Put(parsed)
		}
		want := materials(server)
		if bytes.Equal(want, materials(plain)) {
			t.Error("paint changes no material")
		}
		for name, o := range map[string]*World{"confirmed": w, "snapshot": snapshot} {
			if o.Layer().Hash() != server.Layer().Hash() || !bytes.Equal(materials(o), want) {
				t.Errorf("level %d: the %s world differs from the replayed one", level, name)
			}
		}
	}
}

// paintRows returns what is painted within e's reach, pending edits included.
func (w *World) paintRows(e edit.Checked) (all []float32) {
	for s, n := range e.Rows(e.Box(w.level), w.level) {
		row := make([]float32, n)
		w.row(edit.Materials, row, s)
		all = append(all, row...)
	}
	return all
}

func differing(a, b []float32) (n int) {
	for i, v := range a {
		if v != b[i] {
			n++
		}
	}
	return n
}

// TestPaintShows checks that pending paint shows, that digging keeps it, that densities stay, and that a number which
// the palette lacks does no harm.
func TestPaintShows(t *testing.T) {
	w := New(paintedGround(t))
	g := grid.New(lattice.ChunkCells)
	at := lattice.Place{Sample: lattice.Sample{X: 10, Y: int32(w.Ground(10, 10)), Z: 10}}
	surface := func() (m uint8, d float32) {
		g.Chunk = lattice.ChunkOf(at.Sample, 0)
		w.Fill(g)
		w.FillMaterials(g)
		c := g.Corner()
		i := (int(at.Sample.Z-c.Z)*g.Side()+int(at.Sample.Y-c.Y))*g.Side() + int(at.Sample.X-c.X)
		return g.Materials[i], g.Samples[i]
	}
	before, density := surface()
	brush := edit.Edit{Op: edit.Paint, Shape: edit.Ball, Radius: 6, Material: (before + 1) % 4, Place: at}
	w.Pend(1, edit.Must(brush))
	if m, d := surface(); m != brush.Material || d != density {
		t.Errorf("pending paint %d: material %d, density %v, %v before", brush.Material, m, d, density)
	}
	w.Confirm(1, edit.Must(brush), nil)
	w.Apply(testground.Ball(edit.Dig, 4, 0, at))
	if m, _ := surface(); m != brush.Material {
		t.Errorf("paint %d once dug: material %d", brush.Material, m)
	}
	brush.Material = 250
	w.Apply(edit.Must(brush))
	if m, _ := surface(); int(m) >= w.PaletteLen() {
		t.Errorf("material %d of %d", m, w.PaletteLen())
	}
}
