package world

import (
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// A Hit is the place at which a ray meets the ground.
type Hit struct {
	Place    lattice.Place
	Normal   geom.Vec3 // unit length, into the air
	Distance float32   // meters from the ray's beginning
}

// MaxRay bounds the length of a ray in meters.
const MaxRay = 4096

// Ray returns where a ray from a place along dir, of any length but 0, first enters the ground, no further than
// reach meters away (at most MaxRay). Pending edits count. It reads the density, not triangles: within each
// cell the density is the trilinear mix of the cell's eight samples, and the first place where it is solid is
// found exactly, so no wall that a sample shows is missed however thin it is. A ray that begins in the ground
// hits at once, against its direction. The result is as exact far from the origin as near it.
func (w *World) Ray(from lattice.Place, dir geom.Vec3, reach float32) (Hit, bool) {
	if !from.Valid() || !dir.Finite() || dir == (geom.Vec3{}) || !(reach >= 0) {
		return Hit{}, false
	}
	// Count in steps of the level from the low corner of the brick that the ray begins in.
	r := ray{w: w, base: lattice.BrickOf(from.Sample, w.level).Origin()}
	scale := 1 / float64(int32(1)<<w.level)
	p := from.Sample.Add(-r.base.X, -r.base.Y, -r.base.Z)
	r.from = [3]float64{
		(float64(p.X) + float64(from.Offset.X)) * scale,
		(float64(p.Y) + float64(from.Offset.Y)) * scale,
		(float64(p.Z) + float64(from.Offset.Z)) * scale,
	}
	r.dir = [3]float64{float64(dir.X), float64(dir.Y), float64(dir.Z)}
	l := math.Sqrt(r.dir[0]*r.dir[0] + r.dir[1]*r.dir[1] + r.dir[2]*r.dir[2])
	for i := range r.dir {
		r.dir[i] /= l
	}
	end := min(float64(reach), MaxRay) * scale
	t, ok := r.walk(0, 0, end)
	if !ok {
		return Hit{}, false
	}
	return r.hit(from, t)
}

// A ray counts in steps of the level from base, the low corner of a brick.
type ray struct {
	w         *World
	base      lattice.Sample
	from, dir [3]float64

	corners [8]float32 // densities of the cell at, corner bit 0 is x, bit 1 y, bit 2 z
	at      [3]int32
	known   bool // corners are those of at
}

// shifts are the base-2 logarithms of the sides of the cubes that walk visits: bricks, of which those without
// ground are left out whole, and cells.
var shifts = [...]uint8{lattice.ChunkShift, 0}

// walk visits the cubes of the given depth that the ray crosses between t0 and t1 and returns the first t at
// which the ray is in the ground.
func (r *ray) walk(depth int, t0, t1 float64) (float64, bool) {
	shift := shifts[depth]
	side := float64(int32(1) << shift)
	var cube [3]int32
	var next, delta [3]float64 // the t of the next border on each axis, and from border to border
	for i := range cube {
		cube[i] = int32(math.Floor((r.from[i] + r.dir[i]*t0) / side))
		next[i], delta[i] = math.Inf(1), math.Inf(1)
		if d := r.dir[i]; d != 0 {
			border := float64(cube[i])
			if d > 0 {
				border++
			}
			next[i], delta[i] = (border*side-r.from[i])/d, side/math.Abs(d)
		}
	}
	for t0 <= t1 {
		axis := 0
		if next[1] < next[axis] {
			axis = 1
		}
		if next[2] < next[axis] {
			axis = 2
		}
		leave := min(next[axis], t1)
		if shift == 0 {
			if t, ok := r.cell(cube, t0, leave); ok {
				return t, true
			}
		} else if r.ground(cube) {
			if t, ok := r.walk(depth+1, t0, leave); ok {
				return t, true
			}
		}
		if next[axis] > t1 {
			break
		}
		t0 = max(t0, next[axis])
		next[axis] += delta[axis]
		if r.dir[axis] > 0 {
			cube[axis]++
		} else {
			cube[axis]--
		}
	}
	return 0, false
}

// ground reports whether the cells of a brick can hold ground; false is certain.
func (r *ray) ground(cube [3]int32) bool {
	const shift = lattice.ChunkShift
	id := lattice.BrickOf(r.sample(cube[0]<<shift, cube[1]<<shift, cube[2]<<shift), r.w.level)
	iv := r.w.layer.CellBounds(id)
	if len(r.w.pending) > 0 {
		h := int32(1) << r.w.level
		box := id.Box()
		box.Max = box.Max.Add(h, h, h)
		iv = r.w.boundsWithPending(iv, box)
	}
	return iv.Hi > 0
}

// sample returns the sample the given numbers of steps from base.
func (r *ray) sample(x, y, z int32) lattice.Sample {
	level := r.w.level
	return r.base.Add(x<<level, y<<level, z<<level)
}

// cell returns the first t from t0 to t1 at which the trilinear density of a cell is solid.
func (r *ray) cell(at [3]int32, t0, t1 float64) (float64, bool) {
	r.load(at)
	solid := false
	for _, d := range r.corners {
		solid = solid || grid.Solid(d)
	}
	if !solid {
		return 0, false // the mix of air is air
	}
	if r.density(t0) > 0 {
		return t0, true
	}
	// Along the ray the density is a cubic. Between its extremes it only rises or only falls, so a root lies
	// before the first of them that is solid.
	lo := t0
	for _, hi := range r.extremes(t0, t1) {
		if r.density(hi) > 0 {
			for range 48 {
				mid := lo + (hi-lo)/2
				if r.density(mid) > 0 {
					hi = mid
				} else {
					lo = mid
				}
			}
			return hi, true
		}
		lo = hi
	}
	return 0, false
}

// load reads the corners of a cell; those it shares with the one before are kept.
func (r *ray) load(at [3]int32) {
	if r.known && at == r.at {
		return
	}
	old, oldAt, known := r.corners, r.at, r.known
	for i := range r.corners {
		dx, dy, dz := int32(i)&1, int32(i)>>1&1, int32(i)>>2
		ox, oy, oz := at[0]+dx-oldAt[0], at[1]+dy-oldAt[1], at[2]+dz-oldAt[2]
		if known && ox|oy|oz|1 == 1 { // each 0 or 1
			r.corners[i] = old[ox|oy<<1|oz<<2]
			continue
		}
		r.corners[i] = r.w.near(r.sample(at[0]+dx, at[1]+dy, at[2]+dz))
	}
	r.at, r.known = at, true
}

// local returns the place in the cell, each 0 … 1, of the point t along the ray.
func (r *ray) local(t float64) (x, y, z float64) {
	return r.from[0] + r.dir[0]*t - float64(r.at[0]),
		r.from[1] + r.dir[1]*t - float64(r.at[1]),
		r.from[2] + r.dir[2]*t - float64(r.at[2])
}

// density returns the trilinear density of the cell at t along the ray.
func (r *ray) density(t float64) float64 {
	x, y, z := r.local(t)
	c := func(i int) float64 { return float64(r.corners[i]) }
	mix := func(a, b, t float64) float64 { return a + (b-a)*t }
	return mix(
		mix(mix(c(0), c(1), x), mix(c(2), c(3), x), y),
		mix(mix(c(4), c(5), x), mix(c(6), c(7), x), y), z)
}

// extremes returns, ascending, the places between t0 and t1 where the density along the ray turns, and t1. What
// is missing of the three is t1 again.
func (r *ray) extremes(t0, t1 float64) [3]float64 {
	// The cubic through four values at 0, 1/3, 2/3 and 1 of the way, from its differences.
	l := t1 - t0
	f0, f1, f2, f3 := r.density(t0), r.density(t0+l/3), r.density(t0+2*l/3), r.density(t1)
	d1, d2, d3 := f1-f0, f2-2*f1+f0, f3-3*f2+3*f1-f0
	// f(u) = f0 + d1·u + d2·u(u−1)/2 + d3·u(u−1)(u−2)/6, u = 0 … 3; its derivative is a·u² + b·u + c.
	a, b, c := d3/2, d2-d3, d1-d2/2+d3/3
	out := [3]float64{t1, t1, t1}
	n := 0
	add := func(u float64) {
		if u > 0 && u < 3 && n < 2 { // false for NaN
			out[n] = t0 + l*u/3
			n++
		}
	}
	if disc := b*b - 4*a*c; disc >= 0 {
		q := -(b + math.Copysign(math.Sqrt(disc), b)) / 2 // the root without cancellation
		add(q / a)
		add(c / q)
	}
	if n == 2 && out[0] > out[1] {
		out[0], out[1] = out[1], out[0]
	}
	return out
}

// hit returns the hit at t along the ray, in the cell that was loaded last.
func (r *ray) hit(from lattice.Place, t float64) (Hit, bool) {
	scale := float64(int32(1) << r.w.level)
	var p [3]float64
	for i := range p {
		p[i] = (r.from[i] + r.dir[i]*t) * scale
	}
	var h Hit
	var rest lattice.Place
	rest, ok := lattice.PlaceAt(p[0], p[1], p[2])
	if !ok {
		return Hit{}, false
	}
	h.Place = lattice.Place{Sample: r.base.Add(rest.Sample.X, rest.Sample.Y, rest.Sample.Z), Offset: rest.Offset}
	h.Distance = float32(t * scale)
	h.Normal = r.gradient(t)
	return h, h.Place.Valid()
}

// gradient returns the unit normal, into the air, of the trilinear density at t along the ray.
func (r *ray) gradient(t float64) geom.Vec3 {
	x, y, z := r.local(t)
	var g [3]float64
	for i, d := range r.corners {
		wx, wy, wz := 1-x, 1-y, 1-z
		sx, sy, sz := -1.0, -1.0, -1.0
		if i&1 != 0 {
			wx, sx = x, 1
		}
		if i&2 != 0 {
			wy, sy = y, 1
		}
		if i&4 != 0 {
			wz, sz = z, 1
		}
		v := float64(d)
		g[0] -= v * sx * wy * wz
		g[1] -= v * sy * wx * wz
		g[2] -= v * sz * wx * wy
	}
	l := math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	if !(t > 0) || !(l > 0) || math.IsInf(l, 1) {
		g, l = [3]float64{-r.dir[0], -r.dir[1], -r.dir[2]}, 1
	}
	return geom.Vec3{X: float32(g[0] / l), Y: float32(g[1] / l), Z: float32(g[2] / l)}
}
