// Package printer writes the document of a graph that was built in Go or that a world holds.
package printer
