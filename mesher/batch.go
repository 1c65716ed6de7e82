package mesher

import (
	"math"

	"github.com/terrane/terrane/geom"
)

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

// A batch collects crossings of edges until they are solved together. It is kept as one array to a number so
// that vectors run over it; past the crossings' end the arrays hold anything.
type batch struct {
	n       int
	fetched int // how many have their densities and gradients
	runs    []run

	// Where the edges start: the sample, and its place in cells.
	at   [batchRoom]uint32
	x, y [batchRoom]float32

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
// a crossing needs care: its densities are not finite or so large or so flat that float32 fails.
func (b *batch) solveGeneric() bool {
	ok := true
	for i := range b.n {
		ok = b.solveOne(i&batchMask) && ok
	}
	return ok
}

// solveOne solves crossing i and reports whether float32 was good enough for it.
func (b *batch) solveOne(i int) bool {
	i &= batchMask
	d := b.a[i] - b.b[i]
	t := b.a[i] / d
	gx := b.ax[i] + float32((b.bx[i]-b.ax[i])*t)
	gy := b.ay[i] + float32((b.by[i]-b.ay[i])*t)
	gz := b.az[i] + float32((b.bz[i]-b.az[i])*t)
	l := float32(gx*gx) + float32(gy*gy) + float32(gz*gz)
	inv := -1 / geom.Sqrt(l)
	b.t[i], b.nx[i], b.ny[i], b.nz[i] = t, gx*inv, gy*inv, gz*inv
	return d > -largeDensity && d < largeDensity && l > tinySquare && l < hugeSquare
}

// pad repeats the last crossing up to a whole number of vectors.
func (b *batch) pad() {
	for i := b.n; i < (b.n+batchLanes-1)&^(batchLanes-1); i++ {
		i, j := i&batchMask, (i-1)&batchMask
		b.a[i], b.b[i] = b.a[j], b.b[j]
		b.ax[i], b.ay[i], b.az[i] = b.ax[j], b.ay[j], b.az[j]
		b.bx[i], b.by[i], b.bz[i] = b.bx[j], b.by[j], b.bz[j]
	}
}

// crossing returns where the iso level is crossed between densities a and b less iso, of which exactly one
// is above 0, in float64 and for any value: a NaN says nothing, so the crossing is in the middle, and an
// infinite density pushes the crossing away to the other end.
func crossing(a, b float32) float32 {
	switch ia, ib := isInf(a), isInf(b); {
	case a != a || b != b, ia && ib:
		return 0.5
	case ia:
		return 1
	case ib:
		return 0
	}
	return float32(float64(a) / (float64(a) - float64(b)))
}

func isInf(f float32) bool { return f > math.MaxFloat32 || f < -math.MaxFloat32 }

// direction returns the unit vector against the gradient g, or along the axis toward the air if there is no
// gradient to speak of.
func direction(g [3]float64, axis int, solidFirst bool) (n [3]float32) {
	largest := 0.0
	for _, c := range g {
		if a := math.Abs(c); a > largest {
			largest = a
		}
	}
	if largest == 0 {
		n[axis] = -1
		if solidFirst {
			n[axis] = 1
		}
		return n
	}
	sum := 0.0
	for i := range g {
		g[i] /= largest
		sum += float64(g[i] * g[i])
	}
	inv := -1 / math.Sqrt(sum)
	for i := range g {
		n[i] = float32(g[i] * inv)
	}
	return n
}

// carefulSlope returns the gradient along an axis at a sample as slope does, from finite numbers only: an
// infinite density counts as a very large one, and a neighbor that is NaN as the sample itself.
func (v *view) carefulSlope(at [3]int, axis int) float64 {
	i, d := v.index(at[0], at[1], at[2]), v.stride(axis)
	value := func(j int, other float64) float64 {
		if s := tame(v.samples[j]); s == s {
			return s
		}
		return other
	}
	mid := value(i, float64(v.iso))
	lo, hi, cells := mid, mid, 0.0
	if at[axis] > 0 {
		lo, cells = value(i-d, mid), cells+1
	}
	if at[axis] < v.n[axis]-1 {
		hi, cells = value(i+d, mid), cells+1
	}
	if cells == 0 {
		return 0
	}
	return (hi - lo) * (2 / cells)
}

// tame returns f, or twice the largest float32 for infinity. NaN stays NaN.
func tame(f float32) float64 {
	switch {
	case f > math.MaxFloat32:
		return 2 * math.MaxFloat32
	case f < -math.MaxFloat32:
		return -2 * math.MaxFloat32
	}
	return float64(f)
}

// careful solves the crossing of the edge that starts at a sample and runs along an axis, for any densities.
func (v *view) careful(at [3]int, axis int) (t float32, n [3]float32) {
	i := v.index(at[0], at[1], at[2])
	a, b := v.samples[i]-v.iso, v.samples[i+v.stride(axis)]-v.iso
	t = crossing(a, b)
	end := at
	end[axis]++
	var g [3]float64
	for k := range g {
		from, to := v.carefulSlope(at, k), v.carefulSlope(end, k)
		g[k] = from + float64((to-from)*float64(t))
	}
	return t, direction(g, axis, a > 0)
}
