package mesher

import (
	"math/bits"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/cube"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// nets is the surface nets mesher: a vertex in the middle of each part of each cell's surface (cube.Parts)
// and a polygon round each crossed edge, which joins the parts that meet there.
//
// The seam rule: an edge of the lattice, and so its polygon, belongs to the chunk that has the edge's first
// sample on its low sides or inside (0 … Cells−1 along each axis). Chunks therefore reach half a cell or so
// past their low sides and stop as short of their high sides; the vertices they need from the margin are bit
// for bit those of the neighbor, and all chunks together are closed, each polygon there once.
type nets struct {
	view   view
	planes planes
	batch  netBatch
	out    *mesh.Mesh
	base   int // vertices before this mesh's
	next   int // number of the next vertex
	below  netSlab
	above  netSlab
	// owned holds, by the place of a cell on each axis (first, middle, last), its edges that count.
	owned   [3][3][3]uint16
	orphans bool     // a vertex may be unused
	remap   []uint32 // scratch of dropOrphans
}

// A netSlab holds what polygons need to know of the cells between two planes, by their place in the plane.
// Only cells with a vertex are set.
type netSlab struct {
	first []uint32 // number of the cell's first vertex
	cases []uint8
}

// netCase is how a case's parts lie.
type netCase struct {
	n     uint8
	edges [4]uint16 // of each part
	// part holds for each edge the part round it, with manyParts set if there are more than this one.
	part [cube.Edges]uint8
	fans [cube.Edges]netFan
}

// A netFan holds the parts that meet at a crossed edge, in order across the cell from the face from on.
type netFan struct {
	n     int
	parts [3]uint8
	from  uint8
}

const manyParts = 0x80

var (
	netCases    [cube.Cases]netCase
	edgeCorners [cube.Edges][2]uint8
	// ringEdges holds for each axis the edge that the four cells round an edge along it have there, and
	// ringFaces the face that each of the four shares with the one before. The four go round
	// counter-clockwise seen from the axis' high end.
	ringEdges [3][4]uint8
	ringFaces [3][4]uint8
)

func init() {
	for e := range cube.Edges {
		a, b := cube.EdgeCorners(e)
		edgeCorners[e] = [2]uint8{uint8(a), uint8(b)}
	}
	for c := range cube.Cases {
		netCases[c] = makeNetCase(cube.Parts(uint8(c)))
	}
	// Round x, from y to z; round y, from z to x; round z, from x to y. The cell on the low side of both
	// comes first; its edge is the one on its own high sides.
	for axis := range 3 {
		u, v := lowerOther[axis], upperOther[axis]
		if axis == 1 {
			u, v = v, u
		}
		for k, high := range [4][2]int{{1, 1}, {0, 1}, {0, 0}, {1, 0}} {
			place := 0
			for i, other := range [2]int{u, v} {
				if other == upperOther[axis] {
					place |= high[i] << 1
				} else {
					place |= high[i]
				}
			}
			ringEdges[axis][k] = uint8(axis*4 + place)
			ringFaces[axis][k] = uint8([4]int{2*v + 1, 2 * u, 2 * v, 2*u + 1}[k])
		}
	}
}

// makeNetCase turns the parts of a case into tables.
func makeNetCase(parts []cube.Part) netCase {
	k := netCase{n: uint8(len(parts))}
	for i, p := range parts {
		k.edges[i] = p.Mask()
	}
	for e := range cube.Edges {
		f := fanOf(parts, uint8(e))
		if f.n == 0 {
			continue
		}
		k.fans[e] = f
		k.part[e] = f.parts[0]
		if f.n > 1 {
			k.part[e] |= manyParts
		}
	}
	return k
}

// fanOf orders the parts round an edge: the first has the line that comes in, and each next one lies across
// the chord that the one before leaves the edge by.
func fanOf(parts []cube.Part, e uint8) (f netFan) {
	find := func(match func(p *cube.Part, in, out int) bool) int {
		for i := range parts {
			p := &parts[i]
			for out, edge := range p.Edges {
				in := (out + len(p.Edges) - 1) % len(p.Edges)
				if edge == e && match(p, in, out) {
					return i
				}
			}
		}
		return -1
	}
	var other uint8 // the far end of the chord last crossed
	next := find(func(p *cube.Part, in, out int) bool {
		if p.Faces[in] == cube.Chord {
			return false
		}
		f.from = p.Faces[in]
		return true
	})
	for next >= 0 {
		f.parts[f.n] = uint8(next)
		f.n++
		p, crossed := &parts[next], false
		for out, edge := range p.Edges {
			if edge == e && p.Faces[out] == cube.Chord {
				other, crossed = p.Edges[(out+1)%len(p.Edges)], true
			}
		}
		if !crossed {
			break
		}
		next = find(func(p *cube.Part, in, out int) bool {
			return p.Faces[in] == cube.Chord && p.Edges[in] == other
		})
	}
	return f
}

// Mesh implements Mesher. It does not close the seam toward finer neighbors: finer is ignored.
func (k *nets) Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces) {
	k.view = chunkView(g, 0, g.Cells+1)
	k.view.shift = 1
	k.extract(m, 1)
}

// extract appends the surface of the view to m. An edge counts if its first sample is at least lo+first
// along its own axis and lies past lo and short of hi along the others.
func (k *nets) extract(m *mesh.Mesh, first int) {
	v, p := &k.view, &k.planes
	k.out, k.base, k.next, k.orphans = m, m.Vertices(), m.Vertices(), false
	x, y := [2]int{v.lo[0] + 1, v.hi[0] - 1}, [2]int{v.lo[1] + 1, v.hi[1] - 1}
	p.reset(v, [3]starts{
		{v.lo[0] + first, x[1], y[0], y[1]},
		{x[0], x[1], v.lo[1] + first, y[1]},
		{x[0], x[1], y[0], y[1]},
	})
	k.findOwned(first)
	for _, s := range []*netSlab{&k.below, &k.above} {
		s.first = resize(s.first, v.n[0]*v.n[1])
		s.cases = resize(s.cases, v.n[0]*v.n[1])
	}
	p.start(v, v.lo[2], v.hi[2])
	p.noCrossings(p.upper, 0)
	p.noCrossings(p.upper, 1)
	for z := v.lo[2]; z < v.hi[2]; z++ {
		p.advance(v, z, v.hi[2])
		k.below, k.above = k.above, k.below
		p.noCrossings(p.lower, 2)
		if z >= v.lo[2]+first {
			p.crossBetween(0)
		}
		if z+1 < v.hi[2] {
			p.crossInPlane(p.upper, 0)
		} else {
			p.noCrossings(p.upper, 0)
			p.noCrossings(p.upper, 1)
		}
		k.vertices(z)
		k.polygons(z)
	}
	if k.orphans {
		k.dropOrphans()
	}
	k.out = nil
}

// findOwned works out which edges of a cell count.
func (k *nets) findOwned(first int) {
	for class := range 27 {
		at := [3]int{class % 3, class / 3 % 3, class / 9}
		var set uint16
		for e := range cube.Edges {
			counts := true
			for axis := range 3 {
				high := int(edgeCorners[e][0]) >> axis & 1
				switch {
				case axis == e>>2:
					counts = counts && (at[axis] > 0 || first == 0)
				case at[axis] == 0:
					counts = counts && high == 1
				case at[axis] == 2:
					counts = counts && high == 0
				}
			}
			if counts {
				set |= 1 << e
			}
		}
		k.owned[at[0]][at[1]][at[2]] = set
	}
}

// class returns 0 for the first cell along an axis, 2 for the last and 1 for the others. A row of one cell
// has no edge that counts.
func (k *nets) class(i, axis int) int {
	switch i {
	case k.view.lo[axis]:
		return 0
	case k.view.hi[axis] - 1:
		return 2
	}
	return 1
}

// vertices adds the vertices of the cells between planes z and z+1.
func (k *nets) vertices(z int) {
	p, v := &k.planes, &k.view
	l, u, w := p.lower, p.upper, p.words
	for y := v.lo[1]; y < v.hi[1]; y++ {
		r0, r1 := y*w, y*w+w
		for i := range w {
			across := l.cross[1][r0+i] | u.cross[1][r0+i] | l.cross[2][r0+i] | l.cross[2][r1+i]
			after := across >> 1
			if i+1 < w {
				after |= (l.cross[1][r0+i+1] | u.cross[1][r0+i+1] | l.cross[2][r0+i+1] | l.cross[2][r1+i+1]) << 63
			}
			active := l.cross[0][r0+i] | l.cross[0][r1+i] | u.cross[0][r0+i] | u.cross[0][r1+i] | across | after
			if active == 0 {
				continue
			}
			if k.batch.n > batchSize-4*64 {
				k.flush(z)
			}
			for ; active != 0; active &= active - 1 {
				k.cell(i*64+bits.TrailingZeros64(active), y, z)
				if k.batch.n > batchSize-4 {
					k.flush(z)
				}
			}
		}
	}
	k.flush(z)
}

// cell adds the vertices of one cell to the batch.
func (k *nets) cell(x, y, z int) {
	v, b := &k.view, &k.batch
	at := v.index(x, y, z)
	nx := v.n[0]
	var d [8]float32
	s := v.samples[at:]
	d[0], d[1], d[2], d[3] = s[0]-v.iso, s[1]-v.iso, s[nx]-v.iso, s[nx+1]-v.iso
	s = s[nx*v.n[1]:]
	d[4], d[5], d[6], d[7] = s[0]-v.iso, s[1]-v.iso, s[nx]-v.iso, s[nx+1]-v.iso
	var c uint8
	for i, f := range d {
		c |= uint8(above(f, 0)) << i
	}
	place := y*nx + x
	k.above.first[place] = uint32(k.next + b.n)
	k.above.cases[place] = c
	n := &netCases[c]
	if n.n > 1 {
		owned := k.owned[k.class(x, 0)][k.class(y, 1)][k.class(z, 2)]
		for _, edges := range n.edges[:n.n] {
			k.orphans = k.orphans || edges&owned == 0
		}
	}
	for _, edges := range n.edges[:n.n&7] {
		i := b.n & batchMask
		b.x[i], b.y[i] = float32(x-v.lo[0]-v.shift), float32(y-v.lo[1]-v.shift)
		b.edges[i] = uint32(edges)
		for c, f := range d {
			b.d[c][i] = f
		}
		if len(v.ground) != 0 {
			g := v.ground[z*nx+x:]
			b.ground[0][i], b.ground[1][i], b.ground[2][i], b.ground[3][i] = g[0], g[1], g[nx], g[nx+1]
		}
		b.n++
	}
}

// flush solves the batch and writes it to the mesh.
func (k *nets) flush(z int) {
	b, v := &k.batch, &k.view
	if b.n == 0 {
		return
	}
	if !b.solve() {
		for i := range b.n {
			if !b.solveOne(i) {
				b.careful(i)
			}
		}
	}
	m, o := k.out, k.next
	m.Positions, m.Normals = extend(m.Positions, 3*(o+b.n)), extend(m.Normals, 3*(o+b.n))
	fz := float32(z - v.lo[2] - v.shift)
	for i := range b.n {
		i := i & batchMask
		p, q := (*[3]float32)(m.Positions[3*(o+i):]), (*[3]float32)(m.Normals[3*(o+i):])
		p[0] = (b.x[i] + b.p[0][i]) * v.scale[0]
		p[1] = (b.y[i] + b.p[1][i]) * v.scale[1]
		p[2] = (fz + b.p[2][i]) * v.scale[2]
		q[0], q[1], q[2] = b.normal[0][i], b.normal[1][i], b.normal[2][i]
	}
	if len(v.ground) != 0 {
		m.Depths = extend(m.Depths, o+b.n)
		for i := range b.n {
			i := i & batchMask
			y := v.heightOf(int(b.y[i]) + v.lo[1] + v.shift)
			m.Depths[o+i] = b.level[i] - y - float32(b.p[1][i]*float32(v.rise))
		}
	}
	k.next += b.n
	b.n = 0
}

// polygons adds the polygons round the edges of plane z that run along x and y, and round those from it to
// the next along z.
func (k *nets) polygons(z int) {
	p, v := &k.planes, &k.view
	l, w, nx := p.lower, p.words, v.n[0]
	for axis := range 3 {
		// The four cells round an edge, from the one on the edge's high sides.
		ring := [4]netCorner{{&k.below, -nx}, {&k.below, 0}, {&k.above, 0}, {&k.above, -nx}}
		switch axis {
		case 1:
			ring = [4]netCorner{{&k.below, -1}, {&k.above, -1}, {&k.above, 0}, {&k.below, 0}}
		case 2:
			ring = [4]netCorner{{&k.above, -nx - 1}, {&k.above, -nx}, {&k.above, 0}, {&k.above, -1}}
		}
		for y := p.from[axis]; y <= p.to[axis]; y++ {
			if l.count[axis][y] == 0 {
				continue
			}
			for i, set := range l.cross[axis][y*w : y*w+w] {
				if set == 0 {
					continue
				}
				for solid := l.solid[y*w+i]; set != 0; set &= set - 1 {
					x := bits.TrailingZeros64(set)
					k.polygon(&ring, [3]int{i*64 + x, y, z}, axis, solid>>x&1 != 0)
				}
			}
		}
	}
}

// A netCorner is one of the cells round an edge: its slab and its place from that of the edge's start.
type netCorner struct {
	slab  *netSlab
	shift int
}

// polygon adds the polygon round the edge that starts at a sample and runs along an axis.
func (k *nets) polygon(ring *[4]netCorner, at [3]int, axis int, solidFirst bool) {
	place := at[1]*k.view.n[0] + at[0]
	var id [4]uint32
	var many uint8
	for i := range ring {
		r := &ring[i]
		j := place + r.shift
		part := netCases[r.slab.cases[j]].part[ringEdges[axis][i]]
		many |= part
		id[i] = r.slab.first[j] + uint32(part&^manyParts)
	}
	if many&manyParts != 0 {
		k.wide(ring, at, axis, solidFirst)
		return
	}
	if !solidFirst {
		id[1], id[3] = id[3], id[1]
	}
	m := k.out
	if k.distance(id[0], id[2]) <= k.distance(id[1], id[3]) {
		m.Indices = append(m.Indices, id[0], id[1], id[2], id[0], id[2], id[3])
	} else {
		m.Indices = append(m.Indices, id[1], id[2], id[3], id[1], id[3], id[0])
	}
}

// distance returns the square of the distance between two vertices. Coordinates are multiples of 1/8192
// cell, so their differences are exact and do not depend on the chunk.
func (k *nets) distance(a, b uint32) float32 {
	p, q := (*[3]float32)(k.out.Positions[3*a:]), (*[3]float32)(k.out.Positions[3*b:])
	x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return float32(x*x) + float32(y*y) + float32(z*z)
}

// wide adds a polygon with more than four corners as a fan round a vertex of its own where the edge is
// crossed: any diagonal could be an edge of another polygon too.
func (k *nets) wide(ring *[4]netCorner, at [3]int, axis int, solidFirst bool) {
	var ids [12]uint32
	n := 0
	place := at[1]*k.view.n[0] + at[0]
	for i, r := range ring {
		j := place + r.shift
		fan := &netCases[r.slab.cases[j]].fans[ringEdges[axis][i]]
		for q := range fan.n {
			if fan.from != ringFaces[axis][i] {
				q = fan.n - 1 - q
			}
			ids[n] = r.slab.first[j] + uint32(fan.parts[q])
			n++
		}
	}
	mid := k.crossingVertex(at, axis)
	m := k.out
	for i := range n {
		a, b := ids[i], ids[(i+1)%n]
		if !solidFirst {
			a, b = b, a
		}
		m.Indices = append(m.Indices, mid, a, b)
	}
}

// crossingVertex adds a vertex where an edge is crossed, as marching cubes would, and returns its number.
func (k *nets) crossingVertex(at [3]int, axis int) uint32 {
	v, m := &k.view, k.out
	t, normal := v.careful(at, axis)
	t = (t + snap) - snap
	for i := range at {
		p := float32(at[i] - v.lo[i] - v.shift)
		if i == axis {
			p += t
		}
		m.Positions = append(m.Positions, p*v.scale[i])
	}
	m.Normals = append(m.Normals, normal[0], normal[1], normal[2])
	if len(v.ground) != 0 {
		end := at
		end[axis]++
		from := v.ground[at[2]*v.n[0]+at[0]] - v.heightOf(at[1])
		to := v.ground[end[2]*v.n[0]+end[0]] - v.heightOf(end[1])
		m.Depths = append(m.Depths, mix(from, to, t))
	}
	k.next++
	return uint32(k.next - 1)
}

// dropOrphans removes the vertices this mesh does not use: a cell at the end of the view may have a part
// whose edges are all another chunk's.
func (k *nets) dropOrphans() {
	m := k.out
	k.remap = resize(k.remap, k.next-k.base)
	clear(k.remap)
	own := m.Indices
	for i := len(own) - 1; i >= 0 && int(own[i]) >= k.base; i-- {
		k.remap[int(own[i])-k.base] = 1
	}
	n := k.base
	for i, used := range k.remap {
		if used == 0 {
			continue
		}
		from := k.base + i
		k.remap[i] = uint32(n)
		copy(m.Positions[3*n:3*n+3], m.Positions[3*from:3*from+3])
		copy(m.Normals[3*n:3*n+3], m.Normals[3*from:3*from+3])
		if len(k.view.ground) != 0 {
			m.Depths[n] = m.Depths[from]
		}
		n++
	}
	for i := len(own) - 1; i >= 0 && int(own[i]) >= k.base; i-- {
		own[i] = k.remap[int(own[i])-k.base]
	}
	m.Positions, m.Normals = m.Positions[:3*n], m.Normals[:3*n]
	if len(k.view.ground) != 0 {
		m.Depths = m.Depths[:n]
	}
}

// lowestBit returns the number of the lowest bit of a set that is not empty.
func lowestBit(set uint32) int { return bits.TrailingZeros32(set) }
