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
//     transition cells, whose vertices are those of the outlines. The other meshers refuse such faces (Mesher.ClosesSeams).
//
// # How a view is meshed
//
// One bit per sample says whether it is solid, 64 of them to a word; the crossings of a row are xors of
// words and vertices are numbered by counting bits. A view is meshed plane by plane: signs are packed one
// plane ahead of need, crossed edges are listed and solved in batches of 256, an array to a number, and
// triangles are permutations of twelve running numbers by the cell's case. Nothing is allocated once buffers
// have grown to what is needed.
//
// Marching cubes: Lorensen and Cline 1987. A face with solid corners on one diagonal is ambiguous; they are always kept
// apart (package cube), alike in both cells that share the face, which is all that a closed surface needs. The
// asymptotic decider (Nielson and Hamann 1991) would follow the trilinear interpolant there instead, but from densities:
// here bits alone decide which triangles there are, so that a case is a byte, cells need no floats, and rounding
// cannot make two chunks, or the processor and the GPU, decide differently.
//
// Flying edges (Schroeder, Maynard and Geveci 2015) has the idea of counting before writing; the tables are
// those of package cube. Surface nets: Gibson 1998, made manifold in the manner of dual marching cubes
// (Nielson 2004) with loops cut into parts: a vertex shared by two sheets
// would be a pinch. A vertex is the mean of its part's crossings, not the minimum of a quadric: it stays in its cell,
// which is what keeps a margin of one sample enough. Transition cells: Lengyel 2010, §4, here without thickness, so
// that no vertex of the coarse chunk moves.
//
// # How fast
//
// Figures are milliseconds on two cores of a Zen 2 (AVX2), medians of at least 15 repetitions in five processes, in
// pages of 2 MiB; the least are 1 to 6 % lower. VTK is its flying edges with one worker; fresh means into memory that
// the system hands out anew, and else buffers are used again.
//
//	with normals             one worker  two   VTK  one/VTK   fresh, one and two
//	sphere 256³                    13.8  7.4  52.1     0.26       24.2  13.0
//	terrain 256³                   12.0  6.9  42.9     0.28       20.2  11.0
//	gyroid 256³, 5 M triangles     60.2 34.3   177     0.34       98.1  53.1
//	terrain 512³                   69.4 40.7   288     0.24
//	random 128³, 6.6 M triangles   65.1 42.3
//	surface nets, terrain 256³     17.7        42.9    0.41       29.4
//	without normals
//	sphere 256³                    12.1  6.6  49.9     0.24       20.8  11.3
//	terrain 256³                   10.1  5.6  40.2     0.25       17.3   9.3
//	gyroid 256³                    39.3 23.4   139     0.28       75.3  41.0
//	surface nets, terrain 256³     17.3        40.2    0.43
//	with normals, in pages of 4 KiB
//	sphere 256³                    14.7  8.1                      27.3  14.2
//	gyroid 256³                    61.8 35.3                       126  65.5
//
// A read of the samples takes 3.9 ms there in pages of 2 MiB and 5.8 in pages of 4 KiB: a stream waits for memory
// where its page ends. So long rows are packed as four streams side by side, which read in 2.8 and 3.4 ms.
// Marching cubes of the sphere are thus three to five reads away from one: of 12.7 ms without normals, in pages of
// 4 KiB, packing takes 4.4, triangles 3.8, listing, collecting and writing the vertices 2.7, the crossings 1.3;
// normals add 1.7.
//
// Two workers gain less than twice because they share the memory: two reads at once take 1.2 times as long as
// one. Joining the vertices that lie in one place is done by one, which shows where there are very many triangles.
// Into fresh memory the first touch of each page counts, 1.4 to 1.9 µs for 4 KiB and a quarter of that in pages of
// 2 MiB (Extractor.Memory is there for those). The mesh is then no larger than it must be, because the surface is
// counted first: marching cubes keep the signs, but number and emit twice; surface nets read the samples twice.
// Beside the mesh there is memory for less than a tenth of it and half a byte a sample, which a test holds.
//
// VTK has the same triangles but for those without area: where a sample equals the iso level, or is so near it
// that crossings round to its place, several vertices lie there; we make them one and drop what collapses. Of
// terrain of 512³ samples VTK makes 1,671,832 triangles and we 1,671,830: sample 162, 217, 269 is 0.000004, two
// of its vertices fall together, and the two triangles that VTK keeps there have two corners in one place.
package mesher
