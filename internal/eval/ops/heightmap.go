package ops

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/raster"
)

// Heightmap is the height of a raster, by Catmull-Rom splines along x and then z: they pass through every
// sample, their slope has no jumps (so the shading shows no cells), a plane stays a plane, and each depends
// on 4×4 samples only. They overshoot a little where the ground bends sharply; bounds account for it.
type Heightmap struct {
	Raster        heights
	width, height int // of the raster
	factor, term  float32
	dx, dz        uint64 // meters between samples, 32.32

	// Scratch: of a row of columns the splines along x, and the raster's rows seen through them.
	x, step int32
	count   int
	across  []spline
	rows    [4]splineRow
}

// Heights are the samples that a heightmap reads: a raster, or one in tiles.
type heights interface {
	// along returns the samples a, b, c and d of row z, in meters.
	along(z, a, b, c, d int) (float32, float32, float32, float32)
	// extremes returns an interval that holds the samples from x0, z0 to x1, z1, both included.
	extremes(x0, z0, x1, z1 int) geom.Interval
	// fork returns the samples for another reader.
	fork() heights
	// InTiles returns the tiles that the samples lie in, nil for one raster.
	InTiles() *tiledHeights
}

// A spline is a place between samples: the first of the two round it, and the weights of the samples before,
// after and after that, each relative to it.
type spline struct {
	first                int32
	before, after, later float32
}

// A splineRow is a row of the raster at the places of a row of columns.
type splineRow struct {
	z  int32
	ok bool
	v  []float32
}

// NewHeightmap opens the raster of a step: one, or one in tiles.
func NewHeightmap(s *graph.Step, open Files) (Op, error) {
	data, err := raster.Open(open, s.Asset)
	if err != nil {
		return nil, err
	}
	h := &Heightmap{factor: s.Constants[0], term: s.Constants[1], dx: s.Spacing[0], dz: s.Spacing[1]}
	if raster.IsTiled(data) {
		t, err := newTiledHeights(data, open)
		if err != nil {
			return nil, fmt.Errorf("asset %x: %w", s.Asset[:8], err)
		}
		h.Raster, h.width, h.height = t, t.info.Width, t.info.Height
		return h, nil
	}
	v, err := raster.ParseView(data, 2)
	if err != nil {
		return nil, fmt.Errorf("asset %x: %w", s.Asset[:8], err)
	}
	h.Raster, h.width, h.height = newWholeHeights(v, v.Extremes()), v.Width, v.Height
	return h, nil
}

func (h *Heightmap) Fork() Op {
	return &Heightmap{Raster: h.Raster.fork(), width: h.width, height: h.height, factor: h.factor, term: h.term, dx: h.dx, dz: h.dz}
}

func (h *Heightmap) Tiled() []*Heightmap {
	if h.Raster.InTiles() == nil {
		return nil
	}
	return []*Heightmap{h}
}

// wholeHeights are the samples of one raster.
type wholeHeights struct {
	raster.View
	all     geom.Interval
	pyramid func() *raster.Pyramid // made when first asked for, once for all readers
}

func newWholeHeights(v raster.View, all geom.Interval) *wholeHeights {
	return &wholeHeights{View: v, all: all, pyramid: sync.OnceValue(func() *raster.Pyramid { return raster.NewPyramid(&v) })}
}

func (w *wholeHeights) fork() heights          { return w }
func (w *wholeHeights) InTiles() *tiledHeights { return nil }

func (w *wholeHeights) along(z, a, b, c, d int) (float32, float32, float32, float32) {
	z *= w.Width
	return w.Meters(z + a), w.Meters(z + b), w.Meters(z + c), w.Meters(z + d)
}

func (w *wholeHeights) extremes(x0, z0, x1, z1 int) geom.Interval {
	if x1-x0 == w.Width-1 && z1-z0 == w.Height-1 {
		return w.all
	}
	return w.pyramid().Bounds(x0, z0, x1, z1)
}

// splineAt returns the place of a sample number among n samples that are spacing apart, the middle at 0. Beyond
// the ends it is the end.
func splineAt(sample int32, spacing uint64, n int) spline {
	a := uint64(int64(sample))
	if sample < 0 {
		a = -a
	}
	last := int32(n - 1)
	end := spline{first: last}
	if sample < 0 {
		end.first = 0
	}
	if a >= spacing { // the quotient has over 64 bits
		return end
	}
	q, rest := bits.Div64(a, 0, spacing) // cells from the middle, 32.32
	middle := uint64(last) << 31
	p := middle + q
	if sample < 0 {
		if rest != 0 {
			q++
		}
		if q > middle {
			return end
		}
		p = middle - q
	} else if q > middle {
		return end
	}
	t := float32(float32(uint32(p)>>8) * (1.0 / (1 << 24)))
	t2 := float32(t * t)
	t3 := float32(t2 * t)
	return spline{
		first:  int32(p >> 32),
		before: t2 - float32(0.5*t) - float32(0.5*t3),
		after:  float32(0.5*t) + float32(2*t2) - float32(1.5*t3),
		later:  float32(0.5*t3) - float32(0.5*t2),
	}
}

// of returns the mix of four values, exactly b if all are or if the place is b's.
func (s *spline) of(a, b, c, d float32) float32 {
	return b + (float32((a-b)*s.before) + float32((c-b)*s.after) + float32((d-b)*s.later))
}

// neighbors returns the numbers of the four samples round s, of n.
func (s *spline) neighbors(n int) (a, b, c, d int) {
	b = int(s.first)
	return max(b-1, 0), b, min(b+1, n-1), min(b+2, n-1)
}

// along returns row z of the raster at a place along x.
func (h *Heightmap) along(s *spline, z int) float32 {
	a, b, c, d := s.neighbors(h.width)
	return s.of(h.Raster.along(z, a, b, c, d))
}

func (h *Heightmap) Point(_ *Values, s lattice.Sample) float32 {
	x, z := splineAt(s.X, h.dx, h.width), splineAt(s.Z, h.dz, h.height)
	a, b, c, d := z.neighbors(h.height)
	return h.meters(z.of(h.along(&x, a), h.along(&x, b), h.along(&x, c), h.along(&x, d)))
}

func (h *Heightmap) meters(meters float32) float32 { return float32(meters*h.factor) + h.term + 0 }

func (h *Heightmap) Block(dst []float32, _ *Operands, k *Block) {
	if h.x != k.X || h.step != k.Dx || h.count != k.Count {
		h.x, h.step, h.count = k.X, k.Dx, k.Count
		h.across = Resize(h.across, k.Count)
		for i := range h.across {
			h.across[i] = splineAt(k.X+int32(i)*k.Dx, h.dx, h.width)
		}
		for i := range h.rows {
			h.rows[i].ok = false
		}
	}
	for r := range k.Rows {
		z := splineAt(k.Z+int32(r)*k.Dz, h.dz, h.height)
		ia, ib, ic, id := z.neighbors(h.height)
		row := dst[r*k.Count:][:k.Count]
		a, b, c, d := h.row(ia)[:len(row)], h.row(ib)[:len(row)], h.row(ic)[:len(row)], h.row(id)[:len(row)]
		for i := range row {
			row[i] = h.meters(z.of(a[i], b[i], c[i], d[i]))
		}
	}
}

// row returns row z of the raster at the places of the row of columns. Four rows in a line are kept.
func (h *Heightmap) row(z int) []float32 {
	r := &h.rows[z&3]
	if !r.ok || r.z != int32(z) {
		r.ok, r.v = false, Resize(r.v, h.count)
		for i := range r.v {
			r.v[i] = h.along(&h.across[i], z)
		}
		r.ok, r.z = true, int32(z) // now, for a tile may not be to be had
	}
	return r.v
}

// Bounds returns where the heights of a box's columns lie. Of 4×4 weights that sum to 1 those below 0 sum to
// −9/32 at most: that far beyond the samples' extremes, in units of their difference, a spline may go.
func (h *Heightmap) Bounds(_ *Intervals, b *lattice.Box) geom.Interval {
	x0, x1 := splineAt(b.Min.X, h.dx, h.width), splineAt(b.Max.X-1, h.dx, h.width)
	z0, z1 := splineAt(b.Min.Z, h.dz, h.height), splineAt(b.Max.Z-1, h.dz, h.height)
	ax, _, _, _ := x0.neighbors(h.width)
	_, _, _, bx := x1.neighbors(h.width)
	az, _, _, _ := z0.neighbors(h.height)
	_, _, _, bz := z1.neighbors(h.height)
	i := h.Raster.extremes(ax, az, bx, bz)
	i = i.Widen(float32((i.Hi-i.Lo)*(9.0/32)) + float32(i.Magnitude()*(1.0/(1<<20))))
	return i.Mul(geom.Single(h.factor)).Add(geom.Single(h.term)).Add(geom.Single(0))
}
