// Package mesher turns densities into triangle meshes: marching cubes, surface nets and the blocks view, of
// chunks ([Mesher]) and of whole volumes ([Extractor]).
//
// # Conventions
//
// A sample above the iso level is solid; one at it or below it, or NaN, is air. Triangles run
// counter-clockwise seen from the air, normals point into it. By marching cubes and surface nets a mesh is
// closed by index wherever it does not end at the border of the samples, and no edge borders more than two
// triangles. All numbers are float32 and nothing is fused, so that every machine makes the same mesh bit for
// bit, with vectors and without.
//
// What is mixed along a crossed edge is mixed from the two samples at its ends alone: the place, the normal
// (minus the gradient by central differences, which is what a grid's margin is for) and the depth. Chunks
// therefore agree on their common border bit for bit:
//
//   - marching cubes: both chunks have the vertices on the common plane, each its own triangles;
//   - surface nets and blocks: a crossed edge of the lattice has its polygon in the chunk that owns the edge's
//     first sample, so that a mesh reaches half a cell past the chunk's low sides and stops short of the high
//     ones; the vertices in the margin are those of the neighbor;
//   - marching cubes toward a finer neighbor: the coarser chunk fills the plane between the two outlines with
//     transition cells, whose vertices are those of the outlines. (The other meshers leave the gap.)
//
// # The road
//
// One bit per sample says whether it is solid, 64 of them to a word; the crossings of a row are xors of
// words and vertices are numbered by counting bits. A view is meshed plane by plane: signs are packed one
// plane ahead of need, crossed edges are listed and solved in batches of 256, an array to a number, and
// triangles are permutations of twelve running numbers by the cell's case. Nothing is allocated once buffers
// have grown to what is needed.
//
// Flying edges (Schroeder, Maynard and Geveci 2015) has the idea of counting before writing; the tables are
// those of package cube. Surface nets: Gibson 1998, made manifold in the manner of dual marching cubes
// (Nielson 2004) with loops cut into parts. Transition cells: Lengyel 2010.
//
// On 256³ samples of smooth terrain a read of the samples takes about 2 ms, marching cubes with normals 7 to
// 8: 2 for packing the signs, 1 for the crossings, 1.5 for triangles and 3 for vertices, of which half is
// fetching the 14 samples each needs. On a surface of five million triangles the vertices take two thirds.
package mesher
