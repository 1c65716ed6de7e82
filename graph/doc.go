// Package graph holds the compact form of a world: nodes in order, inputs before users, of which the last is the
// density. It knows what each kind of node is and what follows from a node's numbers, and computes no sample; package
// field does.
//
// One table describes every [Kind] once ([Infos]): its name, its parameters with their units and ranges, along which
// axes its value changes, how many inputs it has, the version of its semantics, and what its kernel's constants are
// derived from. The evaluator, the shaders and the documents read the table and the [Program] that [Compile] makes,
// and derive nothing themselves. A new kind is one row here, one maker and kernel in the evaluator, one function of
// WGSL and its tests.
//
// # Who may share what
//
// A [Program] is read-only and shared by any number of goroutines. A [Graph] is shared as long as nobody changes it. A
// [Builder] is for one goroutine.
//
// # Errors
//
// Binary forms give ErrCorrupt, ErrVersion or ErrTooLarge; graphs that do not compile a [NodeError], which is
// [ErrInvalid] and names the node.
//
// # Graph format
//
// Little-endian. The checksum is CRC-32C over everything before it.
//
//	0   4  magic "TRGR"
//	4   2  version: 2 if the graph has materials, else 1
//	6   2  number of materials, 1 … 256; 0 in version 1
//	8   4  length of the whole in bytes
//	12  4  number of nodes
//	16     materials, one after the other
//	       nodes, one after the other
//	    4  checksum
//
// A material:
//
//	0   3  color: red, green, blue in sRGB
//	3   1  length n of its name in bytes, 1 … 64
//	4   4  roughness, float32
//	8   n  its name, UTF-8 without control characters
//
// A node:
//
//	0   2  kind
//	2   2  semantics version
//	4   1  number of inputs i
//	5   1  1 if it reads an asset, else 0
//	6   2  number of integers n
//	8   2  number of floats f
//	10  2  reserved, 0
//	12  4i inputs: numbers of earlier nodes, uint32
//	    8n integers, int64
//	    4f floats, float32
//	    32 hash of the asset, if it reads one
package graph
