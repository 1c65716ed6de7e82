package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// An op computes one node in three ways that must agree: at a sample, over a block of samples, bit for bit
// the same, and as an interval that holds every sample of a box.
//
// Inputs are finite and never −0, and so must every result be. An op may keep scratch memory; it is a forker then.
type op interface {
	point(in *values, s lattice.Sample) float32
	block(dst []float32, in *operands, b *block)
	bounds(in *intervals, b *lattice.Box) geom.Interval
}

// A chooser is an op whose value, given where its inputs lie, may be that of one of them.
type chooser interface {
	// choose returns the number of the input that the value equals bit for bit, or −1.
	choose(in *intervals) int
}

// What else an op may be is looked up once, when its step is compiled.

// A costlyBounds op has bounds that cost much: they are first taken to be its range everywhere.
type costlyBounds interface{ costlyBounds() }

// A forker is an op with scratch memory.
type forker interface {
	// fork returns the op with scratch of its own, for another reader; what does not change is shared.
	fork() op
}

// A neighborReader is a columnar op whose value depends on its input at the columns beside its own too.
type neighborReader interface {
	// within computes a block of columns, each beside the next, from the input's values over it, for all but the
	// columns at its border.
	within(dst, input []float32, b *block)
}

// A tileReader is an op that reads tiles as it goes.
type tileReader interface{ tiled() []*heightmap }

type (
	values    [graph.MaxNodeInputs]float32
	intervals [graph.MaxNodeInputs]geom.Interval
	operands  [graph.MaxNodeInputs]operand
)

// A block is a stretch of a grid: rows along x, each dx from the last, that differ in their y or in their z.
type block struct {
	x, y, z    int32 // the first sample
	dx, dy, dz int32 // between samples of a row, and between rows
	count      int   // samples in a row
	rows       int
	spare      *[graph.MaxNodeInputs][]float32 // scratch of the ops, by input
}

// size returns the number of samples.
func (b *block) size() int { return b.count * b.rows }

// box returns a box that holds the block's samples.
func (b *block) box() lattice.Box {
	o, r := lattice.Sample{X: b.x, Y: b.y, Z: b.z}, int32(b.rows-1)
	return lattice.Box{Min: o, Max: o.Add(int32(b.count-1)*b.dx+1, r*b.dy+1, r*b.dz+1)}
}

// An operand is an input's values over a block: row by row, or one row that stands for all.
type operand struct {
	v      []float32
	shared bool
}

// row returns the values of row r, n a row.
func (o *operand) row(r, n int) []float32 {
	if o.shared {
		return o.v[:n]
	}
	return o.v[r*n:][:n]
}

// all returns the values of every row: those of one that stands for all are copied, which costs a tenth of calling a
// kernel for each row.
func (o *operand) all(b *block, input int) []float32 {
	if !o.shared || b.rows == 1 {
		return o.v[:b.size()]
	}
	v := resize(b.spare[input], b.size())
	b.spare[input] = v
	for done := copy(v, o.v[:b.count]); done < len(v); {
		done += copy(v[done:], v[:done])
	}
	return v
}

// rows returns the values of every row, or the one row that stands for all.
func (o *operand) rows(b *block) []float32 {
	if o.shared {
		return o.v[:b.count]
	}
	return o.v[:b.size()]
}

// A monadic is a function of one number.
type monadic interface {
	of(a float32) float32
	all(dst, a []float32)
	bound(a geom.Interval) geom.Interval
}

// A monadicOp is a monadic applied to its input.
type monadicOp struct{ monadic }

func (u monadicOp) point(in *values, _ lattice.Sample) float32 { return u.of(in[0]) }

func (u monadicOp) bounds(in *intervals, _ *lattice.Box) geom.Interval { return u.bound(in[0]) }

func (u monadicOp) block(dst []float32, in *operands, b *block) {
	if !in[0].shared {
		u.all(dst, in[0].v[:len(dst)])
		return
	}
	first := dst[:b.count]
	u.all(first, in[0].v[:b.count])
	for r := 1; r < b.rows; r++ {
		copy(dst[r*b.count:], first)
	}
}

// A dyadic is a function of two numbers.
type dyadic interface {
	of(a, b float32) float32
	all(dst, a, b []float32)
	bound(a, b geom.Interval) geom.Interval
	choice(a, b geom.Interval) int // as chooser.choose
}

// A dyadicOp is a dyadic applied to its inputs.
type dyadicOp struct{ dyadic }

func (o dyadicOp) point(in *values, _ lattice.Sample) float32 { return o.of(in[0], in[1]) }

func (o dyadicOp) bounds(in *intervals, _ *lattice.Box) geom.Interval { return o.bound(in[0], in[1]) }

func (o dyadicOp) choose(in *intervals) int { return o.choice(in[0], in[1]) }

func (o dyadicOp) block(dst []float32, in *operands, b *block) {
	o.all(dst, in[0].all(b, 0), in[1].all(b, 1))
}
