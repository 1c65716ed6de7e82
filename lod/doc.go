// Package lod decides which chunk columns a viewer needs, at which level, and in which order their chunks are loaded. It
// is pure: the answer depends on the place of the viewer, the view radius and what was kept before.
//
// There is a single level for now; it is part of the types, so that coarser rings can be laid round it.
//
// # Columns in view
//
// A column is wanted when the centers of its chunks lie within the radius of the center of the viewer's own
// column, on the ground plane and in whole chunks: dx² + dz² ≤ radius². Radius 8 makes 197 columns. A column
// that is there is kept until it is further than radius + [Slack], so that a viewer who walks to and fro over
// a border loads nothing twice.
package lod
