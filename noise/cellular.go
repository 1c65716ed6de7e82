package noise

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// Cellular noise (Worley 1996): every cell of a grid holds a point somewhere; the noise is the distance to the
// nearest, or how much farther the second nearest is, each at most 1 cell: the points of the 3×3 or 3×3×3
// cells round a sample are all that can be so near.

// pointBits is the number of bits of a hash that place a cell's point along x and along y; z has the rest.
const pointBits = 11

// nearest returns the squares of the distances from a place to the nearest and the second nearest point.
func (o *octave) nearest(dims int, x, y, z place) (first, second float32) {
	first, second = 4, 4
	low := uint32(1)
	if dims == 2 {
		low, y = 0, place{}
	}
	for k := range uint32(3) {
		for j := range 2*low + 1 {
			row := rowHash(o.seed, y.cell+j-low, z.cell+k-1)
			for i := range uint32(3) {
				h := hash(row, x.cell+i-1)
				dx := float32(int32(i)-1) + (pointX(h) - x.fraction)
				dz := float32(int32(k)-1) + (pointZ(h) - z.fraction)
				q := float32(dz * dz)
				if dims == 3 {
					dy := float32(int32(j)-1) + (pointY(h) - y.fraction)
					q = float32(dy*dy) + q
				}
				q = float32(dx*dx) + q
				if q < first {
					first, second = q, first
				} else if q < second {
					second = q
				}
			}
		}
	}
	return first, second
}

// pointX, pointY and pointZ return where in its cell a point is.
func pointX(h uint32) float32 { return float32(float32(h&(1<<pointBits-1)) * (1.0 / (1 << pointBits))) }
func pointY(h uint32) float32 {
	return float32(float32(h>>pointBits&(1<<pointBits-1)) * (1.0 / (1 << pointBits)))
}
func pointZ(h uint32) float32 {
	return float32(float32(h>>(2*pointBits)) * (1.0 / (1 << (32 - 2*pointBits))))
}

// cellular returns the distance to the nearest point, from −1 on it to 1 where it is a cell or more away.
func (o *octave) cellular(dims int, x, y, z place) float32 {
	first, _ := o.nearest(dims, x, y, z)
	return float32((float32(2*capped(first)) - 1) * o.weight)
}

// edges returns how much farther the second nearest point is than the nearest: −1 where they are equally far,
// between their cells.
func (o *octave) edges(dims int, x, y, z place) float32 {
	first, second := o.nearest(dims, x, y, z)
	return float32((float32(2*(capped(second)-capped(first))) - 1) * o.weight)
}

// capped returns the root of a square, at most 1.
func capped(square float32) float32 {
	if !(square < 1) {
		square = 1
	}
	return float32(math.Sqrt(float64(square)))
}

// Cracks are the borders between the cells of points strewn over x and z (Voronoi 1908), given as the distance to the
// nearest of them in meters. Edges noise has its zeros there too, but what it grows by beside them depends on how far
// apart the two points are, so that what is cut by it is wide here and narrow there; this is a distance, and a crack cut
// by it is as wide everywhere.
//
// The nearest point n owns the place; the border toward another point q is the line halfway between the two, and lies
//
//	(|q|² − |n|²) / (2 |q − n|)
//
// away from the place, both points seen from there. The cell is what lies on the near side of all these lines, so the
// least of these distances is exactly that to the cell's edge (Quilez 2012, "Voronoi borders", has the same for shaders).
//
// That asks for all points that may matter. In lattice cells, with points held within 15/32 of their cells' middles: the
// nearest is within √2·31/32 < 1.371, for so far is the farthest corner of the place's own cell. A line that is nearer
// than r belongs to a point nearer than 1.371 + 2r. Points outside the 5×5 cells round the place are 2 + 1/32 away or
// more. So all lines nearer than 0.33 are found, and the distance ends at 5/16.
type Cracks struct {
	seed   uint32
	step   Step
	offset [3]Phase
	jitter float32 // how far points reach from the middle of their cells, to either side times two
	period float32 // meters in a cell
}

// A CracksConfig describes cracks. Two equal configs give the same cracks on every machine, for ever.
type CracksConfig struct {
	Seed   int64
	Step   Step    // lattice cells per sample, at most OneCell
	Jitter float32 // 0: the points are a square grid; 1: they lie anywhere in their cells
}

const (
	// cracksReach is how far from a crack its distance is known, in cells.
	cracksReach = 5.0 / 16
	// keepApart holds points of neighboring cells 1/16 of a cell apart or more. Nearer to each other, the line between
	// them would turn with the rounding of their places: at 1/16 it is off by less than 2⁻¹⁶ of a cell.
	keepApart = 15.0 / 16
	// cracksSlack is more than rounding takes a distance off, in cells.
	cracksSlack = 1.0 / (1 << 15)
)

// NewCracks returns the cracks that c describes.
func NewCracks(c CracksConfig) (*Cracks, error) {
	if c.Step < 1 || c.Step > OneCell {
		return nil, fmt.Errorf("noise: cracks have %v cells per sample, want over 0 and at most 1", c.Step.Frequency())
	}
	if !(c.Jitter >= 0 && c.Jitter <= 1) { // false for NaN
		return nil, fmt.Errorf("noise: cracks have a jitter of %v, want 0 … 1", c.Jitter)
	}
	k := &Cracks{step: c.Step, jitter: float32(c.Jitter * keepApart), period: float32(1 / c.Step.Frequency())}
	state := uint64(c.Seed)
	k.seed = uint32(splitMix(&state) >> 32)
	for axis := range k.offset {
		k.offset[axis] = Phase(splitMix(&state))
	}
	return k, nil
}

// Octave returns the lattice of c as other evaluators need it, and its jitter. Its weight is the meters in a cell.
func (c *Cracks) Octave() (o Octave, jitter float32) {
	return Octave{Seed: c.seed, Weight: c.period, Step: [3]Step{c.step, c.step, c.step}, Offset: c.offset}, c.jitter
}

// Reach is the largest distance, which is what places farther from all cracks have: 5/16 of a cell, in meters.
func (c *Cracks) Reach() float32 { return float32(c.period * cracksReach) }

// At returns the distance to the nearest crack in meters, from 0 to Reach.
func (c *Cracks) At(x, z int32) float32 {
	return c.at((c.step.At(x) + c.offset[0]).place(), (c.step.At(z) + c.offset[2]).place())
}

func (c *Cracks) at(x, z place) float32 {
	var points [25][2]float32 // seen from the place
	first, nearest := float32(8), 0
	for k := range uint32(5) {
		row := rowHash(c.seed, 0, z.cell+k-2)
		for i := range uint32(5) {
			h := hash(row, x.cell+i-2)
			p := &points[5*k+i]
			p[0] = c.scattered(int32(i), pointX(h)) - x.fraction
			p[1] = c.scattered(int32(k), pointZ(h)) - z.fraction
			if q := float32(p[0]*p[0]) + float32(p[1]*p[1]); q < first {
				first, nearest = q, int(5*k+i)
			}
		}
	}
	n, least := points[nearest], float32(4*cracksReach*cracksReach) // the square of twice the distance
	for _, p := range points {
		dx, dz := p[0]-n[0], p[1]-n[1]
		apart := float32(dx*dx) + float32(dz*dz)
		s := float32((p[0]+n[0])*dx) + float32((p[1]+n[1])*dz) // |q|² − |n|²
		s = scalar.Larger(s, 0)
		if apart > 0 { // else it is the nearest itself
			least = scalar.Smaller(float32(s*s)/apart, least)
		}
	}
	return float32(float32(scalar.Sqrt(least)*0.5) * c.period)
}

// scattered returns where in its row of five cells the point of cell i is, u being in [0, 1).
func (c *Cracks) scattered(i int32, u float32) float32 {
	return float32(i-2) + (0.5 + float32(c.jitter*(u-0.5)))
}

// Range returns bounds that hold at every sample.
func (c *Cracks) Range() geom.Interval { return geom.Interval{Lo: 0, Hi: c.Reach()} }

// Bounds returns bounds of the distance at the samples of b: it changes by at most a meter a meter.
func (c *Cracks) Bounds(b lattice.Box) geom.Interval {
	if b.Empty() {
		return geom.Interval{}
	}
	w, d := int64(b.Max.X)-1-int64(b.Min.X), int64(b.Max.Z)-1-int64(b.Min.Z)
	x, z := int32(int64(b.Min.X)+w/2), int32(int64(b.Min.Z)+d/2)
	half := scalar.Hypot(float32(w-w/2), float32(d-d/2))
	if half >= c.Reach() {
		return c.Range()
	}
	return geom.Single(c.At(x, z)).Widen(float32(half*(1+1.0/(1<<20))) + float32(c.period*cracksSlack)).Intersect(c.Range())
}

// A CracksRows evaluates cracks over rows along x, bit for bit as [Cracks.At] does. It keeps scratch memory: one per
// goroutine.
type CracksRows struct {
	c     *Cracks
	x, dx int32
	along places
}

// NewRows returns an evaluator of c. Reset must be called before the first row.
func (c *Cracks) NewRows() *CracksRows { return &CracksRows{c: c} }

// Reset makes rows start at the sample x and hold count samples, each dx from the last.
func (r *CracksRows) Reset(x, dx int32, count int) {
	if r.x == x && r.dx == dx && len(r.along.cell) == count {
		return
	}
	r.x, r.dx = x, dx
	r.along.resize(count)
	for i := range count {
		r.along.set(i, (r.c.step.At(x+int32(i)*dx) + r.c.offset[0]).place())
	}
}

// Fill fills dst with rows: the first at z, each further one dz from the last.
func (r *CracksRows) Fill(dst []float32, z, dz int32, rows int) {
	n := len(r.along.cell)
	for row := range rows {
		fillCracks(dst[row*n:][:n], r.c, &r.along, (r.c.step.At(z+int32(row)*dz) + r.c.offset[2]).place())
	}
}

// fillCracksPlain is the plain form of fillCracks.
func fillCracksPlain(dst []float32, c *Cracks, x *places, z place) {
	for i := range dst {
		dst[i] = c.at(x.at(i), z)
	}
}
