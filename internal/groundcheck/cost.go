package groundcheck

import (
	"time"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/lattice"
)

// nodeCost measures how long node i takes, in nanoseconds by the sample or, if it does not depend on y, by the
// column: the time of a grid of that node alone, over stand-ins for what it reads, less that of the stand-ins. ok is
// false for a node that cannot be measured so, or costs nothing.
func nodeCost(d *importer.Compiled, i int, infos []field.NodeInfo) (ns float64, ok bool) {
	n := d.Built.Graph.Nodes[i]
	switch {
	case n.Kind == graph.KindWorld, n.Kind == graph.KindPaintedWorld, n.Kind == graph.KindConstant:
		return 0, false
	case !infos[i].X && !infos[i].Y && !infos[i].Z:
		return 0, false
	}
	var with, without graph.Builder
	var inputs []graph.Ref
	sum := without.Constant(1)
	for _, k := range n.Inputs {
		inputs = append(inputs, standIn(&with, infos[k]))
		sum = without.Sum(sum, standIn(&without, infos[k]))
	}
	n.Inputs = nil
	with.Add(n, inputs...)
	node, err := field.Compile(with.Graph(), d.Assets.Find)
	if err != nil {
		return 0, false // stand-ins that it does not take
	}
	base, err := field.Compile(without.Graph(), nil)
	if err != nil {
		return 0, false
	}
	at := lattice.Chunk{}
	count := 35.0 * 35 * 35
	if !infos[i].Y {
		count = 35 * 35
	}
	return max((FillTime(node, at)-FillTime(base, at))/count, 0), true
}

// Chunk returns the chunk that holds the ground at the middle of a world.
func Chunk(f field.Terrain) lattice.Chunk {
	y := min(max(f.Ground(0, 0), -1e6), 1e6)
	return lattice.ChunkOf(lattice.Sample{Y: int32(y)}, 0)
}

// samplesOf returns the number of samples of a grid of so many cells a side.
func samplesOf(cells int) int { n := cells + 3; return n * n * n }

// standIn adds a node that depends on the same axes as another and has values all over its bounds in every block,
// so that none is left out, and costs little.
func standIn(b *graph.Builder, i field.NodeInfo) graph.Ref {
	lo, hi := max(i.Bounds.Lo, -1e6), min(i.Bounds.Hi, 1e6)
	along := func(axis int64) graph.Ref {
		return b.Add(graph.Node{Kind: graph.KindCoordinate, Ints: []int64{axis, 0}})
	}
	if !i.X && !i.Y && !i.Z {
		return b.Constant(lo)
	}
	r := b.Scale(b.Saw(along(0), 8), (hi-lo)/8, lo)
	if i.Y {
		r = b.Sum(r, b.Scale(along(1), 1e-3, 0))
	}
	return r
}

// FillTime returns how many nanoseconds the grid of a chunk takes, the least of some tries. Each try is for
// another column of chunks, since a terrain remembers what it computed for the last ones. A part of a chunk that
// takes long by itself is the measure of the whole: some graphs would take minutes.
func FillTime(f field.Terrain, at lattice.Chunk) float64 {
	const tries, long = 12, 20 * time.Millisecond
	part := grid.New(lattice.ChunkCells / 8)
	part.Chunk = lattice.Chunk{X: at.X * 8, Y: at.Y*8 + 4, Z: at.Z * 8}
	start := time.Now()
	f.Fill(part)
	if took := time.Since(start); took > long {
		return float64(took.Nanoseconds()) * float64(samplesOf(lattice.ChunkCells)) / float64(len(part.Samples))
	}
	g := grid.New(lattice.ChunkCells)
	least := time.Duration(1 << 62)
	for range tries {
		g.Chunk = at
		at.X++
		start := time.Now()
		f.Fill(g)
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds())
}
