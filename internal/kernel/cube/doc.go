// Package cube numbers the corners, edges and faces of a cell and works out from them how a surface passes
// through it: the 256 cases of a regular cell and the 512 cases of a transition cell. No table is typed in.
//
// # A regular cell
//
// A corner's number has bit 0 set on the high side of x, bit 1 of y, bit 2 of z. Bit i of a case is set when
// corner i is solid. An edge's number is axis·4 + i: edges 0–3 run along x, 4–7 along y, 8–11 along z, and
// the two bits of i are the place on the two other axes, the lower axis in bit 0.
//
//	    2 ------1------ 3
//	   /|              /|            y
//	 10 |            11 |            |
//	 /  4            /  5            |
//	6 ------3------ 7   |            o--- x
//	|   |           |   |           /
//	|   0 ------0---|-- 1          z (toward the reader)
//	6  /            7  /
//	| 8             | 9
//	|/              |/
//	4 ------2------ 5
//
// # The walk
//
// Every face lists its corners in order, all faces going round the same way seen from outside. Where a run
// of solid corners ends, a line runs across the face back to the edge where the run began. Solid corners on
// a diagonal are two runs, so they always stay separated, and the two cells that share a face draw the same
// lines on it. Each crossed edge lies on two faces; on one of them a line ends there and on the other one
// starts, so the lines close into loops. A loop becomes a fan of triangles from the first apex whose inner
// diagonals never join two edges of one face: such a diagonal could be a line of the neighbor's too, and its
// edge would then border four triangles.
//
// Loops wind so that they face into the solid in right-handed space. Meshes are handed out the other way
// round, counter-clockwise seen from the air.
//
// # Parts
//
// The dual of the loops is a surface net: one vertex to a loop, one polygon to a crossed edge. It has an
// edge bordered by four triangles where two neighboring loops share both lines of a face. [Parts] therefore
// cuts each loop that passes twice over one face by chords into parts that pass over every face at most
// once. The cut concerns the cell alone, so neighbors need not agree on it.
//
// # A transition cell
//
// Lengyel 2010, §4 has the idea: a cell whose one face is sampled at full resolution and whose opposite face
// at half. Here its cases come from the same walk over ten faces. The full face has nine samples, number
// u + 3v; the half face has four corners, 9 + u + 2v, which share the values of samples 0, 2, 6 and 8, so the
// edges between the two faces are never crossed. Bit i of a case is set when sample i of the nine is solid.
//
//	6 ---4--- 7 ---5--- 8
//	|         |         |      full face: edges 0–5 run along u (number 2·row + column),
//	9        10        11      6–11 along v (number 6 + 3·row + column)
//	|         |         |
//	3 ---2--- 4 ---3--- 5      half face: edges 12, 13 run along u and 14, 15 along v
//	|         |         |
//	6         7         8      v
//	|         |         |      |
//	0 ---0--- 1 ---1--- 2      o--- u
package cube
