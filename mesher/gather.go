package mesher

import "math/bits"

// gather adds the crossings along an axis of plane z to the mesh: it lists them row by row, collects what
// each needs into the batch and has the batch solved whenever it is nearly full. Listing and collecting are
// two loops so that a wrong guess of where a word's bits end holds up no load.
func (e *marcher) gather(q *plane, axis, z int) {
	p, v, b := &e.planes, &e.view, &e.batch
	z0 := z - v.lo[2] - v.shift
	b.run(axis, z0)
	for y := p.from[axis]; y <= p.to[axis]; y++ {
		if q.count[axis][y] == 0 {
			continue
		}
		row, edge, inner := p.row(q.cross[axis], y), e.edge[axis], e.inner[axis].has(y, z)
		if !inner {
			b.fetch(v, axis)
			if v.rimRow(axis, y, z) {
				edge = e.every
			}
		}
		l := listing{row: row, edge: edge, at: uint32(v.index(0, y, z)), x: float32(-v.lo[0] - v.shift), y: float32(y - v.lo[1] - v.shift)}
		for i := b.list(&l, 0); i < len(row); i = b.list(&l, i) {
			if inner {
				b.fetch(v, axis)
			} else {
				b.fetchBorder(v, axis, y, z)
			}
			if b.n > batchFull {
				e.flush()
				b.run(axis, z0)
				continue
			}
			e.gatherSlow(row[i], axis, i*64, y, z)
			i++
		}
		if !inner {
			b.fetchBorder(v, axis, y, z)
		}
	}
	b.fetch(v, axis)
}

// fetch collects the densities and gradients of the listed crossings along an axis.
func (b *batch) fetch(v *view, axis int) {
	if b.flat {
		b.fetchFlat(v, axis)
		return
	}
	s, iso, d, nx := v.samples, v.iso, v.stride(axis), v.n[0]
	nxy := nx * v.n[1]
	for m := b.fetched; m < b.n; m++ {
		m := m & batchMask
		i := int(b.at[m])
		j := i + d
		b.a[m], b.b[m] = s[i]-iso, s[j]-iso
		b.ax[m], b.bx[m] = s[i+1]-s[i-1], s[j+1]-s[j-1]
		b.ay[m], b.by[m] = s[i+nx]-s[i-nx], s[j+nx]-s[j-nx]
		b.az[m], b.bz[m] = s[i+nxy]-s[i-nxy], s[j+nxy]-s[j-nxy]
	}
	if len(v.ground) != 0 {
		b.fetchDepths(v, axis)
	}
	b.fetched = b.n
}

// fetchBorder does what fetch does in a row whose crossings have neighbors past the edge of the samples on
// the two axes across it.
func (b *batch) fetchBorder(v *view, axis, y, z int) {
	if b.flat {
		b.fetch(v, axis)
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
	for m := b.fetched; m < b.n; m++ {
		m := m & batchMask
		i := int(b.at[m])
		j := i + d
		b.a[m], b.b[m] = s[i]-iso, s[j]-iso
		b.ax[m], b.bx[m] = from[0].slope(s, i), to[0].slope(s, j)
		b.ay[m], b.by[m] = from[1].slope(s, i), to[1].slope(s, j)
		b.az[m], b.bz[m] = from[2].slope(s, i), to[2].slope(s, j)
	}
	if len(v.ground) != 0 {
		b.fetchDepths(v, axis)
	}
	b.fetched = b.n
}

// fetchFlat is fetch without the gradients.
func (b *batch) fetchFlat(v *view, axis int) {
	s, iso, d := v.samples, v.iso, v.stride(axis)
	for m := b.fetched; m < b.n; m++ {
		m := m & batchMask
		i := int(b.at[m])
		b.a[m], b.b[m] = s[i]-iso, s[i+d]-iso
	}
	b.fetched = b.n
}

// gatherSlow lists and collects the crossings of a word of a row anywhere, at the edge of the samples too.
func (e *marcher) gatherSlow(set uint64, axis, x, y, z int) {
	v, b := &e.view, &e.batch
	d := v.stride(axis)
	for ; set != 0; set &= set - 1 {
		at := [3]int{x + bits.TrailingZeros64(set), y, z}
		end := at
		end[axis]++
		m, i := b.n&batchMask, v.index(at[0], y, z)
		b.at[m], b.x[m], b.y[m] = uint32(i), float32(at[0]-v.lo[0]-v.shift), float32(y-v.lo[1]-v.shift)
		b.a[m], b.b[m] = v.samples[i]-v.iso, v.samples[i+d]-v.iso
		b.ax[m], b.bx[m] = v.slope(at, 0), v.slope(end, 0)
		b.ay[m], b.by[m] = v.slope(at, 1), v.slope(end, 1)
		b.az[m], b.bz[m] = v.slope(at, 2), v.slope(end, 2)
		b.n++
	}
	if len(v.ground) != 0 {
		b.fetchDepths(v, axis)
	}
	b.fetched = b.n
}

// fetchDepths collects the depths at both ends of the listed crossings along an axis.
func (b *batch) fetchDepths(v *view, axis int) {
	if b.fetched == b.n {
		return
	}
	z := int(b.at[b.fetched&batchMask])/(v.n[0]*v.n[1]) + v.base // all lie in one plane
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
	for m := b.fetched; m < b.n; m++ {
		m := m & batchMask
		x, h := int(b.x[m])+v.lo[0]+v.shift, v.height+int32(int(b.y[m])+v.lo[1]+v.shift)*v.rise
		b.da[m], b.db[m] = from[x]-float32(h), to[x+next]-float32(h+rise)
	}
}

// flush solves the batch and writes it to the mesh.
func (e *marcher) flush() {
	b := &e.batch
	if b.n == 0 {
		b.runs = b.runs[:0]
		return
	}
	if !b.solve() {
		e.care()
	}
	e.write()
	e.next += b.n
	b.n, b.fetched = 0, 0
	b.runs = b.runs[:0]
}

// care solves again, in earnest, the crossings that need it, and notes those that fall on a sample.
func (e *marcher) care() {
	b, v := &e.batch, &e.view
	origin := [3]int{v.lo[0] + v.shift, v.lo[1] + v.shift, v.lo[2] + v.shift}
	for k, r := range b.runs {
		for i := r.start; i < b.endOf(k); i++ {
			fine, near := b.solveOne(i)
			if fine && !near {
				continue
			}
			at := [3]int{int(b.x[i]) + origin[0], int(b.y[i]) + origin[1], r.z + origin[2]}
			if !fine {
				var n [3]float32
				b.t[i], n = v.careful(at, r.axis)
				b.t[i] = (b.t[i] + v.snap) - v.snap
				b.nx[i], b.ny[i], b.nz[i] = n[0], n[1], n[2]
			}
			if e.noteTies {
				e.noteTie(at, r.axis, b.t[i], uint32(e.next+i))
			}
		}
	}
}

// write writes the solved batch's vertices from number e.next on.
func (e *marcher) write() {
	b, o := &e.batch, e.next
	pos, nrm := e.out.Positions[3*o:3*(o+b.n)], []float32(nil)
	if !b.flat {
		nrm = e.out.Normals[3*o : 3*(o+b.n)]
	}
	for k, r := range b.runs {
		i, end := r.start, b.endOf(k)
		switch {
		case i == end:
		case b.flat:
			b.writeRun(pos[3*i:3*end], nil, r, e.view.scale)
		default:
			b.writeRun(pos[3*i:3*end], nrm[3*i:3*end], r, e.view.scale)
		}
	}
	if len(e.view.ground) != 0 {
		dep := e.out.Depths[o : o+b.n]
		for i := range dep {
			i := i & batchMask
			dep[i] = b.da[i] + float32((b.db[i]-b.da[i])*b.t[i])
		}
	}
}

// writeGeneric writes the positions and, unless nrm is empty, the normals of a run. It is what every other version must equal.
func (b *batch) writeGeneric(pos, nrm []float32, r run, scale [3]float32) {
	var along [3]float32
	along[r.axis] = 1
	z := float32(r.z)
	for i := range len(pos) / 3 {
		p, j := (*[3]float32)(pos[3*i:]), (r.start+i)&batchMask
		t := b.t[j]
		p[0] = (b.x[j] + float32(along[0]*t)) * scale[0]
		p[1] = (b.y[j] + float32(along[1]*t)) * scale[1]
		p[2] = (z + float32(along[2]*t)) * scale[2]
		if len(nrm) != 0 {
			q := (*[3]float32)(nrm[3*i:])
			q[0], q[1], q[2] = b.nx[j], b.ny[j], b.nz[j]
		}
	}
}
