package lod_test

import (
	"slices"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	tests := []struct{ radius, want int }{{0, 1}, {1, 5}, {2, 13}, {8, 197}, {16, 797}, {lod.MaxRadius, 7213}}
	for _, tt := range tests {
		if got := lod.Count(tt.radius); got != tt.want {
			t.Errorf("Count(%d) = %d, want %d", tt.radius, got, tt.want)
		}
		var s lod.Set
		enter, leave := s.Move(lod.Column{X: 1 << 25, Z: -1 << 25}, tt.radius)
		if len(enter) != tt.want || len(leave) != 0 || s.Len() != tt.want {
			t.Errorf("radius %d: %d columns came and %d went, want %d and 0", tt.radius, len(enter), len(leave), tt.want)
		}
	}
}

func TestColumnOf(t *testing.T) {
	tests := []struct {
		x     int32
		level uint8
		want  int32
	}{{-33, 0, -2}, {-32, 0, -1}, {-1, 0, -1}, {0, 0, 0}, {31, 0, 0}, {32, 0, 1}, {63, 1, 0}, {64, 1, 1}, {-1, 3, -1}}
	for _, tt := range tests {
		got := lod.ColumnOf(lattice.Sample{X: tt.x, Y: 1000, Z: 5}, tt.level)
		if want := (lod.Column{X: tt.want, Level: tt.level}); got != want {
			t.Errorf("ColumnOf(%d, level %d) = %v, want %v", tt.x, tt.level, got, want)
		}
	}
}

func TestHysteresis(t *testing.T) {
	at := func(x int32) lod.Column { return lod.Column{X: x} }
	var s lod.Set
	s.Move(at(0), 8)
	far := lod.Column{X: -8}
	if _, leave := s.Move(at(1), 8); len(leave) != 0 || !s.Has(far) || s.InView(far) {
		t.Errorf("one step: %d columns went; column −8 kept: %v, in view: %v", len(leave), s.Has(far), s.InView(far))
	}
	if enter, _ := s.Move(at(0), 8); len(enter) != 0 {
		t.Errorf("a step to and fro loaded %d columns", len(enter))
	}
	if _, leave := s.Move(at(2), 8); !slices.Contains(leave, far) || s.Has(far) {
		t.Error("column −8 is 10 chunks away, further than 8 + 1.5, and was not dropped")
	}
	if !lod.Keeps(at(0), lod.Column{X: 9, Z: 3}, 8) || lod.Keeps(at(0), lod.Column{X: 9, Z: 4}, 8) {
		t.Error("√90 is within 9.5 chunks and √97 is not")
	}
}

// TestSetAgainstModel walks at random and compares with the definition.
func TestSetAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s lod.Set
		model := map[lod.Column]bool{}
		at, radius := lod.Column{}, 3
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			at.X += rapid.Int32Range(-3, 3).Draw(t, "dx")
			at.Z += rapid.Int32Range(-3, 3).Draw(t, "dz")
			if rapid.IntRange(0, 4).Draw(t, "resize") == 0 {
				radius = rapid.IntRange(0, 6).Draw(t, "radius")
			}
			enter, leave := s.Move(at, radius)
			for _, c := range leave {
				if !model[c] || lod.Keeps(at, c, radius) {
					t.Fatalf("%v went and should not have", c)
				}
				delete(model, c)
			}
			last := int64(-1)
			for _, c := range enter {
				x, z := int64(c.X-at.X), int64(c.Z-at.Z)
				if model[c] || !lod.Wants(at, c, radius) || x*x+z*z < last {
					t.Fatalf("%v came: there before %v, wanted %v, or out of order", c, model[c], lod.Wants(at, c, radius))
				}
				last = x*x + z*z
				model[c] = true
			}
			for x := at.X - 9; x <= at.X+9; x++ {
				for z := at.Z - 9; z <= at.Z+9; z++ {
					c := lod.Column{X: x, Z: z}
					if s.Has(c) != model[c] || lod.Wants(at, c, radius) && !model[c] || model[c] && !lod.Keeps(at, c, radius) {
						t.Fatalf("%v from %v, radius %d: in the set %v, in the model %v", c, at, radius, s.Has(c), model[c])
					}
				}
			}
			if s.Len() != len(model) {
				t.Fatalf("%d columns, want %d", s.Len(), len(model))
			}
		}
	})
}

func TestQueueOrder(t *testing.T) {
	eye := lattice.Place{Sample: lattice.Sample{X: 16, Y: 16, Z: 16}}
	var q lod.Queue
	q.Move(eye)
	near, mid, far, edited := lattice.Chunk{}, lattice.Chunk{X: 1}, lattice.Chunk{X: 2, Y: 1}, lattice.Chunk{X: -9}
	for _, c := range []lattice.Chunk{far, near, mid} {
		q.Push(c, false)
	}
	q.Push(edited, true)
	q.Push(mid, false) // once only
	var got []lattice.Chunk
	for c, ok := q.Pop(); ok; c, ok = q.Pop() {
		got = append(got, c)
	}
	if want := []lattice.Chunk{edited, near, mid, far}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

// TestQueueAgainstSort compares the queue with a sorted list over random pushes, removals and moves.
func TestQueueAgainstSort(t *testing.T) {
	chunk := rapid.Custom(func(t *rapid.T) lattice.Chunk {
		n := func(name string) int32 { return rapid.Int32Range(-3, 3).Draw(t, name) }
		return lattice.Chunk{X: n("x"), Y: n("y"), Z: n("z"), Level: uint8(rapid.IntRange(0, 1).Draw(t, "level"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		var q lod.Queue
		var eye lattice.Place
		model := map[lattice.Chunk]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0, 1, 2:
				c, edited := chunk.Draw(t, "chunk"), rapid.Bool().Draw(t, "edited")
				q.Push(c, edited)
				model[c] = model[c] || edited
			case 3:
				c := chunk.Draw(t, "chunk")
				q.Remove(c)
				delete(model, c)
			case 4:
				eye.Sample.X = rapid.Int32Range(-200, 200).Draw(t, "eye")
				eye.Offset.Y = rapid.Float32Range(0, 0.9).Draw(t, "offset")
				q.Move(eye)
			}
		}
		if q.Len() != len(model) {
			t.Fatalf("%d chunks, want %d", q.Len(), len(model))
		}
		last := lod.Rank{Edited: true, Distance: -1}
		for c, ok := q.Pop(); ok; c, ok = q.Pop() {
			edited, there := model[c]
			r := lod.RankOf(c, edited, eye)
			if !there || r.Before(last) || q.Has(c) {
				t.Fatalf("%v came with rank %v after %v; in the model: %v", c, r, last, there)
			}
			last = r
			delete(model, c)
		}
	})
}

func TestRankFarAway(t *testing.T) {
	eye := lattice.Place{Sample: lattice.Sample{X: 10_000_000, Z: -10_000_000}, Offset: geom.Vec3{X: 0.5}}
	c := lattice.ChunkOf(eye.Sample, 0)
	r := lod.RankOf(c, false, eye)
	if r.Distance > 3*16*16 {
		t.Errorf("a chunk that holds the eye is √%v m away", r.Distance)
	}
}

func TestNoAllocation(t *testing.T) {
	var s lod.Set
	var q lod.Queue
	x := int32(0)
	walk := func() {
		x++
		enter, leave := s.Move(lod.Column{X: x % 4}, 8)
		for _, c := range enter {
			q.Push(c.Chunk(0), false)
		}
		for _, c := range leave {
			q.Remove(c.Chunk(0))
		}
		q.Move(lattice.Place{Sample: lattice.Sample{X: 32 * (x % 4)}})
	}
	for range 10 {
		walk()
	}
	if n := testing.AllocsPerRun(100, walk); n != 0 {
		t.Errorf("%v allocations a step, want 0", n)
	}
}
