package ingest

import (
	"fmt"
	"math"
)

// Fill gives every void of h a height from its neighbors and returns how many there were. A void grows shut
// from its rim: ring by ring, each sample takes the mean of those of its eight neighbors that have a height,
// the diagonal ones counting 1/√2. So no filled sample leaves the range of the rim, and samples that had a
// height keep it. A heightmap without any height is an error.
func (h *Heightmap) Fill() (int, error) {
	_, _, voids, ok := h.Range()
	if !ok {
		return 0, fmt.Errorf("%w: all %d samples are void: there are no heights to read", ErrUnsupported, voids)
	}
	if voids == 0 {
		return 0, nil
	}
	rim, queued := h.firstRing()
	heights := make([]float32, 0, len(rim))
	for len(rim) > 0 {
		heights = heights[:0]
		for _, i := range rim { // all of a ring see only what was there before it
			heights = append(heights, h.around(i))
		}
		for k, i := range rim {
			h.Values[i] = heights[k]
		}
		rim = h.nextRing(rim, queued)
	}
	return voids, nil
}

// firstRing returns the voids that have a neighbor with a height, and a set that holds them.
func (h *Heightmap) firstRing() (ring []int, queued []bool) {
	queued = make([]bool, len(h.Values))
	for i, v := range h.Values {
		if v == v {
			continue
		}
		for _, j := range h.neighbors(i) {
			if j >= 0 && h.Values[j] == h.Values[j] {
				ring, queued[i] = append(ring, i), true
				break
			}
		}
	}
	return ring, queued
}

// nextRing returns the voids round a ring that are not queued yet, and queues them.
func (h *Heightmap) nextRing(ring []int, queued []bool) []int {
	var next []int
	for _, i := range ring {
		for _, j := range h.neighbors(i) {
			if j >= 0 && !queued[j] && h.Values[j] != h.Values[j] {
				next, queued[j] = append(next, j), true
			}
		}
	}
	return next
}

// around returns the weighted mean of the neighbors of sample i that have a height, rounded to a whole
// number where the file holds only those.
func (h *Heightmap) around(i int) float32 {
	var sum, weights float64
	for k, j := range h.neighbors(i) {
		if j < 0 || h.Values[j] != h.Values[j] {
			continue
		}
		w := 1.0
		if k >= 4 {
			w = math.Sqrt2 / 2
		}
		sum += w * float64(h.Values[j])
		weights += w
	}
	if h.Kind.Float() {
		return float32(sum / weights)
	}
	return float32(math.Round(sum / weights))
}

// neighbors returns the indices of the four samples beside sample i and of the four across its corners, −1
// for those beyond the edge.
func (h *Heightmap) neighbors(i int) [8]int {
	x, z := i%h.Width, i/h.Width
	var n [8]int
	for k, d := range [8][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		n[k] = -1
		if nx, nz := x+d[0], z+d[1]; nx >= 0 && nx < h.Width && nz >= 0 && nz < h.Height {
			n[k] = nz*h.Width + nx
		}
	}
	return n
}

// Replace gives every void of h the same height and returns how many there were.
func (h *Heightmap) Replace(height float32) int {
	n := 0
	for i, v := range h.Values {
		if v != v {
			h.Values[i] = height
			n++
		}
	}
	return n
}
