package mesher

import (
	mathbits "math/bits"

	"github.com/terrane/terrane/internal/kernel/bits"
)

// gather adds the crossings along an axis of plane z to the mesh: it lists them row by row, collects what
// each needs into the batch and has the batch solved whenever it is nearly full. Listing and collecting are
// two loops so that a wrong guess of where a word's bits end holds up no load.
func (e *marcher) gather(q *plane, axis, z int) {
	p, v, b := &e.planes, &e.view, &e.batch
	z0 := z - v.lo[2] - v.shift
	b.StartRun(axis, z0)
	l := bits.Listing{
		Words: q.cross[axis], Count: q.count[axis], NX: v.n[0], At: uint32(v.index(0, 0, z)),
		X: float32(-v.lo[0] - v.shift), Y: float32(-v.lo[1] - v.shift), Row: p.from[axis],
	}
	for l.Row <= p.to[axis] {
		y, inner := l.Row, e.inner[axis].has(l.Row, z)
		if l.Edge, l.End = e.edge[axis], y+1; inner {
			l.End = min(p.to[axis], e.inner[axis].y1) + 1
		} else if v.rimRow(axis, y, z) {
			l.Edge = e.every
		}
		for b.List(&l) {
			if inner {
				e.fetch(axis)
			} else {
				e.fetchBorder(axis, y, z)
			}
			if b.N > bits.BatchFull-4 {
				e.flush()
				b.StartRun(axis, z0)
				continue
			}
			e.gatherMixed(&l, axis, z, inner)
			l.Word++
		}
		if inner {
			e.fetch(axis)
		} else {
			e.fetchBorder(axis, y, z)
		}
	}
}

// gatherMixed gathers the word that the listing has stopped at: its crossings at the edge of the samples, which
// come first and last, one by one.
func (e *marcher) gatherMixed(l *bits.Listing, axis, z int, inner bool) {
	x, y := 64*l.Word, l.Row
	set, edge := e.planes.row(l.Words, y)[l.Word], l.Edge[l.Word]
	middle := set &^ edge
	before := middle&-middle - 1 // all bits if there is nothing in the middle
	e.gatherSlow(set&edge&before, axis, x, y, z)
	if middle == 0 {
		return
	}
	word := [1]uint64{middle}
	one := bits.Listing{
		Words: word[:], Count: []uint32{1}, Edge: []uint64{0}, End: 1,
		At: l.At + uint32(y*l.NX+x), X: l.X + float32(int32(x)), Y: l.Y + float32(int32(y)),
	}
	e.batch.List(&one)
	if inner {
		e.fetch(axis)
	} else {
		e.fetchBorder(axis, y, z)
	}
	e.gatherSlow(set&edge&^before, axis, x, y, z)
}

// fetch collects the densities and gradients of the listed crossings along an axis.
func (e *marcher) fetch(axis int) {
	v, b := &e.view, &e.batch
	if b.Flat {
		e.fetchFlat(axis)
		return
	}
	s, iso, d, nx := v.samples, v.iso, v.stride(axis), v.n[0]
	nxy := nx * v.n[1]
	for m := b.Fetched; m < b.N; m++ {
		m := m & bits.BatchMask
		i := int(b.At[m])
		j := i + d
		b.A[m], b.B[m] = s[i]-iso, s[j]-iso
		b.AX[m], b.BX[m] = s[i+1]-s[i-1], s[j+1]-s[j-1]
		b.AY[m], b.BY[m] = s[i+nx]-s[i-nx], s[j+nx]-s[j-nx]
		b.AZ[m], b.BZ[m] = s[i+nxy]-s[i-nxy], s[j+nxy]-s[j-nxy]
	}
	if len(v.ground) != 0 {
		e.fetchDepths(axis)
	}
	b.Fetched = b.N
}

// fetchBorder does what fetch does in a row whose crossings have neighbors past the edge of the samples on
// the two axes across it.
func (e *marcher) fetchBorder(axis, y, z int) {
	v, b := &e.view, &e.batch
	if b.Flat {
		e.fetch(axis)
		return
	}
	end := [3]int{0, y, z}
	end[axis]++
	var from, to [3]reach
	for k := range 3 {
		from[k], to[k] = v.reach(k, [3]int{0, y, z}[k]), v.reach(k, end[k])
	}
	from[0], to[0] = reach{1, 1, 1}, reach{1, 1, 1} // listed crossings have their neighbors along x
	s, iso, d := v.samples, v.iso, v.stride(axis)
	for m := b.Fetched; m < b.N; m++ {
		m := m & bits.BatchMask
		i := int(b.At[m])
		j := i + d
		b.A[m], b.B[m] = s[i]-iso, s[j]-iso
		b.AX[m], b.BX[m] = from[0].slope(s, i), to[0].slope(s, j)
		b.AY[m], b.BY[m] = from[1].slope(s, i), to[1].slope(s, j)
		b.AZ[m], b.BZ[m] = from[2].slope(s, i), to[2].slope(s, j)
	}
	if len(v.ground) != 0 {
		e.fetchDepths(axis)
	}
	b.Fetched = b.N
}

// fetchFlat is fetch without the gradients.
func (e *marcher) fetchFlat(axis int) {
	v, b := &e.view, &e.batch
	s, iso, d := v.samples, v.iso, v.stride(axis)
	for m := b.Fetched; m < b.N; m++ {
		m := m & bits.BatchMask
		i := int(b.At[m])
		b.A[m], b.B[m] = s[i]-iso, s[i+d]-iso
	}
	b.Fetched = b.N
}

// gatherSlow lists and collects the crossings of a word of a row anywhere, at the edge of the samples too.
func (e *marcher) gatherSlow(set uint64, axis, x, y, z int) {
	v, b := &e.view, &e.batch
	d := v.stride(axis)
	for ; set != 0; set &= set - 1 {
		at := [3]int{x + mathbits.TrailingZeros64(set), y, z}
		end := at
		end[axis]++
		m, i := b.N&bits.BatchMask, v.index(at[0], y, z)
		b.At[m], b.X[m], b.Y[m] = uint32(i), float32(at[0]-v.lo[0]-v.shift), float32(y-v.lo[1]-v.shift)
		b.A[m], b.B[m] = v.samples[i]-v.iso, v.samples[i+d]-v.iso
		b.AX[m], b.BX[m] = v.slope(at, 0), v.slope(end, 0)
		b.AY[m], b.BY[m] = v.slope(at, 1), v.slope(end, 1)
		b.AZ[m], b.BZ[m] = v.slope(at, 2), v.slope(end, 2)
		b.N++
	}
	if len(v.ground) != 0 {
		e.fetchDepths(axis)
	}
	b.Fetched = b.N
}

// fetchDepths collects the depths at both ends of the listed crossings along an axis.
func (e *marcher) fetchDepths(axis int) {
	v, b := &e.view, &e.batch
	if b.Fetched == b.N {
		return
	}
	z := int(b.At[b.Fetched&bits.BatchMask])/(v.n[0]*v.n[1]) + v.base // all lie in one plane
	from := v.ground[z*v.n[0] : (z+1)*v.n[0]]
	to, next := from, 0
	rise := int32(0)
	switch axis {
	case 0:
		next = 1
	case 1:
		rise = v.rise
	case 2:
		to = v.ground[(z+1)*v.n[0]:]
	}
	for m := b.Fetched; m < b.N; m++ {
		m := m & bits.BatchMask
		x, h := int(b.X[m])+v.lo[0]+v.shift, v.height+int32(int(b.Y[m])+v.lo[1]+v.shift)*v.rise
		b.DA[m], b.DB[m] = from[x]-float32(h), to[x+next]-float32(h+rise)
	}
}

// flush solves the batch and writes it to the mesh.
func (e *marcher) flush() {
	b := &e.batch
	if b.N == 0 {
		b.Runs = b.Runs[:0]
		return
	}
	if !b.Solve() {
		e.resolveDegenerate()
	}
	e.write()
	e.next += b.N
	b.N, b.Fetched = 0, 0
	b.Runs = b.Runs[:0]
}

// write writes the solved batch's vertices from number e.next on.
func (e *marcher) write() {
	b, to := &e.batch, e.out.Slice(e.next, e.batch.N)
	for k, r := range b.Runs {
		i, end := r.Start, b.EndOf(k)
		switch {
		case i == end:
		case b.Flat:
			b.Write(to.Positions[3*i:3*end], nil, r, e.view.scale)
		default:
			b.Write(to.Positions[3*i:3*end], to.Normals[3*i:3*end], r, e.view.scale)
		}
	}
	if len(e.view.materials) != 0 {
		e.writeMaterials(to.Materials)
	}
	if len(e.view.ground) != 0 {
		for i, depths := 0, to.Depths; i < len(depths); i++ {
			j := i & bits.BatchMask
			depths[i] = b.DA[j] + float32((b.DB[j]-b.DA[j])*b.T[j])
		}
	}
}
