// Package lod decides what a viewer needs: which chunk columns, at which level, and in which order. It is
// pure: the answer depends on the place of the viewer and the view radius, and on nothing else but what was
// kept before.
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
