package mesher

import "math"

// A source is a view and where its samples come from.
type source struct {
	view   view
	window window // supplies the samples if they are not all there
}

// open makes v, which has all its samples, the source, with a rim round them if they are to be capped. Up to
// so many planes are needed at a time.
func (s *source) open(v view, capped bool, planes int) {
	s.view = v
	s.window.rim = 0
	if capped {
		s.window.open(&s.view, v.samples, v.n, planes)
	}
}

// hold sees to it that the samples of planes lo to hi are there, as far as there are such planes. Others may
// go.
func (s *source) hold(lo, hi int) {
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
