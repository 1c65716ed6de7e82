// Package geom holds points, boxes and rays in meters: float32, right-handed, y up.
//
// A [Vec3] is exact only near its origin. A place in a world is a lattice.Place, a sample number and an
// offset, and is turned into a Vec3 relative to some nearby origin before geometry is done with it.
package geom
