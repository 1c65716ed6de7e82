// Command protocolgen writes client/src/world/protocol.gen.ts: what the page has to know of Go's constants and
// layouts, so that no number of them stands in TypeScript by hand. Constants come from the packages that own
// them, layouts of the GPU's buffers from the shaders, and names of functions from the source of client/engine.
//
//	go generate ./client/protocolgen
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run .

// root is the module's root as go generate and go test see it: both run in this folder.
const root = "../.."

// output is the file that is written.
var output = filepath.Join(root, "client", "src", "world", "protocol.gen.ts")

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "protocolgen:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := protocol()
	if err != nil {
		return err
	}
	return os.WriteFile(output, []byte(text), 0o644)
}
