// Package edit holds the edits of a world: a brush, a shape and an operation, at a place.
//
// An edit is pointwise: the new value of a sample depends on its old value, its position and the edit, never
// on its neighbors, so edits may be applied sample by sample in any order of samples.
//
// The binary form ([Edit.AppendBinary], [Parse]), little-endian:
//
//	0  1  version, 1
//	1  1  operation
//	2  1  shape
//	3  1  reserved, 0
//	4  4  radius in meters, float32
//	8  4  smooth k in meters, float32
//	12 12 place: sample x, y, z, int32
//	24 12 place: offset x, y, z, float32
package edit
