package solve

import (
	mathbits "math/bits"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/bits"
	"github.com/terrane/terrane/internal/kernel/cube"
)

// A NetBatch collects the vertices of a surface net until they are solved together: for each the densities
// above the iso level at its cell's corners, the edges whose crossings it is the middle of, and the ground
// heights at its cell's columns. It is kept as one array to a number so that vectors run over it.
type NetBatch struct {
	N      int
	Weight [3]float32                 // of the axes in a gradient
	X, Y   [bits.BatchRoom]float32    // the cell
	D      [8][bits.BatchSize]float32 // density less iso at its corners
	Edges  [bits.BatchSize]int32      // the edges of the part as bits
	Ground [4][bits.BatchSize]float32 // ground height at its columns, x first, then z

	// The solution.
	P      [3][bits.BatchRoom]float32 // the vertex, from 0 to 1 in the cell
	Normal [3][bits.BatchRoom]float32 // unit normal, pointing into the air
	Level  [bits.BatchSize]float32    // ground height at the vertex
}

// snap added to a number from 0 to 1 and taken away again rounds it to a multiple of 1/8192: floats from 1024 to 2048
// are 2¹⁰⁻²³ = 2⁻¹³ apart. A vertex in a chunk's margin is then bit for bit the one in the neighbor's last cell, for
// chunks of up to 1024 cells: the cell's number takes 10 bits, the place in it 13, and a float32 has 24. A smaller snap
// would leave the two a rounding apart, and a crack; a larger one would round to steps that show.
const snap = 1024

// solveGeneric solves the batch; it is what every other version must equal. It reports false if
// float32 was not good enough for a vertex.
func (b *NetBatch) solveGeneric() bool {
	ok := true
	for i := range b.N {
		ok = b.SolveOne(i) && ok
	}
	return ok
}

// insideGeneric reports whether all solved vertices lie inside their cells, none on a face. It is what every
// other version must equal.
func (b *NetBatch) insideGeneric() bool {
	for axis := range b.P {
		for _, p := range b.P[axis][:b.N] {
			if !(p > 0 && p < 1) {
				return false
			}
		}
	}
	return true
}

// pad repeats the last vertex up to a whole number of vectors.
func (b *NetBatch) pad() {
	for i := b.N; i < (b.N+bits.BatchLanes-1)&^(bits.BatchLanes-1); i++ {
		i, j := i&bits.BatchMask, (i-1)&bits.BatchMask
		for c := range b.D {
			b.D[c][i] = b.D[c][j]
		}
		b.Edges[i] = b.Edges[j]
	}
}

// SolveOne solves vertex i and reports whether float32 was good enough for it.
func (b *NetBatch) SolveOne(i int) bool {
	i &= bits.BatchMask
	var d [8]float32
	ok := true
	for c := range d {
		d[c] = b.D[c][i]
		ok = ok && d[c] > -largeDensity && d[c] < largeDensity
	}
	p := middle(&d, b.Edges[i])
	g := cellGradient(&d, p)
	for axis := range g {
		g[axis] *= b.Weight[axis]
	}
	l := float32(g[0]*g[0]) + float32(g[1]*g[1]) + float32(g[2]*g[2])
	inv := -1 / geom.Sqrt(l)
	for axis := range p {
		b.P[axis][i] = p[axis]
		b.Normal[axis][i] = g[axis] * inv
	}
	b.Level[i] = Mix(Mix(b.Ground[0][i], b.Ground[1][i], p[0]), Mix(b.Ground[2][i], b.Ground[3][i], p[0]), p[2])
	return ok && l > tinySquare && l < hugeSquare
}

// middle returns the mean of the crossings of the given edges of a cell, rounded by snap.
func middle(d *[8]float32, edges int32) [3]float32 {
	var along [3]float32 // of each axis, the crossings of its edges along it
	var across [3]int32  // and how many of the others' lie on the high side of it
	var n int32
	for axis := range 3 {
		lower, upper := cube.LowerOther[axis], cube.UpperOther[axis]
		for k := range 4 {
			e := axis*4 + k
			if edges>>e&1 == 0 {
				continue
			}
			a, b := cube.EdgeEnds[e][0], cube.EdgeEnds[e][1]
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

// cellGradient returns the gradient at p of the densities mixed from a cell's corners. It reads the cell
// alone, so that a chunk's margin of one sample is enough for the cells in it.
func cellGradient(d *[8]float32, p [3]float32) [3]float32 {
	return [3]float32{
		Mix(Mix(d[1]-d[0], d[3]-d[2], p[1]), Mix(d[5]-d[4], d[7]-d[6], p[1]), p[2]),
		Mix(Mix(d[2]-d[0], d[3]-d[1], p[0]), Mix(d[6]-d[4], d[7]-d[5], p[0]), p[2]),
		Mix(Mix(d[4]-d[0], d[5]-d[1], p[0]), Mix(d[6]-d[2], d[7]-d[3], p[0]), p[1]),
	}
}

// Mix returns a + (b − a)·t, without a fused multiply-add.
func Mix(a, b, t float32) float32 { return a + float32((b-a)*t) }

// SolveRobust solves vertex i for any densities, axis by axis in float64.
func (b *NetBatch) SolveRobust(i int) {
	i &= bits.BatchMask
	var d [8]float32
	for c := range d {
		d[c] = b.D[c][i]
	}
	var sum [3]float32
	var n float32
	for e, corners := range cube.EdgeEnds {
		if b.Edges[i]>>e&1 == 0 {
			continue
		}
		axis := e >> 2
		sum[axis] += Crossing(d[corners[0]], d[corners[1]])
		sum[cube.LowerOther[axis]] += float32(e & 1)
		sum[cube.UpperOther[axis]] += float32(e >> 1 & 1)
		n++
	}
	var g [3]float64
	for e, corners := range cube.EdgeEnds {
		// Every edge pulls alike here: where densities are not finite, finer weights mean nothing.
		if from, to := Tame(d[corners[0]]), Tame(d[corners[1]]); from == from && to == to {
			g[e>>2] += to - from
		}
	}
	for axis := range g {
		g[axis] *= float64(b.Weight[axis])
	}
	first := mathbits.TrailingZeros32(uint32(b.Edges[i]))
	normal := Direction(g, first>>2, d[cube.EdgeEnds[first][0]] > 0)
	for axis := range 3 {
		b.P[axis][i] = (sum[axis]/n + snap) - snap
		b.Normal[axis][i] = normal[axis]
	}
	px, pz := b.P[0][i], b.P[2][i]
	b.Level[i] = Mix(Mix(b.Ground[0][i], b.Ground[1][i], px), Mix(b.Ground[2][i], b.Ground[3][i], px), pz)
}

// writePositionsGeneric writes the positions of the solved batch, whose cells lie at z. It is what every
// other version must equal.
func (b *NetBatch) writePositionsGeneric(dst []float32, z float32, scale [3]float32) {
	for i := range b.N {
		p, i := (*[3]float32)(dst[3*i:]), i&bits.BatchMask
		p[0] = (b.X[i] + b.P[0][i]) * scale[0]
		p[1] = (b.Y[i] + b.P[1][i]) * scale[1]
		p[2] = (z + b.P[2][i]) * scale[2]
	}
}

// writeNormalsGeneric writes the normals of the solved batch. It is what every other version must equal.
func (b *NetBatch) writeNormalsGeneric(dst []float32) {
	for i := range b.N {
		p, i := (*[3]float32)(dst[3*i:]), i&bits.BatchMask
		p[0], p[1], p[2] = b.Normal[0][i], b.Normal[1][i], b.Normal[2][i]
	}
}

// Snap rounds a place in a cell as the vertices of a net are rounded.
func Snap(t float32) float32 { return (t + snap) - snap }
