package mesher

import "math"

// A source is a view and where its samples come from.
type source struct {
	view   view
	window window // supplies the samples if they are not all there
}

// open makes v, which has all its samples, the source, with a rim round them if they are to be capped.
func (s *source) open(v view, capped bool) {
	s.view = v
	s.window.rim = 0
	if capped {
		s.window.open(&s.view, v.samples, v.n)
	}
}

// supply sees to it that the samples reach up to plane z, if there is one.
func (s *source) supply(z int) {
	if s.window.rim != 0 && z < s.view.n[2] {
		s.window.reach(&s.view, z)
	}
}

// windowPlanes is how many planes a window holds. Four are in use at a time; when it is full they move to
// its start, so more planes mean fewer moves and more memory.
const windowPlanes = 16

// A window holds some planes of samples with a rim of air round them, so that the surface closes at the
// samples' edge without a copy of them all.
type window struct {
	samples []float32 // the caller's
	n       [3]int    // the caller's, along each axis
	rim     int       // 0 if there is no window
	planes  []float32 // with the rim
	lo, hi  int       // the planes held, counted with the rim; hi excluded
}

// open makes a view of the samples with a rim.
func (w *window) open(v *view, samples []float32, n [3]int) {
	w.samples, w.n, w.rim, w.lo, w.hi = samples, n, 1, 0, 0
	for axis := range n {
		v.n[axis] = n[axis] + 2
		v.lo[axis], v.hi[axis] = 0, n[axis]+1
	}
	v.rim, v.shift = 1, 1
	w.planes = resize(w.planes, windowPlanes*v.n[0]*v.n[1])
	v.samples, v.base = w.planes, 0
}

// full reports whether planes must go before plane z can come.
func (w *window) full(z int) bool { return z >= w.hi && z-w.lo >= windowPlanes }

// reach reads planes up to z into the window. It keeps the three before those it reads.
func (w *window) reach(v *view, z int) {
	size := v.n[0] * v.n[1]
	for ; w.hi <= z; w.hi++ {
		if w.hi-w.lo == windowPlanes {
			copy(w.planes, w.planes[(windowPlanes-3)*size:])
			w.lo += windowPlanes - 3
			v.base = w.lo
		}
		w.read(w.planes[(w.hi-w.lo)*size:(w.hi-w.lo+1)*size], w.hi-1)
	}
}

// jump empties the window; plane z is the next to be read.
func (w *window) jump(v *view, z int) { w.lo, w.hi, v.base = z, z, z }

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
