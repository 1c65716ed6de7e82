// Package sdf holds solids round the origin, in meters: shapes, what stretches and rotates them, and volumes of numbers.
// It knows no node, sample or block.
//
// A signed distance, positive outside the solid, exists inside this package only; what it returns are densities, which
// are positive inside. The distances of shapes are exact but for ellipsoids and stretched shapes, whose densities are
// distances only near their surfaces and never more than one (Quilez, "Distance functions", of which the box, the
// capsule, the torus and the cone are the exact ones; the ellipsoid is his bound with the least radius). A density that
// changes by at most a meter a meter can be bounded in a box by its value in the middle, which is tighter than interval
// arithmetic where a formula uses a coordinate twice.
//
// Solids are values that never change: any number of goroutines may share them.
package sdf
