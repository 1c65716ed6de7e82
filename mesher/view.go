package mesher

import (
	"math"
	"math/bits"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/kernel/join"
	"github.com/terrane/terrane/mesh"
)

// A view is the input of the meshers: a block of samples and the cells within it to be meshed.
type view struct {
	samples []float32 // x fastest, then y, then z, from plane base on
	base    int
	n       [3]int // samples along each axis
	lo, hi  [3]int // the first and the last sample that bound a cell, along each axis
	iso     float32
	scale   [3]float32 // size of a cell
	weight  [3]float32 // what a difference counts in a gradient: the smallest cell size over the axis' own
	shift   int        // positions are relative to the sample lo + shift on each axis

	// snap added to a number from 0 to 1 and taken away again rounds it so that twice the chunk's cells and
	// it fit into a float32: the same place is then the same number in the chunk, in its neighbors and in a
	// neighbor twice as coarse. For volumes it is 0 and rounds nothing.
	snap float32

	// rim is 1 where the outermost samples are not the caller's but air put round them to close the surface
	// there, and else 0.
	rim int

	// materials holds the material of each sample, or nothing.
	materials []uint8
	// ground holds n[0]·n[2] heights, x fastest, or nothing if no depths are wanted.
	ground []float32
	// height and rise give the height of the samples y: height + y·rise, both whole numbers.
	height, rise int32
}

// chunkView returns the view of a chunk's samples whose cells lie between the samples lo and hi on each axis.
func chunkView(g *grid.Grid, lo, hi int) view {
	n := g.Side()
	step := float32(g.Step())
	return view{
		samples:   g.Samples[:n*n*n],
		materials: g.Materials,
		n:         [3]int{n, n, n},
		lo:        [3]int{lo, lo, lo},
		hi:        [3]int{hi, hi, hi},
		scale:     [3]float32{step, step, step},
		weight:    [3]float32{1, 1, 1},
		snap:      float32(int(1) << (bits.Len(uint(2*g.Cells)) - 1)),
		ground:    g.Ground[:n*n],
		height:    g.Corner().Y,
		rise:      g.Step(),
	}
}

// attributes returns what the view's vertices have, with normals unless they are to be flat.
func (v *view) attributes(flat bool) (has mesh.Attributes) {
	if !flat {
		has |= mesh.Normals
	}
	if len(v.ground) != 0 {
		has |= mesh.Depths
	}
	if len(v.materials) != 0 {
		has |= mesh.Materials
	}
	return has
}

// stride returns the distance in samples between neighbors along an axis.
func (v *view) stride(axis int) int {
	switch axis {
	case 0:
		return 1
	case 1:
		return v.n[0]
	}
	return v.n[0] * v.n[1]
}

// index returns the place of a sample.
func (v *view) index(x, y, z int) int { return ((z-v.base)*v.n[1]+y)*v.n[0] + x }

// A reach says where a sample's neighbors along an axis lie: how far below and above it, and how many times
// their difference is that over two cells. At the edge of the samples one is the sample itself.
type reach struct {
	below, above int
	times        float32
}

// reach returns the reach of the samples whose number on an axis is i.
func (v *view) reach(axis, i int) reach {
	d := v.stride(axis)
	switch low, high := i > v.rim, i < v.n[axis]-1-v.rim; {
	case low && high:
		return reach{d, d, 1}
	case high:
		return reach{0, d, 2}
	case low:
		return reach{d, 0, 2}
	}
	return reach{}
}

// slope returns the difference over two cells at sample i: the central one, or twice the one-sided one.
func (r reach) slope(s []float32, i int) float32 { return (s[i+r.above] - s[i-r.below]) * r.times }

// slope returns the difference over two cells along an axis at a sample, 0 in the rim.
func (v *view) slope(at [3]int, axis int) float32 {
	if v.inRim(at) {
		return 0
	}
	return v.reach(axis, at[axis]).slope(v.samples, v.index(at[0], at[1], at[2]))
}

// rimRow reports whether edges along an axis that start in a row, or all their ends, lie in the rim.
func (v *view) rimRow(axis, y, z int) bool {
	if v.rim == 0 {
		return false
	}
	y1, z1 := y, z
	switch axis {
	case 1:
		y1++
	case 2:
		z1++
	}
	return y < 1 || z < 1 || y1 > v.n[1]-2 || z1 > v.n[2]-2
}

// inRim reports whether a sample belongs to the rim.
func (v *view) inRim(at [3]int) bool {
	if v.rim == 0 {
		return false
	}
	for axis, i := range at {
		if i < v.rim || i > v.n[axis]-1-v.rim {
			return true
		}
	}
	return false
}

// heightOf returns the height of the samples of row y in meters.
func (v *view) heightOf(y int) float32 { return float32(v.height + int32(y)*v.rise) }

// A scan is the driver that all meshers share: a walk through a view, plane by plane, that writes a mesh.
type scan struct {
	view   view
	window window // supplies the samples if they are not all there
	planes planes
	flat   bool            // no normals are wanted
	has    mesh.Attributes // of the vertices
	out    *mesh.Mesh
	next   int // number of the next vertex to be written

	noteTies bool
	ties     []uint32 // vertices that may lie where another does, noted if asked
	joiner   join.Joiner
}

// openChunk makes the cells of g between the samples lo and hi the view.
func (s *scan) openChunk(g *grid.Grid, lo, hi int) {
	s.open(chunkView(g, lo, hi), false, 0)
	s.flat, s.noteTies = false, false
}

// openVolume makes a volume the view, as x wants it.
func (s *scan) openVolume(x *Extractor, v view, planes int) {
	s.open(v, x.Caps, planes)
	s.flat, s.noteTies = x.NoNormals, true
}

// open makes v, which has all its samples, the view, with a rim round them if they are to be capped. Up to
// so many planes are needed at a time.
func (s *scan) open(v view, capped bool, planes int) {
	s.view = v
	s.window.rim = 0
	if capped {
		s.window.open(&s.view, v.samples, v.n, planes)
	}
}

// first makes the view's first plane the upper one.
func (s *scan) first() {
	lo, hi := s.view.lo[2], s.view.hi[2]
	s.hold(lo, lo+1)
	s.planes.start(&s.view, lo, hi)
}

// step makes plane z the lower one and the next the upper.
func (s *scan) step(z int) {
	s.hold(z-1, z+2)
	s.planes.advance(&s.view, z, s.view.hi[2])
}

// hold sees to it that the samples of planes lo to hi are there, as far as there are such planes. Others may
// go.
func (s *scan) hold(lo, hi int) {
	w, v := &s.window, &s.view
	if w.rim == 0 {
		return
	}
	lo, hi = max(lo, 0), min(hi, v.n[2]-1)
	size := v.n[0] * v.n[1]
	switch {
	case lo < w.lo || lo > w.hi:
		w.lo, w.hi = lo, lo
	case hi-w.lo >= len(w.planes)/size:
		copy(w.planes, w.planes[(lo-w.lo)*size:(w.hi-w.lo)*size])
		w.lo = lo
	}
	v.base = w.lo
	for ; w.hi <= hi; w.hi++ {
		w.read(w.planes[(w.hi-w.lo)*size:(w.hi-w.lo+1)*size], w.hi-1)
	}
}

// A window holds some planes of samples with a rim of air round them, so that the surface closes at the
// samples' edge without a copy of them all.
type window struct {
	samples []float32 // the caller's
	n       [3]int    // the caller's, along each axis
	rim     int       // 0 if there is no window
	planes  []float32 // with the rim
	lo, hi  int       // the planes held, counted with the rim; hi excluded
}

// open makes a view of the samples with a rim, of which up to so many planes are needed at a time. It holds
// twice as many, so that those in use move to the start only now and then.
func (w *window) open(v *view, samples []float32, n [3]int, planes int) {
	w.samples, w.n, w.rim, w.lo, w.hi = samples, n, 1, 0, 0
	for axis := range n {
		v.n[axis] = n[axis] + 2
		v.lo[axis], v.hi[axis] = 0, n[axis]+1
	}
	v.rim, v.shift = 1, 1
	w.planes = resize(w.planes, 2*planes*v.n[0]*v.n[1])
	v.samples, v.base = w.planes, 0
}

// read copies plane z of the caller's samples into dst and puts the rim round it.
func (w *window) read(dst []float32, z int) {
	air := float32(math.Inf(-1))
	nx, ny := w.n[0], w.n[1]
	if z < 0 || z >= w.n[2] {
		for i := range dst {
			dst[i] = air
		}
		return
	}
	for i := range nx + 2 {
		dst[i], dst[len(dst)-1-i] = air, air
	}
	for y := range ny {
		row := dst[(y+1)*(nx+2) : (y+2)*(nx+2)]
		from := (z*ny + y) * nx
		row[0], row[nx+1] = air, air
		copy(row[1:], w.samples[from:from+nx])
	}
}
