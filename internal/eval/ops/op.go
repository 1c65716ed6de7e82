package ops

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// An Op computes one node in three ways that must agree: at a sample, over a block of samples, bit for bit
// the same, and as an interval that holds every sample of a box.
//
// Inputs are finite and never −0, and so must every result be. An op may keep scratch memory; it is a forker then.
type Op interface {
	Point(in *Values, s lattice.Sample) float32
	Block(dst []float32, in *Operands, b *Block)
	Bounds(in *Intervals, b *lattice.Box) geom.Interval
}

// A Chooser is an op whose value, given where its inputs lie, may be that of one of them.
type Chooser interface {
	// Choose returns the number of the input that the value equals bit for bit, or −1.
	Choose(in *Intervals) int
}

// Files gives the content of a file by its hash.
type Files func(hash asset.Hash) ([]byte, error)

// What else an op may be is looked up once, when its step is compiled.

// A CostlyBounds op has bounds that cost much: they are first taken to be its range everywhere.
type CostlyBounds interface{ costlyBounds() }

// A Forker is an op with scratch memory.
type Forker interface {
	// Fork returns the op with scratch of its own, for another reader; what does not change is shared.
	Fork() Op
}

// A NeighborReader is a columnar op whose value depends on its input at the columns beside its own too.
type NeighborReader interface {
	// Within computes a block of columns, each beside the next, from the input's values over it, for all but the
	// columns at its border.
	Within(dst, input []float32, b *Block)
}

// A TileReader is an op that reads tiles as it goes.
type TileReader interface{ Tiled() []*Heightmap }

// Values, Intervals and Operands hold the inputs of an op: at a sample, over a box, and over a block.
type (
	Values    [graph.MaxNodeInputs]float32
	Intervals [graph.MaxNodeInputs]geom.Interval
	Operands  [graph.MaxNodeInputs]Operand
)

// A Block is a stretch of a grid: rows along x, each dx from the last, that differ in their y or in their z.
type Block struct {
	X, Y, Z    int32 // the first sample
	Dx, Dy, Dz int32 // between samples of a row, and between rows
	Count      int   // samples in a row
	Rows       int
	Spare      *[graph.MaxNodeInputs][]float32 // scratch of the ops, by input
}

// Size returns the number of samples.
func (b *Block) Size() int { return b.Count * b.Rows }

// Box returns a box that holds the block's samples.
func (b *Block) Box() lattice.Box {
	o, r := lattice.Sample{X: b.X, Y: b.Y, Z: b.Z}, int32(b.Rows-1)
	return lattice.Box{Min: o, Max: o.Add(int32(b.Count-1)*b.Dx+1, r*b.Dy+1, r*b.Dz+1)}
}

// An Operand is an input's values over a block: row by row, or one row that stands for all.
type Operand struct {
	V      []float32
	Shared bool
}

// row returns the values of row r, n a row.
func (o *Operand) row(r, n int) []float32 {
	if o.Shared {
		return o.V[:n]
	}
	return o.V[r*n:][:n]
}

// all returns the values of every row: those of one that stands for all are copied, which costs a tenth of calling a
// kernel for each row.
func (o *Operand) all(b *Block, input int) []float32 {
	if !o.Shared || b.Rows == 1 {
		return o.V[:b.Size()]
	}
	v := Resize(b.Spare[input], b.Size())
	b.Spare[input] = v
	for done := copy(v, o.V[:b.Count]); done < len(v); {
		done += copy(v[done:], v[:done])
	}
	return v
}

// rows returns the values of every row, or the one row that stands for all.
func (o *Operand) rows(b *Block) []float32 {
	if o.Shared {
		return o.V[:b.Count]
	}
	return o.V[:b.Size()]
}

// A Unary is a function of one number.
type Unary interface {
	of(a float32) float32
	all(dst, a []float32)
	bound(a geom.Interval) geom.Interval
}

// A UnaryOp is a unary applied to its input.
type UnaryOp struct{ Unary }

func (u UnaryOp) Point(in *Values, _ lattice.Sample) float32 { return u.of(in[0]) }

func (u UnaryOp) Bounds(in *Intervals, _ *lattice.Box) geom.Interval { return u.bound(in[0]) }

func (u UnaryOp) Block(dst []float32, in *Operands, b *Block) {
	if !in[0].Shared {
		u.all(dst, in[0].V[:len(dst)])
		return
	}
	first := dst[:b.Count]
	u.all(first, in[0].V[:b.Count])
	for r := 1; r < b.Rows; r++ {
		copy(dst[r*b.Count:], first)
	}
}

// A Binary is a function of two numbers.
type Binary interface {
	of(a, b float32) float32
	all(dst, a, b []float32)
	bound(a, b geom.Interval) geom.Interval
	choice(a, b geom.Interval) int // as chooser.choose
}

// A BinaryOp is a binary applied to its inputs.
type BinaryOp struct{ Binary }

func (o BinaryOp) Point(in *Values, _ lattice.Sample) float32 { return o.of(in[0], in[1]) }

func (o BinaryOp) Bounds(in *Intervals, _ *lattice.Box) geom.Interval { return o.bound(in[0], in[1]) }

func (o BinaryOp) Choose(in *Intervals) int { return o.choice(in[0], in[1]) }

func (o BinaryOp) Block(dst []float32, in *Operands, b *Block) {
	o.all(dst, in[0].all(b, 0), in[1].all(b, 1))
}

// Resize returns s with length n; its contents are undefined.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// FillRow sets every element of dst to v.
func FillRow(dst []float32, v float32) {
	for i := range dst {
		dst[i] = v
	}
}
