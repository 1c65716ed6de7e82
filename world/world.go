package world

import (
	"iter"
	"slices"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// A World is a field, its confirmed edits and its pending edits, at one level.
type World struct {
	layer     *brick.Layer
	materials field.MaterialSource // the field, if it has materials
	level     uint8
	pending   []pending

	heights []lattice.Span // scratch of Columns
	spans   []lattice.Span // scratch of Columns
	view    []float32      // scratch of differ
}

// A pending edit is laid over the samples until it is confirmed or refused.
type pending struct {
	id   uint64
	edit edit.Checked
	box  lattice.Box
}

// New returns the world of a field at the finest level, without edits.
func New(base field.Terrain) *World { return NewLevel(base, 0) }

// NewLevel returns the world of a field at a level, without edits.
func NewLevel(base field.Terrain, level uint8) *World {
	materials, _ := base.(field.MaterialSource)
	return &World{layer: brick.NewLayer(base, level), materials: materials, level: level}
}

// Level returns the level of the world's samples.
func (w *World) Level() uint8 { return w.level }

// Clear drops all edits, confirmed and pending.
func (w *World) Clear() {
	w.layer.Clear()
	w.pending = w.pending[:0]
}

// Layer returns the confirmed bricks over the field.
func (w *World) Layer() *brick.Layer { return w.layer }

// Ground returns the height in meters of the generated ground at the column x, z.
func (w *World) Ground(x, z int32) float32 { return w.layer.Ground(x, z) }

// At returns the density of s, a sample of the world's level.
func (w *World) At(s lattice.Sample) float32 { return w.over(w.layer.At(s), s) }

// near is At for callers who will read many samples close to s.
func (w *World) near(s lattice.Sample) float32 { return w.over(w.layer.Near(s), s) }

// over lays the pending edits over the density v of s.
func (w *World) over(v float32, s lattice.Sample) float32 {
	for i := range w.pending {
		if p := &w.pending[i]; p.box.Contains(s) && p.edit.Plane() == edit.Densities {
			v = p.edit.Value(v, s, w.level)
		}
	}
	return v
}

// Fill sets the samples and ground heights of g for g.Chunk. It panics if g has another level.
func (w *World) Fill(g *grid.Grid) {
	w.layer.Fill(g)
	for i := range w.pending {
		if w.pending[i].edit.Plane() == edit.Densities {
			w.pending[i].overlay(g)
		}
	}
}

// FillMaterials sets the materials of a grid that Fill has filled, where its surface passes, or leaves it without if the
// field has none. A sample that was painted is of the material that it was painted with last. Any other is of the
// material that the field has there, dug and built ground as well: that of a ball built in the air is what the field's
// rules give for its height and a depth below 0, in most worlds the cover of the ground.
func (w *World) FillMaterials(g *grid.Grid) {
	if w.materials == nil {
		g.Materials = g.Materials[:0]
		return
	}
	w.materials.FillMaterials(g)
	painted := w.layer.Materials(g)
	for i := range w.pending {
		if w.pending[i].edit.Plane() == edit.Materials {
			w.pending[i].overlayMaterials(g)
			painted = true
		}
	}
	if !painted {
		return
	}
	// Whoever takes edits refuses numbers that the palette lacks; a log that holds one all the same breaks no mesh.
	n := w.PaletteLen()
	for i, m := range g.Materials {
		if int(m) >= n {
			g.Materials[i] = 0
		}
	}
}

// PaletteLen returns how many materials the world has; painting takes smaller numbers only.
func (w *World) PaletteLen() int {
	if w.materials == nil {
		return 0
	}
	return len(w.materials.Palette())
}

// overlayMaterials applies p, which paints, to the materials of g.
func (p *pending) overlayMaterials(g *grid.Grid) {
	level, side, o := g.Chunk.Level, int32(g.Side()), g.Corner()
	var row [rowLen]float32
	for s, n := range p.edit.Rows(g.Box(), level) {
		at := ((s.Z-o.Z)>>level*side+(s.Y-o.Y)>>level)*side + (s.X-o.X)>>level
		materials := g.Materials[at : at+int32(n)]
		for i, m := range materials {
			row[i] = float32(m)
		}
		p.edit.Row(row[:n], s, level)
		for i := range materials {
			materials[i] = uint8(row[i])
		}
	}
}

// overlay applies p to the samples of g.
func (p *pending) overlay(g *grid.Grid) {
	level, side, o := g.Chunk.Level, int32(g.Side()), g.Corner()
	for s, n := range p.edit.Rows(g.Box(), level) {
		at := ((s.Z-o.Z)>>level*side+(s.Y-o.Y)>>level)*side + (s.X-o.X)>>level
		p.edit.Row(g.Samples[at:at+int32(n)], s, level)
	}
}

// Build makes the mesh of the chunk c with mr into m, whose content is replaced, using g for the samples. It
// returns false when the chunk has no surface; then m is empty. What is certain to be empty or full is not even
// filled. finer names the faces with a neighbor one level finer; there are none yet, and it must be 0.
func (w *World) Build(m *mesh.Mesh, g *grid.Grid, c lattice.Chunk, mr mesher.Mesher, finer lattice.Faces) bool {
	g.Chunk = c
	if !crosses(w.bounds(g.Box())) {
		m.Reset()
		return false
	}
	return w.Mesh(m, g, c, mr, finer)
}

// Mesh is Build without a look at the bounds, for a chunk that likely holds surface: Columns has looked at them.
func (w *World) Mesh(m *mesh.Mesh, g *grid.Grid, c lattice.Chunk, mr mesher.Mesher, finer lattice.Faces) bool {
	if finer != 0 {
		panic("world: finer faces need slabs, which come with levels of detail")
	}
	m.Reset()
	g.Chunk = c
	w.Fill(g)
	if !signChange(g.Samples) {
		return false
	}
	w.FillMaterials(g)
	mr.Mesh(m, g, finer)
	return len(m.Indices) > 0
}

// signChange reports whether samples holds both solid and air.
func signChange(samples []float32) bool {
	first := grid.Solid(samples[0])
	for _, d := range samples {
		if grid.Solid(d) != first {
			return true
		}
	}
	return false
}

// Pending yields the pending edits in order.
func (w *World) Pending() iter.Seq2[uint64, edit.Checked] {
	return func(yield func(uint64, edit.Checked) bool) {
		for _, p := range slices.Clone(w.pending) {
			if !yield(p.id, p.edit) {
				return
			}
		}
	}
}

// PendingIn appends to dst the pending edits, in order, that can change a sample of c's grid.
func (w *World) PendingIn(dst []edit.Checked, c lattice.Chunk) []edit.Checked {
	box := gridBox(c)
	for i := range w.pending {
		if p := &w.pending[i]; !p.box.Intersect(box).Empty() {
			dst = append(dst, p.edit)
		}
	}
	return dst
}

// gridBox returns the samples that the grid of c reads, margin included.
func gridBox(c lattice.Chunk) lattice.Box {
	b, h := c.Box(), int32(1)<<c.Level
	return lattice.Box{Min: b.Min.Add(-h, -h, -h), Max: b.Max.Add(h+1, h+1, h+1)}
}
