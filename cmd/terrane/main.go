// Command terrane serves voxel worlds. `terrane --help` says how.
package main

import (
	"context"
	"os"

	"github.com/terrane/terrane/internal/cli"
)

// version is set by the linker (see the Makefile); it is empty in a build by hand.
var version string

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], version, os.Stdout, os.Stderr))
}
