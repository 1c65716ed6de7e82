package mesher

import "github.com/terrane/terrane/geom"

const (
	// batchSize is how many crossings are solved at once. Smaller batches leave vectors half empty; larger
	// ones push each other and the samples out of the first-level cache.
	batchSize = 256
	batchMask = batchSize - 1
	// batchFull is the number of crossings from which on a batch may not have room for those of a word.
	batchFull = batchSize - 64
	// batchRoom is the length of arrays that are written and read some vectors past the end.
	batchRoom = batchSize + 64
	// batchLanes is the longest vector that solves a batch, in float32.
	batchLanes = 16
)

// Places are samples of a plane in the order in which they were listed. Past their end the arrays hold
// anything.
type places struct {
	n    int
	at   [batchRoom]uint32  // number of the sample
	x, y [batchRoom]float32 // its place in cells
}

// A batch collects crossings of edges until they are solved together. It is kept as one array to a number so
// that vectors run over it.
type batch struct {
	places      // where the edges start
	fetched int // how many have their densities and gradients
	runs    []run
	flat    bool       // no normals are wanted
	weight  [3]float32 // of the axes in a gradient
	near    float32    // crossings nearer than this to an end need care
	snap    float32    // rounds where an edge is crossed: see view.snap

	a, b       [batchSize]float32 // density less iso at the start and at the end
	ax, ay, az [batchSize]float32 // gradient at the start, over two cells
	bx, by, bz [batchSize]float32 // gradient at the end
	da, db     [batchSize]float32 // depth at the start and at the end

	// The solution.
	t          [batchRoom]float32 // where the edge is crossed, from 0 at its start to 1 at its end
	nx, ny, nz [batchRoom]float32 // unit normal, pointing into the air
}

// A run is the crossings of a batch, from start to the next run's, that lie along one axis and start in one
// plane, counted in cells.
type run struct{ start, axis, z int }

// run starts a run.
func (b *batch) run(axis, z int) { b.runs = append(b.runs, run{b.n, axis, z}) }

// endOf returns the end of run k.
func (b *batch) endOf(k int) int {
	if k+1 < len(b.runs) {
		return b.runs[k+1].start
	}
	return b.n
}

// Gradients whose squared length lies between these need no care, nor densities below largeDensity.
const (
	tinySquare   = 1e-30
	hugeSquare   = 1e30
	largeDensity = 1e30
)

// solveGeneric works out t and the normals; it is what every other version must equal. It reports false if
// a crossing needs care: its densities are not finite or so large or so flat that float32 fails, or it is
// near an end.
func (b *batch) solveGeneric() bool {
	ok := true
	for i := range b.n {
		fine, near := b.solveOne(i & batchMask)
		ok = ok && fine && !near
	}
	return ok
}

// solveOne solves crossing i. It reports whether float32 was good enough for it, and whether it is near an
// end.
func (b *batch) solveOne(i int) (fine, near bool) {
	i &= batchMask
	d := b.a[i] - b.b[i]
	t := b.a[i] / d
	b.t[i] = (t + b.snap) - b.snap
	fine = d > -largeDensity && d < largeDensity
	near = !(t > b.near && t < 1-b.near)
	if b.flat {
		return fine, near
	}
	gx := (b.ax[i] + float32((b.bx[i]-b.ax[i])*t)) * b.weight[0]
	gy := (b.ay[i] + float32((b.by[i]-b.ay[i])*t)) * b.weight[1]
	gz := (b.az[i] + float32((b.bz[i]-b.az[i])*t)) * b.weight[2]
	l := float32(gx*gx) + float32(gy*gy) + float32(gz*gz)
	inv := -1 / geom.Sqrt(l)
	b.nx[i], b.ny[i], b.nz[i] = gx*inv, gy*inv, gz*inv
	return fine && l > tinySquare && l < hugeSquare, near
}

// pad repeats the last crossing up to a whole number of vectors.
func (b *batch) pad() {
	for i := b.n; i < (b.n+batchLanes-1)&^(batchLanes-1); i++ {
		i, j := i&batchMask, (i-1)&batchMask
		b.a[i], b.b[i] = b.a[j], b.b[j]
		if !b.flat {
			b.ax[i], b.ay[i], b.az[i] = b.ax[j], b.ay[j], b.az[j]
			b.bx[i], b.by[i], b.bz[i] = b.bx[j], b.by[j], b.bz[j]
		}
	}
}
