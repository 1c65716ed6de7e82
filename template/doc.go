// Package template holds ready-made graphs: level ground, a test shape, a heightmap's landscape, the default hills,
// and caves to add to any of them. They are built with [graph.Builder] alone, so each is also an example of how to
// build a world; what they give for the same arguments never changes, for worlds are stored by their graphs.
package template
