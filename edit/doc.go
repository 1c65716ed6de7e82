// Package edit holds the edits of a world: an operation with a shape, at a place.
//
// An edit is pointwise: the new value of a sample depends on its old value, its position and the edit, never
// on its neighbors, so edits may be applied sample by sample in any order of samples.
//
// An [Edit] is plain data that anybody may fill in. [Edit.Check] and [Parse] turn it into a [Checked], once, where
// it enters; whatever works on edits takes a Checked and validates nothing again. A Checked knows which samples it
// can change ([Checked.Box], [Checked.Rows]), what they become ([Checked.Row]), what it can make of an interval of
// densities ([Checked.Bound]) and what applying it costs ([Checked.Cost]).
//
// A shape gives a signed distance (ball.go), an operation says what a sample becomes at that distance (dig.go).
// Each lies in a file of its own and is entered in one table, shapes or operations.
//
// # Encoding
//
// [Checked.AppendBinary] writes and [Parse] reads, little-endian. The log, the protocol, the builders' jobs and the
// GPU all read this one encoding:
//
//	0  1  version: 1 for digging and building balls, as the first worlds had them, else 2
//	1  1  operation
//	2  1  shape
//	3  1  material of the palette, 0 in version 1
//	4  4  radius in meters, float32
//	8  4  smooth k in meters, float32
//	12 12 place: sample x, y, z, int32
//	24 12 place: offset x, y, z, float32
//	then in version 2
//	36 12 extent x, y, z in meters, float32
//
// What an operation or a shape does not read is 0. An edit has one encoding: equal edits are equal bytes.
package edit
