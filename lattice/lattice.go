package lattice

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
)

const (
	// ChunkShift is the base-2 logarithm of ChunkCells.
	ChunkShift = 5
	// ChunkCells is the number of cells along a chunk's side. Smaller chunks waste their margin (the
	// 35³ samples of a 32³ chunk are 31 % margin); larger ones make an edit rebuild more than it changed.
	ChunkCells = 1 << ChunkShift
	// BrickSamples is the number of samples along a brick's side.
	BrickSamples = ChunkCells
	// RegionShift is the base-2 logarithm of the number of chunk columns along a region's side.
	RegionShift = 3
	// MaxLevel is the coarsest level. At level 12 a chunk spans 131 km.
	MaxLevel = 12
	// Limit bounds a world: every sample that may be viewed or edited has |x|, |y|, |z| < Limit, which
	// leaves room for margins and reaches without overflow.
	Limit = 1 << 30
)

// A Sample is a lattice point by its number on each axis.
type Sample struct{ X, Y, Z int32 }

// Add returns s moved by the given numbers of samples.
func (s Sample) Add(x, y, z int32) Sample { return Sample{s.X + x, s.Y + y, s.Z + z} }

// InLimit reports whether s lies where a world may be viewed and edited.
func (s Sample) InLimit() bool {
	in := func(v int32) bool { return v > -Limit && v < Limit }
	return in(s.X) && in(s.Y) && in(s.Z)
}

// A Chunk is a cube of 32³ cells meshed as one, by its number on each axis at a level.
type Chunk struct {
	X, Y, Z int32
	Level   uint8
}

// A Brick is a cube of 32³ samples, by its number on each axis at a level.
type Brick struct {
	X, Y, Z int32
	Level   uint8
}

// A Region is a square of 8×8 chunk columns of all heights, by its number on each axis at a level.
type Region struct {
	X, Z  int32
	Level uint8
}

func (c Chunk) String() string  { return fmt.Sprintf("chunk(%d,%d,%d)@%d", c.X, c.Y, c.Z, c.Level) }
func (b Brick) String() string  { return fmt.Sprintf("brick(%d,%d,%d)@%d", b.X, b.Y, b.Z, b.Level) }
func (r Region) String() string { return fmt.Sprintf("region(%d,%d)@%d", r.X, r.Z, r.Level) }

// A Box is the half-open box of samples s with Min ≤ s < Max on every axis.
type Box struct{ Min, Max Sample }

// Empty reports whether b holds no sample.
func (b Box) Empty() bool {
	return b.Min.X >= b.Max.X || b.Min.Y >= b.Max.Y || b.Min.Z >= b.Max.Z
}

// Contains reports whether s lies in b.
func (b Box) Contains(s Sample) bool {
	return s.X >= b.Min.X && s.X < b.Max.X &&
		s.Y >= b.Min.Y && s.Y < b.Max.Y &&
		s.Z >= b.Min.Z && s.Z < b.Max.Z
}

// Intersect returns the samples that lie in both boxes; the result may be empty.
func (b Box) Intersect(c Box) Box {
	return Box{
		Sample{max(b.Min.X, c.Min.X), max(b.Min.Y, c.Min.Y), max(b.Min.Z, c.Min.Z)},
		Sample{min(b.Max.X, c.Max.X), min(b.Max.Y, c.Max.Y), min(b.Max.Z, c.Max.Z)},
	}
}

// Union returns the smallest box that holds both; an empty box adds nothing.
func (b Box) Union(c Box) Box {
	if b.Empty() {
		return c
	}
	if c.Empty() {
		return b
	}
	return Box{
		Sample{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y), min(b.Min.Z, c.Min.Z)},
		Sample{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y), max(b.Max.Z, c.Max.Z)},
	}
}

// A Place is a point of a world, exact anywhere in it: a sample and an offset from it in samples, each
// component of the offset in [0, 1).
type Place struct {
	Sample Sample
	Offset geom.Vec3
}

// PlaceAt returns the place of a point given in meters. ok is false for a point that is not finite or lies
// outside Limit.
func PlaceAt(x, y, z float64) (p Place, ok bool) {
	var okX, okY, okZ bool
	p.Sample.X, p.Offset.X, okX = split(x)
	p.Sample.Y, p.Offset.Y, okY = split(y)
	p.Sample.Z, p.Offset.Z, okZ = split(z)
	return p, okX && okY && okZ
}

// split parts v into a whole sample and a rest in [0, 1).
func split(v float64) (int32, float32, bool) {
	if !(v > -Limit && v < Limit) { // also catches NaN
		return 0, 0, false
	}
	whole := math.Floor(v)
	rest := float32(v - whole)
	if rest >= 1 { // 1 − 2⁻³⁰ rounds to 1
		whole, rest = whole+1, 0
	}
	if whole >= Limit {
		return 0, 0, false
	}
	return int32(whole), rest, true
}

// Meters returns the place as a point in meters from the world's origin.
func (p Place) Meters() (x, y, z float64) {
	return float64(p.Sample.X) + float64(p.Offset.X),
		float64(p.Sample.Y) + float64(p.Offset.Y),
		float64(p.Sample.Z) + float64(p.Offset.Z)
}

// Move returns the place moved by v meters. ok is false if it leaves the world.
func (p Place) Move(v geom.Vec3) (Place, bool) {
	x, y, z := p.Meters()
	return PlaceAt(x+float64(v.X), y+float64(v.Y), z+float64(v.Z))
}

// From returns the vector in meters from the sample o to p.
func (p Place) From(o Sample) geom.Vec3 {
	return geom.Vec3{
		X: float32(p.Sample.X-o.X) + p.Offset.X,
		Y: float32(p.Sample.Y-o.Y) + p.Offset.Y,
		Z: float32(p.Sample.Z-o.Z) + p.Offset.Z,
	}
}

// Valid reports whether p lies in the world and its offset in its cell.
func (p Place) Valid() bool {
	in := func(f float32) bool { return f >= 0 && f < 1 } // false for NaN
	return p.Sample.InLimit() && in(p.Offset.X) && in(p.Offset.Y) && in(p.Offset.Z)
}
