// Package lattice numbers the samples of a world and the chunks, bricks and regions they fall into.
//
// A [Sample] is a lattice point, one meter from the next, as three int32. At level n a cell spans 1<<n
// samples, so the samples of a coarse level are a subset of those of a finer one:
//
//	Chunk  c at level n: the 32³ cells whose low samples are (32c … 32c+31)<<n
//	Brick  b at level n: the 32³ samples (32b … 32b+31)<<n
//	Region r at level n: 8×8 chunk columns, all heights; chunk c lies in region c>>3
//
// Conversions are shifts, never divisions (sample −1 lies in chunk −1), and live in convert.go only.
// Boxes are half-open. Lists run x fastest, then y, then z.
package lattice
