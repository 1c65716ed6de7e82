// Package relief makes triangles of heightmaps: a surface with a vertex for every height, or a block to print that is
// closed and manifold, whatever heights are missing. Positions are in meters, x east and z south of the first sample, y
// up; triangles run counter-clockwise seen from above.
package relief
