// Package client holds the built page: what client/build made of client/src and client/engine.
package client

import (
	"embed"
	"io/fs"
)

// dist is empty but for a marker file until `go run ./client/build` has run.
//
//go:embed all:dist
var dist embed.FS

// Dist returns the built page's files: index.html, everything it loads under names that contain a hash of
// their content, and beside each its .br and .gz form. It returns nil if the page has not been built.
func Dist() fs.FS {
	if _, err := fs.Stat(dist, "dist/index.html"); err != nil {
		return nil
	}
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("client: " + err.Error()) // "dist" is a valid path
	}
	return sub
}
