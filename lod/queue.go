package lod

import "github.com/terrane/terrane/lattice"

// A Rank is the priority of a chunk for loading.
type Rank struct {
	Edited   bool    // an edit changed the chunk: it comes before those that none did
	Distance float64 // from the viewer to the chunk's center, squared, in samples
}

// RankOf returns the rank of c for a viewer's eye.
func RankOf(c lattice.Chunk, edited bool, eye lattice.Place) Rank {
	x, y, z := eye.Meters()
	o, half := c.Origin(), float64(int32(lattice.ChunkCells/2)<<c.Level)
	x, y, z = float64(o.X)+half-x, float64(o.Y)+half-y, float64(o.Z)+half-z
	return Rank{edited, x*x + y*y + z*z}
}

// Before reports whether a chunk of rank r is loaded before one of rank q.
func (r Rank) Before(q Rank) bool {
	if r.Edited != q.Edited {
		return r.Edited
	}
	return r.Distance < q.Distance
}

// A Queue holds the chunks that wait to be built and hands them out in load order: by rank, and those of
// equal rank by their numbers, so that the order does not depend on how it came about. The zero value is
// empty, for an eye at the world's origin.
type Queue struct {
	eye   lattice.Place
	heap  []item
	place map[lattice.Chunk]int // index in heap
}

type item struct {
	rank  Rank
	chunk lattice.Chunk
}

// Len returns the number of chunks in the queue.
func (q *Queue) Len() int { return len(q.heap) }

// Has reports whether c is in the queue.
func (q *Queue) Has(c lattice.Chunk) bool {
	_, ok := q.place[c]
	return ok
}

// Push adds c. If c is queued already it counts as edited if either call says so.
func (q *Queue) Push(c lattice.Chunk, edited bool) {
	if q.place == nil {
		q.place = make(map[lattice.Chunk]int)
	}
	if i, ok := q.place[c]; ok {
		if edited && !q.heap[i].rank.Edited {
			q.heap[i].rank.Edited = true
			q.up(i)
		}
		return
	}
	q.heap = append(q.heap, item{RankOf(c, edited, q.eye), c})
	q.place[c] = len(q.heap) - 1
	q.up(len(q.heap) - 1)
}

// Pop removes the first chunk and returns it. ok is false if there is none.
func (q *Queue) Pop() (c lattice.Chunk, ok bool) {
	if len(q.heap) == 0 {
		return c, false
	}
	c = q.heap[0].chunk
	q.Remove(c)
	return c, true
}

// Remove takes c out of the queue, if it is there.
func (q *Queue) Remove(c lattice.Chunk) {
	i, ok := q.place[c]
	if !ok {
		return
	}
	last := len(q.heap) - 1
	q.swap(i, last)
	q.heap = q.heap[:last]
	delete(q.place, c)
	if i < last {
		q.down(i)
		q.up(i)
	}
}

// Move ranks every chunk again for another eye. It costs as much as pushing all of them, so callers move the eye in steps.
func (q *Queue) Move(eye lattice.Place) {
	q.eye = eye
	for i := range q.heap {
		q.heap[i].rank = RankOf(q.heap[i].chunk, q.heap[i].rank.Edited, eye)
	}
	for i := len(q.heap)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

func (q *Queue) less(i, j int) bool {
	a, b := &q.heap[i], &q.heap[j]
	if a.rank != b.rank {
		return a.rank.Before(b.rank)
	}
	switch {
	case a.chunk.Level != b.chunk.Level:
		return a.chunk.Level < b.chunk.Level
	case a.chunk.Z != b.chunk.Z:
		return a.chunk.Z < b.chunk.Z
	case a.chunk.Y != b.chunk.Y:
		return a.chunk.Y < b.chunk.Y
	}
	return a.chunk.X < b.chunk.X
}

func (q *Queue) swap(i, j int) {
	q.heap[i], q.heap[j] = q.heap[j], q.heap[i]
	q.place[q.heap[i].chunk], q.place[q.heap[j].chunk] = i, j
}

func (q *Queue) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !q.less(i, parent) {
			return
		}
		q.swap(i, parent)
		i = parent
	}
}

func (q *Queue) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(q.heap) {
			return
		}
		if child+1 < len(q.heap) && q.less(child+1, child) {
			child++
		}
		if !q.less(child, i) {
			return
		}
		q.swap(i, child)
		i = child
	}
}
