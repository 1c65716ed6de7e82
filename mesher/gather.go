package mesher

import "math/bits"

// gather adds the crossings along an axis of plane z to the mesh: it walks the set bits row by row, collects
// what each crossing needs into the batch and has the batch solved whenever it is nearly full.
func (e *extractor) gather(q *plane, axis, z int) {
	p, v, b := &e.planes, &e.view, &e.batch
	b.run(axis, z-v.lo[2])
	for y := p.from[axis]; y <= p.to[axis]; y++ {
		if q.count[axis][y] == 0 {
			continue
		}
		inner := e.inner[axis].has(y, z)
		for i, set := range p.row(q.cross[axis], y) {
			if set == 0 {
				continue
			}
			if b.n > batchSize-64 {
				e.flush()
				b.run(axis, z-v.lo[2])
			}
			if len(v.ground) != 0 {
				e.gatherDepths(set, axis, i*64, y, z)
			}
			if inner && set&e.edge[axis][i] == 0 {
				b.gatherInner(set, v, v.index(i*64, y, z), v.stride(axis), float32(i*64-v.lo[0]), float32(y-v.lo[1]))
			} else {
				e.gatherSlow(set, axis, i*64, y, z)
			}
		}
	}
}

// gatherInner collects the crossings of the word of a row that starts at sample at, none of which has a
// neighbor past the edge of the samples.
func (b *batch) gatherInner(set uint64, v *view, at, d int, x, y float32) {
	s, nx, iso := v.samples, v.n[0], v.iso
	nxy := nx * v.n[1]
	n := b.n
	for ; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set)
		i := at + k
		j := i + d
		m := n & batchMask
		b.x[m], b.y[m] = x+float32(int32(k)), y
		b.a[m], b.b[m] = s[i]-iso, s[j]-iso
		b.ax[m], b.bx[m] = s[i+1]-s[i-1], s[j+1]-s[j-1]
		b.ay[m], b.by[m] = s[i+nx]-s[i-nx], s[j+nx]-s[j-nx]
		b.az[m], b.bz[m] = s[i+nxy]-s[i-nxy], s[j+nxy]-s[j-nxy]
		n++
	}
	b.n = n
}

// gatherSlow does what gatherInner does anywhere.
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
func (e *extractor) flush() {
	b, v := &e.batch, &e.view
	if b.n == 0 {
		b.runs = b.runs[:0]
		return
	}
	if !b.solve() {
		for k, r := range b.runs {
			for i := r.start; i < b.endOf(k); i++ {
				if !b.solveOne(i) {
					at := [3]int{int(b.x[i]) + v.lo[0], int(b.y[i]) + v.lo[1], r.z + v.lo[2]}
					var n [3]float32
					b.t[i], n = v.careful(at, r.axis)
					b.nx[i], b.ny[i], b.nz[i] = n[0], n[1], n[2]
				}
			}
		}
	}
	e.write()
	e.next += b.n
	b.n = 0
	b.runs = b.runs[:0]
}

// write writes the solved batch's vertices from number e.next on.
func (e *extractor) write() {
	b, o, s := &e.batch, e.next, e.view.scale
	n := b.n & (2*batchSize - 1)
	pos, nrm := e.out.Positions[3*o:3*(o+n)], e.out.Normals[3*o:3*(o+n)]
	for k, r := range b.runs {
		var along [3]float32
		along[r.axis] = 1
		z := float32(r.z)
		for i := r.start; i < b.endOf(k); i++ {
			p, q, i := (*[3]float32)(pos[3*i:]), (*[3]float32)(nrm[3*i:]), i&batchMask
			t := b.t[i]
			p[0] = (b.x[i] + float32(along[0]*t)) * s[0]
			p[1] = (b.y[i] + float32(along[1]*t)) * s[1]
			p[2] = (z + float32(along[2]*t)) * s[2]
			q[0], q[1], q[2] = b.nx[i], b.ny[i], b.nz[i]
		}
	}
	if len(e.view.ground) != 0 {
		dep := e.out.Depths[o : o+n]
		for i := range dep {
			i := i & batchMask
			dep[i] = b.da[i] + float32((b.db[i]-b.da[i])*b.t[i])
		}
	}
}
