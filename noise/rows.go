package noise

// A Rows evaluates a noise over whole grids, row by row along x, bit for bit as [Noise.At] would. It keeps
// what rows share: everything that depends on x alone, the rows of lattice points around mixed along x, and
// these mixed across z. That pays when rows come in the order of a grid: y fastest, then z (in two dimensions,
// z); any order is right.
//
// It keeps scratch memory: one per goroutine.
type Rows struct {
	n       *Noise
	x, dx   int32
	count   int
	octaves []octaveRows

	shifts  [3][]Shift // by axis, of a row of shifted places
	shifted [3]places  // of a row in one octave
}

// An octaveRows is the part of a Rows that concerns one octave.
type octaveRows struct {
	*octave
	kind Kind

	along places // of every sample of a row, for the kinds that share nothing else

	// Of every sample of a row: the place of its low lattice point in columns, its place in the cell, and the
	// fade of that.
	index  []int32
	fx, sx []float32
	// The lattice numbers along x that some sample needs, ascending.
	columns []uint32

	hashed []float32 // a lattice row

	// Lattice rows mixed along x by slot, kept while a grid's rows pass by (three dimensions only).
	tags  []latticeTag
	slots []latticeRow
	mask  uint32 // of the y cell in a slot number

	edges [2]edge // of even and odd cells along y (in two dimensions, z)
}

// A latticeTag names the lattice row that a slot holds.
type latticeTag struct {
	y, z uint32
	ok   bool
}

// A latticeRow is a row of lattice points mixed along x: for every sample the value on the row and, for
// gradients, the slopes off it along y and z.
type latticeRow struct{ value, y, z []float32 }

// An edge is a border between which rows of samples are interpolated: a lattice row, in three dimensions two of them mixed across z.
type edge struct {
	cell uint32
	z    Phase
	ok   bool
	// For every sample the value on the edge and, for gradients, the slope off it along y (in two dimensions,
	// z).
	value, slope []float32
}

// maxSlots bounds the y cells whose lattice rows are kept. A chunk of 35 rows at half a cell a row needs 19, a
// grid of 256 rows at a third of a cell 83; with fewer slots than that, rows are mixed anew for every z.
const maxSlots = 128

// NewRows returns an evaluator of n. Reset must be called before the first row.
func (n *Noise) NewRows() *Rows {
	r := &Rows{n: n, octaves: make([]octaveRows, len(n.octaves))}
	for i := range r.octaves {
		r.octaves[i].octave = &n.octaves[i]
		r.octaves[i].kind = n.kind
	}
	return r
}

// Reset makes rows start at the sample x and hold count samples, each dx from the last.
func (r *Rows) Reset(x, dx int32, count int) {
	if r.x == x && r.dx == dx && r.count == count {
		return
	}
	r.x, r.dx, r.count = x, dx, count
	for i := range r.octaves {
		r.octaves[i].reset(x, dx, count, r.n.dims)
	}
}

// Fill2 fills dst with rows of a noise in two dimensions: the first at z, each further one dz from the last.
func (r *Rows) Fill2(dst []float32, z, dz int32, rows int) {
	if r.n.dims != 2 {
		panic("noise: Fill2 of a noise in three dimensions")
	}
	r.fill(dst, 2, z, dz, rows, 0)
}

// Fill3 fills dst with rows of a noise in three dimensions at z: the first at y, each further one dy from the
// last.
func (r *Rows) Fill3(dst []float32, y, dy int32, rows int, z int32) {
	if r.n.dims != 3 {
		panic("noise: Fill3 of a noise in two dimensions")
	}
	r.fill(dst, 1, y, dy, rows, z)
}

// fill sums the octaves of rows that differ in their place on the axis, 1 or 2.
func (r *Rows) fill(dst []float32, axis int, first, step int32, rows int, z int32) {
	dst = dst[:rows*r.count]
	clear(dst)
	if r.n.kind > Gradient {
		r.fillPlaces(dst, axis, first, step, rows, z)
		return
	}
	var f, s [16]float32 // of each row of a run: the place in the cell and its fade
	for i := range r.octaves {
		o := &r.octaves[i]
		pz := o.phase(2, z)
		for row := 0; row < rows; {
			p := o.phase(axis, first+int32(row)*step)
			cell, run := p.Cell(), 0
			for p.Cell() == cell && run < len(f) && row+run < rows {
				f[run] = p.Fraction()
				s[run] = fade(f[run])
				run++
				p = o.phase(axis, first+int32(row+run)*step)
			}
			e0, e1 := o.edge(cell, axis, pz), o.edge(cell+1, axis, pz)
			o.add(dst[row*r.count:(row+run)*r.count], e0, e1, f[:run], s[:run])
			row += run
		}
	}
}

// fillPlaces is fill for the kinds of noise whose rows share little but their places.
func (r *Rows) fillPlaces(dst []float32, axis int, first, step int32, rows int, z int32) {
	for i := range r.octaves {
		o := &r.octaves[i]
		r.shifted[0] = o.along
		for a := 1; a < 3; a++ {
			r.shifted[a].resize(r.count)
		}
		for row := range rows {
			p := o.phase(axis, first+int32(row)*step).place()
			if o.kind == Simplex && axis == 1 && addSimplexRow(dst[row*r.count:][:r.count], o.octave, &o.along, p, o.phase(2, z).place()) {
				continue
			}
			r.shifted[axis].fill(p)
			if axis == 1 {
				r.shifted[2].fill(o.phase(2, z).place())
			}
			addPlaces(dst[row*r.count:][:r.count], o.octave, o.kind, r.n.dims, &r.shifted)
		}
	}
}

// add adds the octave's share to a run of rows between two edges.
func (o *octaveRows) add(dst []float32, e0, e1 *edge, f, s []float32) {
	fold := foldOf(o.octave)
	if o.kind == Value {
		addValue(dst, e0.value, e1.value, s, fold)
	} else {
		addGradient(dst, e0, e1, f, s, fold)
	}
}

func (o *octaveRows) reset(x, dx int32, count, dims int) {
	if o.kind > Gradient {
		o.along.resize(count)
		for i := range count {
			o.along.set(i, o.phase(0, x+int32(i)*dx).place())
		}
		return
	}
	o.index = resize(o.index, count)
	o.fx, o.sx = resize(o.fx, count), resize(o.sx, count)
	o.columns = o.columns[:0]
	for i := range count {
		p := o.phase(0, x+int32(i)*dx)
		o.fx[i] = p.Fraction()
		o.sx[i] = fade(o.fx[i])
		o.index[i] = o.column(p.Cell())
	}
	for last := o.columns[len(o.columns)-1]; len(o.columns)%latticeLanes() != 0; {
		last++
		o.columns = append(o.columns, last) // no sample needs it, but a vector of the others is whole
	}
	o.hashed = resize(o.hashed, dims*len(o.columns))
	for i := range o.edges {
		e := &o.edges[i]
		e.ok, e.value = false, resize(e.value, count)
		if o.kind == Gradient {
			e.slope = resize(e.slope, count)
		}
	}
	if dims == 2 {
		return
	}
	slots := uint32(2) // a grid as high as it is wide reaches this many cells along y, rounded up to 2ⁿ
	for slots < maxSlots && float64(slots) < 2+float64(count)*float64(dx)*o.step[1].Frequency() {
		slots *= 2
	}
	o.mask = slots - 1
	o.tags, o.slots = resize(o.tags, int(2*slots)), resize(o.slots, int(2*slots))
	for i := range o.slots {
		o.tags[i].ok = false
		r := &o.slots[i]
		r.value = resize(r.value, count)
		if o.kind == Gradient {
			r.y, r.z = resize(r.y, count), resize(r.z, count)
		}
	}
}

// column returns the place in columns of the lattice number c, which is not below an earlier one, and sees to
// it that c+1 is next.
func (o *octaveRows) column(c uint32) int32 {
	n := len(o.columns)
	switch {
	case n >= 2 && o.columns[n-2] == c:
		return int32(n - 2)
	case n >= 1 && o.columns[n-1] == c:
		o.columns = append(o.columns, c+1)
		return int32(n - 1)
	}
	o.columns = append(o.columns, c, c+1)
	return int32(n)
}

// edge returns the edge at a cell number along the axis, in three dimensions at the phase pz.
func (o *octaveRows) edge(cell uint32, axis int, pz Phase) *edge {
	e := &o.edges[cell&1]
	if e.ok && e.cell == cell && (axis == 2 || e.z == pz) {
		return e
	}
	e.ok, e.cell, e.z = true, cell, pz
	if axis == 2 {
		h := rowHash(o.seed, 0, cell)
		if o.kind == Value {
			o.mixValues(e.value, h)
		} else {
			n := len(o.columns)
			x, z := o.hashed[:n], o.hashed[n:2*n]
			latticeGradients2(x, z, o.columns, h, o.weight)
			mixGradients(e.value, o.index, o.fx, o.sx, x)
			mixAlong(e.slope, o.index, o.sx, z)
		}
		return e
	}
	f := pz.Fraction()
	r0, r1 := o.row(cell, pz.Cell()), o.row(cell, pz.Cell()+1)
	if o.kind == Value {
		mixRows(e.value, r0.value, r1.value, fade(f))
	} else {
		mixRows(e.slope, r0.y, r1.y, fade(f))
		mixSlopes(e.value, r0, r1, f, fade(f))
	}
	return e
}

// row returns the lattice points along x at y, z, mixed. It is good until the row at another y of the same
// slot, or at z+2, is asked for.
func (o *octaveRows) row(y, z uint32) *latticeRow {
	slot := int(y&o.mask)<<1 | int(z&1)
	r := &o.slots[slot]
	if t := (latticeTag{y, z, true}); o.tags[slot] != t {
		o.tags[slot] = t
		h := rowHash(o.seed, y, z)
		if o.kind == Value {
			o.mixValues(r.value, h)
		} else {
			n := len(o.columns)
			gx, gy, gz := o.hashed[:n], o.hashed[n:2*n], o.hashed[2*n:3*n]
			latticeGradients3(gx, gy, gz, o.columns, h, o.weight)
			mixGradients(r.value, o.index, o.fx, o.sx, gx)
			mixAlong(r.y, o.index, o.sx, gy)
			mixAlong(r.z, o.index, o.sx, gz)
		}
	}
	return r
}

// mixValues sets dst to the values of a lattice row mixed along x.
func (o *octaveRows) mixValues(dst []float32, row uint32) {
	v := o.hashed[:len(o.columns)]
	latticeValues(v, o.columns, row, o.weight)
	mixAlong(dst, o.index, o.sx, v)
}

// resize returns s with length n; its contents are undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// FillShifted fills dst with a row of samples looked up at places that lie off them: a row at y, z, shifted
// by the distances dx, dy, dz of [ShiftOf]. In two dimensions y and dy are ignored. Nothing is shared between
// rows or samples.
func (r *Rows) FillShifted(dst []float32, y, z int32, dx, dy, dz []float32) {
	n := r.count
	dst, dx, dz = dst[:n], dx[:n], dz[:n]
	clear(dst)
	for axis := range r.shifts {
		r.shifts[axis] = resize(r.shifts[axis], n)
		if r.n.kind > Gradient && axis == 0 {
			r.shifted[0] = places{} // it may be an octave's own
		}
		r.shifted[axis].resize(n)
	}
	for i := range dst {
		r.shifts[0][i], r.shifts[2][i] = ShiftOf(dx[i]), ShiftOf(dz[i])
	}
	if r.n.dims == 3 {
		for i, d := range dy[:n] {
			r.shifts[1][i] = ShiftOf(d)
		}
	}
	for i := range r.octaves {
		o := &r.octaves[i]
		o.shiftedPlaces(&r.shifted[0], 0, r.x, r.dx, r.shifts[0])
		o.shiftedPlaces(&r.shifted[2], 2, z, 0, r.shifts[2])
		if r.n.dims == 3 {
			o.shiftedPlaces(&r.shifted[1], 1, y, 0, r.shifts[1])
		}
		addPlaces(dst, o.octave, o.kind, r.n.dims, &r.shifted)
	}
}

// shiftedPlaces sets p to the places of samples that start at first, each step from the last.
func (o *octave) shiftedPlaces(p *places, axis int, first, step int32, shifts []Shift) {
	cell, fraction := p.cell[:len(shifts)], p.fraction[:len(shifts)]
	for i, s := range shifts {
		q := o.shifted(axis, first+int32(i)*step, s)
		cell[i], fraction[i] = q.Cell(), q.Fraction()
	}
}
