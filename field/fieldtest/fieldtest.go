// Package fieldtest holds fields and terrains to the contract of package field.
package fieldtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// Test checks that a field keeps the contract of [field.Field] near its origin, ten million meters out and at
// the edge of the world: values are numbers, never −0, and the same whenever they are asked for. What else f
// implements is held to it, at several levels: that a [field.Filler] fills grids with what At gives, bit for bit;
// that a [field.Bounder]'s bounds hold; that no column of a [field.Terrain] changes sign outside the heights it is
// said to; that a [field.MaterialSource]'s FillMaterials gives what Material gives at every sample that ends a crossed edge.
//
// The places are drawn from seed, so a failure can be repeated.
func Test(t testing.TB, f field.Field, seed uint64) {
	t.Helper()
	c := checker{t: t, f: f, r: rand.New(rand.NewPCG(seed, 0))}
	c.filler, _ = f.(field.Filler)
	c.bounder, _ = f.(field.Bounder)
	c.terrain, _ = f.(field.Terrain)
	for _, o := range places {
		for _, level := range []uint8{0, 1, 4, lattice.MaxLevel} {
			c.fill(o, level)
		}
		c.bounds(o)
		c.heights(o)
		if p, ok := f.(field.MaterialSource); ok && c.filler != nil {
			for _, level := range []uint8{0, 1, 4} {
				c.materials(p, o, level)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// places are where terrains are looked at: on both sides of 0, far away, and where the world ends.
var places = []lattice.Sample{
	{},
	{X: -40, Y: -20, Z: -75},
	{X: 10_000_000, Y: 10, Z: -10_000_000},
	{X: -9_999_999, Y: -10, Z: 9_999_983},
	{X: lattice.Limit - 1, Y: 0, Z: -lattice.Limit + 1},
	{X: 3, Y: lattice.Limit - 1, Z: 5},
	{X: -3, Y: -lattice.Limit + 1, Z: -5},
}

type checker struct {
	t testing.TB
	f field.Field
	r *rand.Rand
	// What f is besides, or nil.
	filler  field.Filler
	bounder field.Bounder
	terrain field.Terrain
}

// near returns a sample within d of s, still in the world.
func (c *checker) near(s lattice.Sample, d int32) lattice.Sample {
	axis := func(v int32) int32 {
		return max(min(v+c.r.Int32N(2*d+1)-d, lattice.Limit-1), -lattice.Limit+1)
	}
	return lattice.Sample{X: axis(s.X), Y: axis(s.Y), Z: axis(s.Z)}
}

// good reports whether v may be a density or a height.
func good(v float32) bool { return geom.Finite(v) && math.Float32bits(v) != 1<<31 }

// surface returns s at a height near where its column can hold surface, if it can.
func (c *checker) surface(s lattice.Sample) lattice.Sample {
	if c.terrain == nil {
		return s
	}
	spans := c.terrain.Spans(nil, lattice.Box{Min: s, Max: s.Add(1, 1, 1)})
	if len(spans) > 0 {
		s.Y = spans[c.r.IntN(len(spans))].Lo
	}
	return s
}

// fill compares Fill with At on grids near o.
func (c *checker) fill(o lattice.Sample, level uint8) {
	for _, s := range []lattice.Sample{o, c.near(o, 1000), c.surface(o), c.surface(c.near(o, 100))} {
		g := grid.New(1 + c.r.IntN(1<<c.r.IntN(5)))
		n := int32(g.Cells) << level
		g.Chunk = lattice.Chunk{X: s.X / n, Y: s.Y / n, Z: s.Z / n, Level: level}
		for i := range g.Samples {
			g.Samples[i] = float32(math.NaN())
		}
		for i := range g.Ground {
			g.Ground[i] = float32(math.NaN())
		}
		if c.filler != nil {
			c.filler.Fill(g)
		}
		c.compare(g)
	}
}

// compare checks every value of a grid, which is filled if f fills grids.
func (c *checker) compare(g *grid.Grid) {
	n, b := g.Side(), geom.Interval{Lo: -math.MaxFloat32, Hi: math.MaxFloat32}
	if c.bounder != nil {
		b = c.bounder.Bounds(g.Box())
	}
	for i, got := range g.Samples {
		s := g.Corner().Add(int32(i%n)*g.Step(), int32(i/n%n)*g.Step(), int32(i/(n*n))*g.Step())
		want := c.f.At(s)
		if c.filler == nil {
			got = c.f.At(s)
		}
		switch {
		case math.Float32bits(got) != math.Float32bits(want):
			c.t.Fatalf("%v at %v: filled or asked again %v (%08x), At %v (%08x)", g.Chunk, s,
				got, math.Float32bits(got), want, math.Float32bits(want))
		case !good(got):
			c.t.Fatalf("%v at %v: density %v (%08x), want a finite number, not −0", g.Chunk, s, got, math.Float32bits(got))
		case !(got >= b.Lo && got <= b.Hi):
			c.t.Fatalf("%v at %v: density %v is not in its bounds %v", g.Chunk, s, got, b)
		}
	}
	if c.terrain == nil {
		return
	}
	for i, got := range g.Ground {
		x, z := g.Corner().X+int32(i%n)*g.Step(), g.Corner().Z+int32(i/n)*g.Step()
		want := c.terrain.Ground(x, z)
		if math.Float32bits(got) != math.Float32bits(want) || !good(got) {
			c.t.Fatalf("column %d, %d at level %d: Fill gives ground %v, Ground %v", x, z, g.Chunk.Level, got, want)
		}
	}
}

// materials compares FillMaterials with Material on grids near o: where the surface is, and with solid and air in turns, so
// that all samples are asked for.
func (c *checker) materials(p field.MaterialSource, o lattice.Sample, level uint8) {
	if n := len(p.Palette()); n < 1 || n > graph.MaxMaterials {
		c.t.Fatalf("a palette of %d materials, want 1 … %d", n, graph.MaxMaterials)
	}
	for i, s := range []lattice.Sample{o, c.surface(o), c.surface(c.near(o, 100))} {
		g := grid.New(1 + c.r.IntN(1<<c.r.IntN(5)))
		n := int32(g.Cells) << level
		g.Chunk = lattice.Chunk{X: s.X / n, Y: s.Y / n, Z: s.Z / n, Level: level}
		c.filler.Fill(g)
		if i == 0 {
			for i := range g.Samples {
				g.Samples[i] = float32(i%2) - 0.5
			}
		}
		p.FillMaterials(g)
		if len(g.Materials) != len(g.Samples) {
			c.t.Fatalf("%d materials for %d samples", len(g.Materials), len(g.Samples))
		}
		c.comparePaint(p, g)
	}
}

// comparePaint checks the materials of a grid where edges are crossed.
func (c *checker) comparePaint(p field.MaterialSource, g *grid.Grid) {
	n := g.Side()
	check := func(i int) {
		s := g.Corner().Add(int32(i%n)*g.Step(), int32(i/n%n)*g.Step(), int32(i/(n*n))*g.Step())
		got, want := g.Materials[i], p.Material(s)
		if got != want || int(got) >= len(p.Palette()) {
			c.t.Fatalf("%v at %v: FillMaterials gives material %d, Material %d, of %d", g.Chunk, s, got, want, len(p.Palette()))
		}
	}
	for i := range g.Samples {
		for axis, stride := range [3]int{1, n, n * n} {
			at := [3]int{i % n, i / n % n, i / (n * n)}[axis]
			if at+1 < n && grid.Solid(g.Samples[i]) != grid.Solid(g.Samples[i+stride]) {
				check(i)
				check(i + stride)
			}
		}
	}
}

// bounds checks boxes of many sizes near o, at random samples and at corners.
func (c *checker) bounds(o lattice.Sample) {
	if c.bounder == nil {
		return
	}
	for range 15 {
		s := c.near(o, 1<<c.r.IntN(8))
		if c.r.IntN(2) == 0 {
			s = c.surface(s)
		}
		size := func() int32 { return 1 + c.r.Int32N(1<<c.r.IntN(14)) }
		b := lattice.Box{Min: s, Max: s.Add(size(), size(), size())}
		i := c.bounder.Bounds(b)
		if !(i.Lo <= i.Hi) || !geom.Finite(i.Lo) || !geom.Finite(i.Hi) {
			c.t.Fatalf("bounds of %v are %v, want two finite numbers in order", b, i)
		}
		for range 30 {
			p := lattice.Sample{X: c.within(b.Min.X, b.Max.X), Y: c.within(b.Min.Y, b.Max.Y), Z: c.within(b.Min.Z, b.Max.Z)}
			if v := c.f.At(p); !(v >= i.Lo && v <= i.Hi) {
				c.t.Fatalf("density %v at %v is not in %v, the bounds of %v", v, p, i, b)
			}
		}
	}
}

// within returns a number from lo to hi, which is excluded, often at an end.
func (c *checker) within(lo, hi int32) int32 {
	switch c.r.IntN(4) {
	case 0:
		return lo
	case 1:
		return hi - 1
	}
	return lo + c.r.Int32N(hi-lo)
}

// heights checks that columns change sign only where Heights says that they can.
func (c *checker) heights(o lattice.Sample) {
	if c.terrain == nil {
		return
	}
	for range 2 {
		s := c.near(o, 500)
		b := lattice.Box{Min: s, Max: s.Add(1+c.r.Int32N(1<<c.r.IntN(7)), 1, 1+c.r.Int32N(1<<c.r.IntN(7)))}
		spans := c.terrain.Spans(nil, b)
		c.checkSpans(b, spans)
		for range 3 {
			c.column(c.within(b.Min.X, b.Max.X), c.within(b.Min.Z, b.Max.Z), spans)
		}
	}
}

func (c *checker) checkSpans(b lattice.Box, spans []lattice.Span) {
	if len(spans) > 8 {
		c.t.Fatalf("heights of %v: %d spans, want at most 8", b, len(spans))
	}
	last := int32(math.MinInt32)
	for _, s := range spans {
		if s.Lo >= s.Hi || s.Lo <= last || s.Lo < -lattice.Limit || s.Hi > lattice.Limit {
			c.t.Fatalf("heights of %v: %v, want ascending, disjoint and in the world", b, spans)
		}
		last = s.Hi
	}
}

// column checks the places of a column around its spans, around 0 and anywhere.
func (c *checker) column(x, z int32, spans []lattice.Span) {
	check := func(y int32) {
		for _, s := range spans {
			if y >= s.Lo && y+1 < s.Hi {
				return
			}
		}
		a, b := c.f.At(lattice.Sample{X: x, Y: y, Z: z}), c.f.At(lattice.Sample{X: x, Y: y + 1, Z: z})
		if grid.Solid(a) != grid.Solid(b) {
			c.t.Fatalf("column %d, %d changes from %v to %v at height %d, outside %v", x, z, a, b, y, spans)
		}
	}
	for y := int32(-90); y < 90; y++ {
		check(y)
	}
	for _, s := range spans {
		for d := int32(-5); d < 5; d++ {
			check(max(s.Lo, -lattice.Limit+100) + d)
			check(min(s.Hi, lattice.Limit-100) + d)
		}
	}
	for range 50 {
		check(c.r.Int32N(2*lattice.Limit-2) - lattice.Limit + 1)
	}
}
