package lod

import (
	"math"
	"slices"

	"github.com/terrane/terrane/lattice"
)

const (
	// MaxRadius is the largest view radius in chunks: 7,213 columns, which with their margins lie in at most 196
	// regions; a server allows 256. Beyond it every step of a viewer would cost more than a few milliseconds.
	MaxRadius = 48
	// Slack is how much further than the radius a column may lie, in chunks, before it is dropped. Below 1 a
	// viewer on a border between columns loads and drops at every step; much above it memory is held for
	// what nobody will see.
	Slack = 1.5
)

// A Column names the chunks of all heights over one square of 32×32 cells of a level, by its number on each axis.
type Column struct {
	X, Z  int32
	Level uint8
}

// ColumnOf returns the column at the level that s lies over.
func ColumnOf(s lattice.Sample, level uint8) Column {
	c := lattice.ChunkOf(s, level)
	return Column{c.X, c.Z, level}
}

// Chunk returns the column's chunk with the given number along y.
func (c Column) Chunk(y int32) lattice.Chunk {
	return lattice.Chunk{X: c.X, Y: y, Z: c.Z, Level: c.Level}
}

// Wants reports whether c is in view from the column at, so that it is to be loaded.
func Wants(at, c Column, radius int) bool {
	r := int64(radius)
	return c.Level == at.Level && Apart(at, c) <= r*r
}

// Keeps reports whether c may stay if it is loaded. It is wider than Wants, by Slack: the gap is what keeps a viewer on a
// border from loading and dropping at every step.
func Keeps(at, c Column, radius int) bool {
	r := int64(2*radius) + int64(2*Slack)
	return c.Level == at.Level && 4*Apart(at, c) <= r*r
}

// Count returns the number of columns in view.
func Count(radius int) int {
	n := 0
	for x := -radius; x <= radius; x++ {
		n += 2*int(math.Sqrt(float64(radius*radius-x*x))) + 1
	}
	return n
}

// Apart returns the square of the distance between two columns, in chunks.
func Apart(a, b Column) int64 {
	x, z := int64(a.X)-int64(b.X), int64(a.Z)-int64(b.Z)
	return x*x + z*z
}

// A Set holds the columns that are in view or kept. The zero value holds none. It allocates only when the
// radius grows and when it is used for the first time.
type Set struct {
	at     Column
	radius int
	moved  bool // whether Move has ever been called

	ring   []offset // the columns in view relative to the viewer's, nearest first
	reach  int      // the radius that ring was made for
	list   []Column // those held
	member map[Column]struct{}

	enter, leave []Column
}

// An offset is the place of a column relative to another one.
type offset struct{ x, z int32 }

// Move updates the set for a viewer over the column at, and returns the columns that entered, nearest first,
// and those that left. Both slices are valid until the next call. It panics on a radius outside 0 … MaxRadius.
func (s *Set) Move(at Column, radius int) (enter, leave []Column) {
	if radius < 0 || radius > MaxRadius {
		panic("lod: radius out of range 0 … 48")
	}
	if s.moved && at == s.at && radius == s.radius {
		return nil, nil
	}
	if s.member == nil {
		s.member = make(map[Column]struct{})
	}
	if !s.moved || radius != s.reach {
		s.ring, s.reach = appendRing(s.ring[:0], radius), radius
	}
	s.at, s.radius, s.moved = at, radius, true
	s.enter, s.leave = s.enter[:0], s.leave[:0]
	kept := s.list[:0]
	for _, c := range s.list {
		if Keeps(at, c, radius) {
			kept = append(kept, c)
			continue
		}
		delete(s.member, c)
		s.leave = append(s.leave, c)
	}
	s.list = kept
	for _, o := range s.ring {
		c := Column{at.X + o.x, at.Z + o.z, at.Level}
		if _, ok := s.member[c]; ok {
			continue
		}
		s.member[c] = struct{}{}
		s.list = append(s.list, c)
		s.enter = append(s.enter, c)
	}
	return s.enter, s.leave
}

// Has reports whether c is in the set.
func (s *Set) Has(c Column) bool {
	_, ok := s.member[c]
	return ok
}

// InView reports whether c is in view, not merely kept.
func (s *Set) InView(c Column) bool { return s.moved && Wants(s.at, c, s.radius) }

// Len returns the number of columns in the set.
func (s *Set) Len() int { return len(s.list) }

// appendRing appends the offsets of the columns in view, nearest first, those equally far in the order x, z.
func appendRing(dst []offset, radius int) []offset {
	r := int32(radius)
	for z := -r; z <= r; z++ {
		for x := -r; x <= r; x++ {
			if x*x+z*z <= r*r {
				dst = append(dst, offset{x, z})
			}
		}
	}
	slices.SortFunc(dst, func(a, b offset) int {
		if d := (a.x*a.x + a.z*a.z) - (b.x*b.x + b.z*b.z); d != 0 {
			return int(d)
		}
		if a.z != b.z {
			return int(a.z - b.z)
		}
		return int(a.x - b.x)
	})
	return dst
}
