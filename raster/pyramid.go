package raster

import "github.com/terrane/terrane/geom"

// A Pyramid holds the extremes of a raster's patches: of patchSide samples a side, then of 2×2 patches, and so on.
type Pyramid struct{ levels []Patches }

// Patches are the extremes of patches, row by row.
type Patches struct {
	width, height int
	v             []geom.Interval
}

const (
	patchShift = 4
	patchSide  = 1 << patchShift
)

// Extremes returns the smallest interval that holds all samples.
func (v *View) Extremes() geom.Interval {
	i := geom.Single(v.Meters(0))
	for k := range v.Width * v.Height {
		i = i.Union(geom.Single(v.Meters(k)))
	}
	return i
}

// NewPyramid returns the pyramid over the samples of v.
func NewPyramid(v *View) *Pyramid {
	t := NewPatches((v.Width+patchSide-1)/patchSide, (v.Height+patchSide-1)/patchSide)
	for z := range v.Height {
		for x := range v.Width {
			t.Add(x>>patchShift, z>>patchShift, geom.Single(v.Meters(z*v.Width+x)))
		}
	}
	return PyramidOver(t)
}

// PyramidOver returns the pyramid whose finest level is t.
func PyramidOver(t Patches) *Pyramid {
	p := &Pyramid{levels: []Patches{t}}
	for t.width > 1 || t.height > 1 {
		up := NewPatches((t.width+1)/2, (t.height+1)/2)
		for i, e := range t.v {
			up.Add(i%t.width/2, i/t.width/2, e)
		}
		p.levels = append(p.levels, up)
		t = up
	}
	return p
}

// NewPatches returns patches that hold nothing yet.
func NewPatches(width, height int) Patches {
	t := Patches{width, height, make([]geom.Interval, width*height)}
	for i := range t.v {
		t.v[i] = geom.Interval{Lo: MaxHeight, Hi: -MaxHeight}
	}
	return t
}

// Add adds what lies within e to the patch x, z.
func (t *Patches) Add(x, z int, e geom.Interval) {
	v := &t.v[z*t.width+x]
	*v = v.Union(e)
}

// Bounds returns the extremes of the patches that hold the samples from x0, z0 to x1, z1.
func (p *Pyramid) Bounds(x0, z0, x1, z1 int) geom.Interval {
	return p.OfPatches(x0>>patchShift, z0>>patchShift, x1>>patchShift, z1>>patchShift)
}

// OfPatches returns the extremes of the patches from x0, z0 to x1, z1, at the finest level where they are few.
func (p *Pyramid) OfPatches(x0, z0, x1, z1 int) geom.Interval {
	shift := 0
	for ((x1>>shift)-(x0>>shift) > 8 || (z1>>shift)-(z0>>shift) > 8) && shift < len(p.levels)-1 {
		shift++
	}
	t := &p.levels[shift]
	i := geom.Interval{Lo: MaxHeight, Hi: -MaxHeight}
	for z := z0 >> shift; z <= z1>>shift; z++ {
		for x := x0 >> shift; x <= x1>>shift; x++ {
			i = i.Union(t.v[z*t.width+x])
		}
	}
	return i
}
