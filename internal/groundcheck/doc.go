// Package groundcheck says what there is to know about ground before it is served: between which values the nodes of a
// graph lie, where there is surface, and how long samples take on this machine. It gives up what takes too long, and
// says so: a document may come from anybody.
package groundcheck
