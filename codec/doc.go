// Package codec writes triangle meshes in the formats that other programs read.
//
//   - GLB, glTF 2.0 in one file: one node, one mesh, one material; indices of 16 bits where they suffice;
//     the accessors' bounds are those of the very floats written.
//   - STL, binary: triangles with their flat normals, no shared vertices.
//   - OBJ: text, with normals.
//   - PLY, binary little-endian, with normals.
//
// Meshes are written as they are, a vertex for a vertex and a triangle for a triangle. Options.Origin says
// where they lie: GLB has a place for it (the node's translation, a double), so that a mesh millions of
// meters out keeps its precision; OBJ adds it to each coordinate, in decimal; STL and PLY hold 32-bit floats
// and stay local, with the origin named in the header.
//
// Every writer first checks the mesh: an empty one, an index past the vertices or a coordinate that is not
// finite is an error and nothing is written. A normal that is not finite or has no length is replaced by one
// of unit length, since readers reject others.
package codec
