package mesher

import "math/bits"

// A window is the samples round a word of a row: the one before it, its 64 and the one after.
type window = [66]float32

// gather adds the crossings along an axis of plane z to the mesh: it walks the set bits row by row, collects
// what each crossing needs into the batch and has the batch solved whenever it is nearly full.
func (e *extractor) gather(q *plane, axis, z int) {
	w := e.planes.words
	for y := e.planes.from[axis]; y <= e.planes.to[axis]; y++ {
		if q.base[axis][y] == q.base[axis][y+1] {
			continue
		}
		for i, set := range q.cross[axis][y*w : y*w+w] {
			if set == 0 {
				continue
			}
			if e.batch.n > batchSize-64 {
				e.flush(axis, z)
			}
			if !e.gatherFast(set, axis, i*64, y, z) {
				e.gatherSlow(set, axis, i*64, y, z)
			}
		}
	}
	e.flush(axis, z)
}

// gatherFast collects the crossings of the word of a row that starts at x, y, z. It reports false, and has
// done nothing, if one of them has a neighbor past the edge of the samples.
func (e *extractor) gatherFast(set uint64, axis, x, y, z int) bool {
	v, b := &e.view, &e.batch
	d, nx, nxy := v.stride(axis), v.n[0], v.n[0]*v.n[1]
	at := v.index(x, y, z) - 1
	if set&e.edge[axis][x>>6] != 0 || !e.inner[axis].has(y, z) || at+d+nxy+len(window{}) > len(v.samples) {
		return false
	}
	s, iso := v.samples, v.iso
	c, cy, cY := (*window)(s[at:]), (*window)(s[at-nx:]), (*window)(s[at+nx:])
	cz, cZ := (*window)(s[at-nxy:]), (*window)(s[at+nxy:])
	at += d
	o, oy, oY := (*window)(s[at:]), (*window)(s[at-nx:]), (*window)(s[at+nx:])
	oz, oZ := (*window)(s[at-nxy:]), (*window)(s[at+nxy:])
	fx, fy := float32(x-v.lo[0]), float32(y-v.lo[1])
	n := b.n
	for rest := set; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest) & 63
		i := n & batchMask
		b.x[i], b.y[i] = fx+float32(int32(k)), fy
		b.a[i], b.b[i] = c[k+1]-iso, o[k+1]-iso
		b.ax[i], b.bx[i] = c[k+2]-c[k], o[k+2]-o[k]
		b.ay[i], b.by[i] = cY[k+1]-cy[k+1], oY[k+1]-oy[k+1]
		b.az[i], b.bz[i] = cZ[k+1]-cz[k+1], oZ[k+1]-oz[k+1]
		n++
	}
	if len(v.ground) != 0 {
		e.gatherDepths(set, axis, x, y, z)
	}
	b.n = n
	return true
}

// gatherSlow does what gatherFast does anywhere.
func (e *extractor) gatherSlow(set uint64, axis, x, y, z int) {
	v, b := &e.view, &e.batch
	d := v.stride(axis)
	n := b.n
	for rest := set; rest != 0; rest &= rest - 1 {
		at := [3]int{x + bits.TrailingZeros64(rest), y, z}
		end := at
		end[axis]++
		i, j := n&batchMask, v.index(at[0], y, z)
		b.x[i], b.y[i] = float32(at[0]-v.lo[0]), float32(y-v.lo[1])
		b.a[i], b.b[i] = v.samples[j]-v.iso, v.samples[j+d]-v.iso
		b.ax[i], b.bx[i] = v.slope(at, 0), v.slope(end, 0)
		b.ay[i], b.by[i] = v.slope(at, 1), v.slope(end, 1)
		b.az[i], b.bz[i] = v.slope(at, 2), v.slope(end, 2)
		n++
	}
	if len(v.ground) != 0 {
		e.gatherDepths(set, axis, x, y, z)
	}
	b.n = n
}

// gatherDepths collects the depths at both ends of the crossings of a word.
func (e *extractor) gatherDepths(set uint64, axis, x, y, z int) {
	v, b := &e.view, &e.batch
	from := v.ground[z*v.n[0]+x:]
	to, h0, h1 := from, v.heightOf(y), v.heightOf(y)
	switch axis {
	case 0:
		to = from[1:]
	case 1:
		h1 = v.heightOf(y + 1)
	case 2:
		to = from[v.n[0]:]
	}
	n := b.n
	for rest := set; rest != 0; rest &= rest - 1 {
		i, k := n&batchMask, bits.TrailingZeros64(rest)
		b.da[i], b.db[i] = from[k]-h0, to[k]-h1
		n++
	}
}

// flush solves the batch and writes it to the mesh.
func (e *extractor) flush(axis, z int) {
	b, v := &e.batch, &e.view
	if b.n == 0 {
		return
	}
	if !b.solve() {
		for i := range b.n {
			if !b.solveOne(i) {
				at := [3]int{int(b.x[i]) + v.lo[0], int(b.y[i]) + v.lo[1], z}
				var n [3]float32
				b.t[i], n = v.careful(at, axis)
				b.nx[i], b.ny[i], b.nz[i] = n[0], n[1], n[2]
			}
		}
	}
	e.write(axis, float32(z-v.lo[2]))
	e.next += b.n
	b.n = 0
}

// write writes the solved batch's vertices from number e.next on.
func (e *extractor) write(axis int, z float32) {
	b, o := &e.batch, e.next
	n := b.n & (2*batchSize - 1)
	s := e.view.scale
	pos, nrm := e.out.Positions[3*o:3*(o+n)], e.out.Normals[3*o:3*(o+n)]
	var along [3]float32
	along[axis] = 1
	for i := range n {
		i := i & batchMask
		t := b.t[i]
		p, q := (*[3]float32)(pos[3*i:]), (*[3]float32)(nrm[3*i:])
		p[0] = (b.x[i] + float32(along[0]*t)) * s[0]
		p[1] = (b.y[i] + float32(along[1]*t)) * s[1]
		p[2] = (z + float32(along[2]*t)) * s[2]
		q[0], q[1], q[2] = b.nx[i], b.ny[i], b.nz[i]
	}
	if len(e.view.ground) != 0 {
		dep := e.out.Depths[o : o+n]
		for i := range dep {
			i := i & batchMask
			dep[i] = b.da[i] + float32((b.db[i]-b.da[i])*b.t[i])
		}
	}
}
