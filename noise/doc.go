// Package noise turns lattice phases into values: value, gradient, simplex and cellular noise in two and three dimensions,
// as sums of octaves, the same bits on every machine and as smooth ten million meters out as at the origin.
//
// # Phase
//
// A sample number times a [Step], a count of lattice cells per sample as 32.32 fixed point, gives a 64-bit
// phase. Its high word is the lattice cell and the top 24 bits of its low word, exact in a float32, are the
// place within the cell. The product wraps, and the lattice with it, so a high octave has no seam where its
// cells outnumber 2³². An octave is the phase times its own step (twice the step is the phase shifted by one) plus an
// offset drawn from the seed, so that the lattices of the octaves do not coincide at the origin.
//
//	63          32 31        8 7    0
//	┌─────────────┬───────────┬──────┐
//	│ cell        │ fraction  │ lost │
//	└─────────────┴───────────┴──────┘
//
// # Values
//
// A lattice point's hash gives it a value in [−1, 1) or a gradient. Within a cell these are mixed by the
// quintic fade t³(6t²−15t+10) (Perlin 2002, "Improving noise"), whose first two derivatives vanish at both
// ends, so that shading shows no lattice. The mixing order is part of what the noise is: first along x, then
// across z, and last across y. A row of lattice points mixed along x serves all rows of samples round it, and
// two of these mixed across z all rows of one z; only the last mix is made for every sample: see [Rows].
//
// Simplex noise (Perlin 2001, "Noise hardware"; Gustavson 2005, "Simplex noise demystified") and cellular noise (Worley
// 1996, "A cellular texture basis function"), whose points cracks are made of too, share little between samples; see
// simplex.go and cellular.go.
//
// A gradient in three dimensions is one of the twelve directions to the edges of a cube; in two it is any
// direction, its length within 6 % of 1, from a parabola in place of the sine.
//
// # Speed
//
// Millions of samples a second on one thread, 5 octaves in three dimensions, 256³ samples 0.02 cells apart
// (terrane bench field), on an AMD EPYC (Zen 2) with vectors of 256 bits, beside the best C++ library on vectors of
// 256 bits on a machine of this kind:
//
//	             256 bits   128 bits   without vectors   C++, 256 bits
//	value        400        297        213               67 (189 with 512)
//	gradient     312        195        122               40 (119)
//	simplex      12         7.0        0.9               42 (114)
//	cellular     4.6        2.7        0.8
//
// In WebAssembly (node 20, 128 bits; go test -bench Fill) it is 98 of value and 58 of gradient noise: ten times what
// a plain port of the C++ code to Go computes natively, and two fifths of what this package computes natively
// without vectors.
//
// Value and gradient noise are ahead because rows share what does not depend on x; a plain port of the C++ code to
// Go computes 8 to 12. Simplex noise here spreads from sixteen points, not four, to favor no direction and be as
// smooth far out as near, and is slower for it.
//
// # Rules
//
// Everything is float32 with every product rounded before it is added. kernels_generic.go holds the truth;
// kernels_simd.go (rows) and places_simd.go (places that share nothing) hold the same kernels on the standard simd package
// and must equal it bit for bit.
package noise
