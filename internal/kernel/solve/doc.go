// Package solve works out many vertices at a time: crossings of edges for marching cubes (Batch) and middles
// of cells for surface nets (NetBatch), their normals, and the arrays that a mesh keeps them in.
//
// Batches are kept as one array to a number so that vectors run over them. Each kernel has a plain version,
// named …Generic, that the versions with vectors must equal bit for bit. Where float32 is not good enough for
// a vertex (its densities are not finite, huge or flat) a kernel reports it, and the vertex is solved again by
// the robust functions, in float64. That is rare, and costs the fast path comparisons alone.
package solve
