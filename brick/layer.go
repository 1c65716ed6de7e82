package brick

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// A Layer is a terrain with edited bricks of one level laid over it, and a terrain again. It is for one
// goroutine; the bricks it hands out are for all.
type Layer struct {
	base    field.Terrain
	level   uint8
	columns map[column][]*Brick // ascending in y, never empty
	regions map[lattice.Region]uint64
	hash    uint64
	bricks  int

	near    near
	changes []change   // scratch of Apply
	free    [][]*Brick // empty stacks to use again
}

// A column is a stack of bricks of all heights.
type column struct{ x, z int32 }

var _ field.Terrain = (*Layer)(nil)

// NewLayer returns a layer of the level without edited bricks over base.
func NewLayer(base field.Terrain, level uint8) *Layer {
	if level > lattice.MaxLevel {
		panic(fmt.Sprintf("brick: level %d of at most %d", level, lattice.MaxLevel))
	}
	l := &Layer{base: base, level: level}
	l.Clear()
	return l
}

// Level returns the level whose samples the bricks hold.
func (l *Layer) Level() uint8 { return l.level }

// Len returns the number of edited bricks.
func (l *Layer) Len() int { return l.bricks }

// Hash returns the xor of the hashes of all bricks, 0 for none.
func (l *Layer) Hash() uint64 { return l.hash }

// RegionHash returns the xor of the hashes of the bricks in r, 0 for none.
func (l *Layer) RegionHash(r lattice.Region) uint64 { return l.regions[r] }

// Clear drops all bricks.
func (l *Layer) Clear() {
	if l.columns == nil {
		l.columns, l.regions = make(map[column][]*Brick), make(map[lattice.Region]uint64)
	}
	for _, stack := range l.columns {
		l.release(stack)
	}
	clear(l.columns)
	clear(l.regions)
	l.hash, l.bricks = 0, 0
}

// maxFree bounds the stacks kept for later: a builder lays at most 9 columns at a time.
const maxFree = 16

// release keeps the memory of a stack for later.
func (l *Layer) release(stack []*Brick) {
	if len(l.free) < maxFree {
		clear(stack)
		l.free = append(l.free, stack[:0])
	}
}

// Brick returns the brick with the number id, nil if none of its samples is edited.
func (l *Layer) Brick(id lattice.Brick) *Brick {
	stack := l.columns[column{id.X, id.Z}]
	if i, ok := find(stack, id.Y); ok && id.Level == l.level {
		return stack[i]
	}
	return nil
}

// Put makes b the brick with its number, in place of an older one. It panics if b has another level than l: the sample
// numbers are part of the brick's hash.
func (l *Layer) Put(b *Brick) {
	if b.id.Level != l.level {
		panic(fmt.Sprintf("brick: %v put into a layer of level %d", b.id, l.level))
	}
	at := column{b.id.X, b.id.Z}
	stack := l.columns[at]
	i, found := find(stack, b.id.Y)
	change := b.hash
	if found {
		change ^= stack[i].hash
		stack[i] = b
	} else {
		if n := len(l.free); stack == nil && n > 0 {
			stack, l.free = l.free[n-1], l.free[:n-1]
		}
		l.columns[at] = slices.Insert(stack, i, b)
		l.bricks++
	}
	l.rehash(b.id.Region(), change)
}

// Delete deletes the brick with the number id, if there is one.
func (l *Layer) Delete(id lattice.Brick) {
	at := column{id.X, id.Z}
	stack := l.columns[at]
	i, found := find(stack, id.Y)
	if !found || id.Level != l.level {
		return
	}
	l.rehash(id.Region(), stack[i].hash)
	l.bricks--
	if len(stack) == 1 {
		delete(l.columns, at)
		l.release(stack)
		return
	}
	l.columns[at] = slices.Delete(stack, i, i+1)
}

// rehash takes a change of a brick's hash into those of its region and of all.
func (l *Layer) rehash(r lattice.Region, change uint64) {
	l.hash ^= change
	if l.regions[r] ^= change; l.regions[r] == 0 {
		delete(l.regions, r)
	}
}

// find returns the place in a column of the brick at height y, or where it belongs.
func find(stack []*Brick, y int32) (int, bool) {
	return slices.BinarySearchFunc(stack, y, func(b *Brick, y int32) int { return cmp.Compare(b.id.Y, y) })
}

// All yields every brick, x fastest, then y, then z. The layer may change meanwhile; the bricks are those of
// the beginning.
func (l *Layer) All() iter.Seq2[lattice.Brick, *Brick] {
	return func(yield func(lattice.Brick, *Brick) bool) {
		list := make([]*Brick, 0, l.bricks)
		for _, stack := range l.columns {
			list = append(list, stack...)
		}
		yieldSorted(list, yield)
	}
}

// Region yields the bricks of a region in the order of All.
func (l *Layer) Region(r lattice.Region) iter.Seq2[lattice.Brick, *Brick] {
	return func(yield func(lattice.Brick, *Brick) bool) {
		if r.Level != l.level {
			return
		}
		var list []*Brick
		const n = 1 << lattice.RegionShift
		for z := r.Z * n; z < r.Z*n+n; z++ {
			for x := r.X * n; x < r.X*n+n; x++ {
				list = append(list, l.columns[column{x, z}]...)
			}
		}
		yieldSorted(list, yield)
	}
}

func yieldSorted(list []*Brick, yield func(lattice.Brick, *Brick) bool) {
	slices.SortFunc(list, func(a, b *Brick) int {
		return cmp.Or(cmp.Compare(a.id.Z, b.id.Z), cmp.Compare(a.id.Y, b.id.Y), cmp.Compare(a.id.X, b.id.X))
	})
	for _, b := range list {
		if !yield(b.id, b) {
			return
		}
	}
}

// DropRegion deletes the bricks of a region.
func (l *Layer) DropRegion(r lattice.Region) {
	for id := range l.Region(r) {
		l.Delete(id)
	}
}

// At returns the edited value of s, or the field's where s is not edited or lies between the samples of the
// layer's level.
func (l *Layer) At(s lattice.Sample) float32 {
	if stack := l.columns[column{s.X >> (lattice.ChunkShift + l.level), s.Z >> (lattice.ChunkShift + l.level)}]; stack != nil {
		if i, ok := find(stack, s.Y>>(lattice.ChunkShift+l.level)); ok {
			if v, ok := stack[i].At(s); ok {
				return v
			}
		}
	}
	return l.base.At(s)
}

// Ground returns the height of the generated ground: no edit moves it, since depths are measured from it.
func (l *Layer) Ground(x, z int32) float32 { return l.base.Ground(x, z) }

// Fill fills g from the field and lays the edited samples over it. It panics if g has another level.
func (l *Layer) Fill(g *grid.Grid) {
	l.checkLevel(g)
	l.base.Fill(g)
	l.shared(g, func(b *Brick, at, x, y, z, n int32) {
		b.density.overlay(g.Samples[at:at+n], x, y, z)
	})
}

// checkLevel panics if g has another level than l.
func (l *Layer) checkLevel(g *grid.Grid) {
	if g.Chunk.Level != l.level {
		panic(fmt.Sprintf("brick: %v is filled from a layer of level %d", g.Chunk, l.level))
	}
}

// shared calls row for each row of samples that a brick shares with g: n samples from the place at in g and x, y, z in
// the brick on.
func (l *Layer) shared(g *grid.Grid, row func(b *Brick, at, x, y, z, n int32)) {
	if l.bricks == 0 {
		return
	}
	n := int32(g.Side())
	c, k := g.Chunk, int32(g.Cells)
	ox, oy, oz := c.X*k-1, c.Y*k-1, c.Z*k-1 // the first sample, in steps of the level
	for id := range g.Box().Bricks(l.level) {
		b := l.Brick(id)
		if b == nil {
			continue
		}
		// What both share, counted from the grid's first sample.
		bx, by, bz := id.X*side-ox, id.Y*side-oy, id.Z*side-oz
		x0, x1 := max(bx, 0), min(bx+side, n)
		for z := max(bz, 0); z < min(bz+side, n); z++ {
			for y := max(by, 0); y < min(by+side, n); y++ {
				row(b, (z*n+y)*n+x0, x0-bx, y-by, z-bz, x1-x0)
			}
		}
	}
}

// Row sets dst[i] to the density of the sample i steps of the level along x from s, which is a sample of the
// level. Like Near it is for callers who read many samples close by.
func (l *Layer) Row(dst []float32, s lattice.Sample) {
	id := lattice.BrickOf(s, l.level)
	for len(dst) > 0 {
		x := s.X >> l.level & (side - 1)
		n := min(len(dst), int(side-x))
		l.row(dst[:n], s, l.dense(id, n), l.Brick(id))
		dst, s.X, id.X = dst[n:], s.X+int32(n)<<l.level, id.X+1
	}
}

// row is Row within the brick of s, from the field's densities of it, nil if they are not kept, and its edited
// samples, nil if there are none.
func (l *Layer) row(dst []float32, s lattice.Sample, dense []float32, b *Brick) {
	x, y, z := inBrick(s, l.level)
	if dense != nil {
		copy(dst, dense[(z*side+y)*side+x:])
	} else {
		var m uint32
		if b != nil {
			m, _ = b.density.row(x, y, z)
		}
		for i := range dst {
			if m>>i&1 == 0 {
				dst[i] = l.base.At(s.Add(int32(i)<<l.level, 0, 0))
			}
		}
	}
	if b != nil {
		b.density.overlay(dst, x, y, z)
	}
}

// Bounds returns an interval that holds the density of every sample of the level in b, and the field's
// between them.
func (l *Layer) Bounds(b lattice.Box) geom.Interval {
	iv := l.base.Bounds(b)
	if l.bricks == 0 || b.Empty() {
		return iv
	}
	n := lattice.ChunkShift + l.level
	for stack := range l.stacks(b) {
		for _, k := range stack {
			if k.id.Y < b.Min.Y>>n || k.id.Y > (b.Max.Y-1)>>n {
				continue
			}
			iv = iv.Union(k.bounds)
		}
	}
	return iv
}

// stacks yields the columns of bricks that share an x, z with b, in no fixed order.
func (l *Layer) stacks(b lattice.Box) iter.Seq[[]*Brick] {
	return func(yield func([]*Brick) bool) {
		n := lattice.ChunkShift + l.level
		x0, x1, z0, z1 := b.Min.X>>n, (b.Max.X-1)>>n, b.Min.Z>>n, (b.Max.Z-1)>>n
		if (int64(x1)-int64(x0)+1)*(int64(z1)-int64(z0)+1) > int64(len(l.columns)) {
			for at, stack := range l.columns {
				if at.x >= x0 && at.x <= x1 && at.z >= z0 && at.z <= z1 && !yield(stack) {
					return
				}
			}
			return
		}
		for z := z0; z <= z1; z++ {
			for x := x0; x <= x1; x++ {
				if stack := l.columns[column{x, z}]; stack != nil && !yield(stack) {
					return
				}
			}
		}
	}
}
