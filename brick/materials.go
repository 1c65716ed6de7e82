package brick

import (
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// Unpainted is what MaterialRow gives for a sample that nobody painted: it is of the material that the world's rules
// give for its place.
const Unpainted = -1

// Material returns the painted material of s; ok is false where nobody painted.
func (l *Layer) Material(s lattice.Sample) (material uint8, ok bool) {
	if b := l.Brick(lattice.BrickOf(s, l.level)); b != nil {
		return b.Material(s)
	}
	return 0, false
}

// MaterialRow sets dst[i] to the painted material of the sample i steps of the level along x from s, which is a sample
// of the level, or to Unpainted. Materials are small numbers and as exact in a float32 as anywhere: edits of either
// kind then work on rows of one kind.
func (l *Layer) MaterialRow(dst []float32, s lattice.Sample) {
	for len(dst) > 0 {
		id := lattice.BrickOf(s, l.level)
		n := min(len(dst), int(side-s.X>>l.level&(side-1)))
		l.materialRow(dst[:n], s, l.Brick(id))
		dst, s.X = dst[n:], s.X+int32(n)<<l.level
	}
}

// materialRow is MaterialRow within the brick b of s, nil if there is none.
func (l *Layer) materialRow(dst []float32, s lattice.Sample, b *Brick) {
	for i := range dst {
		dst[i] = Unpainted
	}
	if b == nil || b.materials == nil {
		return
	}
	x, y, z := inBrick(s, l.level)
	m, values := b.materials.row(x, y, z)
	for i := range dst {
		if m>>i&1 != 0 {
			dst[i], values = float32(values[0]), values[1:]
		}
	}
}

// Materials lays the painted materials over those of g, which has one for each sample, and reports whether a brick
// of g has any. It panics if g has another level.
func (l *Layer) Materials(g *grid.Grid) (painted bool) {
	l.checkLevel(g)
	l.shared(g, func(b *Brick, at, x, y, z, n int32) {
		if b.materials != nil {
			b.materials.overlay(g.Materials[at:at+n], x, y, z)
			painted = true
		}
	})
	return painted
}
