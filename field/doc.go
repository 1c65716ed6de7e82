// Package field computes the density of the generated ground: shapes, noise terrain, heightmaps and their
// combinations, as a graph of nodes compiled to a [Field]. Density is in meters, roughly, and positive inside
// the ground; signed distances exist only in sdf.go.
package field
