package noise

// A Rows evaluates a noise over whole grids, row by row along x, bit for bit as [Noise.At] would. It keeps
// what rows share: everything that depends on x alone, the hashes of the lattice points around, and these
// mixed across z and along x. That pays when rows come in the order of a grid: y fastest, then z (in two
// dimensions, z); any order is right.
//
// It keeps scratch memory: one per goroutine.
type Rows struct {
	n       *Noise
	x, dx   int32
	count   int
	octaves []octaveRows
}

// An octaveRows is the part of a Rows that concerns one octave.
type octaveRows struct {
	*octave
	kind Kind

	// Of every sample of a row: the place of its low lattice point in columns, its place in the cell, and the
	// fade of that.
	index  []int32
	fx, sx []float32
	// The lattice numbers along x that some sample needs, ascending.
	columns []uint32

	// Lattice rows by slot, kept while a grid's rows pass by (three dimensions only).
	tags    []latticeTag
	lattice []float32
	mask    uint32    // of the y cell in a slot number
	mixed   []float32 // a lattice row mixed across z

	edges [2]edge // of even and odd cells along y (in two dimensions, z)
}

// A latticeTag names the lattice row that a slot holds.
type latticeTag struct {
	y, z uint32
	ok   bool
}

// An edge is a lattice row mixed along x: for every sample the value on the row and, for gradients, the slope
// off it.
type edge struct {
	cell  uint32
	z     Phase
	ok    bool
	value []float32
	slope []float32
}

// maxSlots bounds the y cells whose lattice rows are kept. A chunk of 35 rows at half a cell a row needs 19.
const maxSlots = 64

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
	o.index = resize(o.index, count)
	o.fx, o.sx = resize(o.fx, count), resize(o.sx, count)
	o.columns = o.columns[:0]
	for i := range count {
		p := o.phase(0, x+int32(i)*dx)
		o.fx[i] = p.Fraction()
		o.sx[i] = fade(o.fx[i])
		o.index[i] = o.column(p.Cell())
	}
	n := len(o.columns)
	for i := range o.edges {
		e := &o.edges[i]
		e.ok, e.value = false, resize(e.value, count)
		if o.kind == Gradient {
			e.slope = resize(e.slope, count)
		}
	}
	o.mixed = resize(o.mixed, o.components(dims)*n)
	if dims == 2 {
		return
	}
	slots := uint32(2) // a grid as high as it is wide reaches this many cells along y, rounded up to 2ⁿ
	for slots < maxSlots && float64(slots) < 2+float64(count)*float64(dx)*o.step[1].Frequency() {
		slots *= 2
	}
	o.mask = slots - 1
	o.tags = resize(o.tags, int(2*slots))
	clear(o.tags)
	o.lattice = resize(o.lattice, int(2*slots)*3*n)
}

// components returns how many numbers a lattice point has.
func (o *octaveRows) components(dims int) int {
	if o.kind == Value {
		return 1
	}
	return dims
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

// edge returns the lattice row of a cell number along the axis mixed along x, in three dimensions first
// across z at the phase pz.
func (o *octaveRows) edge(cell uint32, axis int, pz Phase) *edge {
	e := &o.edges[cell&1]
	if e.ok && e.cell == cell && (axis == 2 || e.z == pz) {
		return e
	}
	e.ok, e.cell, e.z = true, cell, pz
	switch {
	case axis == 2 && o.kind == Value:
		latticeValues(o.mixed, o.columns, rowHash(o.seed, 0, cell), o.weight)
		expandValues(e.value, o.index, o.sx, o.mixed)
	case axis == 2:
		n := len(o.columns)
		x, z := o.mixed[:n], o.mixed[n:2*n]
		latticeGradients2(x, z, o.columns, rowHash(o.seed, 0, cell), o.weight)
		expandGradients2(e, o.index, o.fx, o.sx, x, z)
	case o.kind == Value:
		sz := fade(pz.Fraction())
		mixRows(o.mixed, o.row(cell, pz.Cell()), o.row(cell, pz.Cell()+1), sz)
		expandValues(e.value, o.index, o.sx, o.mixed)
	default:
		fz := pz.Fraction()
		r0, r1 := o.row(cell, pz.Cell()), o.row(cell, pz.Cell()+1)
		n := len(o.columns)
		mixRows(o.mixed[:2*n], r0[:2*n], r1[:2*n], fade(fz))
		mixSlopes(o.mixed[2*n:], r0[2*n:], r1[2*n:], fz, fade(fz))
		expandGradients3(e, o.index, o.fx, o.sx, o.mixed[:n], o.mixed[n:2*n], o.mixed[2*n:3*n])
	}
	return e
}

// row returns the lattice points along x at y, z: values, or slopes along x, then y, then z. It is good until
// the row at another y of the same slot, or at z+2, is asked for.
func (o *octaveRows) row(y, z uint32) []float32 {
	n := len(o.columns)
	size := o.components(3) * n
	slot := int(y&o.mask)<<1 | int(z&1)
	row := o.lattice[slot*size : (slot+1)*size]
	if t := (latticeTag{y, z, true}); o.tags[slot] != t {
		o.tags[slot] = t
		h := rowHash(o.seed, y, z)
		if o.kind == Value {
			latticeValues(row, o.columns, h, o.weight)
		} else {
			latticeGradients3(row[:n], row[n:2*n], row[2*n:], o.columns, h, o.weight)
		}
	}
	return row
}

// resize returns s with length n; its contents are undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
