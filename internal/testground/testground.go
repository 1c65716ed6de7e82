// Package testground holds a terrain for tests that is simple enough to know its densities by hand and rough
// enough to catch a sample read at the wrong place.
package testground

import (
	"math"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// A Ground is the terrain Height + SlopeX·x + SlopeZ·z + Rough·noise(x, y, z) − y, where x, y, z count from
// Origin and noise is a hash of the sample in −1 … 1. It holds no scratch memory.
type Ground struct {
	Height, SlopeX, SlopeZ, Rough float32
	Origin                        lattice.Sample
}

var _ field.Terrain = Ground{}

// At implements field.Field.
func (g Ground) At(s lattice.Sample) float32 {
	x, y, z := s.X-g.Origin.X, s.Y-g.Origin.Y, s.Z-g.Origin.Z
	d := g.plane(x, z) - float32(y)
	if g.Rough != 0 {
		d += float32(g.Rough * noise(x, y, z))
	}
	return d + 0
}

// plane returns the height without noise.
func (g Ground) plane(x, z int32) float32 {
	return g.Height + float32(g.SlopeX*float32(x)) + float32(g.SlopeZ*float32(z))
}

// noise returns a number in −1 … 1 that depends on all bits of its arguments.
func noise(x, y, z int32) float32 {
	h := uint32(x)*0x9e3779b1 + uint32(y)*0x85ebca77 + uint32(z)*0xc2b2ae3d
	h = (h ^ h>>15) * 0x2c1b3c6d
	h ^= h >> 13
	return float32(int32(h)>>8) / (1 << 23)
}

// Fill implements field.Filler.
func (g Ground) Fill(to *grid.Grid) {
	o, n, step := to.Corner(), to.Side(), to.Step()
	i := 0
	for z := range int32(n) {
		for y := range int32(n) {
			for x := range int32(n) {
				to.Samples[i] = g.At(o.Add(x*step, y*step, z*step))
				i++
			}
		}
	}
	for i := range to.Ground {
		to.Ground[i] = g.Ground(o.X+int32(i%n)*step, o.Z+int32(i/n)*step)
	}
}

// Bounds implements field.Bounder.
func (g Ground) Bounds(b lattice.Box) geom.Interval {
	lo, hi := g.heights(b)
	y0, y1 := b.Min.Y-g.Origin.Y, b.Max.Y-1-g.Origin.Y
	return geom.Interval{Lo: lo - float32(y1), Hi: hi - float32(y0)}
}

// heights returns the lowest and the highest ground over b, with a margin for rounding.
func (g Ground) heights(b lattice.Box) (lo, hi float32) {
	lo, hi = float32(math.Inf(1)), float32(math.Inf(-1))
	for i := range 4 {
		x, z := b.Min.X, b.Min.Z
		if i&1 != 0 {
			x = b.Max.X - 1
		}
		if i&2 != 0 {
			z = b.Max.Z - 1
		}
		h := g.plane(x-g.Origin.X, z-g.Origin.Z)
		lo, hi = min(lo, h), max(hi, h)
	}
	margin := g.Rough + 1e-4*max(1, hi, -lo)
	return lo - margin, hi + margin
}

// Ground implements field.Terrain.
func (g Ground) Ground(x, z int32) float32 {
	return g.plane(x-g.Origin.X, z-g.Origin.Z) + float32(g.Origin.Y)
}

// Spans implements field.Terrain.
func (g Ground) Spans(dst []lattice.Span, b lattice.Box) []lattice.Span {
	lo, hi := g.heights(b)
	return append(dst, lattice.Span{
		Lo: g.Origin.Y + int32(math.Floor(float64(lo))) - 1,
		Hi: g.Origin.Y + int32(math.Ceil(float64(hi))) + 2,
	})
}
