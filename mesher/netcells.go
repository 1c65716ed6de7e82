package mesher

import (
	"math/bits"

	"github.com/terrane/terrane/geom"
)

// A netBatch collects the vertices of a surface net until they are solved together: for each the densities
// above the iso level at its cell's corners, the edges whose crossings it is the middle of, and the ground
// heights at its cell's columns. It is kept as one array to a number so that vectors run over it.
type netBatch struct {
	n      int
	weight [3]float32            // of the axes in a gradient
	x, y   [batchRoom]float32    // the cell
	d      [8][batchSize]float32 // density less iso at its corners
	edges  [batchSize]int32      // the edges of the part as bits
	ground [4][batchSize]float32 // ground height at its columns, x first, then z

	// The solution.
	p      [3][batchRoom]float32 // the vertex, from 0 to 1 in the cell
	normal [3][batchRoom]float32 // unit normal, pointing into the air
	level  [batchSize]float32    // ground height at the vertex
}

// snap added to a number from 0 to 1 and taken away again rounds it to a multiple of 1/8192. A vertex in a
// chunk's margin is then bit for bit the one in the neighbor's last cell, for chunks of up to 1024 cells:
// the place in the cell and the cell's number together fit into a float32. Coarser steps would show.
const snap = 1024

// solveGeneric solves the batch; it is what every other version must equal. It reports false if a vertex
// needs care.
func (b *netBatch) solveGeneric() bool {
	ok := true
	for i := range b.n {
		ok = b.solveOne(i) && ok
	}
	return ok
}

// pad repeats the last vertex up to a whole number of vectors.
func (b *netBatch) pad() {
	for i := b.n; i < (b.n+batchLanes-1)&^(batchLanes-1); i++ {
		i, j := i&batchMask, (i-1)&batchMask
		for c := range b.d {
			b.d[c][i] = b.d[c][j]
		}
		b.edges[i] = b.edges[j]
	}
}

// solveOne solves vertex i and reports whether float32 was good enough for it.
func (b *netBatch) solveOne(i int) bool {
	i &= batchMask
	var d [8]float32
	ok := true
	for c := range d {
		d[c] = b.d[c][i]
		ok = ok && d[c] > -largeDensity && d[c] < largeDensity
	}
	p := middle(&d, b.edges[i])
	g := cellGradient(&d, p)
	for axis := range g {
		g[axis] *= b.weight[axis]
	}
	l := float32(g[0]*g[0]) + float32(g[1]*g[1]) + float32(g[2]*g[2])
	inv := -1 / geom.Sqrt(l)
	for axis := range p {
		b.p[axis][i] = p[axis]
		b.normal[axis][i] = g[axis] * inv
	}
	b.level[i] = mix(mix(b.ground[0][i], b.ground[1][i], p[0]), mix(b.ground[2][i], b.ground[3][i], p[0]), p[2])
	return ok && l > tinySquare && l < hugeSquare
}

// middle returns the mean of the crossings of the given edges of a cell, rounded by snap.
func middle(d *[8]float32, edges int32) [3]float32 {
	var along [3]float32 // of each axis, the crossings of its edges along it
	var across [3]int32  // and how many of the others' lie on the high side of it
	var n int32
	for axis := range 3 {
		lower, upper := lowerOther[axis], upperOther[axis]
		for k := range 4 {
			e := axis*4 + k
			if edges>>e&1 == 0 {
				continue
			}
			a, b := edgeCorners[e][0], edgeCorners[e][1]
			along[axis] += d[a] / (d[a] - d[b])
			across[lower] += int32(k & 1)
			across[upper] += int32(k >> 1)
			n++
		}
	}
	for axis := range along {
		mean := (along[axis] + float32(across[axis])) / float32(n)
		along[axis] = (mean + snap) - snap
	}
	return along
}

// lowerOther and upperOther are the two axes beside an axis, in ascending order.
var (
	lowerOther = [3]int{1, 0, 0}
	upperOther = [3]int{2, 2, 1}
)

// cellGradient returns the gradient at p of the densities mixed from a cell's corners. It reads the cell
// alone, so that a chunk's margin of one sample is enough for the cells in it.
func cellGradient(d *[8]float32, p [3]float32) [3]float32 {
	return [3]float32{
		mix(mix(d[1]-d[0], d[3]-d[2], p[1]), mix(d[5]-d[4], d[7]-d[6], p[1]), p[2]),
		mix(mix(d[2]-d[0], d[3]-d[1], p[0]), mix(d[6]-d[4], d[7]-d[5], p[0]), p[2]),
		mix(mix(d[4]-d[0], d[5]-d[1], p[0]), mix(d[6]-d[2], d[7]-d[3], p[0]), p[1]),
	}
}

func mix(a, b, t float32) float32 { return a + float32((b-a)*t) }

// careful solves vertex i for any densities, axis by axis in float64.
func (b *netBatch) careful(i int) {
	i &= batchMask
	var d [8]float32
	for c := range d {
		d[c] = b.d[c][i]
	}
	var sum [3]float32
	var n float32
	for e, corners := range edgeCorners {
		if b.edges[i]>>e&1 == 0 {
			continue
		}
		axis := e >> 2
		sum[axis] += crossing(d[corners[0]], d[corners[1]])
		sum[lowerOther[axis]] += float32(e & 1)
		sum[upperOther[axis]] += float32(e >> 1 & 1)
		n++
	}
	var g [3]float64
	for e, corners := range edgeCorners {
		// Every edge pulls alike here: where densities are not finite, finer weights mean nothing.
		if from, to := tame(d[corners[0]]), tame(d[corners[1]]); from == from && to == to {
			g[e>>2] += to - from
		}
	}
	for axis := range g {
		g[axis] *= float64(b.weight[axis])
	}
	first := bits.TrailingZeros32(uint32(b.edges[i]))
	normal := direction(g, first>>2, d[edgeCorners[first][0]] > 0)
	for axis := range 3 {
		b.p[axis][i] = (sum[axis]/n + snap) - snap
		b.normal[axis][i] = normal[axis]
	}
	px, pz := b.p[0][i], b.p[2][i]
	b.level[i] = mix(mix(b.ground[0][i], b.ground[1][i], px), mix(b.ground[2][i], b.ground[3][i], px), pz)
}

// writePositionsGeneric writes the positions of the solved batch, whose cells lie at z. It is what every
// other version must equal.
func (b *netBatch) writePositionsGeneric(dst []float32, z float32, scale [3]float32) {
	for i := range b.n {
		p, i := (*[3]float32)(dst[3*i:]), i&batchMask
		p[0] = (b.x[i] + b.p[0][i]) * scale[0]
		p[1] = (b.y[i] + b.p[1][i]) * scale[1]
		p[2] = (z + b.p[2][i]) * scale[2]
	}
}

// writeNormalsGeneric writes the normals of the solved batch. It is what every other version must equal.
func (b *netBatch) writeNormalsGeneric(dst []float32) {
	for i := range b.n {
		p, i := (*[3]float32)(dst[3*i:]), i&batchMask
		p[0], p[1], p[2] = b.normal[0][i], b.normal[1][i], b.normal[2][i]
	}
}
