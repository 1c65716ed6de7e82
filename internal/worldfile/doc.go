// Package worldfile opens the files of worlds, and makes new ones from templates, documents and heightmaps. A world keeps
// what it was made from, so that it is only opened for who asks for that world.
package worldfile
