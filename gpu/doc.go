// Package gpu writes the shaders that do on a GPU what packages field, edit and mesher do on the
// processor: evaluate a graph, lay edits over samples, and mesh them by marching cubes. They are WGSL, for WebGPU
// compute, and need nothing beyond its core limits.
//
// [Generate] makes the functions of a graph; [Shader] assembles them, and the passes that mesh, from the parts in
// shaders/, each a file with its comments. [Table] packs the computed table of package internal/kernel/cube, so that there
// is one table for processor and GPU. Nothing here talks to a GPU: client/src/gpu does.
//
// # What is equal
//
// Noise runs on the same fixed-point phase and the same integer hashes, shapes are placed by the same integer
// anchors, and what is computed in float32 is computed in the same order. WGSL lets a compiler fuse a product with
// a sum, and a division or a root be off in its last bits; so samples differ by rounding: by at most 1e-5 of the
// field's range, and in sign only where the density is below 1e-4 of it. Where a field jumps (the cliff of a
// terrace, a select), a sample at the jump may fall on either side of it. Worlds are therefore never sampled by
// both: a sign that differed across a border would be a crack.
//
// Meshes made from the same samples are equal as sets of triangles, vertices in the same places to within 1e-4
// of a cell.
//
// # What falls back
//
// [Fallbacks] lists the kinds of nodes, and [Supported] names the nodes of a graph, that only the processor
// computes.
//
// # The passes
//
// Signs are packed, 32 to a word; each word's vertices and triangles are counted; the counts are summed in two
// passes; then every word writes its vertices and its triangles to their places. All places follow from the samples,
// none from timing. It is the road of package mesher (Schroeder, Maynard and Geveci 2015, "Flying edges") with
// threads in place of a loop. The pass Append is the usual, simpler way for comparison: one thread a cell, room
// from an atomic counter (Lorensen and Cline 1987; Geiss 2007, "GPU Gems 3", chapter 1).
package gpu
