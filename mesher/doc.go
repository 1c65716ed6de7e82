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
// # How fast
//
// Figures are milliseconds on two cores of a Zen 2 (AVX2), with normals, of 256³ samples, the least of three processes of
// nine repetitions each; VTK's flying edges with one worker beside them.
//
//	volume             one worker  two   VTK   into fresh memory, one and two
//	sphere                   13.5  7.3  52.9                      23.8  12.7
//	gyroid, 5 M triangles    61.8 34.7   178                       100  54.4
//	the same in pages of 4 KiB: sphere 14.6 8.1, fresh 27.3 14.3; gyroid 64.4 36.6, fresh 128 65.8
//
// A read of the samples takes 3.9 ms there in pages of 2 MiB and 5.8 in pages of 4 KiB: a stream waits for memory
// where its page ends. So long rows are packed as four streams side by side, which read in 2.8 and 3.4 ms.
// Marching cubes of the sphere are thus three to five reads away from one: of 13 ms without normals packing takes
// 4.5, triangles 3.3, listing and collecting the vertices 2.5, the crossings 1.5; normals add 2.
//
// Two workers gain less than twice because they share the memory: two reads at once take 1.2 times as long as
// one. Into fresh memory the first touch of each page counts, 1.4 to 1.9 µs for 4 KiB and a quarter of that in pages of
// 2 MiB (Extractor.Memory is there for those), and the samples near the surface are read once more.
//
// VTK has the same triangles but for those without area: where a sample equals the iso level, or is so near it
// that crossings round to its place, several vertices lie there; we make them one and drop what collapses. Of
// terrain of 512³ samples VTK makes 1,671,832 triangles and we 1,671,830: sample 162, 217, 269 is 0.000004, two
// of its vertices fall together, and the two triangles that VTK keeps there have two corners in one place.
package mesher
