// Package eval evaluates compiled graphs. It has no notion of a world: package field gives it its public face.
//
// Compiling gives each node an operation (package ops), follows the ranges of all values from the parameters on, drops
// what has one value everywhere, and joins chains that are common into one step each. What results is read-only; a
// terrain is one reader of it, with scratch of its own.
//
// Evaluating leaves out what does not matter. Steps that do not depend on y are computed once a column (planes); of the
// others a tape says which must be computed in a box, cut from the tape of a larger box by the intervals of the steps
// (Duff 1992, "Interval arithmetic and recursive subdivision for implicit functions and constructive solid geometry",
// SIGGRAPH; the shortened tapes are Keeter's: 2020, "Massively parallel rendering of complex closed-form implicit
// surfaces", SIGGRAPH, section 3.2). The values that remain are the same bits.
package eval
